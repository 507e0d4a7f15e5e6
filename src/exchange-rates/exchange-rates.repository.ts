import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/enums.js';
import { ExchangeRate } from './exchange-rate.entity.js';
import type { NewRate } from './rates-file.js';

export interface RateOnDate {
  date: CalendarDate;
  rate: Big;
  /** The date of the stored rate. */
  rateDate: CalendarDate;
}

export interface RateFilter {
  from?: CurrencyCode;
  to?: CurrencyCode;
}

/** The number of days in a month with a rate of the pair. */
export interface PairMonth {
  from: CurrencyCode;
  to: CurrencyCode;
  /** `YYYY-MM`. */
  month: string;
  days: number;
}

@Injectable()
export class ExchangeRatesRepository {
  /** Newest first. */
  list(manager: EntityManager, filter: RateFilter): Promise<ExchangeRate[]> {
    return this.select(manager, filter)
      .orderBy('r.rateDate', 'DESC')
      .addOrderBy('r.fromCurrency')
      .addOrderBy('r.toCurrency')
      .getMany();
  }

  /** The latest rate of each pair on or before the date. */
  listOn(manager: EntityManager, filter: RateFilter, date: CalendarDate): Promise<ExchangeRate[]> {
    return this.select(manager, filter)
      .distinctOn(['r.fromCurrency', 'r.toCurrency'])
      .andWhere('r.rateDate <= :date', { date })
      .orderBy('r.fromCurrency')
      .addOrderBy('r.toCurrency')
      .addOrderBy('r.rateDate', 'DESC')
      .getMany();
  }

  /**
   * The stored rate of the pair for each date: the latest on or before it, or else the earliest after it. Empty
   * if the pair has no stored rate.
   */
  async inForce(
    manager: EntityManager,
    pair: { from: CurrencyCode; to: CurrencyCode },
    dates: readonly CalendarDate[],
  ): Promise<RateOnDate[]> {
    const rows = await manager.query<
      { date: CalendarDate; rate: string; rate_date: CalendarDate }[]
    >(
      `SELECT wanted.date, coalesce(before.rate, after.rate) AS rate,
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
       WHERE coalesce(before.rate, after.rate) IS NOT NULL`,
      [pair.from, pair.to, dates],
    );
    return rows.map(({ date, rate, rate_date }) => ({
      date,
      rate: new Big(rate),
      rateDate: rate_date,
    }));
  }

  /** Inserts or replaces rates by pair and date; returns the number of rows that changed. */
  async upsert(manager: EntityManager, rates: readonly NewRate[]): Promise<number> {
    const written = await manager.query<object[]>(
      `INSERT INTO exchange_rates AS r (from_currency, to_currency, rate, rate_date)
       SELECT from_currency, to_currency, rate, rate_date
       FROM jsonb_to_recordset($1) AS (
         from_currency currency_code, to_currency currency_code, rate numeric, rate_date date
       )
       ON CONFLICT ON CONSTRAINT uq_exchange_rates_pair_date
       DO UPDATE SET rate = excluded.rate WHERE r.rate <> excluded.rate
       RETURNING r.id`,
      [JSON.stringify(rates.map(toRow))],
    );
    return written.length;
  }

  /** The number of days with a rate for each month and pair; months without a rate are absent. */
  daysByMonth(manager: EntityManager): Promise<PairMonth[]> {
    return manager.query(
      `SELECT from_currency AS "from", to_currency AS "to",
         to_char(rate_date, 'YYYY-MM') AS month, count(*)::int AS days
       FROM exchange_rates
       GROUP BY 1, 2, 3
       ORDER BY 1, 2, 3`,
    );
  }

  private select(
    manager: EntityManager,
    { from, to }: RateFilter,
  ): SelectQueryBuilder<ExchangeRate> {
    const query = manager.createQueryBuilder(ExchangeRate, 'r').where('true');
    if (from) query.andWhere('r.fromCurrency = :from', { from });
    if (to) query.andWhere('r.toCurrency = :to', { to });
    return query;
  }
}

function toRow({ fromCurrency, toCurrency, rate, rateDate }: NewRate): Record<string, string> {
  return {
    from_currency: fromCurrency,
    to_currency: toCurrency,
    rate: rate.toFixed(),
    rate_date: rateDate,
  };
}
