import { isDeepStrictEqual } from 'node:util';
import { changesBetween, type Changes } from '../activity/changes.js';
import type { CycleEntry } from './cycle-entry.entity.js';
import type { EntryKind, SettledReason } from './entry-kinds.js';
import type { Generated } from './generation.js';
import { usedRate } from './snapshots.js';

export const PROTECTION_REASONS = ['paid', 'received', 'cancelled', 'edited', 'deleted'] as const;

/** A stored entry that a synchronization would change or remove if it were not protected. */
interface ProtectedEntry<Entry> {
  entry: Entry;
  reason: SettledReason | 'edited' | 'deleted';
}

/** The difference between the generated entries of a cycle and what its templates give now. */
export interface TemplateDiff<Entry extends CycleEntry> {
  add: Generated<Entry>[];
  change: { entry: Entry; after: Entry; changes: Changes }[];
  remove: Entry[];
  protected: ProtectedEntry<Entry>[];
}

/**
 * Compares stored entries with generated ones by template and occurrence (contract, section 18).
 *
 * @param stored the generated entries of the cycle and those of them that a user deleted
 * @param generated what generation gives today
 */
export function templateDiff<Entry extends CycleEntry>(
  kind: EntryKind<Entry>,
  stored: readonly Entry[],
  generated: readonly Generated<Entry>[],
): TemplateDiff<Entry> {
  const wanted = new Map(generated.map((values) => [keyOf(values), values]));
  const diff: TemplateDiff<Entry> = { add: [], change: [], remove: [], protected: [] };
  const protect = (entry: Entry, reason: ProtectedEntry<Entry>['reason']): void => {
    diff.protected.push({ entry, reason });
  };
  for (const entry of stored.filter(({ active }) => active)) {
    const values = wanted.get(keyOf(entry));
    wanted.delete(keyOf(entry));
    const after = values && withValues(kind, entry, values);
    if (after && isSame(kind, entry, after)) continue;
    const reason = kind.settledReason(entry) ?? (isEdited(kind, entry) ? 'edited' : undefined);
    if (reason) protect(entry, reason);
    else if (after) {
      diff.change.push({ entry, after, changes: changesBetween(snapshots(kind, entry, after)) });
    } else diff.remove.push(entry);
  }
  for (const entry of stored.filter(({ active }) => !active)) {
    if (wanted.delete(keyOf(entry))) protect(entry, 'deleted');
  }
  diff.add.push(...wanted.values());
  return diff;
}

const keyOf = ({
  templateId,
  occurrenceDate,
}: Partial<Pick<CycleEntry, 'templateId' | 'occurrenceDate'>>): string =>
  `${templateId ?? ''} ${occurrenceDate ?? ''}`;

/** The entry with the generated values; what generation does not set, such as comments and payment, stays. */
function withValues<Entry extends CycleEntry>(
  kind: EntryKind<Entry>,
  entry: Entry,
  { comments: _comments, paymentMethod: _paymentMethod, ...values }: Generated<Entry>,
): Entry {
  const after: Entry = Object.assign(new kind.entity(), entry, values);
  after.generated = kind.generatedValues(after);
  return after;
}

const snapshots = <Entry extends CycleEntry>(
  { snapshot }: EntryKind<Entry>,
  before: Entry,
  after: Entry,
): Parameters<typeof changesBetween>[0] => ({ before: snapshot(before), after: snapshot(after) });

/** Whether the generated values and the conversion are the same; without snapshots, which take longer. */
const isSame = <Entry extends CycleEntry>(
  kind: EntryKind<Entry>,
  entry: Entry,
  after: Entry,
): boolean =>
  isDeepStrictEqual(kind.generatedValues(entry), after.generated) &&
  entry.amountUsd.eq(after.amountUsd) &&
  isDeepStrictEqual(usedRate(entry), usedRate(after));

/** Whether a user changed one of the fields that generation sets. */
const isEdited = <Entry extends CycleEntry>(kind: EntryKind<Entry>, entry: Entry): boolean =>
  !isDeepStrictEqual(kind.generatedValues(entry), entry.generated);
