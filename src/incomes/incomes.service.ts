import { Injectable } from '@nestjs/common';
import { sendTogether } from '#postgres';
import type { Undo } from '../activity/undo.js';
import { ChosenBudgets } from '../budgets/chosen-budgets.js';
import { ExchangeRatesService } from '../exchange-rates/exchange-rates.service.js';
import { entryElements, forEachElement } from '../ledger/elements.js';
import { balanceAfter } from '../ledger/entities/balance.js';
import { MAX_ENTRIES, type EntryPath } from '../ledger/entities/cycle-entry.entity.js';
import { cycleNotFound } from '../ledger/entities/cycle-errors.js';
import { CycleIncome } from '../ledger/entities/cycle-income.entity.js';
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
import type { IncomePageResponse, SearchIncomesQuery } from './dto/income-search.dto.js';
import {
  receiptChange,
  toIncomeResponse,
  type CreateIncomeDto,
  type IncomeListResponse,
  type IncomeResponse,
  type ListIncomesQuery,
  type UpdateIncomeDto,
} from './dto/income.dto.js';
import {
  toUpdatedIncomesResponse,
  type UpdatedIncomesResponse,
  type UpdateIncomesDto,
} from './dto/update-incomes.dto.js';
import { findIncome, listIncomes, listIncomesByIds, searchIncomes } from './incomes.queries.js';

/**
 * The incomes of a cycle. Every change updates the balance of the cycle, and a completed cycle
 * refuses it.
 */
