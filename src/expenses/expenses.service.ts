import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ResourceNotFoundError } from '../common/errors/domain-error.js';
import { today } from '../common/calendar-date.js';
import { formatMoney, type Money } from '../common/money.js';
import { cycleNotFound } from '../cycles/cycle-errors.js';
import type { CycleExpense } from '../cycles/cycle-expense.entity.js';
import type { ExpensePath } from '../cycles/cycle-expenses.repository.js';
import { applyPayment, shownStatus } from '../cycles/expense-status.js';
import { Ledger } from '../cycles/ledger.js';
import { Database } from '../database/database.js';
import {
  ExchangeRatesService,
  type DatedAmount,
} from '../exchange-rates/exchange-rates.service.js';
import type { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import type { CreateExpenseDto, ListExpensesQuery, UpdateExpenseDto } from './dto/expense.dto.js';
import { ExpensesRepository, type ExpenseList, type ExpenseView } from './expenses.repository.js';

/** The expenses of a cycle (see docs/api.md). */
@Injectable()
export class ExpensesService {
  constructor(
    private readonly database: Database,
    private readonly repository: ExpensesRepository,
    private readonly ledger: Ledger,
    private readonly paymentMethods: PaymentMethodsService,
    private readonly exchangeRates: ExchangeRatesService,
  ) {}

  /**
   * By due date, then creation, with totals over the expenses listed.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  async list(
    user: AuthenticatedUser,
    cycleId: string,
    { payment_method_id: paymentMethodId, ...filter }: ListExpensesQuery,
  ): Promise<ExpenseList> {
    const { manager } = this.database;
    const list = await this.repository.list(manager, user.id, cycleId, {
      ...filter,
      paymentMethodId,
    });
    if (!list) throw cycleNotFound();
    return list;
  }

  /** @throws DomainError CYCLE_NOT_FOUND, ResourceNotFoundError */
  async get(user: AuthenticatedUser, path: ExpensePath): Promise<ExpenseView> {
    const expense = await this.repository.find(this.database.manager, user.id, path);
    if (expense === undefined) throw cycleNotFound();
    if (expense === null) throw new ResourceNotFoundError('cycle_expense');
    return expense;
  }

  /**
   * Adds a manual expense. The answer has the status that is stored, also where reading it back would
   * derive `overdue`.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR;
   *   ResourceNotFoundError or ValidationFailedError for the payment method
   */
  create(user: AuthenticatedUser, cycleId: string, dto: CreateExpenseDto): Promise<ExpenseView> {
    return this.database.transaction(async (manager) => {
      const { payment_method_id: methodId, amount, currency, due_date: date } = dto;
      const dated = { amount, currency, date };
      const [{ cycle, method }, converter] = await Promise.all([
        this.ledger.openForExpense(manager, user, cycleId, methodId),
        this.exchangeRates.usdConverter(manager, [dated]),
      ]);
      const expense = await this.ledger.addExpense(manager, user, cycle, {
        templateId: null,
        paymentMethodId: method.id,
        description: dto.description,
        currency,
        amount,
        amountUsd: converter.toUsd(dated),
        dueDate: date,
        category: dto.category,
        autopayInfo: dto.autopay_info ?? null,
        comments: dto.comments ?? null,
      });
      return asStored(expense, method);
    });
  }

  /**
   * Changes an expense; `amount_usd` follows its amount, currency and due date.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR;
   *   ResourceNotFoundError for the expense or the payment method; ValidationFailedError when the
   *   payment method is inactive or status, paid and paid_at contradict each other
   */
  update(user: AuthenticatedUser, path: ExpensePath, dto: UpdateExpenseDto): Promise<ExpenseView> {
    return this.database.transaction(async (manager) => {
      const { cycle, expense, method } = await this.ledger.openExpense(manager, user, path);
      const { status, paid, paid_at: paidAt } = dto;
      const payment = applyPayment(expense, { status, paid, paidAt }, new Date());
      const chosenId = dto.payment_method_id ?? method.id;
      const chosen =
        chosenId === method.id ? method : await this.paymentMethods.choose(manager, user, chosenId);
      const changed = isPaymentAlone(dto)
        ? payment
        : Object.assign(await this.detailsOf(manager, expense, chosen, dto), payment);
      await this.ledger.changeExpense(manager, user, cycle, expense, changed);
      return asStored(expense, chosen, shownStatus(expense, cycle, today()));
    });
  }

  /** @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED; ResourceNotFoundError */
  async remove(user: AuthenticatedUser, path: ExpensePath): Promise<void> {
    await this.database.transaction(async (manager) => {
      const { cycle, expense } = await this.ledger.openExpense(manager, user, path);
      await this.ledger.removeExpense(manager, user, cycle, expense);
    });
  }

  /** What the expense is to be but for its payment. */
  private async detailsOf(
    manager: EntityManager,
    expense: CycleExpense,
    method: Pick<PaymentMethod, 'id'>,
    dto: UpdateExpenseDto,
  ): Promise<Partial<CycleExpense>> {
    const amount = dto.amount ?? expense.amount;
    const currency = dto.currency ?? expense.currency;
    const dueDate = dto.due_date ?? expense.dueDate;
    const isRepriced =
      !amount.eq(expense.amount) || currency !== expense.currency || dueDate !== expense.dueDate;
    return {
      description: dto.description ?? expense.description,
      paymentMethodId: method.id,
      currency,
      amount,
      amountUsd: isRepriced
        ? await this.toUsd(manager, { amount, currency, date: dueDate })
        : expense.amountUsd,
      dueDate,
      category: dto.category ?? expense.category,
      comments: dto.comments === undefined ? expense.comments : dto.comments,
      autopayInfo: dto.autopay_info === undefined ? expense.autopayInfo : dto.autopay_info,
    };
  }

  private async toUsd(manager: EntityManager, amount: DatedAmount): Promise<Money> {
    return (await this.exchangeRates.usdConverter(manager, [amount])).toUsd(amount);
  }
}

const PAYMENT_FIELDS: ReadonlySet<string> = new Set<keyof UpdateExpenseDto>([
  'status',
  'paid',
  'paid_at',
]);

/** Most changes mark an expense as paid: then nothing else is written. */
const isPaymentAlone = (dto: UpdateExpenseDto): boolean =>
  (Object.keys(dto) as (keyof UpdateExpenseDto)[]).every(
    (field) => dto[field] === undefined || PAYMENT_FIELDS.has(field),
  );

/** With the status that is stored, whatever reading it back would derive, unless another is given. */
function asStored(
  expense: CycleExpense,
  method: Pick<PaymentMethod, 'id' | 'name' | 'methodType'>,
  status = expense.status,
): ExpenseView {
  return {
    id: expense.id,
    description: expense.description,
    currency: expense.currency,
    amount: formatMoney(expense.amount),
    amount_usd: formatMoney(expense.amountUsd),
    due_date: expense.dueDate,
    category: expense.category,
    status,
    paid: expense.paid,
    paid_at: expense.paidAt?.toISOString() ?? null,
    comments: expense.comments,
    autopay_info: expense.autopayInfo,
    template_id: expense.templateId,
    payment_method_id: method.id,
    payment_method_name: method.name,
    payment_method_type: method.methodType,
    created_at: expense.createdAt.toISOString(),
    updated_at: expense.updatedAt.toISOString(),
  };
}
