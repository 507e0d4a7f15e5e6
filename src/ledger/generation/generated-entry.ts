/** How generation and synchronization with the templates mark, recognize and change an entry. */
import { isDeepStrictEqual } from 'node:util';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { copyFields, snapshotOf, type Snapshot } from '../../records/record-fields.js';
import type { CycleEntry } from '../entities/cycle-entry.entity.js';

/** Makes a new entry the one that generation gives for an occurrence of a template. */
export function markGenerated(
  entry: CycleEntry,
  templateId: string,
  occurrenceDate: CalendarDate,
): void {
  entry.templateId = templateId;
  entry.occurrenceDate = occurrenceDate;
  entry.generated = generatedValues(entry);
}

/** Takes over what generation sets; the rest, such as comments and payment, stays. */
export function regenerate(entry: CycleEntry, wanted: CycleEntry): void {
  const names = [...entry.generatedFields, 'amount_usd', 'exchange_rate'];
  copyFields(entry.fields, names, { from: wanted, to: entry });
  entry.setPaymentMethod(wanted.paymentMethod ?? null);
  setGenerated(entry, generatedValues(wanted));
}

/**
 * Removes an entry whose occurrence no longer exists; unlike one that a user deletes, it can come
 * back.
 */
export function ungenerate(entry: CycleEntry): void {
  entry.active = false;
  setGenerated(entry, null);
}

/** Whatever set the values before, and whether they were the plan, is forgotten. */
function setGenerated(entry: CycleEntry, values: Snapshot | null): void {
  entry.generated = values;
  entry.generatedOperationId = null;
  entry.planUnknown = null;
}

/**
 * Makes an entry count as edited, whatever its values are, by a missing one; what was planned stays
 * known. The description is the one that is dropped: entries of both kinds have it,
 * `planned_amount` does not need it, and it is never null, which a missing value could become in an
 * import.
 */
export function keepAsEdited(entry: CycleEntry): void {
  entry.generated = withoutDescription(entry.generated ?? {});
}

const withoutDescription = ({ description: _description, ...values }: Snapshot): Snapshot => values;

/** Whether a user changed one of the fields that generation sets. */
export const isEdited = (entry: CycleEntry): boolean => !hasValues(entry, entry.generated ?? {});

/** Whether the entry has the generated values of another one and their conversion. */
export const isGeneratedLike = (entry: CycleEntry, other: CycleEntry): boolean =>
  hasValues(entry, generatedValues(other)) &&
  entry.amountUsd.eq(other.amountUsd) &&
  isDeepStrictEqual(entry.usedRate(), other.usedRate());

/** What generation sets, by the names of the API; texts or null. */
const generatedValues = (entry: CycleEntry): Snapshot =>
  snapshotOf(entry.fields, entry, entry.generatedFields);

const hasValues = (entry: CycleEntry, values: Snapshot): boolean =>
  Object.entries(generatedValues(entry)).every(([name, value]) => value === values[name]);
