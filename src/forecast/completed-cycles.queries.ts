import sql from 'sql-template-tag';
import type { StatementDays } from '../cards/card.js';
import { countsByItselfSql, incomeCountsByItselfSql } from '../cards/statement-days-sql.js';
import {
  expensesOfSql,
  incomesOfSql,
  sumIncomesUsdSql,
  sumUsdSql,
} from '../ledger/entities/balance.js';
import { IS_OPEN_EXPENSE_SQL, IS_OPEN_INCOME_SQL } from '../ledger/entities/open-entries.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import { centsOf, type Cents } from '../platform/values/money.js';
import type { ForecastQuery } from './query.js';

/** What is open in a completed cycle, in USD; it counts in no forecast. */
export interface OpenInCompleted {
  id: string;
  name: string;
  expenseCount: number;
  expenses: Cents;
  incomeCount: number;
  incomes: Cents;
}

/** How many days ago the last day of a completed cycle may be. */
const MAX_DAYS_AGO = 400;

/**
 * The completed cycles with open entries, without those that ended long ago, latest first.
 *
 * @param days whose purchases with cards are open with their statements
 */
export async function listOpenInCompleted(
  { manager, userId, householdId }: Scope,
  { today }: Pick<ForecastQuery, 'today'>,
  days: readonly StatementDays[],
): Promise<OpenInCompleted[]> {
  const rows = await query<
    Omit<OpenInCompleted, 'expenses' | 'incomes'> & { expenses: string; incomes: string }
  >(
    manager,
    sql`
      SELECT c.id, c.name, expenses.count AS "expenseCount", expenses.total AS expenses,
        incomes.count AS "incomeCount", incomes.total AS incomes
      FROM cycles c
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS count, ${sumUsdSql()} AS total
        FROM ${expensesOfSql(householdId)} AND ${IS_OPEN_EXPENSE_SQL}
          AND ${countsByItselfSql(days)}
      ) AS expenses
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS count, ${sumIncomesUsdSql()} AS total
        FROM ${incomesOfSql(householdId)} AND ${IS_OPEN_INCOME_SQL}
          AND ${incomeCountsByItselfSql(days)}
      ) AS incomes
      WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
        AND c.status = 'completed' AND c.end_date >= ${today}::date - ${MAX_DAYS_AGO}::int
        AND expenses.count + incomes.count > 0
      ORDER BY c.end_date DESC, c.start_date DESC, c.seq DESC`,
  );
  return rows.map((row) => ({
    ...row,
    expenses: centsOf(row.expenses),
    incomes: centsOf(row.incomes),
  }));
}
