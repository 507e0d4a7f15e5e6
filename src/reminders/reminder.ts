/** What a reminder says, and whether there is something to say: of a forecast alone. */
import type { ForecastEntryResponse } from '../forecast/dto/forecast-entry.dto.js';
import type { ForecastBalance } from '../forecast/dto/forecast-warning.dto.js';
import type { ForecastResponse } from '../forecast/dto/forecast.dto.js';
import {
  addDays,
  dayNumber,
  dayOfWeek,
  type CalendarDate,
} from '../platform/values/calendar-date.js';
import { compareText } from '../platform/values/text.js';

/** How far ahead a reminder looks for a balance below zero. */
const BELOW_ZERO_DAYS = 60;
/** The entries of a list. */
const MAX_LISTED = 20;
const MONDAY = 1;

export interface Reminder {
  today: CalendarDate;
  /** Open expenses and statements dated before today. */
  overdue: ReminderList;
  /** The last day of what is due. */
  dueBy: CalendarDate;
  /** Expenses and statements from today to that day. */
  due: ReminderList;
  /** Incomes dated before today that have not been received. */
  late: ReminderList;
  /** The first day below zero and its balance in USD; null: none within 60 days. */
  belowZero: ForecastBalance | null;
  free: FreeUntil;
}

/** The first entries by date, and how many more there are. */
export interface ReminderList {
  entries: ReminderEntry[];
  more: number;
}

/** An entry with its own date, and its amount in its currency. */
export type ReminderEntry = Pick<
  ForecastEntryResponse,
  'entry_date' | 'description' | 'currency' | 'amount'
>;

/** What can be spent, in USD, until the next pay day, or without one to the last day. */
export interface FreeUntil {
  amount: string;
  day: CalendarDate;
  isPayDay: boolean;
}

/**
 * What a reminder says today; null: nothing new. New is what is due, what became overdue or late
 * since yesterday, and a balance below zero that was not known; on Mondays also what is overdue or
 * late for longer.
 *
 * @param forecast with `days` and `entries`
 * @param daysBefore until how many days after today something is due
 * @throws RangeError without `days` or `entries`
 */
export function reminderOf(
  forecast: ForecastResponse,
  { daysBefore, isBelowZeroKnown }: { daysBefore: number; isBelowZeroKnown: boolean },
): Reminder | null {
  const { today } = forecast;
  if (!forecast.entries) throw new RangeError('The forecast of a reminder has entries');
  // Those dated before today all count today, by kind.
  const entries = forecast.entries.toSorted((a, b) => compareText(a.entry_date, b.entry_date));
  const dueBy = addDays(today, daysBefore);
  const expenses = entries.filter(isExpense);
  const overdue = expenses.filter(({ entry_date: date }) => date < today);
  const due = expenses.filter(({ entry_date: date }) => date >= today && date <= dueBy);
  const late = entries.filter((entry) => isIncome(entry) && entry.entry_date < today);
  const belowZero = firstBelowZero(forecast);

  const past = [...overdue, ...late];
  const yesterday = addDays(today, -1);
  const hasNews =
    due.length > 0 ||
    past.some(({ entry_date: date }) => date === yesterday) ||
    (belowZero !== null && !isBelowZeroKnown) ||
    (past.length > 0 && dayOfWeek(dayNumber(today)) === MONDAY);
  if (!hasNews) return null;
  return {
    today,
    dueBy,
    // The newest ones are why there is a reminder.
    overdue: listOf(overdue, overdue.slice(-MAX_LISTED)),
    due: listOf(due, due.slice(0, MAX_LISTED)),
    late: listOf(late, late.slice(-MAX_LISTED)),
    belowZero,
    free: freeUntil(forecast),
  };
}

/**
 * The first day within 60 days at whose end the balance is below zero; null: none. The balance is
 * that of every day of a forecast, in which late incomes count today.
 *
 * @throws RangeError without `days`
 */
export function firstBelowZero({ today, days }: ForecastResponse): ForecastBalance | null {
  if (!days) throw new RangeError('The forecast of a reminder has days');
  const last = addDays(today, BELOW_ZERO_DAYS);
  const found = days.find(({ date, balance }) => date <= last && balance.startsWith('-'));
  return found ? { date: found.date, balance: found.balance } : null;
}

const isExpense = ({ entity_type: type }: ForecastEntryResponse): boolean =>
  type === 'cycle_expense' || type === 'card_statement';

const isIncome = ({ entity_type: type }: ForecastEntryResponse): boolean => type === 'cycle_income';

const listOf = (
  all: readonly ForecastEntryResponse[],
  listed: readonly ForecastEntryResponse[],
): ReminderList => ({
  entries: listed.map(({ entry_date, description, currency, amount }) => ({
    ...{ entry_date, description, currency, amount },
  })),
  more: all.length - listed.length,
});

function freeUntil({ to, pay_windows: [current, next] }: ForecastResponse): FreeUntil {
  return {
    amount: current?.free ?? '0.00',
    day: next?.from ?? to,
    isPayDay: next !== undefined,
  };
}
