import sql, { raw, type Sql } from 'sql-template-tag';
import type { DatedAmount, UsdConverter } from '../../exchange-rates/exchange-rates.service.js';
import { exchangeSql, ratesInForceSql } from '../../exchange-rates/rates-in-force.js';
import type { CurrencyCode } from '../../platform/values/currency.js';
import type { Money } from '../../platform/values/money.js';

/** What an amount is for a budget in a currency: in pesos by the rate in force on its date. */
export const budgetAmount = (
  entry: DatedAmount & { amountUsd: Money },
  currency: CurrencyCode,
  converter: UsdConverter,
): Money => (currency === 'USD' ? entry.amountUsd : converter.exchange(entry, currency));

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
 * SQL: {@link budgetAmount} of a row, in USD without a budget; NULL where no rate is stored.
 */
export const budgetAmountSql = (entry: Alias): Sql => sql`
  CASE WHEN b.id IS NULL THEN ${raw(entry)}.amount_usd
    WHEN ${raw(entry)}.currency = 'MXN' THEN ${raw(entry)}.amount
    ELSE ${exchangeSql(sql`${raw(entry)}.amount`, sql`rate`)} END`;
