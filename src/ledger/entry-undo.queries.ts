/** What only an undo reads and writes of the entries of cycles. */
import type { Scope } from '../platform/database/database.js';
import { send } from '../platform/database/send.js';
import type { CycleEntry } from './entities/cycle-entry.entity.js';
import type { Cycle } from './entities/cycle.entity.js';
import type { EntryClass } from './entries.repository.js';

/**
 * Of the entries with these ids, those that have the template and the occurrence of another, active
 * entry of the cycle.
 */
export async function findTakenOccurrences(
  { manager, householdId }: Scope,
  kind: EntryClass<CycleEntry>,
  cycle: Cycle,
  ids: readonly string[],
): Promise<Set<string>> {
  const { tableName } = manager.dataSource.getMetadata(kind);
  const rows = await manager.query<{ id: string }[]>(
    `SELECT entry.id FROM ${tableName} AS entry
     JOIN ${tableName} AS other ON other.household_id = $1 AND other.cycle_id = $2
       AND other.template_id = entry.template_id
       AND other.occurrence_date = entry.occurrence_date AND other.active AND other.id <> entry.id
     WHERE entry.household_id = $1 AND entry.cycle_id = $2 AND entry.id = ANY($3)`,
    [householdId, cycle.id, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Makes deleted entries of a locked cycle active again. */
export function reactivateEntries(
  { manager, householdId }: Scope,
  kind: EntryClass<CycleEntry>,
  cycle: Cycle,
  ids: readonly string[],
): void {
  if (ids.length === 0) return;
  const { tableName } = manager.dataSource.getMetadata(kind);
  send(
    manager,
    `UPDATE ${tableName}
     SET active = true, updated_at = greatest($3::timestamptz, updated_at + interval '1 ms')
     WHERE household_id = $1 AND cycle_id = $2 AND id = ANY($4)`,
    [householdId, cycle.id, new Date(), ids],
  );
}

/** $1: household, $2: cycles, $3: up to how many. */
const COUNT = `
  SELECT count(*)::int AS count FROM (
    SELECT FROM cycle_expenses WHERE household_id = $1 AND cycle_id = ANY($2) AND active
    UNION ALL
    SELECT FROM cycle_incomes WHERE household_id = $1 AND cycle_id = ANY($2) AND active
    LIMIT $3
  ) AS counted`;

/** The number of active entries of both kinds in several cycles, up to `max`. */
export async function countEntriesOf(
  { manager, householdId }: Scope,
  cycleIds: readonly string[],
  max: number,
): Promise<number> {
  const [row] = await manager.query<{ count: number }[]>(COUNT, [householdId, cycleIds, max]);
  return row?.count ?? 0;
}
