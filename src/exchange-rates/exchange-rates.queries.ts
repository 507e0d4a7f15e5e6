import { Big } from 'big.js';
import type { EntityManager } from 'typeorm';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import type { ConversionRate } from './conversion.js';
import type { ExchangeRateResponse } from './dto/exchange-rate.dto.js';

interface RateFilter {
  from?: CurrencyCode;
  to?: CurrencyCode;
}

interface RateOnDate extends ConversionRate {
  date: CalendarDate;
  /** The date of the stored rate. */
  rateDate: CalendarDate;
}

/** The number of days in a month with a rate of the pair. */
export interface PairMonth {
  from: CurrencyCode;
  to: CurrencyCode;
  /** `YYYY-MM`. */
  month: string;
  days: number;
}

/** The columns of the response. */
const COLUMNS = 'from_currency, to_currency, rate, rate_date';

/** $1: from or null, $2: to or null. */
const MATCHES = `($1::currency_code IS NULL OR from_currency = $1)
    AND ($2::currency_code IS NULL OR to_currency = $2)`;

const LIST = `
  SELECT ${COLUMNS} FROM exchange_rates WHERE ${MATCHES}
  ORDER BY rate_date DESC, from_currency, to_currency`;

/** $3: date. */
const LIST_ON = `
  SELECT DISTINCT ON (from_currency, to_currency) ${COLUMNS}
  FROM exchange_rates WHERE ${MATCHES} AND rate_date <= $3
  ORDER BY from_currency, to_currency, rate_date DESC`;

/**
 * SQL: the nearest rates of the pair ($1, $2) and of the reversed pair to a date, on one side of
 * it.
 */
const nearestSql = (comparison: '<=' | '>', order: 'DESC' | 'ASC'): string => `(
    (SELECT r.rate, r.rate_date, false AS is_inverse FROM exchange_rates r
     WHERE r.from_currency = $1 AND r.to_currency = $2 AND r.rate_date ${comparison} wanted.date
     ORDER BY r.rate_date ${order} LIMIT 1)
    UNION ALL
    (SELECT r.rate, r.rate_date, true FROM exchange_rates r
     WHERE r.from_currency = $2 AND r.to_currency = $1 AND r.rate_date ${comparison} wanted.date
     ORDER BY r.rate_date ${order} LIMIT 1)
  )`;

/** $1: from, $2: to, $3: dates. */
const IN_FORCE = `
  SELECT wanted.date, coalesce(before.rate, after.rate) AS rate,
    coalesce(before.rate_date, after.rate_date) AS rate_date,
    coalesce(before.is_inverse, after.is_inverse) AS is_inverse
  FROM unnest($3::date[]) AS wanted(date)
  LEFT JOIN LATERAL (
    SELECT nearest.* FROM ${nearestSql('<=', 'DESC')} AS nearest
    ORDER BY nearest.rate_date DESC, nearest.is_inverse LIMIT 1
  ) AS before ON true
  LEFT JOIN LATERAL (
    SELECT nearest.* FROM ${nearestSql('>', 'ASC')} AS nearest
    WHERE before.rate IS NULL
    ORDER BY nearest.rate_date, nearest.is_inverse LIMIT 1
  ) AS after ON true
  WHERE coalesce(before.rate, after.rate) IS NOT NULL`;

const DAYS_BY_MONTH = `
  SELECT from_currency AS "from", to_currency AS "to",
    to_char(rate_date, 'YYYY-MM') AS month, count(*)::int AS days
  FROM exchange_rates
  GROUP BY 1, 2, 3
  ORDER BY 1, 2, 3`;

/** Newest first. */
export function listRates(
  manager: EntityManager,
  { from, to }: RateFilter,
): Promise<ExchangeRateResponse[]> {
  return manager.query(LIST, [from ?? null, to ?? null]);
}

/** The latest rate of each pair on or before the date. */
export function listRatesOn(
  manager: EntityManager,
  { from, to }: RateFilter,
  date: CalendarDate,
): Promise<ExchangeRateResponse[]> {
  return manager.query(LIST_ON, [from ?? null, to ?? null, date]);
}

/**
 * The stored rate for each date: of the pair and the reversed pair together the latest on or before
 * it (of the same day that of the pair), or else the earliest after it. Empty if neither pair has a
 * stored rate.
 */
export async function listRatesInForce(
  manager: EntityManager,
  pair: { from: CurrencyCode; to: CurrencyCode },
  dates: readonly CalendarDate[],
): Promise<RateOnDate[]> {
  interface Row {
    date: CalendarDate;
    rate: string;
    rate_date: CalendarDate;
    is_inverse: boolean;
  }
  const rows = await manager.query<Row[]>(IN_FORCE, [pair.from, pair.to, dates]);
  return rows.map(({ date, rate, rate_date: rateDate, is_inverse: isInverse }) => ({
    date,
    rate: new Big(rate),
    isInverse,
    rateDate,
  }));
}

/** The number of days with a rate for each month and pair; months without a rate are absent. */
export function countDaysByMonth(manager: EntityManager): Promise<PairMonth[]> {
  return manager.query(DAYS_BY_MONTH);
}

/** The rate that a migration stores in a new database. */
const IS_EXAMPLE = `(from_currency, to_currency, rate, rate_date) =
  ('MXN'::currency_code, 'USD'::currency_code, 0.05, DATE '2025-01-01')`;

/** Whether no rate is stored but the example of a new database. */
export async function hasExampleRateAlone(manager: EntityManager): Promise<boolean> {
  const [row] = await manager.query<{ alone: boolean }[]>(
    `SELECT bool_and(${IS_EXAMPLE}) AS alone FROM exchange_rates`,
  );
  return row?.alone ?? false;
}
