import { Injectable } from '@nestjs/common';
import { sendTogether } from '#postgres';
import type { Undo } from '../activity/undo.js';
import { ChosenBudgets } from '../budgets/chosen-budgets.js';
import { ExchangeRatesService } from '../exchange-rates/exchange-rates.service.js';
import { entryElements, forEachElement } from '../ledger/elements.js';
import { balanceAfter } from '../ledger/entities/balance.js';
import { MAX_ENTRIES, type EntryPath } from '../ledger/entities/cycle-entry.entity.js';
import { cycleNotFound } from '../ledger/entities/cycle-errors.js';
import { CycleExpense } from '../ledger/entities/cycle-expense.entity.js';
import { Ledger } from '../ledger/ledger.js';
import { LedgerUndo } from '../ledger/undo/ledger-undo.js';
import { ChosenPaymentMethods } from '../payment-methods/chosen-payment-methods.js';
import { Database, type Scope } from '../platform/database/database.js';
import { paginate, rangeOf } from '../platform/dto/page.js';
import { assertWithinLimit, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { Precondition } from '../platform/values/precondition.js';
import { idIfChanged } from '../records/chosen-records.js';
import { fieldsIn } from '../records/record-fields.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import type { ExpenseListResponse, ListExpensesQuery } from './dto/expense-list.dto.js';
import type { ExpensePageResponse, SearchExpensesQuery } from './dto/expense-search.dto.js';
import {
  paymentChange,
  toExpenseResponse,
  toStoredExpenseResponse,
  type CreateExpenseDto,
  type ExpenseResponse,
  type UpdateExpenseDto,
} from './dto/expense.dto.js';
import {
  toUpdatedExpensesResponse,
  type UpdatedExpensesResponse,
  type UpdateExpensesDto,
} from './dto/update-expenses.dto.js';
import {
  findExpense,
  listExpenses,
  listExpensesByIds,
  searchExpenses,
} from './expenses.queries.js';

/**
 * The expenses of a cycle. Every change updates the balance of the cycle, and a completed cycle
 * refuses it.
 */
@Injectable()
export class ExpensesService {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly ledgerUndo: LedgerUndo,
    private readonly paymentMethods: ChosenPaymentMethods,
    private readonly budgets: ChosenBudgets,
    private readonly exchangeRates: ExchangeRatesService,
  ) {}

  /**
   * The expenses of a cycle by due date, then creation, with the totals in USD of the listed ones.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  async list(
    user: AuthenticatedUser,
    cycleId: string,
    query: ListExpensesQuery,
  ): Promise<ExpenseListResponse> {
    const list = await this.database.read(user, (scope) => listExpenses(scope, cycleId, query));
    if (!list) throw cycleNotFound();
    return list;
  }

  /**
   * A page of the expenses of all cycles by due date, then creation, with the totals in USD of all
   * pages.
   */
  async search(user: AuthenticatedUser, query: SearchExpensesQuery): Promise<ExpensePageResponse> {
    const page = await this.database.read(user, (scope) =>
      searchExpenses(scope, query, rangeOf(query)),
    );
    return { ...page, pagination: paginate(query, page.summary.total_count) };
  }

  /** The user's expenses with these ids, in any order; other ids are ignored. */
  listByIds(scope: Scope, ids: readonly string[]): Promise<ExpenseResponse[]> {
    return listExpensesByIds(scope, ids);
  }

  /**
   * An expense with its displayed status.
   *
   * @throws DomainError CYCLE_NOT_FOUND, ResourceNotFoundError
   */
  async get(user: AuthenticatedUser, path: EntryPath): Promise<ExpenseResponse> {
    const expense = await this.database.read(user, (scope) => findExpense(scope, path));
    if (expense === undefined) throw cycleNotFound();
    if (expense === null) throw new ResourceNotFoundError('cycle_expense');
    return expense;
  }

  /**
   * Creates a manual expense, converted to USD by the rate of its due date; one that is already paid
   * is paid after that, with a record of its own. Returns the stored status, also if later reads
   * derive `overdue`.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR;
   *   LimitReachedError; ResourceNotFoundError or ValidationFailedError for the payment method or
   *   the budget
   */
  create(
    user: AuthenticatedUser,
    cycleId: string,
    dto: CreateExpenseDto,
  ): Promise<ExpenseResponse> {
    return this.database.transaction(user, async (scope) => {
      const { budget_id: budgetId = null } = dto;
      const [cycle, method, budget, rates, stored] = await sendTogether([
        this.ledger.lockCycle(scope, cycleId), // 404
        this.paymentMethods.lock(scope, dto.payment_method_id), // 404
        this.budgets.lock(scope, budgetId), // 404
        this.exchangeRates.usdConverter(scope, [{ currency: dto.currency, date: dto.due_date }]),
        this.ledger.count(scope, CycleExpense, cycleId),
      ]);
      cycle.assertOpen(); // 409
      assertWithinLimit('cycle_expense', { stored, limit: MAX_ENTRIES }); // 409
      method.assertActive(); // 422
      budget?.assertActive(); // 422
      const expense = CycleExpense.create(
        fieldsIn(CycleExpense.fields, dto),
        { method, budget },
        rates,
      ); // 422: no rate
      await this.ledger.add(scope, cycle, [expense]);
      if (dto.paid) {
        const before = expense.copy();
        expense.pay(paymentChange(dto), new Date());
        await this.ledger.save(scope, cycle, { before, after: expense });
      }
      return toStoredExpenseResponse(expense);
    });
  }

  /**
   * Updates an expense; `amount_usd` is recomputed when amount, currency or due date changes.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR;
   *   ResourceNotFoundError for the expense, the payment method or the budget;
   *   ValidationFailedError when one of these is inactive, or status, paid and paid_at contradict
   *   each other
   */
  async update(
    user: AuthenticatedUser,
    path: EntryPath,
    dto: UpdateExpenseDto,
    precondition: Precondition,
  ): Promise<ExpenseResponse> {
    return this.database.transaction(user, async (scope) => {
      const { cycle, before, entry: expense } = await this.ledger.lock(scope, CycleExpense, path); // 404
      const chosen = idIfChanged(expense.paymentMethodId, dto.payment_method_id);
      const method = await this.paymentMethods.lock(scope, chosen); // 404
      const budget = await this.budgets.lock(scope, idIfChanged(expense.budgetId, dto.budget_id)); // 404
      await precondition.assert(() => toExpenseResponse(expense, scope.today)); // 412
      cycle.assertOpen(); // 409
      expense.update(fieldsIn(CycleExpense.fields, dto), method); // 422: an inactive payment method
      expense.chooseBudget(budget); // 422: an inactive budget
      expense.pay(paymentChange(dto), new Date()); // 422: paid_at of an expense that is not paid
      if (!expense.isPricedLike(before)) {
        expense.convert(await this.exchangeRates.usdConverter(scope, [expense])); // 422: no rate
      }
      await this.ledger.save(scope, cycle, { before, after: expense });
      return toExpenseResponse(expense, scope.today);
    });
  }

  /**
   * Updates or deletes several expenses, all or none, by the rules of {@link update}.
   *
   * @throws DomainError of the first check that an element fails, see {@link update}
   */
  updateMany(
    user: AuthenticatedUser,
    cycleId: string,
    { expenses: dtos }: UpdateExpensesDto,
  ): Promise<UpdatedExpensesResponse> {
    return this.database.transaction(user, async (scope) => {
      const cycle = await this.ledger.lockCycle(scope, cycleId); // 404
      const ids = dtos.map(({ id }) => id);
      const changes = await this.ledger.lockAll(scope, CycleExpense, cycle, ids); // 404
      const elements = entryElements(dtos, changes);
      const chosen = elements.map(({ dto, before }) =>
        idIfChanged(before.paymentMethodId, dto.payment_method_id),
      );
      const methods = await this.paymentMethods.lockAll(scope, chosen); // 404
      const chosenBudgets = elements.map(({ dto, before }) =>
        idIfChanged(before.budgetId, dto.budget_id),
      );
      const budgets = await this.budgets.lockAll(scope, chosenBudgets); // 404
      for (const { dto, before } of elements) {
        const read = (): ExpenseResponse => toExpenseResponse(before, scope.today);
        await Precondition.ofTag(dto.if_match).assert(read, { id: dto.id }); // 412
      }
      cycle.assertOpen(); // 409
      const now = new Date();
      forEachElement('expenses', elements, ({ dto, after, index }) => {
        after.update(fieldsIn(CycleExpense.fields, dto), methods[index]); // 422: an inactive payment method
        after.active = dto.active ?? after.active;
      });
      forEachElement('expenses', elements, ({ after, index }) => {
        after.chooseBudget(budgets[index]); // 422: an inactive budget
      });
      forEachElement('expenses', elements, ({ dto, after }) => {
        after.pay(paymentChange(dto), now); // 422: paid_at of an expense that is not paid
      });
      const repriced = elements.filter(({ before, after }) => !after.isPricedLike(before));
      const rates = await this.exchangeRates.usdConverter(
        scope,
        repriced.map(({ after }) => after),
      );
      forEachElement('expenses', repriced, ({ after }) => after.convert(rates)); // 422: no rate
      await this.ledger.saveAll(scope, cycle, changes);
      const expenses = changes.map(({ after }) => after);
      return toUpdatedExpensesResponse(expenses, balanceAfter(cycle, changes), scope.today);
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
    precondition: Precondition,
  ): Promise<void> {
    await this.database.transaction(user, async (scope) => {
      const { cycle, entry: expense } = await this.ledger.lock(scope, CycleExpense, path); // 404
      await precondition.assert(() => toExpenseResponse(expense, scope.today)); // 412
      await this.ledger.remove(scope, cycle, expense); // 409
    });
  }

  /** See {@link LedgerUndo}. */
  undo(scope: Scope, undo: Undo): Promise<void> {
    return this.ledgerUndo.undoEntry(scope, CycleExpense, undo);
  }
}
