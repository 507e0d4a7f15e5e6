import { Inject, Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import { AuthService } from '../../auth/auth.service.js';
import { RegisterDto } from '../../auth/dto/auth.dto.js';
import { BalancesService } from '../../balances/balances.service.js';
import { CreateBalancesDto } from '../../balances/dto/balance.dto.js';
import { BudgetsService } from '../../budgets/budgets.service.js';
import { CreateBudgetDto } from '../../budgets/dto/budget.dto.js';
import { CommentsService } from '../../comments/comments.service.js';
import { CreateCommentDto } from '../../comments/dto/comment.dto.js';
import { CarryOverService } from '../../cycles/carry-over.service.js';
import { CyclesService } from '../../cycles/cycles.service.js';
import { CarryOverDto } from '../../cycles/dto/carry-over.dto.js';
import { CreateCycleDto, UpdateCycleDto } from '../../cycles/dto/cycle.dto.js';
import { ExchangeRatesService } from '../../exchange-rates/exchange-rates.service.js';
import { CreateExpenseDto } from '../../expenses/dto/expense.dto.js';
import { UpdateExpensesDto } from '../../expenses/dto/update-expenses.dto.js';
import { ExpensesService } from '../../expenses/expenses.service.js';
import { ForecastService } from '../../forecast/forecast.service.js';
import { CreateIncomeDto } from '../../incomes/dto/income.dto.js';
import { UpdateIncomesDto } from '../../incomes/dto/update-incomes.dto.js';
import { IncomesService } from '../../incomes/incomes.service.js';
import { DEFAULT_CYCLE_DAYS } from '../../ledger/periods.js';
import { CreatePaymentMethodDto } from '../../payment-methods/dto/payment-method.dto.js';
import { PaymentMethodsService } from '../../payment-methods/payment-methods.service.js';
import { SETTINGS } from '../../platform/config/config.module.js';
import type { Settings } from '../../platform/config/settings.js';
import { validateBody } from '../../platform/dto/request-validation.pipe.js';
import { addDays, type CalendarDate } from '../../platform/values/calendar-date.js';
import { formatMoney } from '../../platform/values/money.js';
import { NO_PRECONDITION } from '../../platform/values/precondition.js';
import { inCommand, inRequest } from '../../platform/values/requester.js';
import { CreateExpenseTemplateDto } from '../../templates/dto/expense-template.dto.js';
import { CreateIncomeTemplateDto } from '../../templates/dto/income-template.dto.js';
import { ExpenseTemplatesService } from '../../templates/expense-templates.service.js';
import { IncomeTemplatesService } from '../../templates/income-templates.service.js';
import type { AuthenticatedUser } from '../../users/authenticated-user.js';
import {
  atActualAmounts,
  atMost,
  byDate,
  paidOn,
  paymentMethodBody,
  receivedOn,
  templateBody,
  withIds,
  type Ids,
  type SettledEntry,
} from './bodies.js';
import type { EntryData, HouseholdData, StatedData } from './household-data.js';
import { SampleCard } from './sample-card.js';

/** The balance of the rest is at least this. */
const LEAST_BALANCE = new Big(100);

interface Household {
  user: AuthenticatedUser;
  data: HouseholdData;
  /** The ids of payment methods and budgets, by their keys. */
  ids: Ids;
}

/**
 * Creates the sample household through the services: completed cycles, the active one, in the middle
 * of which is the user's day, and a draft of the next one.
 */
@Injectable()
export class SampleHousehold {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly auth: AuthService,
    private readonly rates: ExchangeRatesService,
    private readonly paymentMethods: PaymentMethodsService,
    private readonly balances: BalancesService,
    private readonly budgets: BudgetsService,
    private readonly templates: ExpenseTemplatesService,
    private readonly incomeTemplates: IncomeTemplatesService,
    private readonly cycles: CyclesService,
    private readonly expenses: ExpensesService,
    private readonly incomes: IncomesService,
    private readonly carryOvers: CarryOverService,
    private readonly forecasts: ForecastService,
    private readonly card: SampleCard,
    private readonly comments: CommentsService,
  ) {}

  /**
   * Creates the household with a user of this account. What is due before the day is paid, but for
   * two expenses and a part of the statement of the card, and the balances are those of the evening
   * before. The last record of the draft is that of a carry-over, which can be undone.
   *
   * @param minDays of all cycles together, of which there are at least three
   * @throws DomainError USER_ALREADY_EXISTS
   */
  async create(
    account: { email: string; password: string },
    data: HouseholdData,
    minDays = 0,
  ): Promise<{ user: AuthenticatedUser; cycleCount: number }> {
    const dto = await validateBody(RegisterDto, { ...account, ...data.user });
    const user = inCommand(await this.auth.createUser(dto), this.settings.todayIn);
    await this.importRates(user.today, data);
    const household = { user, data, ids: await this.createReferences(user, data) };
    await this.createTemplates(household);

    const days = Math.min(DEFAULT_CYCLE_DAYS, this.settings.cycleMaxDays + 1);
    const start = addDays(user.today, -Math.floor(days / 2));
    const active = await this.createCycle(household, start, days);
    for (const expense of data.expenses) {
      const paid = { paid: true, paid_at: paidOn(addDays(user.today, expense.day)) };
      await this.createExpense(household, active, expense, paid);
    }
    for (const income of data.incomes) await this.createIncome(household, active, income);
    await this.settleActive(household, active);
    const draft = await this.createCycle(household, addDays(start, days), days);
    await this.carryOver(household, { from: draft, to: active });

    const cycleCount = Math.max(3, Math.ceil(minDays / days));
    for (let past = 1; past <= cycleCount - 2; past += 1) {
      await this.createPast(household, addDays(start, -past * days), days);
    }
    await this.setStatus(user, active, 'active');
    await this.payStatement(household);
    await this.stateBalances(household);
    const comment = { entity_type: 'cycle', entity_id: active, body: data.comment };
    await this.comments.create(user, await validateBody(CreateCommentDto, comment));
    return { user, cycleCount };
  }

  private async importRates(today: CalendarDate, { rates }: HouseholdData): Promise<void> {
    const lines = rates.map(([day, rate]) => `MXN,USD,${rate},${addDays(today, day)}`);
    await this.rates.importFile(Buffer.from(['from,to,rate,date', ...lines].join('\n')));
  }

  private async createReferences(user: AuthenticatedUser, data: HouseholdData): Promise<Ids> {
    const ids = new Map<string, string>();
    for (const method of data.payment_methods) {
      const body = paymentMethodBody(method, { ids, today: user.today });
      const dto = await validateBody(CreatePaymentMethodDto, body);
      ids.set(method.key, (await this.paymentMethods.create(user, dto)).id);
    }
    for (const { key, ...budget } of data.budgets) {
      const dto = await validateBody(CreateBudgetDto, budget);
      ids.set(key, (await this.budgets.create(user, dto)).id);
    }
    return ids;
  }

  private async createTemplates({ user, data, ids }: Household): Promise<void> {
    const { today } = user;
    for (const template of data.templates) {
      const body = templateBody(template, { ids, today });
      const dto = await validateBody(CreateExpenseTemplateDto, body);
      await this.templates.create(user, dto);
    }
    for (const template of data.income_templates) {
      const body = templateBody(template, { ids, today });
      const dto = await validateBody(CreateIncomeTemplateDto, body);
      await this.incomeTemplates.create(user, dto);
    }
  }

  /** @returns the id of the draft, with what templates give */
  private async createCycle(
    { user, data }: Household,
    start: CalendarDate,
    days: number,
  ): Promise<string> {
    const end = addDays(start, days - 1);
    const dto = await validateBody(CreateCycleDto, {
      name: data.cycle_name.replace('{start}', start).replace('{end}', end),
      start_date: start,
      end_date: end,
      income_amount: '0.00',
    });
    return (await this.cycles.create(user, dto)).id;
  }

  /** @returns its id */
  private async createExpense(
    { user, ids }: Household,
    cycleId: string,
    { day, ...expense }: EntryData,
    payment: { paid?: boolean; paid_at?: string } = {},
  ): Promise<string> {
    const body = { ...withIds(expense, ids), ...payment, due_date: addDays(user.today, day) };
    return (await this.expenses.create(user, cycleId, await validateBody(CreateExpenseDto, body)))
      .id;
  }

  private async createIncome(
    { user, ids }: Household,
    cycleId: string,
    { day, ...income }: EntryData,
  ): Promise<void> {
    const date = addDays(user.today, day);
    const received = { received: true, received_at: receivedOn(date) };
    const body = { ...withIds(income, ids), ...received, income_date: date };
    await this.incomes.create(user, cycleId, await validateBody(CreateIncomeDto, body));
  }

  /** Does what one request does, so that its records can be undone together. */
  private async carryOver(
    household: Household,
    { from, to }: { from: string; to: string },
  ): Promise<void> {
    const { user, data } = household;
    const id = await this.createExpense(household, from, data.carried_over);
    const dto = await validateBody(CarryOverDto, { to_cycle_id: to, expense_ids: [id] });
    await this.carryOvers.carryOver(inRequest(user, this.settings.todayIn), from, dto);
  }

  /** Settles what is dated before the day at its actual amounts, but for an overdue expense. */
  private async settleActive({ user, data }: Household, cycleId: string): Promise<void> {
    const mayBeOverdue = new Set(
      data.templates.filter((one) => one.may_be_overdue).map(({ description }) => description),
    );
    const { expenses } = await this.expenses.list(user, cycleId, {});
    const due = expenses
      .map(({ id, due_date: date, description }) => ({ id, date, description }))
      .filter(({ date }) => date < user.today)
      .toSorted(byDate);
    const overdue = due.findLast(({ description }) => mayBeOverdue.has(description));
    const paid = due.filter((expense) => expense !== overdue);
    await this.pay(user, cycleId, paid.map(atActualAmounts(data.templates)));

    const { incomes } = await this.incomes.list(user, cycleId, {});
    const received = incomes
      .map(({ id, income_date: date, description }) => ({ id, date, description }))
      .filter(({ date }) => date < user.today)
      .toSorted(byDate);
    await this.receive(user, cycleId, received.map(atActualAmounts(data.income_templates)));
  }

  /** Creates a completed cycle with everything settled as planned. */
  private async createPast(household: Household, start: CalendarDate, days: number): Promise<void> {
    const { user } = household;
    const cycleId = await this.createCycle(household, start, days);
    const { expenses } = await this.expenses.list(user, cycleId, {});
    const { incomes } = await this.incomes.list(user, cycleId, {});
    const paid = expenses.map(({ id, due_date: date }) => ({ id, date }));
    const received = incomes.map(({ id, income_date: date }) => ({ id, date }));
    await this.pay(user, cycleId, paid);
    await this.receive(user, cycleId, received);
    await this.setStatus(user, cycleId, 'completed');
  }

  private async pay(
    user: AuthenticatedUser,
    cycleId: string,
    entries: readonly SettledEntry[],
  ): Promise<void> {
    if (entries.length === 0) return;
    const expenses = entries.map(({ date, ...entry }) => ({
      ...entry,
      paid: true,
      paid_at: paidOn(date),
    }));
    const dto = await validateBody(UpdateExpensesDto, { expenses });
    await this.expenses.updateMany(user, cycleId, dto);
  }

  private async receive(
    user: AuthenticatedUser,
    cycleId: string,
    entries: readonly SettledEntry[],
  ): Promise<void> {
    if (entries.length === 0) return;
    const incomes = entries.map(({ date, ...entry }) => ({
      ...entry,
      received: true,
      received_at: receivedOn(date),
    }));
    const dto = await validateBody(UpdateIncomesDto, { incomes });
    await this.incomes.updateMany(user, cycleId, dto);
  }

  private async payStatement({ user, data, ids }: Household): Promise<void> {
    const { payment_method: key, unpaid } = data.first_statement;
    const paymentMethodId = ids.get(key) ?? '';
    await this.card.payFirstStatement(user, { paymentMethodId, unpaid });
  }

  /** States the balances of the data, and the one with which its lowest balance comes about. */
  private async stateBalances(household: Household): Promise<void> {
    const { user, data } = household;
    await this.state(household, data.balances);
    const { lowest } = await this.forecasts.forecast(user, { set_aside: 'budgets' });
    const missing = new Big(data.lowest_balance).minus(lowest.balance);
    const amount = formatMoney(missing.lt(LEAST_BALANCE) ? LEAST_BALANCE : missing);
    await this.state(household, [{ payment_method: data.balance_of_rest, amount }]);
  }

  private async state({ user, ids }: Household, balances: readonly StatedData[]): Promise<void> {
    const dto = await validateBody(CreateBalancesDto, {
      balances: balances.map((balance) => withIds(balance, ids)),
      // After everything that is settled.
      stated_at: atMost(`${addDays(user.today, -1)}T20:00:00Z`),
    });
    await this.balances.create(user, dto);
  }

  private async setStatus(user: AuthenticatedUser, id: string, status: string): Promise<void> {
    const dto = await validateBody(UpdateCycleDto, { status });
    await this.cycles.update(user, id, dto, NO_PRECONDITION);
  }
}
