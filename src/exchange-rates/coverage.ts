import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { PairMonth } from './exchange-rates.queries.js';

/** The number of days with a stored rate, by month and currency pair. */
export interface Coverage {
  /** `MXN-USD`. */
  pairs: string[];
  /** Consecutive months; `days` is the number of days with a rate for each pair, 0 for none. */
  months: { month: string; days: Record<string, number> }[];
}

/**
 * The coverage from the first month with a rate to the current month, or the last with a rate if
 * later.
 */
export function coverageOf(stored: readonly PairMonth[], today: CalendarDate): Coverage {
  const pairs = [...new Set(stored.map(pairOf))];
  const daysByKey = new Map(stored.map((entry) => [`${pairOf(entry)} ${entry.month}`, entry.days]));
  const storedMonths = stored.map(({ month }) => month).sort();
  const [first] = storedMonths;
  const last = [...storedMonths, today.slice(0, 7)].sort().at(-1) ?? '';
  const months: Coverage['months'] = [];
  for (let month = first; month !== undefined && month <= last; month = monthAfter(month)) {
    const days = pairs.map((pair) => [pair, daysByKey.get(`${pair} ${month}`) ?? 0] as const);
    months.push({ month, days: Object.fromEntries(days) });
  }
  return { pairs, months };
}

function pairOf({ from, to }: Pick<PairMonth, 'from' | 'to'>): string {
  return `${from}-${to}`;
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number)).toISOString().slice(0, 7);
}
