import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { WEEKEND_RULES } from '../../src/platform/values/weekend-rule.js';
import {
  occurrences,
  RECURRENCE_UNITS,
  scheduleOf,
  type Occurrence,
  type Recurrence,
  type RecurrenceRule,
} from '../../src/templates/recurrence/recurrence.js';
import { dayAt, dayNumber, dueDays, monthsWithoutDay, type Day } from '../support/due-days.js';
import { repetitions } from '../support/repetitions.js';

const FIRST = dayNumber('1600-01-01');
const LAST = dayNumber('2999-12-31');

/**
 * Critical dates: leap days, 28 February of other years, ends of months and years, the first and
 * last date.
 */
const criticalDay = fc
  .tuple(
    fc.oneof(fc.integer({ min: 1600, max: 2999 }), fc.constantFrom(1600, 1900, 2000, 2100, 2999)),
    fc.constantFrom(...['01-01', '01-31', '02-28', '03-01', '04-30', '12-31']),
    fc.integer({ min: 0, max: 1 }),
  )
  .map(([year, day, later]) => Math.min(dayNumber(`${year}-${day}`) + later, LAST));
const anyDay = fc.oneof(fc.integer({ min: FIRST, max: LAST }), criticalDay).map(dayAt);
/** Usual lengths of cycles, and the maximum of the settings. */
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

/** A period of this length, up to the last valid date. */
const periodOf = (start: Day, length: number): { start: Day; end: Day } => ({
  start,
  end: dayAt(Math.min(start.number + length, LAST)),
});

/** Rules with any start and end, also with an end before the start. */
const anyRecurrence = (type: RecurrenceRule['type']): fc.Arbitrary<Recurrence> =>
  fc.record({
    rule: anyRule[type],
    referenceDate: anyDay.map(({ date }) => date),
    startsOn: maybe(anyDay).map((day) => day?.date ?? null),
    endsOn: maybe(anyDay).map((day) => day?.date ?? null),
    weekendRule: fc.constantFrom(...WEEKEND_RULES),
  });

/** A recurrence, and a period mostly near its start and end. */
const anyCase = (
  type: RecurrenceRule['type'],
): fc.Arbitrary<{ recurrence: Recurrence; start: Day; end: Day }> =>
  fc
    .record({
      recurrence: anyRecurrence(type),
      first: anyDay,
      length: anyLength,
      nearLimits: maybe(fc.record({ startsIn: fc.nat(40), endsIn: fc.nat(40) })),
    })
    .map(({ recurrence, first, length, nearLimits }) => {
      const { start, end } = periodOf(first, length);
      if (!nearLimits) return { recurrence, start, end };
      const startsOn = dayAt(start.number + nearLimits.startsIn - 5).date;
      const endsOn = dayAt(end.number - nearLimits.endsIn + 5).date;
      const isLimited = recurrence.startsOn !== null;
      return {
        recurrence: { ...recurrence, startsOn, endsOn: isLimited ? endsOn : null },
        start,
        end,
      };
    });

const expectedOccurrences = (recurrence: Recurrence, start: Day, end: Day): Occurrence[] =>
  dueDays(recurrence, { start: start.date, end: end.date });

const actualOccurrences = (recurrence: Recurrence, start: Day, end: Day): Occurrence[] =>
  occurrences(recurrence, { start: start.date, end: end.date });

/** As text, because `toEqual` is slow for thousands of dates. */
const asText = (found: readonly Occurrence[]): string =>
  found.map(({ date, ruleDate, reasons }) => [date, ruleDate, ...reasons].join('<')).join();

describe.each(Object.keys(anyRule) as RecurrenceRule['type'][])(
  'occurrences of %s rules',
  (type) => {
    it('occurrences equal those of the reference for a cycle', () => {
      fc.assert(
        fc.property(anyCase(type), ({ recurrence, start, end }) => {
          expect(actualOccurrences(recurrence, start, end)).toEqual(
            expectedOccurrences(recurrence, start, end),
          );
        }),
        { numRuns: repetitions(1000) },
      );
    });

    it('occurrences leave out the same months as the reference', () => {
      fc.assert(
        fc.property(anyCase(type), ({ recurrence, start, end }) => {
          const period = { start: start.date, end: end.date };
          const { skippedMonths } = scheduleOf(recurrence, period);
          expect(skippedMonths).toEqual(monthsWithoutDay(recurrence, period));
        }),
        { numRuns: repetitions(1000) },
      );
    });

    it('occurrences equal those of the reference over four centuries', () => {
      const centuries = fc.constantFrom(1600, 2000, 2400).map((year) => ({
        start: dayAt(dayNumber(`${year}-01-01`)),
        end: dayAt(dayNumber(`${year + 399}-12-31`)),
      }));
      fc.assert(
        fc.property(anyRecurrence(type), centuries, (recurrence, { start, end }) => {
          const endless = { ...recurrence, startsOn: null, endsOn: null };
          for (const one of [recurrence, endless]) {
            expect(asText(actualOccurrences(one, start, end))).toBe(
              asText(expectedOccurrences(one, start, end)),
            );
          }
        }),
        { numRuns: repetitions(4) },
      );
    });

    it('occurrences are each in exactly one of adjacent cycles', () => {
      fc.assert(
        fc.property(anyCase(type), fc.nat({ max: 400 }), ({ recurrence, start, end }, days) => {
          const cut = Math.min(start.number + days, end.number);
          expect([
            ...actualOccurrences(recurrence, start, dayAt(cut)),
            ...(cut < end.number ? actualOccurrences(recurrence, dayAt(cut + 1), end) : []),
          ]).toEqual(actualOccurrences(recurrence, start, end));
        }),
        { numRuns: repetitions(300) },
      );
    });

    it('occurrences have distinct rule dates, and sorted dates', () => {
      fc.assert(
        fc.property(anyCase(type), ({ recurrence, start, end }) => {
          const found = actualOccurrences(recurrence, start, end);
          expect(new Set(found.map(({ ruleDate }) => ruleDate)).size).toBe(found.length);
          const keys = found.map(({ date, ruleDate }) => date + ruleDate);
          expect(keys).toEqual([...keys].sort());
        }),
        { numRuns: repetitions(300) },
      );
    });
  },
);
