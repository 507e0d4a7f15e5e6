import sql, { type Sql } from 'sql-template-tag';
import type { StatementDays } from '../cards/card.js';
import { countsByItselfSql, incomeCountsByItselfSql } from '../cards/statement-days-sql.js';
import { noRateToPesos } from '../exchange-rates/conversion.js';
import { IS_COUNTED_SQL } from '../ledger/entities/balance.js';
import { budgetAmountSql, budgetRateSql } from '../ledger/entities/budget-amount.js';
import { BUDGET_LIMITS_SQL } from '../ledger/entities/cycle.entity.js';
import { IS_OPEN_EXPENSE_SQL, IS_OPEN_INCOME_SQL } from '../ledger/entities/open-entries.js';
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

/** SQL: the rows of a cycle that have a budget, in its currency; incomes give back. */
const usedSql = (scope: Scope, forecast: ForecastQuery): Sql => sql`
  SELECT e.cycle_id, e.budget_id, ${budgetAmountSql('e')} AS amount
  FROM cycles c
  JOIN cycle_expenses e ON e.household_id = ${scope.householdId} AND e.cycle_id = c.id
    AND ${IS_COUNTED_SQL} AND e.budget_id IS NOT NULL
  ${budgetRateSql(scope.householdId, 'e')}
  WHERE ${isCurrentSql(scope, forecast)}
  UNION ALL
  SELECT i.cycle_id, i.budget_id, -(${budgetAmountSql('i')})
  FROM cycles c
  JOIN cycle_incomes i ON i.household_id = ${scope.householdId} AND i.cycle_id = c.id
    AND i.active AND i.budget_id IS NOT NULL
  ${budgetRateSql(scope.householdId, 'i')}
  WHERE ${isCurrentSql(scope, forecast)}`;

/**
 * What is left of budgets in the stored cycles, by their creation.
 *
 * @param withExhausted also what is 0.00 or less
 * @throws DomainError CURRENCY_CONVERSION_ERROR for an amount in USD without a stored rate
 */
export async function listLeft(
  scope: Scope,
  forecast: ForecastQuery,
  { withExhausted, max }: { withExhausted: boolean; max: number },
): Promise<StoredLeft[]> {
  const { manager, householdId } = scope;
  const { currency } = forecast;
  const rows = await query<WithTexts<StoredLeft, 'left'> & { lacksRate: boolean }>(
    manager,
    sql`
      WITH used AS (
        SELECT cycle_id, budget_id, coalesce(sum(amount), 0.00) AS total,
          bool_or(amount IS NULL) AS lacks_rate
        FROM (${usedSql(scope, forecast)}) AS entry
        GROUP BY cycle_id, budget_id
      )
      SELECT c.id AS "cycleId", l.budget_id AS "budgetId", b.name, b.currency,
        l."limit" - coalesce(used.total, 0.00) AS "left",
        coalesce(used.lacks_rate, false) AS "lacksRate"
      FROM cycles c
      CROSS JOIN LATERAL ${BUDGET_LIMITS_SQL}
      JOIN budgets b ON b.household_id = ${householdId} AND b.id = l.budget_id
      LEFT JOIN used ON used.cycle_id = c.id AND used.budget_id = l.budget_id
      WHERE ${isCurrentSql(scope, forecast)}
        AND (${currency}::currency_code IS NULL OR b.currency = ${currency})
        AND (${withExhausted} OR l."limit" > coalesce(used.total, 0.00) OR used.lacks_rate)
      ORDER BY c.seq LIMIT ${max}`,
  );
  if (rows.some(({ lacksRate }) => lacksRate)) throw noRateToPesos();
  return rows.map(({ lacksRate: _, ...row }) => ({ ...row, left: centsOf(row.left) }));
}

/**
 * The open entries in pesos that are part of what budgets in USD have spent or got back, without
 * those of statements.
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
      SELECT entry.cycle_id AS "cycleId", entry.budget_id AS "budgetId", entry.date, entry.amount,
        entry.amount_usd AS "amountUsd", sum(entry.sign)::int AS count
      FROM (
        SELECT e.cycle_id, e.budget_id, e.due_date AS date, e.amount, e.amount_usd, 1 AS sign
        FROM cycles c
        JOIN cycle_expenses e ON e.household_id = ${householdId} AND e.cycle_id = c.id
          AND ${IS_OPEN_EXPENSE_SQL} AND e.currency = 'MXN' AND ${countsByItselfSql(days)}
        WHERE ${isCurrentSql(scope, forecast)}
        UNION ALL
        SELECT i.cycle_id, i.budget_id, i.income_date, i.amount, i.amount_usd, -1
        FROM cycles c
        JOIN cycle_incomes i ON i.household_id = ${householdId} AND i.cycle_id = c.id
          AND ${IS_OPEN_INCOME_SQL} AND i.currency = 'MXN' AND ${incomeCountsByItselfSql(days)}
        WHERE ${isCurrentSql(scope, forecast)}
      ) AS entry
      JOIN budgets b ON b.household_id = ${householdId} AND b.id = entry.budget_id
        AND b.currency = 'USD'
      WHERE entry.date <= ${forecast.freeUntil}
      GROUP BY 1, 2, 3, 4, 5 ${LIMIT}`,
  );
  assertStored(rows.length);
  return rows.map((row) => ({
    ...row,
    amount: centsOf(row.amount),
    amountUsd: centsOf(row.amountUsd),
  }));
}
