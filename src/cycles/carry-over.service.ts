import { Injectable } from '@nestjs/common';
import { sendTogether } from '#postgres';
import type { Change } from '../activity/mutation.js';
import { daysOfStatements, isOfStatement, type StatementDays } from '../cards/card.js';
import { CardsService } from '../cards/cards.service.js';
import { balanceAfter } from '../ledger/entities/balance.js';
import { MAX_ENTRIES, type CycleEntry } from '../ledger/entities/cycle-entry.entity.js';
import { CycleExpense } from '../ledger/entities/cycle-expense.entity.js';
import { CycleIncome } from '../ledger/entities/cycle-income.entity.js';
import type { Cycle } from '../ledger/entities/cycle.entity.js';
import type { EntryClass } from '../ledger/entries.repository.js';
import { Ledger } from '../ledger/ledger.js';
import { Database, type Scope } from '../platform/database/database.js';
import { inParts } from '../platform/database/send.js';
import { assertWithinLimit, ValidationFailedError } from '../platform/errors/domain-error.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import {
  toCarryOverResponse,
  type CarriedEntries,
  type CarryOverDto,
  type CarryOverResponse,
} from './dto/carry-over.dto.js';

/** Two locked cycles. */
interface Cycles {
  from: Cycle;
  to: Cycle;
}

/** Which entries of a kind move: those with these ids, or all that are open. */
type Selection = readonly string[] | 'open' | 'none';

/** The entries of a kind that move, and how many of the kind the other cycle has. */
interface Selected<Entry extends CycleEntry> {
  changes: readonly Change<Entry>[];
  stored: number;
}

/**
 * Moves what was not paid or received to another cycle: each entry is removed from its cycle, and
 * the other one gets it.
 */
@Injectable()
export class CarryOverService {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly cards: CardsService,
  ) {}

  /**
   * Deletes expenses and incomes in their cycle and creates them in another one; without ids, all
   * expenses that are neither paid nor cancelled, and belong to no statement of a card.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED; ResourceNotFoundError for an
   *   entry; LimitReachedError; ValidationFailedError when both cycles are the same, or an entry is
   *   paid, cancelled or received
   */
  async carryOver(
    user: AuthenticatedUser,
    cycleId: string,
    { to_cycle_id: toCycleId, expense_ids: expenseIds, income_ids: incomeIds }: CarryOverDto,
  ): Promise<CarryOverResponse> {
    assertAnotherCycle({ from: cycleId, to: toCycleId }); // 422
    return this.database.transaction(user, async (scope) => {
      const cycles = await this.ledger.lockTwoCycles(scope, { from: cycleId, to: toCycleId }); // 404
      const selection = {
        expenses: expenseIds ?? (incomeIds ? 'none' : 'open'),
        incomes: incomeIds ?? 'none',
      } as const;
      const cards = await this.cards.list(scope, scope.today);
      const days = cards.flatMap(daysOfStatements);
      const moved = await this.move(scope, cycles, selection, days);
      return toCarryOverResponse(moved, scope.today);
    });
  }

  /**
   * Moves all open expenses and incomes of a locked cycle to another one that is locked, each kind
   * by date, then creation.
   *
   * @param days whose purchases with cards stay, as their statements are open and not they
   * @throws DomainError CYCLE_ALREADY_COMPLETED; LimitReachedError
   */
  moveOpen(scope: Scope, cycles: Cycles, days: readonly StatementDays[]): Promise<CarriedEntries> {
    return this.move(scope, cycles, { expenses: 'open', incomes: 'open' }, days);
  }

  private async move(
    scope: Scope,
    { from, to }: Cycles,
    selection: { expenses: Selection; incomes: Selection },
    days: readonly StatementDays[],
  ): Promise<CarriedEntries> {
    const [expenses, incomes] = await sendTogether([
      this.select(scope, CycleExpense, { from, to }, { selection: selection.expenses, days }), // 404
      this.select(scope, CycleIncome, { from, to }, { selection: selection.incomes, days }), // 404
    ]);
    from.assertOpen(); // 409
    to.assertOpen(); // 409
    assertFits('cycle_expense', expenses); // 409
    assertFits('cycle_income', incomes); // 409
    assertOpen(expenses, 'expense_ids', 'expenses that are neither paid nor cancelled'); // 422
    assertOpen(incomes, 'income_ids', 'incomes that are not received'); // 422
    const moved = {
      expenses: expenses.changes.map(({ after }) => ({ from: after, to: after.carriedOver() })),
      incomes: incomes.changes.map(({ after }) => ({ from: after, to: after.carriedOver() })),
    };
    const removed = [...expenses.changes, ...incomes.changes];
    const added = [...moved.expenses, ...moved.incomes].map((entry) => ({
      before: null,
      after: entry.to,
    }));
    for (const { after } of removed) after.active = false;
    // There can be 4,000: other requests run between two parts.
    for await (const part of inParts(scope.manager, removed)) {
      await this.ledger.saveAll(scope, from, part);
    }
    for await (const part of inParts(scope.manager, added)) {
      await this.ledger.saveAll(scope, to, part);
    }
    return {
      ...moved,
      balance: { from: balanceAfter(from, removed), to: balanceAfter(to, added) },
    };
  }

  /** @throws ResourceNotFoundError with the first id that the cycle does not have */
  private async select<Entry extends CycleEntry>(
    scope: Scope,
    entryClass: EntryClass<Entry>,
    { from, to }: Cycles,
    { selection, days }: { selection: Selection; days: readonly StatementDays[] },
  ): Promise<Selected<Entry>> {
    if (selection === 'none') return { changes: [], stored: 0 };
    const ids = selection === 'open' ? undefined : selection;
    const [found, stored] = await sendTogether([
      this.ledger.lockAll(scope, entryClass, from, ids),
      this.ledger.count(scope, entryClass, to.id),
    ]);
    const isOpen = (entry: CycleEntry): boolean => entry.isOpen() && !isOfStatement(entry, days);
    const changes = ids ? found : found.filter(({ after }) => isOpen(after)).sort(byDate);
    return { changes, stored };
  }
}

/** Stable, so that the order of creation remains. */
const byDate = (a: { after: CycleEntry }, b: { after: CycleEntry }): number =>
  a.after.date.localeCompare(b.after.date);

/** @throws ValidationFailedError when both ids are the same */
export function assertAnotherCycle(cycleIds: { from: string; to: string }): void {
  if (cycleIds.from !== cycleIds.to) return;
  throw new ValidationFailedError({
    to_cycle_id: [{ reason: 'contradiction', message: 'to_cycle_id must be another cycle' }],
  });
}

/** @throws LimitReachedError */
function assertFits(type: CycleEntry['type'], { changes, stored }: Selected<CycleEntry>): void {
  assertWithinLimit(type, { stored, added: changes.length, limit: MAX_ENTRIES });
}

/** @throws ValidationFailedError with the index of the first entry that is not open */
function assertOpen({ changes }: Selected<CycleEntry>, field: string, allowed: string): void {
  const index = changes.findIndex(({ before }) => !before.isOpen());
  if (index === -1) return;
  const message = `${field} must be ${allowed}`;
  throw new ValidationFailedError({ [field]: [{ reason: 'contradiction', message }] }, index);
}
