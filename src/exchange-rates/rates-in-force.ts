import sql, { raw, type Sql } from 'sql-template-tag';
import type { CurrencyCode } from '../platform/values/currency.js';

export interface CurrencyPair {
  from: CurrencyCode;
  to: CurrencyCode;
}

/** SQL: the nearest rates of the pair and of the reversed pair to a date, on one side of it. */
const nearestSql = (
  { from, to }: CurrencyPair,
  comparison: '<=' | '>',
  order: 'DESC' | 'ASC',
): Sql => sql`(
    (SELECT r.rate, r.rate_date, false AS is_inverse FROM exchange_rates r
     WHERE r.from_currency = ${from} AND r.to_currency = ${to}
       AND r.rate_date ${raw(comparison)} wanted.date
     ORDER BY r.rate_date ${raw(order)} LIMIT 1)
    UNION ALL
    (SELECT r.rate, r.rate_date, true FROM exchange_rates r
     WHERE r.from_currency = ${to} AND r.to_currency = ${from}
       AND r.rate_date ${raw(comparison)} wanted.date
     ORDER BY r.rate_date ${raw(order)} LIMIT 1)
  )`;

/**
 * SQL: a derived table with the stored rate in force on each date: of the pair and the reversed pair
 * together the latest on or before it (of the same day that of the pair), or else the earliest after
 * it. No row if neither pair has a stored rate. Columns: `date`, `rate`, `rate_date`, and
 * `is_inverse`, with which amounts are divided by the rate.
 *
 * @param dates a relation with one column of dates
 */
export const ratesInForceSql = (pair: CurrencyPair, dates: Sql): Sql => sql`(
    SELECT wanted.date, coalesce(before.rate, after.rate) AS rate,
      coalesce(before.rate_date, after.rate_date) AS rate_date,
      coalesce(before.is_inverse, after.is_inverse) AS is_inverse
    FROM ${dates} AS wanted(date)
    LEFT JOIN LATERAL (
      SELECT nearest.* FROM ${nearestSql(pair, '<=', 'DESC')} AS nearest
      ORDER BY nearest.rate_date DESC, nearest.is_inverse LIMIT 1
    ) AS before ON true
    LEFT JOIN LATERAL (
      SELECT nearest.* FROM ${nearestSql(pair, '>', 'ASC')} AS nearest
      WHERE before.rate IS NULL
      ORDER BY nearest.rate_date, nearest.is_inverse LIMIT 1
    ) AS after ON true
    WHERE coalesce(before.rate, after.rate) IS NOT NULL
  )`;

/**
 * SQL: an amount of 0 or more in the other currency, rounded half up to cents from the exact
 * quotient; NULL without a rate.
 *
 * @param rate the alias of a row of {@link ratesInForceSql}
 */
export const exchangeSql = (amount: Sql, rate: Sql): Sql => sql`
  CASE WHEN ${rate}.is_inverse
    THEN round(div(200 * ${amount} + ${rate}.rate, 2 * ${rate}.rate) / 100, 2)
    ELSE round(${amount} * ${rate}.rate, 2) END`;