@Injectable()
export class IncomesService {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly ledgerUndo: LedgerUndo,
    private readonly paymentMethods: ChosenPaymentMethods,
    private readonly budgets: ChosenBudgets,
    private readonly exchangeRates: ExchangeRatesService,
  ) {}

  /**
   * The incomes of a cycle by income date, then creation, with the totals in USD of the listed
   * ones.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  async list(
    user: AuthenticatedUser,
    cycleId: string,
    query: ListIncomesQuery,
  ): Promise<IncomeListResponse> {
    const list = await this.database.read(user, (scope) => listIncomes(scope, cycleId, query));
    if (!list) throw cycleNotFound();
    return list;
  }

  /**
   * A page of the incomes of all cycles by income date, then creation, with the totals in USD of all
   * pages.
   */
  async search(user: AuthenticatedUser, query: SearchIncomesQuery): Promise<IncomePageResponse> {
    const page = await this.database.read(user, (scope) =>
      searchIncomes(scope, query, rangeOf(query)),
    );
    return { ...page, pagination: paginate(query, page.summary.total_count) };
  }

  /** The user's incomes with these ids, in any order; other ids are ignored. */
  listByIds(scope: Scope, ids: readonly string[]): Promise<IncomeResponse[]> {
    return listIncomesByIds(scope, ids);
  }

  /**
   * An income.
   *
   * @throws DomainError CYCLE_NOT_FOUND, ResourceNotFoundError
   */
  async get(user: AuthenticatedUser, path: EntryPath): Promise<IncomeResponse> {
    const income = await this.database.read(user, (scope) => findIncome(scope, path));
    if (income === undefined) throw cycleNotFound();
    if (income === null) throw new ResourceNotFoundError('cycle_income');
    return income;
  }

  /**
   * Creates a manual income, converted to USD by the rate of its date; one that is already received
   * is received after that, with a record of its own.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR;
   *   LimitReachedError; ResourceNotFoundError or ValidationFailedError for the payment method or
   *   the budget
   */
  create(user: AuthenticatedUser, cycleId: string, dto: CreateIncomeDto): Promise<IncomeResponse> {
    const { currency, income_date: date } = dto;
    const { payment_method_id: methodId = null, budget_id: budgetId = null } = dto;
    return this.database.transaction(user, async (scope) => {
      const [cycle, method, budget, rates, stored] = await sendTogether([
        this.ledger.lockCycle(scope, cycleId), // 404
        this.paymentMethods.lock(scope, methodId), // 404
        this.budgets.lock(scope, budgetId), // 404
        this.exchangeRates.usdConverter(scope, [{ currency, date }]),
        this.ledger.count(scope, CycleIncome, cycleId),
      ]);
      cycle.assertOpen(); // 409
      assertWithinLimit('cycle_income', { stored, limit: MAX_ENTRIES }); // 409
      method?.assertActive(); // 422
      budget?.assertActive(); // 422
      const fields = fieldsIn(CycleIncome.fields, dto);
      const income = CycleIncome.create(fields, { method, budget }, rates); // 422: no rate
      await this.ledger.add(scope, cycle, [income]);
      if (dto.received) {
        const before = income.copy();
        income.receive(receiptChange(dto), new Date());
        await this.ledger.save(scope, cycle, { before, after: income });
      }
      return toIncomeResponse(income);
    });
  }

  /**
   * Updates an income; `amount_usd` is recomputed when amount, currency or date changes.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR;
   *   ResourceNotFoundError for the income, the payment method or the budget; ValidationFailedError
   *   when one of these is inactive or received and received_at contradict each other
   */
  async update(
    user: AuthenticatedUser,
    path: EntryPath,
    dto: UpdateIncomeDto,
    precondition: Precondition,
  ): Promise<IncomeResponse> {
    return this.database.transaction(user, async (scope) => {
      const { cycle, before, entry: income } = await this.ledger.lock(scope, CycleIncome, path); // 404
      const chosen = idIfChanged(income.paymentMethodId, dto.payment_method_id);
      const method = await this.paymentMethods.lock(scope, chosen); // 404
      const budget = await this.budgets.lock(scope, idIfChanged(income.budgetId, dto.budget_id)); // 404
      await precondition.assert(() => toIncomeResponse(income)); // 412
      cycle.assertOpen(); // 409
      income.update(fieldsIn(CycleIncome.fields, dto), method); // 422: an inactive payment method
      income.chooseBudget(budget); // 422: an inactive budget
      income.receive(receiptChange(dto), new Date()); // 422: received_at of an income that is not received
      if (!income.isPricedLike(before)) {
        income.convert(await this.exchangeRates.usdConverter(scope, [income])); // 422: no rate
      }
      await this.ledger.save(scope, cycle, { before, after: income });
      return toIncomeResponse(income);
    });
  }

  /**
   * Updates or deletes several incomes, all or none, by the rules of {@link update}.
   *
   * @throws DomainError of the first check that an element fails, see {@link update}
   */
  updateMany(
    user: AuthenticatedUser,
    cycleId: string,
    { incomes: dtos }: UpdateIncomesDto,
  ): Promise<UpdatedIncomesResponse> {
    return this.database.transaction(user, async (scope) => {
      const cycle = await this.ledger.lockCycle(scope, cycleId); // 404
      const ids = dtos.map(({ id }) => id);
      const changes = await this.ledger.lockAll(scope, CycleIncome, cycle, ids); // 404
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
        const read = (): IncomeResponse => toIncomeResponse(before);
        await Precondition.ofTag(dto.if_match).assert(read, { id: dto.id }); // 412
      }
      cycle.assertOpen(); // 409
      const now = new Date();
      forEachElement('incomes', elements, ({ dto, after, index }) => {
        after.update(fieldsIn(CycleIncome.fields, dto), methods[index]); // 422: an inactive payment method
        after.active = dto.active ?? after.active;
      });
      forEachElement('incomes', elements, ({ after, index }) => {
        after.chooseBudget(budgets[index]); // 422: an inactive budget
      });
      forEachElement('incomes', elements, ({ dto, after }) => {
        after.receive(receiptChange(dto), now); // 422: received_at of an income that is not received
      });
      const repriced = elements.filter(({ before, after }) => !after.isPricedLike(before));
      const rates = await this.exchangeRates.usdConverter(
        scope,
        repriced.map(({ after }) => after),
      );
      forEachElement('incomes', repriced, ({ after }) => after.convert(rates)); // 422: no rate
      await this.ledger.saveAll(scope, cycle, changes);
      const incomes = changes.map(({ after }) => after);
      return toUpdatedIncomesResponse(incomes, balanceAfter(cycle, changes));
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
      const { cycle, entry: income } = await this.ledger.lock(scope, CycleIncome, path); // 404
      await precondition.assert(() => toIncomeResponse(income)); // 412
      await this.ledger.remove(scope, cycle, income); // 409
    });
  }

  /** See {@link LedgerUndo}. */
  undo(scope: Scope, undo: Undo): Promise<void> {
    return this.ledgerUndo.undoEntry(scope, CycleIncome, undo);
  }
}
