/** Which occurrences of templates the cycles of a user have. */
import type { Scope } from '../platform/database/database.js';
import type { CycleEntry } from './entities/cycle-entry.entity.js';

/** An occurrence of a template by its date before the weekend rule; null: a manual entry. */
export type OccurrenceKey = Readonly<Pick<CycleEntry, 'templateId' | 'occurrenceDate'>>;

export const keyOf = ({ templateId, occurrenceDate }: OccurrenceKey): string =>
  `${templateId ?? ''} ${occurrenceDate ?? ''}`;

/**
 * `IS TRUE` makes PostgreSQL look up each entry in a hash table of the occurrences. It could plan a
 * join while there are few entries, keep that plan, and later compare each entry with each
 * occurrence. The values are numbered by hand, so that the long lists are sent once. $1: owner,
 * $2: household, $3 and $4: the templates and the dates of the occurrences, $5 and $6: the first and
 * the last date, $7: the cycle that does not count, or null.
 */
const foundIn = (entries: 'cycle_expenses' | 'cycle_incomes'): string => `
  SELECT e.template_id AS "templateId", e.occurrence_date AS "occurrenceDate"
  FROM cycles c
  JOIN ${entries} e ON e.household_id = $2 AND e.cycle_id = c.id AND e.active
    AND e.occurrence_date BETWEEN $5 AND $6
  WHERE c.household_id = $2 AND c.user_id = $1 AND c.active AND c.id IS DISTINCT FROM $7
    AND ((e.template_id, e.occurrence_date) IN (SELECT * FROM unnest($3::uuid[], $4::date[]))) IS TRUE`;

const FIND = `${foundIn('cycle_expenses')} UNION ${foundIn('cycle_incomes')}`;

/**
 * Those of the occurrences that a cycle has an entry of, in whatever state: neither of them is
 * deleted.
 *
 * @param except the id of a cycle that does not count
 * @returns their keys
 */
export async function findOccurrences(
  { manager, userId, householdId }: Scope,
  wanted: readonly OccurrenceKey[],
  except: string | null = null,
): Promise<ReadonlySet<string>> {
  if (wanted.length === 0) return new Set();
  const templates = wanted.map(({ templateId }) => templateId);
  const dates = wanted.map(({ occurrenceDate }) => occurrenceDate);
  const sorted = dates.toSorted();
  const range = [sorted[0], sorted.at(-1)];
  const parameters = [userId, householdId, templates, dates, ...range, except];
  const found = await manager.query<OccurrenceKey[]>(FIND, parameters);
  return new Set(found.map(keyOf));
}
