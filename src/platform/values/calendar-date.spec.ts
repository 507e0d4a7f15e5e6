import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addDays,
  calendarDate,
  dateParts,
  dayNumber,
  dayOfWeek,
  daysBetween,
  daysInMonth,
  fromDayNumber,
  isCalendarDate,
} from './calendar-date.js';

describe('isCalendarDate', () => {
  it.each(['1900-01-01', '2999-12-31', '2024-02-29', '2000-02-29', '2025-04-30'])(
    'isCalendarDate takes %p',
    (date) => {
      expect(isCalendarDate(date)).toBe(true);
    },
  );

  it.each([
    '2025-02-30',
    '2025-02-29',
    '1900-02-29',
    '2025-04-31',
    '2025-13-01',
    '2025-00-10',
    '2025-01-00',
    '1899-12-31',
    '3000-01-01',
    '2025-1-1',
    '2025-01-01T00:00:00Z',
    ' 2025-01-01',
    '20250101',
    '2025-01-012025-01-01',
    '',
    20250101,
    null,
    ['2025-01-01'],
  ])('isCalendarDate refuses %p', (date) => {
    expect(isCalendarDate(date)).toBe(false);
  });
});

describe('day numbers', () => {
  const anyDay = fc.integer({ min: dayNumber('1900-01-01'), max: dayNumber('2999-12-31') });

  it('day numbers count from 1970-01-01', () => {
    expect(dayNumber('1970-01-01')).toBe(0);
    expect(dayNumber('1969-12-31')).toBe(-1);
    expect(fromDayNumber(59)).toBe('1970-03-01');
  });

  it('day numbers come back as they went, for every day from 1900 to 2999', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const date = fromDayNumber(day);
        expect(isCalendarDate(date)).toBe(true);
        expect(dayNumber(date)).toBe(day);
        expect(calendarDate(dateParts(date))).toBe(date);
      }),
    );
  });

  it('day numbers grow with the text of the date', () => {
    fc.assert(
      fc.property(anyDay, anyDay, (a, b) => {
        expect(fromDayNumber(a) < fromDayNumber(b)).toBe(a < b);
        expect(daysBetween({ from: fromDayNumber(a), to: fromDayNumber(b) })).toBe(b - a);
      }),
    );
  });

  it('day numbers are added across months and years', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
  });

  it('day numbers know their weekday', () => {
    expect(dayOfWeek(dayNumber('1970-01-01'))).toBe(4);
    expect(dayOfWeek(dayNumber('1969-12-28'))).toBe(0);
    expect(dayOfWeek(dayNumber('2026-11-21'))).toBe(6);
  });
});

describe('daysInMonth', () => {
  it('daysInMonth knows leap years', () => {
    const february = [1900, 2000, 2023, 2024, 2100].map((year) => daysInMonth(year, 2));
    expect(february).toEqual([28, 29, 28, 29, 28]);
    expect([1, 4, 12].map((month) => daysInMonth(2026, month))).toEqual([31, 30, 31]);
  });
});
