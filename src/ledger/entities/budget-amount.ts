import sql, { raw, type Sql } from 'sql-template-tag';
import { exchangeSql, ratesInForceSql } from '../../exchange-rates/rates-in-force.js';

/** The alias of a row of `cycle_expenses` or `cycle_incomes`, and its date. */
const DATE_OF = { e: 'e.due_date', i: 'i.income_date' } as const;
type Alias = keyof typeof DATE_OF;

/** SQL: the joins of {@link budgetAmountSql}: the budget `b` in pesos, and the `rate` to pesos. */
export const budgetRateSql = (household: string | Sql, entry: Alias): Sql => sql`
  LEFT JOIN budgets b ON b.household_id = ${household} AND b.id = ${raw(entry)}.budget_id
    AND b.currency = 'MXN'
  LEFT JOIN LATERAL ${ratesInForceSql(
    { from: 'USD', to: 'MXN' },
    sql`(SELECT ${raw(DATE_OF[entry])} WHERE b.id IS NOT NULL AND ${raw(entry)}.currency = 'USD')`,
  )} AS rate ON true`;

/**
 * SQL: the amount of a row in the currency of its budget, and in USD without one. What is in USD is
 * converted to pesos by the rate in force on its date; NULL where no rate is stored.
 */
export const budgetAmountSql = (entry: Alias): Sql => sql`
  CASE WHEN b.id IS NULL THEN ${raw(entry)}.amount_usd
    WHEN ${raw(entry)}.currency = 'MXN' THEN ${raw(entry)}.amount
    ELSE ${exchangeSql(sql`${raw(entry)}.amount`, sql`rate`)} END`;
