import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  occurrences,
  RECURRENCE_UNITS,
  type RecurrenceRule,
} from '../../src/templates/recurrence/recurrence.js';
import { dayAt, dayNumber, dueDays, type Day } from '../support/due-days.js';
import { repetitions } from '../support/effort.js';

const FIRST = dayNumber('1600-01-01');
const LAST = dayNumber('2999-12-31');

/** Where calendars go wrong: leap days or their absence, the ends of months and years, both ends of time. */
const turningDay = fc
  .tuple(
    fc.oneof(fc.integer({ min: 1600, max: 2999 }), fc.constantFrom(1600, 1900, 2000, 2100, 2999)),
    fc.constantFrom(...['01-01', '01-31', '02-28', '03-01', '04-30', '12-31']),
    fc.integer({ min: 0, max: 1 }),
  )
  .map(([year, day, later]) => Math.min(dayNumber(`${year}-${day}`) + later, LAST));
const anyDay = fc.oneof(fc.integer({ min: FIRST, max: LAST }), turningDay).map(dayAt);
/** As long as cycles are, and as long as settings allow. */
const anyLength = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 400 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3660 }) },
);
const weekday = fc.integer({ min: 0, max: 6 });
const dayOfMonth = fc.integer({ min: 1, max: 31 });
const month = fc.integer({ min: 1, max: 12 });
const interval = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 600_000 }) },
  { weight: 1, arbitrary: fc.maxSafeNat().map((value) => Math.max(value, 1)) },
);
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });

const anyRule: Record<RecurrenceRule['type'], fc.Arbitrary<RecurrenceRule>> = {
  weekly: weekday.map((day_of_week) => ({ type: 'weekly', config: { day_of_week } })),
  bi_weekly: interval.map((interval_days) => ({ type: 'bi_weekly', config: { interval_days } })),
  monthly: fc
    .record({ day_of_month: dayOfMonth, handle_month_end: maybe(fc.boolean()) })
    .map((config) => ({ type: 'monthly', config })),
  custom: fc
    .record({
      interval,
      unit: fc.constantFrom(...RECURRENCE_UNITS),
      day_of_month: maybe(dayOfMonth),
      month_of_year: maybe(month),
      day_of_week: maybe(weekday),
    })
    .map((config) => ({ type: 'custom', config })),
};

/** From one day to so many days later, or to the last there is. */
const periodOf = (start: Day, length: number): { start: Day; end: Day } => ({
  start,
  end: dayAt(Math.min(start.number + length, LAST)),
});

const walked = (rule: RecurrenceRule, reference: Day, start: Day, end: Day): string[] =>
  dueDays(rule, reference.date, { start: start.date, end: end.date });

function computed(rule: RecurrenceRule, reference: Day, start: Day, end: Day): string[] {
  return occurrences(rule, reference.date, { start: start.date, end: end.date });
}

describe.each(Object.keys(anyRule) as RecurrenceRule['type'][])(
  'occurrences of %s rules',
  (type) => {
    it('are those that walking the cycle day by day finds', () => {
      fc.assert(
        fc.property(anyRule[type], anyDay, anyDay, anyLength, (rule, reference, first, length) => {
          const { start, end } = periodOf(first, length);
          expect(computed(rule, reference, start, end)).toEqual(
            walked(rule, reference, start, end),
          );
        }),
        { numRuns: repetitions(1000) },
      );
    });

    it('are those that walking four centuries day by day finds', () => {
      const centuries = fc.constantFrom(1600, 2000, 2400).map((year) => ({
        start: dayAt(dayNumber(`${year}-01-01`)),
        end: dayAt(dayNumber(`${year + 399}-12-31`)),
      }));
      fc.assert(
        fc.property(anyRule[type], anyDay, centuries, (rule, reference, { start, end }) => {
          // As one text each: thousands of dates are slow to compare one by one.
          expect(computed(rule, reference, start, end).join()).toBe(
            walked(rule, reference, start, end).join(),
          );
        }),
        { numRuns: repetitions(4) },
      );
    });

    it('are the same of a whole period and of its two parts', () => {
      fc.assert(
        fc.property(
          anyRule[type],
          anyDay,
          anyDay,
          anyLength,
          fc.nat({ max: 400 }),
          (rule, reference, first, length, days) => {
            const { start, end } = periodOf(first, length);
            const cut = Math.min(start.number + days, end.number);
            expect([
              ...computed(rule, reference, start, dayAt(cut)),
              ...(cut < end.number ? computed(rule, reference, dayAt(cut + 1), end) : []),
            ]).toEqual(computed(rule, reference, start, end));
          },
        ),
        { numRuns: repetitions(300) },
      );
    });
  },
);
