import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDays, daysBetween } from '../platform/values/calendar-date.js';
import {
  dueDateOf,
  firstClosing,
  isAllowedFirstClosing,
  monthDayBefore,
  monthDayFrom,
  nextClosing,
  settableClosingDays,
  storedClosingDays,
  type StatementRules,
} from './statement-dates.js';

/** "12 and 2", "12 and 20 days" or "12 and 2, after". */
function rulesOf(text: string): StatementRules {
  const [, closing, due, days, weekend] = /^(\d+) and (\d+)( days)?(?:, (\w+))?$/.exec(text) ?? [];
  return {
    closingDay: Number(closing),
    dueDay: days ? null : Number(due),
    dueDaysAfter: days ? Number(due) : null,
    dueWeekendRule: (weekend ?? 'keep') as StatementRules['dueWeekendRule'],
  };
}

describe('the statement of a purchase', () => {
  it.each([
    // What is bought on the closing day belongs to the statement that closes on it.
    ['12 and 2', '2026-01-12', '2026-01-12', '2026-02-02'],
    ['12 and 2', '2026-01-13', '2026-02-12', '2026-03-02'],
    ['12 and 2', '2025-12-13', '2026-01-12', '2026-02-02'],
    ['31 and 20', '2026-02-28', '2026-02-28', '2026-03-20'],
    ['31 and 20', '2026-03-01', '2026-03-31', '2026-04-20'],
    ['15 and 15', '2026-06-15', '2026-06-15', '2026-07-15'],
    ['12 and 20 days', '2026-02-12', '2026-02-12', '2026-03-04'],
    ['12 and 2, after', '2026-04-12', '2026-04-12', '2026-05-04'],
    ['12 and 2, before', '2026-04-12', '2026-04-12', '2026-05-01'],
    ['12 and 2, keep', '2026-04-12', '2026-04-12', '2026-05-02'],
    // A leap year has a 29 February, and others close on the 28th.
    ['29 and 10', '2028-02-01', '2028-02-29', '2028-03-10'],
    ['29 and 10', '2026-02-01', '2026-02-28', '2026-03-10'],
    ['30 and 1 days', '2028-02-01', '2028-02-29', '2028-03-01'],
    // The due day of the month of the closing is before it, or the closing itself.
    ['28 and 28', '2026-02-28', '2026-02-28', '2026-03-28'],
    ['28 and 31', '2026-02-28', '2026-02-28', '2026-03-31'],
    ['31 and 31', '2026-01-31', '2026-01-31', '2026-02-28'],
    ['1 and 31', '2026-02-01', '2026-02-01', '2026-02-28'],
    ['30 and 29', '2026-01-30', '2026-01-30', '2026-02-28'],
    ['31 and 60 days', '2026-12-31', '2026-12-31', '2027-03-01'],
    // The Friday before would be the closing day or a day before it.
    ['15 and 1 days, before', '2026-05-15', '2026-05-15', '2026-05-18'],
    ['16 and 1 days, before', '2026-05-16', '2026-05-16', '2026-05-18'],
    ['14 and 2 days, before', '2026-05-14', '2026-05-14', '2026-05-15'],
    ['16 and 1 days, keep', '2026-05-16', '2026-05-16', '2026-05-17'],
  ])('closes and is due by %s: of %s on %s and %s', (text, day, closing, due) => {
    const rules = rulesOf(text);
    expect(monthDayFrom(day, rules.closingDay)).toBe(closing);
    expect(dueDateOf(closing, rules)).toBe(due);
  });
});

describe('the closings of a card', () => {
  it.each([
    ['2026-01-31', 31, '2026-02-28'],
    ['2026-02-28', 31, '2026-03-31'],
    ['2026-12-12', 12, '2027-01-12'],
    ['2026-12-11', 12, '2026-12-12'],
    ['2028-02-28', 30, '2028-02-29'],
  ])('after %s come on day %s: %s', (date, closingDay, next) => {
    expect(nextClosing(date, { closingDay })).toBe(next);
  });

  it.each([
    ['2026-03-31', 31, '2026-02-28'],
    ['2026-01-12', 12, '2025-12-12'],
    ['2026-01-13', 12, '2026-01-12'],
    ['2028-03-29', 30, '2028-02-29'],
  ])('before %s were on day %s: %s', (date, day, before) => {
    expect(monthDayBefore(date, day)).toBe(before);
  });

  it('follow each other, and are due within 62 days, whatever the rules', () => {
    const day = fc.integer({ min: 1, max: 31 });
    const anyRules = fc
      .tuple(day, day, fc.integer({ min: 0, max: 60 }), fc.constantFrom('keep', 'before', 'after'))
      .map(([closingDay, dueDay, days, dueWeekendRule]): StatementRules => ({
        ...{ closingDay, dueWeekendRule },
        ...(days === 0 ? { dueDay, dueDaysAfter: null } : { dueDay: null, dueDaysAfter: days }),
      }));
    fc.assert(
      fc.property(anyRules, fc.integer({ min: 0, max: 20_000 }), (rules, days) => {
        const today = addDays('1990-01-01', days);
        const first = firstClosing(rules, today);
        const closings = [first];
        for (let n = 0; n < 14; n += 1) closings.push(nextClosing(closings.at(-1) ?? '', rules));
        for (const [n, closing] of closings.entries()) {
          const due = dueDateOf(closing, rules);
          const daysUntilDue = daysBetween({ from: closing, to: due });
          expect(daysUntilDue).toBeGreaterThanOrEqual(1);
          expect(daysUntilDue).toBeLessThanOrEqual(62);
          expect(monthDayFrom(closing, rules.closingDay)).toBe(closing);
          if (n === 0) continue;
          const length = daysBetween({ from: closings[n - 1] ?? '', to: closing });
          expect(length).toBeGreaterThanOrEqual(28);
          expect(length).toBeLessThanOrEqual(31);
        }
        // The first one is due today or later, the one before it was due earlier.
        expect(dueDateOf(first, rules) >= today).toBe(true);
        const before = monthDayBefore(first, rules.closingDay);
        expect(dueDateOf(before, rules) < today).toBe(true);
      }),
    );
  });
});

describe('the first closing', () => {
  const today = '2026-05-20';

  it.each([
    ['2025-04-15', true],
    ['2027-06-15', true],
    ['2026-05-15', true],
    ['2026-05-14', false],
    ['2025-03-15', false],
    ['2027-07-15', false],
  ])('that a request sets may be %s: %s', (date, expected) => {
    const days = settableClosingDays(today);
    expect(isAllowedFirstClosing(date, { closingDay: 15 }, days)).toBe(expected);
  });

  it.each([
    ['2025-03-15', true],
    ['2020-01-15', true],
    ['2019-12-15', false],
    ['2027-06-15', true],
    ['2027-07-15', false],
  ])('that was stored before may be %s: %s', (date, expected) => {
    const days = storedClosingDays(today);
    expect(isAllowedFirstClosing(date, { closingDay: 15 }, days)).toBe(expected);
  });

  it('may be later by the days between time zones once it is stored', () => {
    const days = { settable: settableClosingDays(today), stored: storedClosingDays(today) };
    expect(days).toEqual({
      settable: { from: '2025-04-15', to: '2027-06-24' },
      stored: { from: '2020-01-01', to: '2027-06-26' },
    });
  });
});
