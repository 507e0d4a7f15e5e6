import sql, { raw, type Sql } from 'sql-template-tag';
import { IS_COUNTED_SQL, sumIncomesUsdSql, sumUsdSql } from '../ledger/entities/balance.js';
import { plannedAmountSql } from '../ledger/entities/planned-amount.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import { RECORD_TYPES } from '../records/record-types.js';
import type { AmountChange } from '../templates/base-template.entity.js';
import type { UnplannedEntries, VarianceCycle } from './dto/variance.dto.js';

/** How a template and its entries differ; amounts with two decimals in the template's currency. */
export interface TemplateTotals {
  entity_type: 'recurrent_expense' | 'recurrent_income';
  id: string;
  description: string;
  currency: CurrencyCode;
  base_amount: string;
  amount_changes: AmountChange[];
  active: boolean;
  occurrences: number;
  settled: number;
  planned: string;
  actual: string;
  difference: string;
  /** The median of the latest settled entries, at most {@link MAX_BASED_ON}; null without any. */
  median: string | null;
  based_on: number;
  /** When the settled entries were paid or received, in milliseconds since 1970-01-01 in UTC. */
  settled_at: number[];
  /** The sum of the day numbers of the dates of the settled entries. */
  settled_days: number;
}

/** Entries of which a suggestion takes the median. */
const MAX_BASED_ON = 12;

const CYCLE_COLUMNS = sql`c.id, c.name, c.start_date, c.end_date, c.seq`;

const inOrderSql = (cycles: Sql): Sql => sql`
  SELECT id, name, start_date, end_date FROM (${cycles}) AS c ORDER BY start_date, seq`;

const templatesSql = (
  { userId, householdId }: Scope,
  type: 'recurrent_expense' | 'recurrent_income',
): Sql => sql`
  SELECT '${raw(type)}' AS entity_type, t.id, t.description, t.currency, t.base_amount, t.amount_changes,
    t.active, t.seq
  FROM ${raw(RECORD_TYPES[type].table)} t
  WHERE t.household_id = ${householdId} AND t.user_id = ${userId}`;

/** The entries of cycles that have a template. */
const entriesSql = ({ householdId }: Scope, cycleIds: readonly string[]): Sql => sql`
  SELECT e.template_id, e.currency, e.amount, ${plannedAmountSql('e')} AS planned,
    e.due_date AS date, e.paid_at AS settled_at, e.seq
  FROM cycle_expenses e
  WHERE e.household_id = ${householdId} AND e.cycle_id = ANY(${cycleIds}) AND ${IS_COUNTED_SQL}
  UNION ALL
  SELECT i.template_id, i.currency, i.amount, ${plannedAmountSql('i')},
    i.income_date, i.received_at, i.seq
  FROM cycle_incomes i
  WHERE i.household_id = ${householdId} AND i.cycle_id = ANY(${cycleIds}) AND i.active`;

/**
 * The owner's cycles with these ids by start date, then creation; cycles that do not exist are
 * missing.
 */
export function listChosenCycles(
  { manager, userId, householdId }: Scope,
  ids: readonly string[],
): Promise<VarianceCycle[]> {
  const cycles = sql`
    SELECT ${CYCLE_COLUMNS} FROM cycles c
    WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
      AND c.id = ANY(${ids})`;
  return query(manager, inOrderSql(cycles));
}

/** The owner's cycles that ended last, of those that began by today, in the same order. */
export function listLatestCycles(
  { manager, userId, householdId, today }: Scope,
  max: number,
): Promise<VarianceCycle[]> {
  const cycles = sql`
    SELECT ${CYCLE_COLUMNS} FROM cycles c
    WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
      AND c.start_date <= ${today}
    ORDER BY c.end_date DESC, c.seq DESC LIMIT ${max}`;
  return query(manager, inOrderSql(cycles));
}

