import sql, { raw, type Sql } from 'sql-template-tag';
import type { SettlementsInUsd } from '../cards/cards.service.js';
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
import { formatMoney } from '../platform/values/money.js';
import type { ClosingRow } from './dto/closing.dto.js';

/**
 * SQL: what the closing of a row `c` of `cycles` is about, in USD: the sum and the count of
 * `open_expenses` and `open_incomes`, which belong to no statement of a card; the sum of
 * `card_expenses`, which do, less their credits; and `card_payments` of statements.
 */
export const closingTotalsSql = (
  { householdId }: Scope,
  { days, payments }: SettlementsInUsd,
): Sql => sql`
  CROSS JOIN LATERAL (
    SELECT ${sumUsdSql()} AS sum, count(*)::int AS count
    FROM ${expensesOfSql(householdId)} AND ${IS_OPEN_EXPENSE_SQL} AND ${countsByItselfSql(days)}
  ) AS open_expenses
  CROSS JOIN LATERAL (
    SELECT ${sumIncomesUsdSql()} AS sum, count(*)::int AS count
    FROM ${incomesOfSql(householdId)} AND ${IS_OPEN_INCOME_SQL} AND ${incomeCountsByItselfSql(days)}
  ) AS open_incomes
  CROSS JOIN LATERAL (
    SELECT (SELECT ${sumUsdSql(sql`NOT ${countsByItselfSql(days)}`)}
        FROM ${expensesOfSql(householdId)})
      - (SELECT ${sumIncomesUsdSql(sql`NOT ${incomeCountsByItselfSql(days)}`)}
        FROM ${incomesOfSql(householdId)}) AS sum
  ) AS card_expenses
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(payment.amount_usd), 0.00) AS sum
    FROM unnest(${payments.map(({ date }) => date)}::date[],
      ${payments.map(({ amountUsd }) => formatMoney(amountUsd))}::numeric[])
      AS payment(date, amount_usd)
    WHERE payment.date BETWEEN c.start_date AND c.end_date
  ) AS card_payments`;

/**
 * SQL: what is left over of a row `c` of `cycles` with its {@link closingTotalsSql}, in USD: the
 * remaining balance without what is open, and with what was paid for statements in place of what
 * was bought with cards.
 */
export const LEFT_OVER_SQL = raw(
  '(c.remaining_balance + open_expenses.sum - open_incomes.sum + card_expenses.sum - card_payments.sum)',
);

/** What is open in a cycle and left over of it; undefined if it does not exist. */
export async function findClosing(
  scope: Scope,
  cycleId: string,
  settlements: SettlementsInUsd,
): Promise<ClosingRow | undefined> {
  const { manager, userId, householdId } = scope;
  const [row] = await query<ClosingRow>(
    manager,
    sql`
      SELECT c.status, ${LEFT_OVER_SQL} AS left_over, open_expenses.sum AS open_expenses,
        open_expenses.count AS open_expense_count, open_incomes.sum AS open_incomes,
        open_incomes.count AS open_income_count, card_expenses.sum AS card_expenses,
        card_payments.sum AS card_payments
      FROM cycles c ${closingTotalsSql(scope, settlements)}
      WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.id = ${cycleId}
        AND c.active`,
  );
  return row;
}
