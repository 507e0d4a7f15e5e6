import { Big } from 'big.js';
import sql, { raw, type Sql } from 'sql-template-tag';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import type { JsonValue } from '../../records/record-fields.js';
import type { CycleEntry } from './cycle-entry.entity.js';

/** The rate of a conversion to USD, with 6 decimals, and the date of the stored rate. */
export type UsedRate = Readonly<{ rate: string; rate_date: CalendarDate }>;

type RateColumns = Pick<CycleEntry, 'exchangeRate' | 'exchangeRateDate'>;

/** The rate that converted an entry; null: in USD, or unknown. */
export function usedRate({ exchangeRate, exchangeRateDate }: RateColumns): UsedRate | null {
  if (exchangeRate === null || exchangeRateDate === null) return null;
  return { rate: exchangeRate.toFixed(6), rate_date: exchangeRateDate };
}

/** SQL: the {@link UsedRate} of an entry, null without one. */
export function usedRateSql(alias: string): Sql {
  const entry = raw(alias);
  return sql`
    CASE WHEN ${entry}.exchange_rate IS NOT NULL THEN json_build_object(
      'rate', ${entry}.exchange_rate::text, 'rate_date', ${entry}.exchange_rate_date) END`;
}

/** The {@link UsedRate} as one field of two columns. */
export const USED_RATE_FIELD = {
  properties: ['exchangeRate', 'exchangeRateDate'],
  write: (entry: RateColumns): JsonValue => usedRate(entry),
  read: (used: UsedRate | null, entry: RateColumns): void => {
    entry.exchangeRate = used && new Big(used.rate);
    entry.exchangeRateDate = used?.rate_date ?? null;
  },
  sql: usedRateSql,
} as const;
