import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import {
  calendarDate,
  dateParts,
  dayNumber,
  dayOfWeek,
  daysBetween,
  daysInMonth,
  fromDayNumber,
  isCalendarDate,
  modulo,
  todayInUtc,
} from '../../src/platform/values/calendar-date.js';
import { repetitions } from '../support/repetitions.js';

const MS_PER_DAY = 86_400_000;
const FIRST = -25_567;
const LAST = 376_199;

/** 2999, or an earlier year in mutation tests, which repeat the test for each mutant. */
const LAST_YEAR = 1899 + Math.min(repetitions(1100), 1100);

/** The date by the platform's `Date`. */
const platformDate = (day: number): string => new Date(day * MS_PER_DAY).toISOString().slice(0, 10);

/** Every day from 1900 on, counted by the rules of the Gregorian calendar. */
function* everyDay(): Generator<{ year: number; month: number; day: number; weekday: number }> {
  let weekday = 1; // 1900-01-01 was a Monday.
  for (let year = 1900; year <= LAST_YEAR; year += 1) {
    const isLeap = year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0);
    const lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    for (const [index, length] of lengths.entries()) {
      for (let day = 1; day <= length; day += 1) {
        yield { year, month: index + 1, day, weekday };
        weekday = (weekday + 1) % 7;
      }
    }
  }
}

describe('the calendar from 1900 to 2999', () => {
  it('the calendar from 1900 to 2999 is the Gregorian calendar, day by day', () => {
    let number = FIRST;
    for (const { weekday, ...parts } of everyDay()) {
      const date = calendarDate(parts);
      const isRight =
        isCalendarDate(date) &&
        dayNumber(date) === number &&
        fromDayNumber(number) === date &&
        dayOfWeek(number) === weekday &&
        parts.day <= daysInMonth(parts.year, parts.month);
      // A single assertion, because one per day would take minutes.
      if (!isRight) expect({ date, number, weekday }).toBe('a day of the calendar');
      number += 1;
    }
    expect(number).toBe(Date.UTC(LAST_YEAR + 1, 0) / MS_PER_DAY);
  });
});

describe('any day', () => {
  const anyDay = fc.integer({ min: FIRST, max: LAST });
  const runs = { numRuns: repetitions(500) };

  it("any day equals the platform's", () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const date = platformDate(day);
        const instant = new Date(day * MS_PER_DAY);
        expect(fromDayNumber(day)).toBe(date);
        expect(dayNumber(date)).toBe(day);
        expect(dayOfWeek(day)).toBe(instant.getUTCDay());
        expect(dateParts(date)).toEqual({
          year: instant.getUTCFullYear(),
          month: instant.getUTCMonth() + 1,
          day: instant.getUTCDate(),
        });
        expect(calendarDate(dateParts(date))).toBe(date);
      }),
      runs,
    );
  });

  it('any day has the same distance from another as on the platform', () => {
    fc.assert(
      fc.property(anyDay, anyDay, (from, to) => {
        expect(daysBetween({ from: platformDate(from), to: platformDate(to) })).toBe(to - from);
      }),
      runs,
    );
  });
});

describe('a string', () => {
  /**
   * The platform parses 30 February as a day in March, so the text must also be the formatted date.
   */
  function isDay(text: string): boolean {
    const instant = Date.parse(`${text}T00:00:00Z`);
    const isInstant = !Number.isNaN(instant);
    return (
      isInstant &&
      new Date(instant).toISOString() === `${text}T00:00:00.000Z` &&
      text >= '1900' &&
      text < '3000'
    );
  }

  const pad = (value: number, width: number): string => String(value).padStart(width, '0');
  const similarToDay = fc
    .tuple(
      fc.oneof(fc.integer({ min: 1896, max: 3004 }), fc.integer({ min: 0, max: 9999 })),
      fc.integer({ min: 0, max: 13 }),
      fc.oneof(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 27, max: 32 })),
    )
    .map(([year, month, day]) => `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`);
  const withTypo = fc
    .tuple(similarToDay, fc.nat({ max: 10 }), fc.nat({ max: 1 }), fc.string({ maxLength: 2 }))
    .map(([text, at, cut, inserted]) => text.slice(0, at) + inserted + text.slice(at + cut));

  it('a string is a date if the platform has that day, in the years 1900 to 2999', () => {
    fc.assert(
      fc.property(fc.oneof(similarToDay, withTypo, fc.string()), (text) => {
        expect(isCalendarDate(text)).toBe(isDay(text));
      }),
      { numRuns: repetitions(2000) },
    );
  });

  it('a string is a date only in the format YYYY-MM-DD', () => {
    const other = fc.anything().filter((value) => typeof value !== 'string');
    fc.assert(
      fc.property(other, (value) => {
        expect(isCalendarDate(value)).toBe(false);
      }),
    );
  });
});

describe('modulo', () => {
  it('modulo is the remainder that is not negative', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 100_000 }), (value, divisor) => {
        const remainder = BigInt(value) % BigInt(divisor);
        const expected = remainder < 0n ? remainder + BigInt(divisor) : remainder;
        expect(BigInt(modulo(value, divisor))).toBe(expected);
      }),
    );
  });
});

describe('today', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('today is the day in UTC, whatever the time', () => {
    const anyInstant = fc.date({
      min: new Date(0),
      max: new Date(LAST * MS_PER_DAY),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(anyInstant, (instant) => {
        jest.useFakeTimers({ now: instant });
        const [date] = instant.toISOString().split('T');
        expect(todayInUtc()).toBe(date);
        jest.useRealTimers();
      }),
    );
  });
});
