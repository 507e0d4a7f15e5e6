import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import type { EntityManager } from 'typeorm';
import type { CalendarDate } from '../common/calendar-date.js';
import type { CurrencyCode } from '../common/enums.js';

export interface RateOnDate {
  date: CalendarDate;
  rate: Big;
}

@Injectable()
export class ExchangeRatesRepository {
  /**
   * For each date the stored rate of the pair in force: the latest on or before it, or else the
   * earliest after it. Gives nothing when the pair is not stored at all.
   */
  async inForce(
    manager: EntityManager,
    pair: { from: CurrencyCode; to: CurrencyCode },
    dates: readonly CalendarDate[],
  ): Promise<RateOnDate[]> {
    const rows = await manager.query<{ date: CalendarDate; rate: string }[]>(
      `SELECT to_char(wanted.date, 'YYYY-MM-DD') AS date, found.rate
       FROM unnest($3::date[]) AS wanted(date)
       CROSS JOIN LATERAL (
         SELECT r.rate FROM exchange_rates r
         WHERE r.from_currency = $1 AND r.to_currency = $2
         ORDER BY r.rate_date > wanted.date, abs(r.rate_date - wanted.date)
         LIMIT 1
       ) AS found`,
      [pair.from, pair.to, dates],
    );
    return rows.map(({ date, rate }) => ({ date, rate: new Big(rate) }));
  }
}
