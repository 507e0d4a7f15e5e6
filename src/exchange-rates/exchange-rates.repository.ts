import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import type { CalendarDate } from '../common/calendar-date.js';
import type { CurrencyCode } from '../common/enums.js';
import { ExchangeRate } from './exchange-rate.entity.js';

export interface RateOnDate {
  date: CalendarDate;
  rate: Big;
  /** The day that the rate is stored for. */
  rateDate: CalendarDate;
}

export interface RateFilter {
  from?: CurrencyCode;
  to?: CurrencyCode;
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

  /** Of each pair the latest rate on or before the day. */
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
   * For each date the stored rate of the pair in force: the latest on or before it, or else the
   * earliest after it. Gives nothing when the pair is not stored at all.
   */
  async inForce(
    manager: EntityManager,
    pair: { from: CurrencyCode; to: CurrencyCode },
    dates: readonly CalendarDate[],
  ): Promise<RateOnDate[]> {
    const rows = await manager.query<
      { date: CalendarDate; rate: string; rate_date: CalendarDate }[]
    >(
      `SELECT to_char(wanted.date, 'YYYY-MM-DD') AS date, found.rate, found.rate_date
       FROM unnest($3::date[]) AS wanted(date)
       CROSS JOIN LATERAL (
         SELECT r.rate, r.rate_date FROM exchange_rates r
         WHERE r.from_currency = $1 AND r.to_currency = $2
         ORDER BY r.rate_date > wanted.date, abs(r.rate_date - wanted.date)
         LIMIT 1
       ) AS found`,
      [pair.from, pair.to, dates],
    );
    return rows.map(({ date, rate, rate_date }) => ({
      date,
      rate: new Big(rate),
      rateDate: rate_date,
    }));
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
