import { Big } from 'big.js';
import type { EntityManager } from 'typeorm';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import type { ExchangeRateResponse } from './dto/exchange-rate.dto.js';

interface RateFilter {
  from?: CurrencyCode;
  to?: CurrencyCode;
}

interface RateOnDate {
  date: CalendarDate;
  rate: Big;
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

/** $1: from, $2: to, $3: dates. */
const IN_FORCE = `
  SELECT wanted.date, coalesce(before.rate, after.rate) AS rate,
    coalesce(before.rate_date, after.rate_date) AS rate_date
  FROM unnest($3::date[]) AS wanted(date)
  LEFT JOIN LATERAL (
    SELECT r.rate, r.rate_date FROM exchange_rates r
    WHERE r.from_currency = $1 AND r.to_currency = $2 AND r.rate_date <= wanted.date
    ORDER BY r.rate_date DESC LIMIT 1
  ) AS before ON true
  LEFT JOIN LATERAL (
    SELECT r.rate, r.rate_date FROM exchange_rates r
    WHERE before.rate IS NULL
      AND r.from_currency = $1 AND r.to_currency = $2 AND r.rate_date > wanted.date
    ORDER BY r.rate_date LIMIT 1
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
 * The stored rate of the pair for each date: the latest on or before it, or else the earliest after it. Empty if the
 * pair has no stored rate.
 */
export async function listRatesInForce(
  manager: EntityManager,
  pair: { from: CurrencyCode; to: CurrencyCode },
  dates: readonly CalendarDate[],
): Promise<RateOnDate[]> {
  const rows = await manager.query<{ date: CalendarDate; rate: string; rate_date: CalendarDate }[]>(
    IN_FORCE,
    [pair.from, pair.to, dates],
  );
  return rows.map(({ date, rate, rate_date: rateDate }) => ({
    date,
    rate: new Big(rate),
    rateDate,
  }));
}

/** The number of days with a rate for each month and pair; months without a rate are absent. */
export function countDaysByMonth(manager: EntityManager): Promise<PairMonth[]> {
  return manager.query(DAYS_BY_MONTH);
}
