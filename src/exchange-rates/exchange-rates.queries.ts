import { Big } from 'big.js';
import sql, { type Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { query } from '../platform/database/query.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import type { ConversionRate } from './conversion.js';
import type { ExchangeRateResponse } from './dto/exchange-rate.dto.js';
import { ratesInForceSql, type CurrencyPair } from './rates-in-force.js';

type RateFilter = Partial<CurrencyPair>;

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
const COLUMNS = sql`from_currency, to_currency, rate, rate_date`;

const matchesSql = ({ from, to }: RateFilter): Sql => sql`
  (${from}::currency_code IS NULL OR from_currency = ${from})
    AND (${to}::currency_code IS NULL OR to_currency = ${to})`;

/** Newest first. */
export function listRates(
  manager: EntityManager,
  filter: RateFilter,
): Promise<ExchangeRateResponse[]> {
  return query(
    manager,
    sql`
      SELECT ${COLUMNS} FROM exchange_rates WHERE ${matchesSql(filter)}
      ORDER BY rate_date DESC, from_currency, to_currency`,
  );
}

/** The latest rate of each pair on or before the date. */
export function listRatesOn(
  manager: EntityManager,
  filter: RateFilter,
  date: CalendarDate,
): Promise<ExchangeRateResponse[]> {
  return query(
    manager,
    sql`
      SELECT DISTINCT ON (from_currency, to_currency) ${COLUMNS}
      FROM exchange_rates WHERE ${matchesSql(filter)} AND rate_date <= ${date}
      ORDER BY from_currency, to_currency, rate_date DESC`,
  );
}

/**
 * The stored rate for each date: of the pair and the reversed pair together the latest on or before
 * it (of the same day that of the pair), or else the earliest after it. Empty if neither pair has a
 * stored rate.
 */
export async function listRatesInForce(
  manager: EntityManager,
  pair: CurrencyPair,
  dates: readonly CalendarDate[],
): Promise<RateOnDate[]> {
  interface Row {
    date: CalendarDate;
    rate: string;
    rate_date: CalendarDate;
    is_inverse: boolean;
  }
  const rows = await query<Row>(
    manager,
    sql`SELECT * FROM ${ratesInForceSql(pair, sql`unnest(${dates}::date[])`)} AS r`,
  );
  return rows.map(({ date, rate, rate_date: rateDate, is_inverse: isInverse }) => ({
    date,
    rate: new Big(rate),
    isInverse,
    rateDate,
  }));
}

/** The number of days with a rate for each month and pair; months without a rate are absent. */
export function countDaysByMonth(manager: EntityManager): Promise<PairMonth[]> {
  return query(
    manager,
    sql`
      SELECT from_currency AS "from", to_currency AS "to",
        to_char(rate_date, 'YYYY-MM') AS month, count(*)::int AS days
      FROM exchange_rates
      GROUP BY 1, 2, 3
      ORDER BY 1, 2, 3`,
  );
}

/** Whether no rate is stored but the one that a migration stores in a new database. */
export async function hasExampleRateAlone(manager: EntityManager): Promise<boolean> {
  const [row] = await query<{ alone: boolean }>(
    manager,
    sql`
      SELECT bool_and(
        (from_currency, to_currency, rate, rate_date) =
          ('MXN'::currency_code, 'USD'::currency_code, 0.05, DATE '2025-01-01')
      ) AS alone
      FROM exchange_rates`,
  );
  return row?.alone ?? false;
}
