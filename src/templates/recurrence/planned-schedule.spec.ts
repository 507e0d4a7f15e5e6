import { describe, expect, it } from '@jest/globals';
import {
  lastRuleDate,
  plannedSchedule,
  type Instalment,
  type PlannedRecurrence,
} from './planned-schedule.js';
import type { Period } from './recurrence.js';

const MONTHLY: PlannedRecurrence = {
  rule: { type: 'monthly', config: { day_of_month: 5 } },
  referenceDate: '2025-01-05',
  startsOn: '2025-08-01',
  endsOn: '2026-07-31',
  weekendRule: 'keep',
  skippedDates: [],
};

const ALWAYS: Period = { start: '1900-01-01', end: '2999-12-31' };

const instalments = (
  recurrence: Partial<PlannedRecurrence>,
  period = ALWAYS,
): (string | Instalment | null)[][] =>
  plannedSchedule({ ...MONTHLY, ...recurrence }, period).occurrences.map(
    ({ ruleDate, instalment }) => [ruleDate, instalment],
  );

const countOf = (recurrence: Partial<PlannedRecurrence>): number | undefined =>
  plannedSchedule({ ...MONTHLY, ...recurrence }, ALWAYS).occurrences[0]?.instalment?.count;

describe('plannedSchedule', () => {
  it('counts instalments from the start of the plan, whatever period is asked for', () => {
    const february = { start: '2026-02-01', end: '2026-03-31' };
    expect(instalments({}, february)).toEqual([
      ['2026-02-05', { number: 7, count: 12 }],
      ['2026-03-05', { number: 8, count: 12 }],
    ]);
  });

  it('leaves out skipped dates, and does not count them', () => {
    const skippedDates = ['2025-12-05', '2026-01-05', '2026-01-06', '2027-01-05'];
    const period = { start: '2025-11-01', end: '2026-02-28' };
    const { occurrences, ...skipped } = plannedSchedule({ ...MONTHLY, skippedDates }, period);
    expect(occurrences).toEqual([
      {
        ...{ date: '2025-11-05', ruleDate: '2025-11-05', reasons: [] },
        instalment: { number: 4, count: 10 },
      },
      {
        ...{ date: '2026-02-05', ruleDate: '2026-02-05', reasons: [] },
        instalment: { number: 5, count: 10 },
      },
    ]);
    expect(skipped).toEqual({ skippedMonths: [], skippedDates: ['2025-12-05', '2026-01-05'] });
  });

  it('skips by the date before the weekend rule', () => {
    // 2025-10-05 is a Sunday.
    const moved = { ...MONTHLY, weekendRule: 'after' } as const;
    const day = { start: '2025-10-06', end: '2025-10-06' };
    const skipped = plannedSchedule({ ...moved, skippedDates: ['2025-10-05'] }, day);
    expect(skipped).toEqual({ occurrences: [], skippedMonths: [], skippedDates: ['2025-10-05'] });
    const kept = plannedSchedule({ ...moved, skippedDates: ['2025-10-06'] }, day);
    expect(kept.occurrences).toHaveLength(1);
  });

  it.each([
    ['keep', '2025-11-05', '2026-04-05'],
    ['before', '2025-11-05', '2026-04-05'],
    ['after', '2025-10-05', '2026-03-05'],
  ] as const)(
    'counts the occurrences whose dates after the weekend rule %s are in the plan',
    (weekendRule, first, last) => {
      // Both 2025-10-05 and 2026-04-05 are Sundays.
      const found = instalments({ startsOn: '2025-10-06', endsOn: '2026-04-05', weekendRule });
      expect(found.at(0)).toEqual([first, { number: 1, count: 6 }]);
      expect(found.at(-1)).toEqual([last, { number: 6, count: 6 }]);
    },
  );

  it('counts months that have the day alone', () => {
    const plan = { startsOn: '2025-12-01', endsOn: '2026-03-31' };
    const rule = { type: 'monthly', config: { day_of_month: 31 } } as const;
    expect(instalments({ ...plan, rule })).toEqual([
      ['2025-12-31', { number: 1, count: 3 }],
      ['2026-01-31', { number: 2, count: 3 }],
      ['2026-03-31', { number: 3, count: 3 }],
    ]);
  });

  it('counts a custom rule in months', () => {
    const config = { interval: 3, unit: 'months', day_of_month: 31 } as const;
    expect(instalments({ rule: { type: 'custom', config } })).toEqual([
      ['2025-10-31', { number: 1, count: 4 }],
      ['2026-01-31', { number: 2, count: 4 }],
      ['2026-04-30', { number: 3, count: 4 }],
      ['2026-07-31', { number: 4, count: 4 }],
    ]);
  });

  it.each<[string, Partial<PlannedRecurrence>]>([
    ['without a start', { startsOn: null }],
    ['by weeks', { rule: { type: 'weekly', config: { day_of_week: 1 } } }],
    ['by days', { rule: { type: 'bi_weekly', config: { interval_days: 30 } } }],
    ['by weeks of its own', { rule: { type: 'custom', config: { interval: 4, unit: 'weeks' } } }],
    ['by years', { rule: { type: 'custom', config: { interval: 1, unit: 'years' } } }],
    ['of more than 120', { startsOn: '2016-06-01' }],
  ])('has no instalments for a plan %s', (_name, plan) => {
    const found = instalments(plan);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(([, instalment]) => instalment !== null)).toEqual([]);
  });

  it('has no instalments for a plan without an end', () => {
    const period = { start: '2026-01-01', end: '2026-12-31' };
    const found = instalments({ endsOn: null }, period);
    expect(found).toHaveLength(12);
    expect(found.filter(([, instalment]) => instalment !== null)).toEqual([]);
  });

  it.each([
    ['by month', { type: 'monthly', config: { day_of_month: 5 } }],
    ['of months with 31 days', { type: 'monthly', config: { day_of_month: 31 } }],
    ['of every second month', { type: 'custom', config: { interval: 2, unit: 'months' } }],
  ] as const)('counts up to 120 without skipped ones in a plan %s', (_name, rule) => {
    const { occurrences } = plannedSchedule({ ...MONTHLY, rule, startsOn: null }, ALWAYS);
    const dates = occurrences.slice(-220).map(({ ruleDate }) => ruleDate);
    const countWithSkipped = (skipped: number): number | undefined => {
      const skippedDates = dates.slice(0, skipped);
      return countOf({ rule, startsOn: dates[0] ?? null, skippedDates });
    };
    expect(dates).toHaveLength(220);
    expect(countWithSkipped(100)).toBe(120);
    expect(countWithSkipped(99)).toBeUndefined();
  });

  it('decides at once about a plan of a thousand years', () => {
    const plan = { startsOn: '1900-01-01', endsOn: '2999-12-31' };
    const period = { start: '2026-01-01', end: '2026-01-31' };
    expect(instalments(plan, period)).toEqual([['2026-01-05', null]]);
    const config = { interval: Number.MAX_SAFE_INTEGER, unit: 'months' } as const;
    expect(instalments({ ...plan, rule: { type: 'custom', config } })).toEqual([
      ['2025-01-05', { number: 1, count: 1 }],
    ]);
  });
});

