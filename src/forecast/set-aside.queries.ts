import sql, { type Sql } from 'sql-template-tag';
import type { StatementDays } from '../cards/card.js';
import { countsByItselfSql } from '../cards/statement-days-sql.js';
import { sumUsdSql } from '../ledger/entities/balance.js';
import { BUDGET_LIMITS_SQL } from '../ledger/entities/cycle.entity.js';
import { IS_OPEN_EXPENSE_SQL } from '../ledger/entities/open-entries.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import { centsOf } from '../platform/values/money.js';
import { assertStored, LIMIT, type WithTexts } from './forecast.queries.js';
import type { ForecastQuery } from './query.js';
import type { StoredLeft, StoredPesos } from './set-aside.js';

/** SQL: whether a cycle `c` is a draft or active one that has a day that counts. */
const isCurrentSql = (
  { userId, householdId }: Scope,
  { today, freeUntil }: ForecastQuery,
): Sql => sql`
  c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
  AND c.status <> 'completed' AND c.end_date >= ${today} AND c.start_date <= ${freeUntil}`;

/**
 * What is left of budgets in the stored cycles, by their creation.
 *
 * @param withExhausted also what is 0.00 or less
 */
export async function listLeft(
  scope: Scope,
  forecast: ForecastQuery,
  { withExhausted, max }: { withExhausted: boolean; max: number },
): Promise<StoredLeft[]> {
  const { manager, householdId } = scope;
  const isCurrent = isCurrentSql(scope, forecast);
  const rows = await query<WithTexts<StoredLeft, 'left'>>(
    manager,
    sql`
      WITH spent AS (
        SELECT e.cycle_id, e.budget_id, ${sumUsdSql()} AS total
        FROM cycles c
        JOIN cycle_expenses e ON e.household_id = ${householdId} AND e.cycle_id = c.id
        WHERE ${isCurrent} AND e.budget_id IS NOT NULL
        GROUP BY e.cycle_id, e.budget_id
      )
      SELECT c.id AS "cycleId", l.budget_id AS "budgetId", b.name,
        l."limit" - coalesce(spent.total, 0.00) AS "left"
      FROM cycles c
      CROSS JOIN LATERAL ${BUDGET_LIMITS_SQL}
      JOIN budgets b ON b.household_id = ${householdId} AND b.id = l.budget_id
      LEFT JOIN spent ON spent.cycle_id = c.id AND spent.budget_id = l.budget_id
      WHERE ${isCurrent} AND (${withExhausted} OR l."limit" > coalesce(spent.total, 0.00))
      ORDER BY c.seq LIMIT ${max}`,
  );
  return rows.map((row) => ({ ...row, left: centsOf(row.left) }));
}

/**
 * The open expenses in pesos that are part of what budgets have spent, without those of statements.
 *
 * @throws DomainError CYCLE_GENERATION_ERROR like {@link assertStored}
 */
export async function listOpenPesos(
  scope: Scope,
  forecast: ForecastQuery,
  days: readonly StatementDays[],
): Promise<StoredPesos[]> {
  const { manager, householdId } = scope;
  const rows = await query<WithTexts<StoredPesos, 'amount' | 'amountUsd'>>(
    manager,
    sql`
      SELECT c.id AS "cycleId", e.budget_id AS "budgetId", e.due_date AS date, e.amount,
        e.amount_usd AS "amountUsd", count(*)::int AS count
      FROM cycles c
      JOIN cycle_expenses e ON e.household_id = ${householdId} AND e.cycle_id = c.id
        AND ${IS_OPEN_EXPENSE_SQL} AND e.currency = 'MXN' AND e.budget_id IS NOT NULL
        AND e.due_date <= ${forecast.freeUntil} AND ${countsByItselfSql(days)}
      WHERE ${isCurrentSql(scope, forecast)}
      GROUP BY 1, 2, 3, 4, 5 ${LIMIT}`,
  );
  assertStored(rows.length);
  return rows.map((row) => ({
    ...row,
    amount: centsOf(row.amount),
    amountUsd: centsOf(row.amountUsd),
  }));
}
