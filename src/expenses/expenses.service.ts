import { Injectable } from '@nestjs/common';
import { ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { today } from '../platform/values/calendar-date.js';
import type { EntryPath } from '../ledger/cycle-entries.js';
import { cycleNotFound } from '../ledger/cycle-errors.js';
import type { CycleExpense } from '../ledger/cycle-expense.entity.js';
import { applyPayment, assertConsistent, displayedStatus } from '../ledger/expense-status.js';
import { Ledger } from '../ledger/ledger.js';
import { Database } from '../platform/database/database.js';
import type { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { NO_PRECONDITION, type Precondition } from '../platform/values/precondition.js';
import { rangeOf } from '../platform/dto/page.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import {
  toExpenseFields,
  toExpenseResponse,
  type CreateExpenseDto,
  type ListExpensesQuery,
  type UpdateExpenseDto,
} from './dto/expense.dto.js';
import type { SearchExpensesQuery } from './dto/expense-search.dto.js';
import { expenseRowOf } from './expense-row.js';
import {
  findExpense,
  listExpenses,
  listExpensesByIds,
  searchExpenses,
  type ExpenseList,
  type ExpensePage,
  type ExpenseRow,
} from './expenses.queries.js';

/** The expenses of a cycle (see docs/api.md). */
@Injectable()
export class ExpensesService {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
  ) {}

  /**
   * The expenses of a cycle by due date, then creation, with the totals in USD of the listed ones.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  async list(
    user: AuthenticatedUser,
    cycleId: string,
    { payment_method_id: paymentMethodId, ...filter }: ListExpensesQuery,
  ): Promise<ExpenseList> {
    const scope = this.database.read(user);
    const list = await listExpenses(scope, cycleId, { ...filter, paymentMethodId });
    if (!list) throw cycleNotFound();
    return list;
  }

  /** A page of the expenses of all cycles by due date, then creation, with the totals in USD of all pages. */
  search(user: AuthenticatedUser, query: SearchExpensesQuery): Promise<ExpensePage> {
    const { payment_method_id: paymentMethodId, template_id: templateId, q: text } = query;
    const filter = { ...query, paymentMethodId, templateId, text };
    return searchExpenses(this.database.read(user), filter, rangeOf(query));
  }

  /** The user's expenses with these ids, in any order; other ids are ignored. */
  listByIds(user: AuthenticatedUser, ids: readonly string[]): Promise<ExpenseRow[]> {
    return listExpensesByIds(this.database.read(user), ids);
  }

  /**
   * An expense with its displayed status.
   *
   * @throws DomainError CYCLE_NOT_FOUND, ResourceNotFoundError
   */
  async get(user: AuthenticatedUser, path: EntryPath): Promise<ExpenseRow> {
    const expense = await findExpense(this.database.read(user), path);
    if (expense === undefined) throw cycleNotFound();
    if (expense === null) throw new ResourceNotFoundError('cycle_expense');
    return expense;
  }

  /**
   * Creates a manual expense, converted to USD by the rate of its due date. Returns the stored status `pending`,
   * also if later reads derive `overdue`.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR;
   *   ResourceNotFoundError or ValidationFailedError for the payment method
   */
  create(user: AuthenticatedUser, cycleId: string, dto: CreateExpenseDto): Promise<ExpenseRow> {
    return this.database.transaction(user, async (scope) =>
      expenseRowOf(await this.ledger.expenses.create(scope, cycleId, toExpenseFields(dto))),
    );
  }

  /**
   * Updates an expense; `amount_usd` is recomputed when amount, currency or due date changes.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR;
   *   ResourceNotFoundError for the expense or the payment method; ValidationFailedError when the
   *   payment method is inactive or status, paid and paid_at contradict each other
   */
  async update(
    user: AuthenticatedUser,
    path: EntryPath,
    dto: UpdateExpenseDto,
    precondition: Precondition = NO_PRECONDITION,
  ): Promise<ExpenseRow> {
    const payment = { status: dto.status, paid: dto.paid, paidAt: dto.paid_at };
    assertConsistent(payment);
    return this.database.transaction(user, async (scope) => {
      const expense = await this.ledger.expenses.update(
        scope,
        path,
        toExpenseFields(dto),
        (stored) => applyPayment(stored, payment, new Date()),
        (stored) => precondition.assert(() => toExpenseResponse(displayedRowOf(stored))),
      );
      return displayedRowOf(expense);
    });
  }

  /**
   * A soft deletion; the remaining balance is updated.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED; ResourceNotFoundError
   */
  async remove(
    user: AuthenticatedUser,
    path: EntryPath,
    precondition: Precondition = NO_PRECONDITION,
  ): Promise<void> {
    await this.database.transaction(user, (scope) =>
      this.ledger.expenses.remove(scope, path, (stored) =>
        precondition.assert(() => toExpenseResponse(displayedRowOf(stored))),
      ),
    );
  }
}

/** The row that a read returns now. */
const displayedRowOf = (expense: CycleExpense & { paymentMethod: PaymentMethod }): ExpenseRow =>
  expenseRowOf(expense, displayedStatus(expense, today()));
