import sql, { type Sql } from 'sql-template-tag';
import {
  expensesOfSql,
  incomesOfSql,
  sumIncomesUsdSql,
  sumUsdSql,
} from '../ledger/entities/balance.js';
import { IS_OPEN_EXPENSE_SQL, IS_OPEN_INCOME_SQL } from '../ledger/entities/open-entries.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import type { ClosingRow } from './dto/closing.dto.js';

/** SQL: the totals `open_expenses` and `open_incomes` of a row `c` of `cycles`, in USD. */
export const openTotalsSql = ({ householdId }: Scope): Sql => sql`
  CROSS JOIN LATERAL (
    SELECT ${sumUsdSql()} AS sum, count(*)::int AS count
    FROM ${expensesOfSql(householdId)} AND ${IS_OPEN_EXPENSE_SQL}
  ) AS open_expenses
  CROSS JOIN LATERAL (
    SELECT ${sumIncomesUsdSql()} AS sum, count(*)::int AS count
    FROM ${incomesOfSql(householdId)} AND ${IS_OPEN_INCOME_SQL}
  ) AS open_incomes`;

/**
 * SQL: what is left over of a row `c` of `cycles` with its {@link openTotalsSql}, in USD: the
 * remaining balance without what is open.
 */
export const LEFT_OVER_SQL = sql`(c.remaining_balance + open_expenses.sum - open_incomes.sum)`;

/** What is open in a cycle and left over of it; undefined if it does not exist. */
export async function findClosing(scope: Scope, cycleId: string): Promise<ClosingRow | undefined> {
  const { manager, userId, householdId } = scope;
  const [row] = await query<ClosingRow>(
    manager,
    sql`
      SELECT c.status, ${LEFT_OVER_SQL} AS left_over, open_expenses.sum AS open_expenses,
        open_expenses.count AS open_expense_count, open_incomes.sum AS open_incomes,
        open_incomes.count AS open_income_count, 0.00 AS card_expenses, 0.00 AS card_payments
      FROM cycles c ${openTotalsSql(scope)}
      WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.id = ${cycleId}
        AND c.active`,
  );
  return row;
}
