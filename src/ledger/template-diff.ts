import { isDeepStrictEqual } from 'node:util';
import { changesBetween, type Changes, type Snapshot } from '../activity/changes.js';
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
 * Compares stored entries with generated ones by template and occurrence.
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
    if (values && isSame(kind, entry, values)) continue;
    const reason = kind.settledReason(entry) ?? (isEdited(kind, entry) ? 'edited' : undefined);
    if (reason) protect(entry, reason);
    else if (values) diff.change.push(changeOf(kind, entry, values));
    else diff.remove.push(entry);
  }
  for (const entry of stored.filter(({ active }) => !active)) {
    if (wanted.delete(keyOf(entry))) protect(entry, 'deleted');
  }
  diff.add.push(...wanted.values());
  return diff;
}

/** By how many entries a difference makes its cycle larger. */
export const growthOf = ({ add, remove }: { add: object[]; remove: object[] }): number =>
  add.length - remove.length;

const keyOf = ({
  templateId,
  occurrenceDate,
}: Partial<Pick<CycleEntry, 'templateId' | 'occurrenceDate'>>): string =>
  `${templateId ?? ''} ${occurrenceDate ?? ''}`;

/** A change to the generated values; what generation does not set, such as comments and payment, stays. */
function changeOf<Entry extends CycleEntry>(
  kind: EntryKind<Entry>,
  entry: Entry,
  { comments: _comments, paymentMethod: _paymentMethod, ...values }: Generated<Entry>,
): TemplateDiff<Entry>['change'][number] {
  const after: Entry = Object.assign(new kind.entity(), entry, values);
  after.generated = kind.generatedValues(after);
  const snapshots = { before: kind.snapshot(entry), after: kind.snapshot(after) };
  return { entry, after, changes: changesBetween(snapshots) };
}

/** Whether an entry has the generated values and their conversion. */
function isSame<Entry extends CycleEntry>(
  kind: EntryKind<Entry>,
  entry: Entry,
  values: Generated<Entry>,
): boolean {
  const generated = values as Entry;
  return (
    hasValues(kind, entry, kind.generatedValues(generated)) &&
    entry.amountUsd.eq(generated.amountUsd) &&
    isDeepStrictEqual(usedRate(entry), usedRate(generated))
  );
}

/** Whether a user changed one of the fields that generation sets. */
const isEdited = <Entry extends CycleEntry>(kind: EntryKind<Entry>, entry: Entry): boolean =>
  !hasValues(kind, entry, entry.generated ?? {});

/** Compares the fields that generation sets; their values are texts or null. */
function hasValues<Entry extends CycleEntry>(
  kind: EntryKind<Entry>,
  entry: Entry,
  values: Snapshot,
): boolean {
  const current = kind.generatedValues(entry);
  return kind.generatedFields.every((field) => current[field] === values[field]);
}
