import { changesBetween, type Changes } from '../../activity/changes.js';
import type { Change } from '../../activity/mutation.js';
import type { CycleEntry, EntryType, SettledReason } from '../entities/cycle-entry.entity.js';
import type { CycleExpense } from '../entities/cycle-expense.entity.js';
import type { CycleIncome } from '../entities/cycle-income.entity.js';
import { keyOf } from '../occurrences.queries.js';
import { isEdited, isGeneratedLike, regenerate, ungenerate } from './generated-entry.js';

export const PROTECTION_REASONS = ['paid', 'received', 'cancelled', 'edited', 'deleted'] as const;

/** A stored entry that a synchronization would change or remove if it were not protected. */
interface ProtectedEntry<Entry> {
  entry: Entry;
  reason: SettledReason | 'edited' | 'deleted';
}

interface DescribedChange<Entry> extends Change<Entry> {
  changes: Changes;
}

/** The difference between the generated entries of a cycle and what its templates give now. */
export interface TemplateDiff<Entry = CycleExpense | CycleIncome> {
  add: Entry[];
  change: DescribedChange<Entry>[];
  remove: Change<Entry>[];
  protected: ProtectedEntry<Entry>[];
}

/**
 * Compares stored entries of one kind with generated ones by template and occurrence.
 *
 * @param stored the generated entries of the cycle and those of them that a user deleted
 * @param generated what generation gives today
 */
export function templateDiff<Entry extends CycleEntry>(
  stored: readonly Entry[],
  generated: readonly Entry[],
): TemplateDiff<Entry> {
  const wanted = new Map(generated.map((entry) => [keyOf(entry), entry]));
  const diff: TemplateDiff<Entry> = { add: [], change: [], remove: [], protected: [] };
  for (const entry of stored.filter(({ active }) => active)) {
    const occurrence = wanted.get(keyOf(entry));
    wanted.delete(keyOf(entry));
    const isSame = occurrence && isGeneratedLike(entry, occurrence);
    // The budget of the template, where the entry has none.
    const budget = entry.budgetId === null ? occurrence?.budget : null;
    if (isSame && !budget) continue;
    const reason = entry.settledReason() ?? (isEdited(entry) ? 'edited' : undefined);
    // A budget alone is not worth a mention.
    if (isSame && reason) continue;
    const after = entry.copy();
    if (reason) {
      diff.protected.push({ entry, reason });
    } else if (occurrence) {
      regenerate(after, occurrence);
      if (budget) after.setBudget(budget);
      const snapshots = { before: entry.snapshot(), after: after.snapshot() };
      diff.change.push({ before: entry, after, changes: changesBetween(snapshots) });
    } else {
      ungenerate(after);
      diff.remove.push({ before: entry, after });
    }
  }
  for (const entry of stored.filter(({ active }) => !active)) {
    if (wanted.delete(keyOf(entry))) diff.protected.push({ entry, reason: 'deleted' });
  }
  diff.add.push(...wanted.values());
  return diff;
}

export const joinDiffs = <A, B>(a: TemplateDiff<A>, b: TemplateDiff<B>): TemplateDiff<A | B> => ({
  add: [...a.add, ...b.add],
  change: [...a.change, ...b.change],
  remove: [...a.remove, ...b.remove],
  protected: [...a.protected, ...b.protected],
});

/** The number of entries of a type by which a difference makes its cycle larger. */
export function growthOf({ add, remove }: TemplateDiff, entryType: EntryType): number {
  const added = add.filter(({ type }) => type === entryType).length;
  return added - remove.filter(({ after }) => after.type === entryType).length;
}
