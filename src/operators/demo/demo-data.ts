import { Inject, Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import { AuthService } from '../../auth/auth.service.js';
import { RegisterDto } from '../../auth/dto/auth.dto.js';
import { BudgetsService } from '../../budgets/budgets.service.js';
import { CreateBudgetDto } from '../../budgets/dto/budget.dto.js';
import { CommentsService } from '../../comments/comments.service.js';
import { CreateCommentDto } from '../../comments/dto/comment.dto.js';
import { CyclesService } from '../../cycles/cycles.service.js';
import { CreateCycleDto, UpdateCycleDto } from '../../cycles/dto/cycle.dto.js';
import { CarryOverService } from '../../expenses/carry-over.service.js';
import { CarryOverDto } from '../../expenses/dto/carry-over.dto.js';
import { CreateExpenseDto, UpdateExpenseDto } from '../../expenses/dto/expense.dto.js';
import { ExpensesService } from '../../expenses/expenses.service.js';
import { ForecastService } from '../../forecast/forecast.service.js';
import { UpdateIncomeDto } from '../../incomes/dto/income.dto.js';
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
import { demoHousehold, templateBodies, type DemoIds } from './demo-household.js';
import { yearOfPeriods, type Period } from './year-of-periods.js';

/** At the example rate of a new database. */
const PESOS_PER_DOLLAR = 20;

interface DemoCycle extends Period {
  id: string;
}

interface OneExpense {
  description: string;
  amount: string;
  due_date: CalendarDate;
  payment_method: string;
  budget?: string;
  category: 'fixed' | 'variable';
  comments?: string;
}

/** Creates a demo user with a year of data, through the services. */
@Injectable()
export class DemoData {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly auth: AuthService,
    private readonly paymentMethods: PaymentMethodsService,
    private readonly budgets: BudgetsService,
    private readonly templates: ExpenseTemplatesService,
    private readonly cycles: CyclesService,
    private readonly expenses: ExpensesService,
    private readonly carryOvers: CarryOverService,
    private readonly forecasts: ForecastService,
    private readonly incomeTemplates: IncomeTemplatesService,
    private readonly incomes: IncomesService,
    private readonly comments: CommentsService,
  ) {}

  /**
   * Creates a user with a year of cycles: past ones completed and paid, the current one active and
   * paid up to yesterday except one expense, the next one a draft. The active cycle alone is over
   * the limit of a budget. The forecast falls below zero in the third pay window, and the last
   * records of the activity are those of a carry-over, which can be undone.
   *
   * @returns the number of cycles
   * @throws DomainError USER_ALREADY_EXISTS
   */
  async create(account: { email: string; password: string }): Promise<number> {
    const user = inCommand(
      await this.auth.createUser(
        await validateBody(RegisterDto, {
          ...account,
          first_name: 'Ana',
          locale: 'es-MX',
          time_zone: 'America/Mexico_City',
          preferred_currency: 'MXN',
        }),
      ),
    );
    const ids: DemoIds = {
      methods: await this.createMethods(user),
      budgets: await this.createBudgets(user),
    };
    await this.createTemplates(user, ids);
    const { today } = user;
    const periods = yearOfPeriods(today, this.cycleDays);
    const cycles: DemoCycle[] = [];
    for (const period of periods) {
      cycles.push(await this.createCycle(user, period, today, ids));
    }
    const [active, draft] = cycles.slice(-2) as [DemoCycle, DemoCycle];
    const tuneUp = await this.createExpense(user, active.id, ids, {
      description: 'Afinación del coche',
      amount: '1850.00',
      due_date: active.end,
      payment_method: 'BBVA Débito',
      budget: 'Transporte',
      category: 'variable',
    });
    await this.createInsurance(user, { active, draft }, ids);
    await this.carryOver(user, { from: active.id, to: draft.id, expenseId: tuneUp });
    return periods.length;
  }

  /** Both ends included. */
  private get cycleDays(): number {
    return Math.min(DEFAULT_CYCLE_DAYS, this.settings.cycleMaxDays + 1);
  }

  private async createMethods(user: AuthenticatedUser): Promise<Map<string, string>> {
    const ids = new Map<string, string>();
    for (const method of demoHousehold.payment_methods) {
      const dto = await validateBody(CreatePaymentMethodDto, method);
      ids.set(method.name, (await this.paymentMethods.create(user, dto)).id);
    }
    return ids;
  }

  private async createBudgets(user: AuthenticatedUser): Promise<Map<string, string>> {
    const ids = new Map<string, string>();
    for (const budget of demoHousehold.budgets) {
      const dto = await validateBody(CreateBudgetDto, budget);
      ids.set(budget.name, (await this.budgets.create(user, dto)).id);
    }
    return ids;
  }

  private async createTemplates(user: AuthenticatedUser, ids: DemoIds): Promise<void> {
    const { templates, income_templates } = demoHousehold;
    for (const body of templateBodies(templates, ids)) {
      await this.templates.create(user, await validateBody(CreateExpenseTemplateDto, body));
    }
    for (const body of templateBodies(income_templates, ids)) {
      await this.incomeTemplates.create(user, await validateBody(CreateIncomeTemplateDto, body));
    }
  }

  private async createCycle(
    user: AuthenticatedUser,
    { start, end }: Period,
    today: CalendarDate,
    ids: DemoIds,
  ): Promise<DemoCycle> {
    const { id } = await this.cycles.create(
      user,
      await validateBody(CreateCycleDto, {
        name: `${start} to ${end}`,
        start_date: start,
        end_date: end,
        // What there was on its first day, which is not known of one in the future.
        income_amount: start > today ? '0.00' : demoHousehold.cycle.income_amount,
      }),
    );
    if (start > today) return { id, start, end };
    const isPast = end < today;
    await this.createExpense(user, id, ids, {
      description: 'Cena de cumpleaños',
      amount: '940.00',
      due_date: start,
      payment_method: 'Efectivo',
      category: 'variable',
      comments: 'Con los abuelos',
      // With six weeks of "Súper" over its limit.
      ...(!isPast && { budget: 'Despensa' }),
    });
    await this.payDueExpenses(user, id, { before: today, exceptLast: !isPast });
    await this.receiveDueIncomes(user, id, today);
    const status = isPast ? 'completed' : 'active';
    await this.cycles.update(
      user,
      id,
      await validateBody(UpdateCycleDto, { status }),
      NO_PRECONDITION,
    );
    if (isPast) return { id, start, end };
    await this.comments.create(
      user,
      await validateBody(CreateCommentDto, {
        entity_type: 'cycle',
        entity_id: id,
        body: '¿Ya pagamos la **renta**? Ask for the receipt.',
      }),
    );
    return { id, start, end };
  }

  /**
   * Creates an expense in pesos.
   *
   * @returns its id
   */
  private async createExpense(
    user: AuthenticatedUser,
    cycleId: string,
    ids: DemoIds,
    { payment_method: method, budget, ...expense }: OneExpense,
  ): Promise<string> {
    const dto = {
      ...expense,
      currency: 'MXN',
      payment_method_id: ids.methods.get(method),
      budget_id: budget === undefined ? null : ids.budgets.get(budget),
    };
    return (await this.expenses.create(user, cycleId, await validateBody(CreateExpenseDto, dto)))
      .id;
  }

  /** Creates an expense of 3000 pesos more than the third pay window leaves. */
  private async createInsurance(
    user: AuthenticatedUser,
    { active, draft }: { active: DemoCycle; draft: DemoCycle },
    ids: DemoIds,
  ): Promise<void> {
    const { pay_windows } = await this.forecasts.forecast(user, {});
    const [, , third] = pay_windows;
    if (!third) throw new Error('The forecast has fewer than three pay windows');
    const left = new Big(third.closing_balance).times(PESOS_PER_DOLLAR);
    const due = addDays(third.from, 3);
    await this.createExpense(user, due > active.end ? draft.id : active.id, ids, {
      description: 'Seguro del coche',
      amount: formatMoney(left.plus(3000).round(-2, Big.roundUp)),
      due_date: due,
      payment_method: 'BBVA Débito',
      category: 'fixed',
      comments: 'Una vez al año',
    });
  }

  /** As one request does, so that its records can be undone together. */
  private async carryOver(
    user: AuthenticatedUser,
    { from, to, expenseId }: { from: string; to: string; expenseId: string },
  ): Promise<void> {
    const dto = await validateBody(CarryOverDto, { to_cycle_id: to, expense_ids: [expenseId] });
    await this.carryOvers.carryOver(inRequest(user), from, dto);
  }

  /** Marks expenses paid on their due date; the expense "Limpieza" is cancelled. */
  private async payDueExpenses(
    user: AuthenticatedUser,
    cycleId: string,
    { before, exceptLast }: { before: CalendarDate; exceptLast: boolean },
  ): Promise<void> {
    const { expenses } = await this.expenses.list(user, cycleId, {});
    const due = expenses.filter((expense) => expense.due_date < before);
    for (const expense of exceptLast ? due.slice(0, -1) : due) {
      const change =
        expense.description === 'Limpieza'
          ? { status: 'cancelled' }
          : { paid: true, paid_at: `${expense.due_date}T18:00:00Z` };
      await this.expenses.update(
        user,
        { cycleId, entryId: expense.id },
        await validateBody(UpdateExpenseDto, change),
        NO_PRECONDITION,
      );
    }
  }

  /** Marks incomes received on their date. */
  private async receiveDueIncomes(
    user: AuthenticatedUser,
    cycleId: string,
    before: CalendarDate,
  ): Promise<void> {
    const { incomes } = await this.incomes.list(user, cycleId, {});
    for (const { id: entryId, income_date } of incomes) {
      if (income_date >= before) continue;
      const change = { received: true, received_at: `${income_date}T15:00:00Z` };
      await this.incomes.update(
        user,
        { cycleId, entryId },
        await validateBody(UpdateIncomeDto, change),
        NO_PRECONDITION,
      );
    }
  }
}
