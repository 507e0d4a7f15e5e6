/**
 * What generation or the last synchronization planned for an entry. This file has the only
 * definition, in code and in SQL. It follows from `generated`, which can have two members beside
 * the values that were set:
 * - `operation_id`: the request of the synchronization that set them;
 * - `plan_unknown`: true where that was undone, and after an import.
 */
import type { CycleEntry } from './cycle-entry.entity.js';

/** Of values that are kept to recognize edits alone. */
export const UNKNOWN_PLAN = { plan_unknown: true } as const;

/**
 * The planned amount in the currency of the entry, with two decimals; null: a manual entry, another
 * currency than the planned one, or unknown.
 */
export function plannedAmount({
  generated,
  currency,
}: Pick<CycleEntry, 'generated' | 'currency'>): string | null {
  if (generated?.currency !== currency || generated.plan_unknown) return null;
  return typeof generated.amount === 'string' ? generated.amount : null;
}

/** SQL: the {@link plannedAmount} of an entry, as text. */
export const plannedAmountSql = (entry: string): string => `
  CASE WHEN ${entry}.generated->>'currency' = ${entry}.currency::text
    AND ${entry}.generated->'plan_unknown' IS NULL THEN ${entry}.generated->>'amount' END`;

/** SQL: the values of `generated` alone. */
export const generatedValuesSql = (entry: string): string =>
  `${entry}.generated - '{operation_id,plan_unknown}'::text[]`;

/** Notes which request has synchronized an entry; null: none. */
export function markSynchronized(entry: CycleEntry, operationId: string | null): void {
  if (operationId !== null) entry.generated = { ...entry.generated, operation_id: operationId };
}

/** To be called when a change of the entry by a request is undone. */
export function forgetUndonePlan(entry: CycleEntry, operationId: string | null): void {
  if (operationId === null || entry.generated?.operation_id !== operationId) return;
  entry.generated = { ...entry.generated, ...UNKNOWN_PLAN };
}
