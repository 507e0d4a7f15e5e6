import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { NewRate } from './rates-file.js';

const INSERT = `
  INSERT INTO exchange_rates AS r (from_currency, to_currency, rate, rate_date)
  SELECT from_currency, to_currency, rate, rate_date
  FROM jsonb_to_recordset($1) AS (
    from_currency currency_code, to_currency currency_code, rate numeric, rate_date date
  )
  ON CONFLICT ON CONSTRAINT uq_exchange_rates_pair_date`;

const UPSERT = `${INSERT}
  DO UPDATE SET rate = excluded.rate WHERE r.rate <> excluded.rate
  RETURNING r.id`;

const INSERT_MISSING = `${INSERT} DO NOTHING RETURNING r.id`;

@Injectable()
export class ExchangeRatesRepository {
  /** Inserts or replaces rates by pair and date; returns the number of rows that changed. */
  upsert(manager: EntityManager, rates: readonly NewRate[]): Promise<number> {
    return this.write(manager, UPSERT, rates);
  }

  /** Inserts the rates of pairs and dates that have none; returns their number. */
  insertMissing(manager: EntityManager, rates: readonly NewRate[]): Promise<number> {
    return this.write(manager, INSERT_MISSING, rates);
  }

  private async write(
    manager: EntityManager,
    sql: string,
    rates: readonly NewRate[],
  ): Promise<number> {
    const written = await manager.query<object[]>(sql, [JSON.stringify(rates.map(toRow))]);
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
