import { Injectable } from '@nestjs/common';
import { sendTogether } from '#postgres';
import { ActivityService } from '../activity/activity.service.js';
import { readFeed, type FeedPage } from '../activity/feed.js';
import { changeOf, creationOf, type Change } from '../activity/mutation.js';
import { recordNotFound, type Undo } from '../activity/undo.js';
import { ExpensesService } from '../expenses/expenses.service.js';
import { IncomesService } from '../incomes/incomes.service.js';
import { forEachElement } from '../ledger/elements.js';
import { ChosenPaymentMethods } from '../payment-methods/chosen-payment-methods.js';
import { Database, type Scope } from '../platform/database/database.js';
import { assertWithinLimit, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import type { Precondition } from '../platform/values/precondition.js';
import { dayIn } from '../platform/values/time-zone.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { Balance, MAX_BALANCES } from './balance.entity.js';
import {
  findBalance,
  listBalances,
  listBalancesByIds,
  listOpenEntries,
  type OpenEntry,
} from './balances.queries.js';
import { BalancesRepository } from './balances.repository.js';
import {
  toBalanceResponse,
  type BalanceResponse,
  type CreateBalancesDto,
  type CreatedBalancesResponse,
  type ListBalancesQuery,
  type UnsettledEntry,
} from './dto/balance.dto.js';
import { HoldingsService } from './holdings.service.js';
import { assertNotTooLate, notAfter } from './stated-at.js';

const MAX_UNSETTLED = 20;

/**
 * How much there was in payment methods. A balance is never changed: its owner states another one,
 * or deletes it, after which only an undo shows it again.
 */
@Injectable()
export class BalancesService {
  constructor(
    private readonly database: Database,
    private readonly repository: BalancesRepository,
    private readonly activity: ActivityService,
    private readonly paymentMethods: ChosenPaymentMethods,
    private readonly holdings: HoldingsService,
    private readonly expenses: ExpensesService,
    private readonly incomes: IncomesService,
  ) {}

  /** A page of the user's balances, the one that was stated last first. */
  list(user: AuthenticatedUser, query: ListBalancesQuery): Promise<FeedPage<BalanceResponse>> {
    return readFeed(query, (slice) =>
      this.database.read(user, (scope) => listBalances(scope, query, slice)),
    );
  }

  /** The user's balances with these ids, in any order; other and deleted ones are ignored. */
  listByIds(scope: Scope, ids: readonly string[]): Promise<BalanceResponse[]> {
    return listBalancesByIds(scope, ids);
  }

  /** @throws ResourceNotFoundError */
  get(user: AuthenticatedUser, id: string): Promise<BalanceResponse> {
    return this.database.read(user, (scope) => this.read(scope, id));
  }

  /**
   * States how much there was in payment methods, and returns the entries with them that are open
   * until then. The locks of the payment methods let a second statement wait for the first one,
   * which it then expects.
   *
   * @throws ResourceNotFoundError for a payment method; LimitReachedError; ValidationFailedError
   *   when an instant is too late or a payment method is inactive
   */
  create(user: AuthenticatedUser, dto: CreateBalancesDto): Promise<CreatedBalancesResponse> {
    const { balances: stated, stated_at: given } = dto;
    assertNotTooLate(given); // 422
    return this.database.transaction(user, async (scope) => {
      const methodIds = stated.map(({ payment_method_id: id }) => id);
      const paymentMethods = await this.paymentMethods.lockAll(scope, methodIds, 'update'); // 404
      // After the locks: it is not before the instant of a statement that this one waited for.
      const now = new Date();
      const statedAt = given ? notAfter(now, given) : now;
      const until = dayIn(user.timeZone, statedAt);
      const [count, expected, open] = await sendTogether([
        this.repository.count(scope),
        this.holdings.expectedAt(scope, user, { paymentMethods, statedAt }),
        listOpenEntries(scope, { methodIds, until }, MAX_UNSETTLED),
      ]);
      const added = paymentMethods.length;
      assertWithinLimit('balance', { stored: count, added, limit: MAX_BALANCES }); // 409
      const elements = paymentMethods.map((method, index) => ({ method, index }));
      forEachElement('balances', elements, ({ method }) => {
        method.assertActive(); // 422
        method.assertHasNoStatements(); // 422
      });
      const balances = stated.flatMap(({ amount }, index) => {
        const method = paymentMethods[index];
        if (!method) return [];
        return Balance.create(method, {
          amount,
          statedAt,
          expected: expected.get(method.id) ?? null,
        });
      });
      this.repository.insert(scope, balances);
      this.activity.record(scope, balances.map(creationOf));
      return {
        balances: balances.map(toBalanceResponse),
        unsettled: await this.representations(scope, open.entries),
        more: open.total - open.entries.length,
      };
    });
  }

  /**
   * A soft deletion: no endpoint shows the balance any more.
   *
   * @throws ResourceNotFoundError
   */
  remove(user: AuthenticatedUser, id: string, precondition: Precondition): Promise<void> {
    return this.database.transaction(user, async (scope) => {
      const balance = await this.repository.lock(scope, id);
      if (!balance) throw new ResourceNotFoundError(Balance.type); // 404
      await precondition.assert(() => this.read(scope, id)); // 412
      const before = balance.copy();
      balance.active = false;
      this.save(scope, { before, after: balance });
    });
  }

  /**
   * Takes back what a record of the activity log says of a balance; one whose creation is undone is
   * deleted.
   *
   * @throws ResourceNotFoundError; DomainError RESOURCE_CONFLICT when it has changed since;
   *   LimitReachedError when it would come back beyond the limit
   */
  async undo(scope: Scope, undo: Undo): Promise<void> {
    const balance = await this.repository.lockWithDeleted(scope, undo.entityId);
    if (!balance) recordNotFound(); // 404
    undo.assertPossible(balance); // 409
    const before = balance.copy();
    balance.restore(undo.values);
    if (balance.active && !before.active) {
      const stored = await this.repository.count(scope);
      assertWithinLimit('balance', { stored, limit: MAX_BALANCES }); // 409
    }
    this.save(scope, { before, after: balance, undo });
  }

  /** @throws ResourceNotFoundError */
  private async read(scope: Scope, id: string): Promise<BalanceResponse> {
    const balance = await findBalance(scope, id);
    if (!balance) throw new ResourceNotFoundError(Balance.type);
    return balance;
  }

  /** Stores a changed balance that is locked; if nothing changed, nothing. */
  private save(scope: Scope, change: Change<Balance>): void {
    const record = changeOf(change);
    if (!record) return;
    this.repository.update(scope, change.after);
    this.activity.record(scope, [record]);
  }

  /** What the endpoints of entries return, in the order of the entries. */
  private async representations(
    scope: Scope,
    entries: readonly OpenEntry[],
  ): Promise<UnsettledEntry[]> {
    if (entries.length === 0) return [];
    const idsOf = (type: OpenEntry['type']): string[] =>
      entries.filter((entry) => entry.type === type).map(({ id }) => id);
    const [expenses, incomes] = await sendTogether([
      this.expenses.listByIds(scope, idsOf('cycle_expense')),
      this.incomes.listByIds(scope, idsOf('cycle_income')),
    ]);
    const shown = new Map<string, UnsettledEntry>();
    for (const expense of expenses) {
      shown.set(expense.id, { entity_type: 'cycle_expense', ...expense });
    }
    for (const income of incomes) {
      shown.set(income.id, { entity_type: 'cycle_income', ...income });
    }
    return entries.flatMap(({ id }) => shown.get(id) ?? []);
  }
}
