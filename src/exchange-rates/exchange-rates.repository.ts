import { Injectable } from '@nestjs/common';
import sql, { type Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { query } from '../platform/database/query.js';
import type { NewRate } from './rates-file.js';

/** What follows says what happens to rates whose pair and date have one. */
const insertSql = (rates: readonly NewRate[]): Sql => sql`
  INSERT INTO exchange_rates AS r (from_currency, to_currency, rate, rate_date)
  SELECT from_currency, to_currency, rate, rate_date
  FROM jsonb_to_recordset(${JSON.stringify(rates.map(toRow))}) AS (
    from_currency currency_code, to_currency currency_code, rate numeric, rate_date date
  )
  ON CONFLICT ON CONSTRAINT uq_exchange_rates_pair_date`;

@Injectable()
export class ExchangeRatesRepository {
  /** Inserts or replaces rates by pair and date; returns the number of rows that changed. */
  async upsert(manager: EntityManager, rates: readonly NewRate[]): Promise<number> {
    const written = await query(
      manager,
      sql`${insertSql(rates)}
        DO UPDATE SET rate = excluded.rate WHERE r.rate <> excluded.rate
        RETURNING r.id`,
    );
    return written.length;
  }

  /** Inserts the rates of pairs and dates that have none; returns their number. */
  async insertMissing(manager: EntityManager, rates: readonly NewRate[]): Promise<number> {
    const written = await query(manager, sql`${insertSql(rates)} DO NOTHING RETURNING r.id`);
    return written.length;
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
