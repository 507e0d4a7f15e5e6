import { Injectable } from '@nestjs/common';
import type { EntryPath } from '../ledger/cycle-entries.js';
import { cycleNotFound } from '../ledger/cycle-errors.js';
import { applyReceipt, assertConsistentReceipt } from '../ledger/income-receipt.js';
import { Ledger } from '../ledger/ledger.js';
import { Database } from '../platform/database/database.js';
import { ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { NO_PRECONDITION, type Precondition } from '../platform/values/precondition.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import {
  toIncomeFields,
  toIncomeResponse,
  type CreateIncomeDto,
  type ListIncomesQuery,
  type UpdateIncomeDto,
} from './dto/income.dto.js';
import { incomeRowOf } from './income-row.js';
import {
  findIncome,
  listIncomes,
  listIncomesByIds,
  type IncomeList,
  type IncomeRow,
} from './incomes.queries.js';

/** The incomes of a cycle (see docs/api.md). */
@Injectable()
export class IncomesService {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
  ) {}

  /**
   * The incomes of a cycle by income date, then creation, with the totals in USD of the listed ones.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  async list(
    user: AuthenticatedUser,
    cycleId: string,
    { payment_method_id: paymentMethodId, ...filter }: ListIncomesQuery,
  ): Promise<IncomeList> {
    const scope = this.database.read(user);
    const list = await listIncomes(scope, cycleId, { ...filter, paymentMethodId });
    if (!list) throw cycleNotFound();
    return list;
  }

  /** The user's incomes with these ids, in any order; other ids are ignored. */
  listByIds(user: AuthenticatedUser, ids: readonly string[]): Promise<IncomeRow[]> {
    return listIncomesByIds(this.database.read(user), ids);
  }

  /**
   * An income.
   *
   * @throws DomainError CYCLE_NOT_FOUND, ResourceNotFoundError
   */
  async get(user: AuthenticatedUser, path: EntryPath): Promise<IncomeRow> {
    const income = await findIncome(this.database.read(user), path);
    if (income === undefined) throw cycleNotFound();
    if (income === null) throw new ResourceNotFoundError('cycle_income');
    return income;
  }

  /**
   * Creates a manual income that is not yet received, converted to USD by the rate of its date.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR;
   *   ResourceNotFoundError or ValidationFailedError for the payment method
   */
  create(user: AuthenticatedUser, cycleId: string, dto: CreateIncomeDto): Promise<IncomeRow> {
    return this.database.transaction(user, async (scope) =>
      incomeRowOf(await this.ledger.incomes.create(scope, cycleId, toIncomeFields(dto))),
    );
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
  ): Promise<IncomeRow> {
    const requested = { received: dto.received, receivedAt: dto.received_at };
    assertConsistentReceipt(requested);
    return this.database.transaction(user, async (scope) =>
      incomeRowOf(
        await this.ledger.incomes.update(
          scope,
          path,
          toIncomeFields(dto),
          (stored) => applyReceipt(stored, requested, new Date()),
          (stored) => precondition.assert(() => toIncomeResponse(incomeRowOf(stored))),
        ),
      ),
    );
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
      this.ledger.incomes.remove(scope, path, (stored) =>
        precondition.assert(() => toIncomeResponse(incomeRowOf(stored))),
      ),
    );
  }
}
