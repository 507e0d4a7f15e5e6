/** What only an undo reads and writes of the entries of cycles. */
import sql, { raw } from 'sql-template-tag';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import { send } from '../platform/database/send.js';
import type { CycleEntry } from './entities/cycle-entry.entity.js';
import type { Cycle } from './entities/cycle.entity.js';
import type { EntryClass } from './entries.repository.js';

/**
 * Those of the entries with these ids that have the template and the occurrence of another, active
 * entry of the cycle.
 */
export async function findTakenOccurrences(
  { manager, householdId }: Scope,
  entryClass: EntryClass<CycleEntry>,
  cycle: Cycle,
  ids: readonly string[],
): Promise<Set<string>> {
  const table = raw(manager.dataSource.getMetadata(entryClass).tableName);
  const rows = await query<{ id: string }>(
    manager,
    sql`
      SELECT entry.id FROM ${table} AS entry
      JOIN ${table} AS other ON other.household_id = ${householdId} AND other.cycle_id = ${cycle.id}
        AND other.template_id = entry.template_id
        AND other.occurrence_date = entry.occurrence_date AND other.active AND other.id <> entry.id
      WHERE entry.household_id = ${householdId} AND entry.cycle_id = ${cycle.id}
        AND entry.id = ANY(${ids})`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Makes deleted entries of a locked cycle active again. */
export function reactivateEntries(
  { manager, householdId }: Scope,
  entryClass: EntryClass<CycleEntry>,
  cycle: Cycle,
  ids: readonly string[],
): void {
  if (ids.length === 0) return;
  const { tableName } = manager.dataSource.getMetadata(entryClass);
  // PostgreSQL adds to an instant in the time zone of the session, and Citus refuses what depends on
  // the session: the sum is computed in UTC.
  send(
    manager,
    sql`
      UPDATE ${raw(tableName)} SET active = true,
        updated_at = greatest(
          ${new Date()}::timestamptz,
          (updated_at AT TIME ZONE 'UTC' + interval '1 ms') AT TIME ZONE 'UTC'
        )
      WHERE household_id = ${householdId} AND cycle_id = ${cycle.id} AND id = ANY(${ids})`,
  );
}

/** The number of active entries of both kinds in several cycles, up to `max`. */
export async function countEntriesOf(
  { manager, householdId }: Scope,
  cycleIds: readonly string[],
  max: number,
): Promise<number> {
  const isActive = sql`household_id = ${householdId} AND cycle_id = ANY(${cycleIds}) AND active`;
  const [row] = await query<{ count: number }>(
    manager,
    sql`
      SELECT count(*)::int AS count FROM (
        SELECT FROM cycle_expenses WHERE ${isActive}
        UNION ALL
        SELECT FROM cycle_incomes WHERE ${isActive}
        LIMIT ${max}
      ) AS counted`,
  );
  return row?.count ?? 0;
}
