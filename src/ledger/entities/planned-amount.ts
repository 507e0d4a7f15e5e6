/**
 * What generation or the last synchronization planned for an entry. This file has the only
 * definition, in code and in SQL.
 */
import sql, { raw, type Sql } from 'sql-template-tag';
import type { Undo } from '../../activity/undo.js';
import type { CycleEntry } from './cycle-entry.entity.js';

/**
 * The planned amount in the currency of the entry, with two decimals; null for a manual entry, for
 * one whose currency is not the planned one, and where the plan is unknown.
 */
export function plannedAmount({
  generated,
  planUnknown,
  currency,
}: Pick<CycleEntry, 'generated' | 'planUnknown' | 'currency'>): string | null {
  if (planUnknown || generated?.currency !== currency) return null;
  return typeof generated.amount === 'string' ? generated.amount : null;
}

/** SQL: the {@link plannedAmount} of an expense `e` or an income `i`, as text. */
export function plannedAmountSql(alias: 'e' | 'i'): Sql {
  const entry = raw(alias);
  return sql`
    CASE WHEN ${entry}.plan_unknown IS NOT TRUE
      AND ${entry}.generated->>'currency' = ${entry}.currency::text
      THEN ${entry}.generated->>'amount' END`;
}

/** A record of an earlier version that changes one of these fields may be of a synchronization. */
const PLANNED_FIELDS = ['amount', 'currency', 'active'];

/**
 * Makes the plan of an entry unknown when a synchronization of it is undone: the plan before is not
 * stored. A record of an earlier version does not say whether a synchronization wrote it, so that
 * it counts as one if it may be one.
 */
export function forgetUndonePlan(
  entry: CycleEntry,
  undo: Pick<Undo, 'operationId' | 'values'>,
): void {
  const isSynchronization =
    undo.operationId === null
      ? PLANNED_FIELDS.some((field) => field in undo.values)
      : isOfSynchronization(entry, undo);
  if (isSynchronization && entry.generated !== null) entry.planUnknown = true;
}

/** Whether what is undone is the last synchronization of the entry. */
export const isOfSynchronization = (
  { generatedOperationId }: CycleEntry,
  { operationId }: Pick<Undo, 'operationId'>,
): boolean => operationId !== null && generatedOperationId === operationId;
