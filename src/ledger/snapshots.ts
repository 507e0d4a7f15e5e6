import { formatMoney } from '../platform/values/money.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode, ExpenseCategory } from '../platform/values/enums.js';
import type { Instant } from '../platform/values/instant.js';
import type { Snapshot } from '../activity/changes.js';
import type { CycleEntry } from './cycle-entry.entity.js';
import type { CycleExpense } from './cycle-expense.entity.js';
import type { CycleIncome } from './cycle-income.entity.js';
import type { Cycle } from './cycle.entity.js';
import type { ExpenseStatus } from './expense-status.js';

/** The state that the activity log records: the representation without derived values. */
export function cycleSnapshot(cycle: Cycle): Snapshot {
  return {
    id: cycle.id,
    name: cycle.name,
    start_date: cycle.startDate,
    end_date: cycle.endDate,
    income_amount: formatMoney(cycle.incomeAmount),
    status: cycle.status,
    active: cycle.active,
    created_at: cycle.createdAt.toISOString(),
    updated_at: cycle.updatedAt.toISOString(),
  };
}

/** The rate of a conversion to USD, with 6 decimals, and the date of the stored rate. */
export type UsedRate = Readonly<{ rate: string; rate_date: CalendarDate }>;

/** The state of an entry that the activity log records; amounts with two decimals. */
interface EntrySnapshot {
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
}

export interface ExpenseSnapshot extends EntrySnapshot {
  payment_method_id: string;
  due_date: CalendarDate;
  category: ExpenseCategory;
  /** The stored status, without the derived `overdue`. */
  status: ExpenseStatus;
  paid: boolean;
  paid_at: Instant | null;
  autopay_info: string | null;
}

export interface IncomeSnapshot extends EntrySnapshot {
  income_date: CalendarDate;
  received: boolean;
  received_at: Instant | null;
}

const entryColumnsSql = (entry: string): string => `
  ${entry}.template_id, ${entry}.occurrence_date, ${entry}.payment_method_id, ${entry}.description,
  ${entry}.currency, ${entry}.amount, ${entry}.amount_usd,
  CASE WHEN ${entry}.exchange_rate IS NOT NULL THEN json_build_object(
    'rate', ${entry}.exchange_rate::text, 'rate_date', ${entry}.exchange_rate_date) END AS exchange_rate`;

/**
 * SQL: the columns of an expense `e` that responses and exports have in common, in the order of exports.
 *
 * @param status the stored status, or the SQL of another one
 */
export const expenseColumnsSql = (status = 'e.status'): string => `${entryColumnsSql('e')},
  e.due_date, e.category, ${status} AS status, e.paid_at, e.comments, e.autopay_info`;

/** SQL: the columns of an income `i` that responses and exports have in common, in the order of exports. */
export const INCOME_COLUMNS_SQL = `${entryColumnsSql('i')},
  i.income_date, i.received_at, i.comments`;

/** The rate that converted an entry; null: in USD, or unknown. */
export function usedRate({
  exchangeRate,
  exchangeRateDate,
}: Pick<CycleEntry, 'exchangeRate' | 'exchangeRateDate'>): UsedRate | null {
  if (exchangeRate === null || exchangeRateDate === null) return null;
  return { rate: exchangeRate.toFixed(6), rate_date: exchangeRateDate };
}

function entrySnapshot(entry: Omit<CycleEntry, 'paymentMethod'>): EntrySnapshot {
  return {
    id: entry.id,
    description: entry.description,
    currency: entry.currency,
    amount: formatMoney(entry.amount),
    amount_usd: formatMoney(entry.amountUsd),
    exchange_rate: usedRate(entry),
    occurrence_date: entry.occurrenceDate,
    comments: entry.comments,
    template_id: entry.templateId,
    payment_method_id: entry.paymentMethodId,
    active: entry.active,
    created_at: entry.createdAt.toISOString(),
    updated_at: entry.updatedAt.toISOString(),
  };
}

export function expenseSnapshot(expense: Omit<CycleExpense, 'paymentMethod'>): ExpenseSnapshot {
  return {
    ...entrySnapshot(expense),
    payment_method_id: expense.paymentMethodId,
    due_date: expense.dueDate,
    category: expense.category,
    status: expense.status,
    paid: expense.paid,
    paid_at: expense.paidAt?.toISOString() ?? null,
    autopay_info: expense.autopayInfo,
  };
}

export function incomeSnapshot(income: Omit<CycleIncome, 'paymentMethod'>): IncomeSnapshot {
  return {
    ...entrySnapshot(income),
    income_date: income.incomeDate,
    received: income.received,
    received_at: income.receivedAt?.toISOString() ?? null,
  };
}
