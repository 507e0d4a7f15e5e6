/**
 * What generation or the last synchronization planned for an entry. This file has the only
 * definition, in code and in SQL.
 */
import type { Undo } from '../../activity/undo.js';
import type { CycleEntry } from './cycle-entry.entity.js';

/**
 * The planned amount in the currency of the entry, with two decimals; null: a manual entry, another
 * currency than the planned one, or unknown.
 */
export function plannedAmount({
  generated,
  planUnknown,
  currency,
}: Pick<CycleEntry, 'generated' | 'planUnknown' | 'currency'>): string | null {
  if (planUnknown || generated?.currency !== currency) return null;
  return typeof generated.amount === 'string' ? generated.amount : null;
}

/** SQL: the {@link plannedAmount} of an entry, as text. */
export const plannedAmountSql = (entry: string): string => `
  CASE WHEN ${entry}.plan_unknown IS NOT TRUE
    AND ${entry}.generated->>'currency' = ${entry}.currency::text
    THEN ${entry}.generated->>'amount' END`;

/** What a synchronization by an earlier version is recognized by: it changes one of these. */
const PLANNED_FIELDS = ['amount', 'currency', 'active'];

/**
 * To be called when a change of the entry is undone: the plan before a synchronization is not
 * stored. Records of earlier versions do not say whether a synchronization wrote them, so that an
 * edit counts as one where it may have been one.
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