describe('lastRuleDate', () => {
  const last = (recurrence: Partial<PlannedRecurrence>): string | null =>
    lastRuleDate({ ...MONTHLY, ...recurrence });

  const weekly = { type: 'weekly', config: { day_of_week: 1 } } as const;
  const daily = { type: 'custom', config: { interval: 1, unit: 'days' } } as const;
  const rare = { type: 'custom', config: { interval: 300, unit: 'years' } } as const;

  it('is the last occurrence that is not skipped', () => {
    expect(last({})).toBe('2026-07-05');
    expect(last({ skippedDates: ['2026-06-05', '2026-07-05'] })).toBe('2026-05-05');
  });

  it('is that before the weekend rule, whose date after it is in the plan', () => {
    // 2026-07-05 is a Sunday.
    expect(last({ endsOn: '2026-07-05', weekendRule: 'after' })).toBe('2026-06-05');
    expect(last({ endsOn: '2026-07-03', weekendRule: 'before' })).toBe('2026-07-05');
  });

  it.each([
    ['daily', { rule: daily }, '2026-07-31'],
    ['weekly', { rule: weekly, startsOn: null }, '2026-07-27'],
    ['every 300 years', { rule: rare, startsOn: null }, '2025-01-05'],
    ['every 300 years, long ago', { rule: rare, startsOn: null, endsOn: '2024-01-01' }, null],
    ['before 300 years', { rule: rare, startsOn: null, endsOn: '2999-01-01' }, '2925-01-05'],
  ])('is found for a plan that is %s', (_name, plan, date) => {
    expect(last(plan)).toBe(date);
  });

  it('is found where as many as possible are skipped', () => {
    const plan = { ...MONTHLY, rule: weekly, startsOn: null };
    const period = { start: '2020-01-01', end: '2026-07-31' };
    const { occurrences } = plannedSchedule({ ...plan, endsOn: null }, period);
    const skippedDates = occurrences.slice(-100).map(({ ruleDate }) => ruleDate);
    expect(last({ ...plan, skippedDates })).toBe(occurrences.at(-101)?.ruleDate);
  });

  it('is null without an end, and where all are skipped', () => {
    expect(last({ endsOn: null })).toBeNull();
    const plan = { startsOn: '2026-06-01', skippedDates: ['2026-06-05', '2026-07-05'] };
    expect(last(plan)).toBeNull();
  });
});
