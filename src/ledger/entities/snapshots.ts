import type { CalendarDate } from '../../platform/values/calendar-date.js';
import type { CurrencyCode } from '../../platform/values/currency.js';
import type { Instant } from '../../platform/values/instant.js';
import type { ExpenseCategory } from '../../templates/expense-template.entity.js';
import type { CycleEntry } from './cycle-entry.entity.js';
import type { ExpenseStatus } from './expense-status.js';

/** The rate of a conversion to USD, with 6 decimals, and the date of the stored rate. */
export type UsedRate = Readonly<{ rate: string; rate_date: CalendarDate }>;

/** The state of an entry that the activity log records; amounts with two decimals. */
export type EntrySnapshot = Readonly<{
  id: string;
  description: string;
  currency: CurrencyCode;
  amount: string;
  amount_usd: string;
  exchange_rate: UsedRate | null;
  occurrence_date: CalendarDate | null;
  comments: string | null;
  template_id: string | null;
  payment_method_id: string | null;
  active: boolean;
  created_at: Instant;
  updated_at: Instant;
}>;

export type ExpenseSnapshot = EntrySnapshot & {
  payment_method_id: string;
  due_date: CalendarDate;
  category: ExpenseCategory;
  /** The stored status, without the derived `overdue`. */
  status: ExpenseStatus;
  paid: boolean;
  paid_at: Instant | null;
  autopay_info: string | null;
  budget_id: string | null;
};

export type IncomeSnapshot = EntrySnapshot & {
  income_date: CalendarDate;
  received: boolean;
  received_at: Instant | null;
};

/** SQL: the {@link UsedRate} of an entry, null without one. */
export const usedRateSql = (entry: string): string => `
  CASE WHEN ${entry}.exchange_rate IS NOT NULL THEN json_build_object(
    'rate', ${entry}.exchange_rate::text, 'rate_date', ${entry}.exchange_rate_date) END`;

/** The rate that converted an entry; null: in USD, or unknown. */
export function usedRate({
  exchangeRate,
  exchangeRateDate,
}: Pick<CycleEntry, 'exchangeRate' | 'exchangeRateDate'>): UsedRate | null {
  if (exchangeRate === null || exchangeRateDate === null) return null;
  return { rate: exchangeRate.toFixed(6), rate_date: exchangeRateDate };
}
