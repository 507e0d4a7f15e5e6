import type { CalendarDate } from '../common/calendar-date.js';
import type { MonthOfPair } from './exchange-rates.repository.js';

/** Which months have rates, by pair. */
export interface Coverage {
  /** `MXN-USD`. */
  pairs: string[];
  /** Without a gap; `days` has, for each pair, how many of the month's days have a rate: 0 for none. */
  months: { month: string; days: Record<string, number> }[];
}

/** Every month from the first that has a rate to this one, or to the last that has one if later. */
export function coverageOf(stored: readonly MonthOfPair[], today: CalendarDate): Coverage {
  const pairs = [...new Set(stored.map(pairOf))];
  const known = new Map(stored.map((entry) => [`${pairOf(entry)} ${entry.month}`, entry.days]));
  const named = stored.map(({ month }) => month).sort();
  const [first] = named;
  const last = [...named, today.slice(0, 7)].sort().at(-1) ?? '';
  const months: Coverage['months'] = [];
  for (let month = first; month !== undefined && month <= last; month = monthAfter(month)) {
    const days = pairs.map((pair) => [pair, known.get(`${pair} ${month}`) ?? 0] as const);
    months.push({ month, days: Object.fromEntries(days) });
  }
  return { pairs, months };
}

function pairOf({ from, to }: Pick<MonthOfPair, 'from' | 'to'>): string {
  return `${from}-${to}`;
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number)).toISOString().slice(0, 7);
}