/**
 * The templates that have an entry in these cycles of the owner which is neither deleted nor
 * cancelled: those of expenses, then those of incomes, in the order of creation. `recency` numbers
 * the settled entries in the currency of their template from the latest, `position` the latest of
 * them from the smallest amount.
 */
export function listTemplateTotals(
  scope: Scope,
  cycleIds: readonly string[],
): Promise<TemplateTotals[]> {
  return query(
    scope.manager,
    sql`
      WITH templates AS (
        ${templatesSql(scope, 'recurrent_expense')}
        UNION ALL ${templatesSql(scope, 'recurrent_income')}
      ), entries AS (
        SELECT e.*, e.settled_at IS NOT NULL AND e.currency = t.currency AS is_comparable
        FROM (${entriesSql(scope, cycleIds)}) AS e JOIN templates t ON t.id = e.template_id
      ), latest AS (
        SELECT template_id, amount, count(*) OVER (PARTITION BY template_id) AS count,
          row_number() OVER (PARTITION BY template_id ORDER BY amount) AS position
        FROM (
          SELECT template_id, amount,
            row_number() OVER (PARTITION BY template_id ORDER BY date DESC, seq DESC) AS recency
          FROM entries WHERE is_comparable
        ) AS comparable WHERE recency <= ${raw(String(MAX_BASED_ON))}
      ), medians AS (
        SELECT template_id, count::int AS based_on, round(avg(amount), 2) AS median
        FROM latest WHERE position IN ((count + 1) / 2, (count + 2) / 2)
        GROUP BY template_id, count
      ), totals AS (
        SELECT template_id, count(*)::int AS occurrences, count(settled_at)::int AS settled,
          coalesce(sum(planned::numeric) FILTER (WHERE is_comparable), 0.00) AS planned,
          coalesce(sum(amount) FILTER (WHERE is_comparable AND planned IS NOT NULL), 0.00) AS actual,
          coalesce(to_json(array_agg((extract(epoch FROM settled_at) * 1000)::bigint)
            FILTER (WHERE settled_at IS NOT NULL)), '[]') AS settled_at,
          coalesce(sum(date - date '1970-01-01') FILTER (WHERE settled_at IS NOT NULL), 0)::float8
            AS settled_days
        FROM entries GROUP BY template_id
      )
      SELECT t.entity_type, t.id, t.description, t.currency, t.base_amount, t.amount_changes, t.active,
        s.occurrences, s.settled, s.planned, s.actual, s.actual - s.planned AS difference, s.settled_at,
        s.settled_days, m.median, coalesce(m.based_on, 0) AS based_on
      FROM totals s
      JOIN templates t ON t.id = s.template_id
      LEFT JOIN medians m ON m.template_id = s.template_id
      ORDER BY t.entity_type, t.seq`,
  );
}

/** The manual entries of these cycles of the owner that are neither deleted nor cancelled. */
export async function sumUnplanned(
  { manager, householdId }: Scope,
  cycleIds: readonly string[],
): Promise<UnplannedEntries> {
  const [sums] = await query<UnplannedEntries>(
    manager,
    sql`
      SELECT expenses.*, incomes.*
      FROM (
        SELECT (count(*) FILTER (WHERE ${IS_COUNTED_SQL}))::int AS expense_count,
          ${sumUsdSql()} AS expenses_usd
        FROM cycle_expenses e
        WHERE e.household_id = ${householdId} AND e.cycle_id = ANY(${cycleIds})
          AND e.template_id IS NULL
      ) AS expenses, (
        SELECT (count(*) FILTER (WHERE i.active))::int AS income_count,
          ${sumIncomesUsdSql()} AS incomes_usd
        FROM cycle_incomes i
        WHERE i.household_id = ${householdId} AND i.cycle_id = ANY(${cycleIds})
          AND i.template_id IS NULL
      ) AS incomes`,
  );
  if (!sums) throw new Error('The sums are missing');
  return sums;
}
