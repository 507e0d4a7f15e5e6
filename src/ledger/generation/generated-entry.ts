/** How generation and synchronization with the templates mark, recognize and change an entry. */
import { isDeepStrictEqual } from 'node:util';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import { copyFields, snapshotOf, type Snapshot } from '../../records/record-fields.js';
import type { PlannedOccurrence } from '../../templates/recurrence/planned-schedule.js';
import type { CycleEntry } from '../entities/cycle-entry.entity.js';
import type { CycleExpense } from '../entities/cycle-expense.entity.js';
import type { CycleIncome } from '../entities/cycle-income.entity.js';

/** Marks a new entry as the one that is generated for an occurrence of a template. */
export function markGenerated(
  entry: CycleEntry,
  templateId: string,
  { ruleDate, instalment }: Pick<PlannedOccurrence, 'ruleDate' | 'instalment'>,
): void {
  entry.templateId = templateId;
  entry.occurrenceDate = ruleDate;
  entry.instalment = instalment;
  entry.generated = generatedValues(entry);
}

/** Gives an entry the fields that generation sets; others, such as comments and payment, stay. */
export function regenerate(entry: CycleEntry, wanted: CycleEntry): void {
  const names = [...entry.generatedFields, 'instalment', 'amount_usd', 'exchange_rate'];
  copyFields(entry.fields, names, { from: wanted, to: entry });
  entry.setPaymentMethod(wanted.paymentMethod ?? null);
  setGenerated(entry, generatedValues(wanted));
}

/**
 * Deletes an entry whose occurrence no longer exists. Synchronization adds it again when the
 * occurrence exists again, unlike an entry that a user deletes.
 */
export function ungenerate(entry: CycleEntry): void {
  entry.active = false;
  setGenerated(entry, null);
}

/**
 * Sets the generated values. Which synchronization set the former ones, and that the plan was
 * unknown, no longer applies.
 */
function setGenerated(entry: CycleEntry, values: Snapshot | null): void {
  entry.generated = values;
  entry.generatedOperationId = null;
  entry.planUnknown = null;
}

/**
 * Makes an entry count as edited, whatever its values are: without a description, the generated
 * values differ from those of any entry. The description is the value to drop because entries of
 * both kinds have it, `planned_amount` does not need it, and it is never null, as which an import
 * could read a missing value.
 */
export function keepAsEdited(entry: CycleEntry): void {
  entry.generated = withoutDescription(entry.generated ?? {});
}

const withoutDescription = ({ description: _description, ...values }: Snapshot): Snapshot => values;

/** Whether a user changed one of the fields that generation sets. */
export const isEdited = (entry: CycleEntry): boolean => !hasValues(entry, entry.generated ?? {});

/**
 * SQL: whether a row of `cycle_expenses` or `cycle_incomes` is a generated entry that is not
 * {@link isEdited}.
 */
export function isUneditedSql(kind: typeof CycleExpense | typeof CycleIncome, alias: string): Sql {
  const values = kind.generatedFields.map((name) => raw(`'${name}', ${alias}.${name}::text`));
  return sql`${raw(alias)}.generated @> jsonb_build_object(${join(values)})`;
}

/**
 * Whether an entry has the values that generation gives another one, converted at the same rate.
 * Which instalment it is does not matter: an entry keeps that until something else changes.
 */
export const isGeneratedLike = (entry: CycleEntry, other: CycleEntry): boolean =>
  hasValues(entry, generatedValues(other)) &&
  entry.amountUsd.eq(other.amountUsd) &&
  isDeepStrictEqual(entry.usedRate(), other.usedRate());

/** The values that generation sets, by the names of the API: texts or null. */
const generatedValues = (entry: CycleEntry): Snapshot =>
  snapshotOf(entry.fields, entry, entry.generatedFields);

const hasValues = (entry: CycleEntry, values: Snapshot): boolean =>
  Object.entries(generatedValues(entry)).every(([name, value]) => value === values[name]);
