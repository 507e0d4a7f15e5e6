/** The cycles that would follow, for the reference implementation of the forecast. */
import { cents, type Cents } from '../model/cents.js';
import { dayAt, dayNumber } from './due-days.js';

/** A stored draft or active cycle, or one that would follow (`id` null). */
export interface PlannedCycle {
  id: string | null;
  name: string;
  start_date: string;
  end_date: string;
  income_amount: Cents;
}

export const plusDays = (date: string, days: number): string => dayAt(dayNumber(date) + days).date;

const distance = (from: string, to: string): number => dayNumber(to) - dayNumber(from);

/** The days of a cycle, both ends included. */
export interface Days {
  start_date: string;
  end_date: string;
}

const isMonth = ({ start_date, end_date }: Days): boolean =>
  start_date.endsWith('-01') &&
  end_date.slice(0, 7) === start_date.slice(0, 7) &&
  plusDays(end_date, 1).endsWith('-01');

const isHalf = ({ start_date, end_date }: Days): boolean =>
  start_date.slice(0, 7) === end_date.slice(0, 7) &&
  ((start_date.endsWith('-01') && end_date.endsWith('-15')) ||
    (start_date.endsWith('-16') && plusDays(end_date, 1).endsWith('-01')));

/** From the 2nd to the 28th of a month to the day before that day of the next one. */
const isPayMonth = ({ start_date, end_date }: Days): boolean => {
  const day = start_date.slice(8);
  const start = plusDays(end_date, 1);
  const months = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));
  return (
    day >= '02' && day <= '28' && start.slice(8) === day && months(start) === months(start_date) + 1
  );
};

/** Whether 28 days are only that, because what ended on the day before is no month from that day. */
const isFourWeeks = (period: Days, before: Days | undefined): boolean =>
  distance(period.start_date, period.end_date) === 27 &&
  before !== undefined &&
  !isPayMonth(before);

/** The first day from a start on after which a month, or a half of one, is over. */
function endOf(start: string, isLast: (day: string) => boolean): string {
  let day = start;
  while (!isLast(day)) day = plusDays(day, 1);
  return day;
}

const isLastOfMonth = (day: string): boolean => plusDays(day, 1).endsWith('-01');
const isLastOfHalf = (day: string): boolean => day.endsWith('-15') || isLastOfMonth(day);

/** The last day of the next cycle, as `GET /cycles/next` proposes it. */
function nextEnd(
  previous: Days | undefined,
  start: string,
  maxDays: number,
  dayBefore: Days | undefined,
): string {
  if (!previous) return plusDays(start, Math.min(41, maxDays));
  const calendar = isMonth(previous)
    ? endOf(start, isLastOfMonth)
    : isHalf(previous)
      ? endOf(start, isLastOfHalf)
      : isPayMonth(previous) && !isFourWeeks(previous, dayBefore)
        ? endOf(start, (day) => plusDays(day, 1).slice(8) === start.slice(8))
        : undefined;
  if (calendar !== undefined && distance(start, calendar) <= maxDays) return calendar;
  return plusDays(start, Math.min(distance(previous.start_date, previous.end_date), maxDays));
}

/** The cycles that would follow, day by day. */
export function cyclesThatFollow(
  {
    today,
    cycleMaxDays,
    cycles: stored,
  }: {
    today: string;
    cycleMaxDays: number;
    cycles: readonly (Days & { name: string; income_amount: string; side?: boolean })[];
  },
  to: string,
): PlannedCycle[] {
  const used = new Set(stored.map(({ name }) => name));
  const cycles = stored.filter(({ side }) => side !== true);
  const proposed: PlannedCycle[] = [];
  /** The last one of the run that the day is in. */
  let before: (Days & { income_amount: string }) | undefined;
  /** What ended on the day before that one. */
  let dayBefore: Days | undefined;
  for (let day = today; day <= to; day = plusDays(day, 1)) {
    if (cycles.some(({ start_date, end_date }) => start_date <= day && day <= end_date)) continue;
    const last = proposed.at(-1);
    if (last && day <= last.end_date) continue;
    let start = day;
    if (last?.end_date !== plusDays(day, -1)) {
      before = undefined;
      for (const cycle of cycles) {
        if (cycle.end_date >= day) continue;
        if (!before || cycle.end_date >= before.end_date) before = cycle;
      }
      if (before) start = plusDays(before.end_date, 1);
      const lastDay = before && plusDays(before.start_date, -1);
      dayBefore = cycles.filter(({ end_date }) => end_date === lastDay).at(-1);
    }
    let end = nextEnd(before, start, cycleMaxDays, dayBefore);
    while (end < day) {
      dayBefore = before;
      before = { start_date: start, end_date: end, income_amount: before?.income_amount ?? '0' };
      start = plusDays(end, 1);
      end = nextEnd(before, start, cycleMaxDays, dayBefore);
    }
    const isCut = cycles.some(({ start_date }) => day < start_date && start_date <= end);
    if (isCut) {
      end = day;
      while (!cycles.some(({ start_date }) => start_date === plusDays(end, 1))) {
        end = plusDays(end, 1);
      }
    }
    if (end > '2999-12-31') break;
    const income = before?.income_amount ?? '0';
    let name = `${start} to ${end}`;
    for (let n = 2; used.has(name); n += 1) name = `${start} to ${end} (${n})`;
    used.add(name);
    proposed.push({
      id: null,
      name,
      start_date: start,
      end_date: end,
      income_amount: isCut ? 0n : cents(income),
    });
    dayBefore = before;
    before = { start_date: start, end_date: end, income_amount: income };
  }
  return proposed;
}
