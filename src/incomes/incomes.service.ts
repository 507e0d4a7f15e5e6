import { Injectable } from '@nestjs/common';
import { ExchangeRatesService } from '../exchange-rates/exchange-rates.service.js';
import { MAX_ENTRIES, type EntryPath } from '../ledger/cycle-entry.entity.js';
import { cycleNotFound } from '../ledger/cycle-errors.js';
import { CycleIncome } from '../ledger/cycle-income.entity.js';
import { assertConsistentReceipt } from '../ledger/income-receipt.js';
import { Ledger } from '../ledger/ledger.js';
import { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import { Database } from '../platform/database/database.js';
import { assertWithinLimit, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { NO_PRECONDITION, type Precondition } from '../platform/values/precondition.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import {
  changedIncomeFields,
  newIncomeFields,
  rowOfIncome,
  toIncomeListResponse,
  toIncomeResponse,
  type CreateIncomeDto,
  type IncomeListResponse,
  type IncomeResponse,
  type ListIncomesQuery,
  type UpdateIncomeDto,
} from './dto/income.dto.js';
import { findIncome, listIncomes, listIncomesByIds } from './incomes.queries.js';

/** The incomes of a cycle (see docs/api.md). */
@Injectable()
export class IncomesService {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly paymentMethods: PaymentMethodsService,
    private readonly exchangeRates: ExchangeRatesService,
  ) {}

  /**
   * The incomes of a cycle by income date, then creation, with the totals in USD of the listed ones.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  async list(
    user: AuthenticatedUser,
    cycleId: string,
    query: ListIncomesQuery,
  ): Promise<IncomeListResponse> {
    const list = await listIncomes(this.database.read(user), cycleId, query);
    if (!list) throw cycleNotFound();
    return toIncomeListResponse(list);
  }

  /** The user's incomes with these ids, in any order; other ids are ignored. */
  async listByIds(user: AuthenticatedUser, ids: readonly string[]): Promise<IncomeResponse[]> {
    return (await listIncomesByIds(this.database.read(user), ids)).map(toIncomeResponse);
  }

  /**
   * An income.
   *
   * @throws DomainError CYCLE_NOT_FOUND, ResourceNotFoundError
   */
  async get(user: AuthenticatedUser, path: EntryPath): Promise<IncomeResponse> {
    const income = await findIncome(this.database.read(user), path);
    if (income === undefined) throw cycleNotFound();
    if (income === null) throw new ResourceNotFoundError('cycle_income');
    return toIncomeResponse(income);
  }

  /**
   * Creates a manual income that is not yet received, converted to USD by the rate of its date.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR;
   *   LimitReachedError; ResourceNotFoundError or ValidationFailedError for the payment method
   */
  create(user: AuthenticatedUser, cycleId: string, dto: CreateIncomeDto): Promise<IncomeResponse> {
    const { currency, income_date: date, payment_method_id: methodId = null } = dto;
    return this.database.transaction(user, async (scope) => {
      const cycle = await this.ledger.lockCycle(scope, cycleId); // 404
      const [method, rates, stored] = await Promise.all([
        methodId === null ? null : this.paymentMethods.getForUse(scope, methodId), // 404
        this.exchangeRates.usdConverter(scope, [{ currency, date }]),
        this.ledger.count(scope, CycleIncome, cycle),
      ]);
      cycle.assertOpen(); // 409
      assertWithinLimit('cycle_income', { stored, limit: MAX_ENTRIES }); // 409
      method?.assertActive(); // 422
      const income = CycleIncome.create(newIncomeFields(dto), method, rates); // 422: no rate
      await this.ledger.add(scope, cycle, [income]);
      return toIncomeResponse(rowOfIncome(income));
    });
  }

  /**
   * Updates an income; `amount_usd` is recomputed when amount, currency or date changes.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR;
   *   ResourceNotFoundError for the income or the payment method; ValidationFailedError when the
   *   payment method is inactive or received and received_at contradict each other
   */
  async update(
    user: AuthenticatedUser,
    path: EntryPath,
    dto: UpdateIncomeDto,
    precondition: Precondition = NO_PRECONDITION,
  ): Promise<IncomeResponse> {
    const receipt = { received: dto.received, receivedAt: dto.received_at };
    assertConsistentReceipt(receipt); // 422
    const { payment_method_id: methodId } = dto;
    return this.database.transaction(user, async (scope) => {
      const { cycle, before, entry: income } = await this.ledger.lock(scope, CycleIncome, path); // 404
      const method =
        methodId === null
          ? null
          : await this.paymentMethods.getIfOther(scope, income.paymentMethodId, methodId); // 404
      await precondition.assert(() => toIncomeResponse(rowOfIncome(income))); // 412
      cycle.assertOpen(); // 409
      income.update(changedIncomeFields(dto), method); // 422: an inactive payment method
      income.receive(receipt, new Date()); // 422: received_at of an income that is not received
      if (!income.isPricedLike(before)) {
        income.convert(await this.exchangeRates.usdConverter(scope, [income])); // 422: no rate
      }
      await this.ledger.save(scope, cycle, { before, after: income });
      return toIncomeResponse(rowOfIncome(income));
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
    await this.database.transaction(user, async (scope) => {
      const { cycle, entry: income } = await this.ledger.lock(scope, CycleIncome, path); // 404
      await precondition.assert(() => toIncomeResponse(rowOfIncome(income))); // 412
      await this.ledger.remove(scope, cycle, income); // 409
    });
  }
}
