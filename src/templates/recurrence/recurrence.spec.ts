import { describe, expect, it } from '@jest/globals';
import {
  occurrences,
  scheduleOf,
  type Occurrence,
  type Recurrence,
  type RecurrenceRule,
} from './recurrence.js';

const NO_LIMITS = { startsOn: null, endsOn: null, weekendRule: 'keep' } as const;

const dates = (
  rule: RecurrenceRule,
  { reference = '2025-01-01', from, to }: { reference?: string; from: string; to: string },
): string[] =>
  occurrences({ rule, referenceDate: reference, ...NO_LIMITS }, { start: from, end: to }).map(
    ({ date }) => date,
  );

describe('weekly', () => {
  const saturdays: RecurrenceRule = { type: 'weekly', config: { day_of_week: 6 } };

  it('a weekly rule starts at the first such weekday on or after the start, then every seven days', () => {
    expect(dates(saturdays, { from: '2026-01-19', to: '2026-02-10' })).toEqual([
      '2026-01-24',
      '2026-01-31',
      '2026-02-07',
    ]);
  });

  it('a weekly rule includes both ends', () => {
    expect(dates(saturdays, { from: '2026-01-24', to: '2026-01-31' })).toEqual([
      '2026-01-24',
      '2026-01-31',
    ]);
  });

  it('numbers Sunday 0', () => {
    const sundays: RecurrenceRule = { type: 'weekly', config: { day_of_week: 0 } };
    expect(dates(sundays, { from: '2026-01-19', to: '2026-01-26' })).toEqual(['2026-01-25']);
  });

  it('a weekly rule takes no notice of the reference date', () => {
    const period = { from: '2026-01-19', to: '2026-02-10' };
    expect(dates(saturdays, { ...period, reference: '2030-07-01' })).toEqual(
      dates(saturdays, period),
    );
  });
});

describe('bi_weekly', () => {
  const every = (interval_days: number): RecurrenceRule => ({
    type: 'bi_weekly',
    config: { interval_days },
  });

  it('steps by the interval from a reference before the cycle', () => {
    const period = { reference: '2025-01-06', from: '2026-01-19', to: '2026-03-01' };
    expect(dates(every(14), period)).toEqual(['2026-01-19', '2026-02-02', '2026-02-16']);
  });

  it('steps backwards from a reference after the cycle', () => {
    const period = { reference: '2026-03-20', from: '2026-01-19', to: '2026-02-28' };
    expect(dates(every(14), period)).toEqual(['2026-01-23', '2026-02-06', '2026-02-20']);
  });

  it('steps both ways from a reference within the cycle', () => {
    const period = { reference: '2026-02-01', from: '2026-01-19', to: '2026-02-15' };
    expect(dates(every(10), period)).toEqual(['2026-01-22', '2026-02-01', '2026-02-11']);
  });

  it('bi_weekly has no occurrence when the interval skips the cycle, however large it is', () => {
    const period = { reference: '2026-01-01', from: '2026-01-19', to: '2026-03-01' };
    expect(dates(every(Number.MAX_SAFE_INTEGER), period)).toEqual([]);
  });
});

describe('monthly', () => {
  const on = (day_of_month: number, handle_month_end?: boolean): RecurrenceRule => ({
    type: 'monthly',
    config: { day_of_month, handle_month_end },
  });
  const winter = { from: '2026-01-31', to: '2026-03-31' };

  it('a monthly rule falls on the day in each month that overlaps the cycle', () => {
    expect(dates(on(1), { from: '2026-01-19', to: '2026-03-01' })).toEqual([
      '2026-02-01',
      '2026-03-01',
    ]);
  });

  it('a monthly rule skips a month without that day', () => {
    expect(dates(on(31), winter)).toEqual(['2026-01-31', '2026-03-31']);
    expect(dates(on(30, false), winter)).toEqual(['2026-03-30']);
  });

  it('a monthly rule uses the last day of a short month with handle_month_end', () => {
    expect(dates(on(31, true), winter)).toEqual(['2026-01-31', '2026-02-28', '2026-03-31']);
  });

  it('a monthly rule knows the leap day', () => {
    expect(dates(on(29), { from: '2028-02-01', to: '2028-02-29' })).toEqual(['2028-02-29']);
  });

  it('a monthly rule keeps only dates inside the cycle', () => {
    expect(dates(on(15), { from: '2026-01-16', to: '2026-02-14' })).toEqual([]);
  });
});

describe('custom days', () => {
  it('a rule of custom days counts from the reference in both directions', () => {
    const rule: RecurrenceRule = { type: 'custom', config: { interval: 45, unit: 'days' } };
    const period = { reference: '2025-11-20', from: '2026-01-01', to: '2026-02-20' };
    expect(dates(rule, period)).toEqual(['2026-01-04', '2026-02-18']);
  });
});

describe('custom weeks', () => {
  const everyThreeWeeks = (day_of_week?: number): RecurrenceRule => ({
    type: 'custom',
    config: { interval: 3, unit: 'weeks', day_of_week },
  });
  // A Monday.
  const period = { reference: '2025-12-15', from: '2025-12-01', to: '2026-01-31' };

  it('a rule of custom weeks keeps the weekday of the reference', () => {
    expect(dates(everyThreeWeeks(), period)).toEqual(['2025-12-15', '2026-01-05', '2026-01-26']);
  });

  it('a rule of custom weeks moves each date to the weekday of its own Sunday-to-Saturday week', () => {
    expect(dates(everyThreeWeeks(3), period)).toEqual(['2025-12-17', '2026-01-07', '2026-01-28']);
    expect(dates(everyThreeWeeks(0), period)).toEqual(['2025-12-14', '2026-01-04', '2026-01-25']);
    expect(dates(everyThreeWeeks(6), period)).toEqual(['2025-12-20', '2026-01-10', '2026-01-31']);
  });

  it('a rule of custom weeks finds a moved date whose own step lies outside the cycle', () => {
    const edge = { reference: '2026-01-05', from: '2026-01-01', to: '2026-01-04' };
    expect(dates(everyThreeWeeks(0), edge)).toEqual(['2026-01-04']);
  });
});

describe('custom months', () => {
  const monthsOf = (interval: number, day_of_month?: number): RecurrenceRule => ({
    type: 'custom',
    config: { interval, unit: 'months', day_of_month },
  });

  it('a rule of custom months clamps to the end of the month and does not drift', () => {
    const period = { reference: '2026-01-31', from: '2026-01-01', to: '2026-05-31' };
    expect(dates(monthsOf(1), period)).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
    ]);
  });

  it('a rule of custom months counts months backwards from a later reference', () => {
    const period = { reference: '2026-07-15', from: '2026-01-01', to: '2026-04-30' };
    expect(dates(monthsOf(3), period)).toEqual(['2026-01-15', '2026-04-15']);
  });

  it('a rule of custom months uses day_of_month in place of the reference day', () => {
    const period = { reference: '2026-01-31', from: '2026-02-01', to: '2026-03-31' };
    expect(dates(monthsOf(1, 10), period)).toEqual(['2026-02-10', '2026-03-10']);
  });
});

describe('custom years', () => {
  const yearly = (config: Partial<{ day_of_month: number; month_of_year: number }> = {}) =>
    ({ type: 'custom', config: { interval: 1, unit: 'years', ...config } }) as const;

  it('a rule of custom years clamps 29 February to the 28th, from the reference and not for good', () => {
    const period = { reference: '2024-02-29', from: '2025-01-01', to: '2028-12-31' };
    expect(dates(yearly(), period)).toEqual([
      '2025-02-28',
      '2026-02-28',
      '2027-02-28',
      '2028-02-29',
    ]);
  });

  it('a rule of custom years uses month_of_year and day_of_month in place of the reference', () => {
    const period = { reference: '2024-06-01', from: '2026-01-01', to: '2026-12-31' };
    expect(dates(yearly({ month_of_year: 2, day_of_month: 31 }), period)).toEqual(['2026-02-28']);
  });

  it('a rule of custom years skips the years between', () => {
    const everyThird: RecurrenceRule = { type: 'custom', config: { interval: 3, unit: 'years' } };
    const period = { reference: '2024-06-01', from: '2020-01-01', to: '2030-12-31' };
    expect(dates(everyThird, period)).toEqual([
      '2021-06-01',
      '2024-06-01',
      '2027-06-01',
      '2030-06-01',
    ]);
  });
});

it('a custom rule ignores optional fields that the unit does not use', () => {
  const rule: RecurrenceRule = {
    type: 'custom',
    config: { interval: 10, unit: 'days', day_of_month: 31, month_of_year: 2, day_of_week: 0 },
  };
  const period = { reference: '2026-01-01', from: '2026-01-01', to: '2026-01-15' };
  expect(dates(rule, period)).toEqual(['2026-01-01', '2026-01-11']);
});

describe('a rule that starts or ends', () => {
  const daily = (limits: Partial<Recurrence>): string[] =>
    occurrences(
      {
        rule: { type: 'bi_weekly', config: { interval_days: 1 } },
        referenceDate: '2026-02-01',
        ...NO_LIMITS,
        ...limits,
      },
      { start: '2026-02-02', end: '2026-02-05' },
    ).map(({ date }) => date);

  it('a rule that starts or ends has no occurrence before the first or after the last date, both included', () => {
    expect(daily({ startsOn: '2026-02-03' })).toEqual(['2026-02-03', '2026-02-04', '2026-02-05']);
    expect(daily({ endsOn: '2026-02-03' })).toEqual(['2026-02-02', '2026-02-03']);
    expect(daily({ startsOn: '2026-02-04', endsOn: '2026-02-04' })).toEqual(['2026-02-04']);
  });

  it('a rule that starts or ends has all its occurrences where the limits lie outside the period', () => {
    const limits = { startsOn: '2026-01-01', endsOn: '2026-12-31' };
    expect(daily(limits)).toEqual(daily({}));
    expect(daily({})).toHaveLength(4);
  });

  it('a rule that starts or ends has none in a period that lies outside the limits', () => {
    expect(daily({ startsOn: '2026-02-06' })).toEqual([]);
    expect(daily({ endsOn: '2026-02-01' })).toEqual([]);
  });
});

describe('the weekend rule', () => {
  /** 2026-01-31 is a Saturday, 2026-02-15 a Sunday. */
  const monthly = (
    day_of_month: number,
    others: Partial<Recurrence>,
    { from, to }: { from: string; to: string },
  ): Occurrence[] =>
    occurrences(
      {
        rule: { type: 'monthly', config: { day_of_month, handle_month_end: true } },
        referenceDate: '2025-01-01',
        ...NO_LIMITS,
        ...others,
      },
      { start: from, end: to },
    );
  const winter = { from: '2026-01-20', to: '2026-03-10' };

  it.each([
    ['keep', '2026-01-31', '2026-02-15'],
    ['before', '2026-01-30', '2026-02-13'],
    ['after', '2026-02-02', '2026-02-16'],
  ] as const)('%s leaves or moves a Saturday and a Sunday', (weekendRule, saturday, sunday) => {
    expect(monthly(31, { weekendRule }, winter)[0]).toEqual({
      date: saturday,
      ruleDate: '2026-01-31',
      reasons: weekendRule === 'keep' ? [] : ['weekend'],
    });
    expect(monthly(15, { weekendRule }, winter)).toEqual([
      {
        date: sunday,
        ruleDate: '2026-02-15',
        reasons: weekendRule === 'keep' ? [] : ['weekend'],
      },
    ]);
  });

  it.each(['before', 'after'] as const)('%s leaves a weekday', (weekendRule) => {
    // A Monday and a Friday.
    for (const [day, date] of [
      [2, '2026-02-02'],
      [20, '2026-02-20'],
    ] as const) {
      const period = { from: '2026-02-01', to: '2026-02-28' };
      expect(monthly(day, { weekendRule }, period)).toEqual([
        { date, ruleDate: date, reasons: [] },
      ]);
    }
  });

  it('the weekend rule decides by the moved date in which period an occurrence lies', () => {
    const before = { weekendRule: 'before' } as const;
    const after = { weekendRule: 'after' } as const;
    expect(monthly(31, before, { from: '2026-01-21', to: '2026-01-30' })).toHaveLength(1);
    expect(monthly(31, before, { from: '2026-01-31', to: '2026-02-10' })).toEqual([]);
    expect(monthly(31, after, { from: '2026-01-21', to: '2026-02-01' })).toEqual([]);
    expect(monthly(31, after, { from: '2026-02-02', to: '2026-02-10' })).toHaveLength(1);
    // From both Sundays, the farther ones.
    expect(monthly(15, before, { from: '2026-02-01', to: '2026-02-13' })).toHaveLength(1);
    expect(monthly(15, after, { from: '2026-02-16', to: '2026-02-20' })).toHaveLength(1);
  });

  it('the weekend rule decides by the moved date whether an occurrence lies within the limits', () => {
    const before = { weekendRule: 'before' } as const;
    expect(monthly(31, { ...before, endsOn: '2026-01-30' }, winter)).toHaveLength(1);
    expect(monthly(31, { ...before, startsOn: '2026-01-31' }, winter)[0]?.date).toBe('2026-02-27');
    const after = { weekendRule: 'after' } as const;
    expect(monthly(31, { ...after, endsOn: '2026-02-01' }, winter)).toEqual([]);
    expect(monthly(31, { ...after, startsOn: '2026-02-02' }, winter)[0]?.date).toBe('2026-02-02');
  });

  it('the weekend rule keeps two that fall on the same date', () => {
    const weekend: Recurrence = {
      rule: { type: 'bi_weekly', config: { interval_days: 1 } },
      referenceDate: '2026-01-01',
      ...NO_LIMITS,
      weekendRule: 'after',
    };
    expect(occurrences(weekend, { start: '2026-02-02', end: '2026-02-02' })).toEqual([
      { date: '2026-02-02', ruleDate: '2026-01-31', reasons: ['weekend'] },
      { date: '2026-02-02', ruleDate: '2026-02-01', reasons: ['weekend'] },
      { date: '2026-02-02', ruleDate: '2026-02-02', reasons: [] },
    ]);
  });
});

describe('the reasons of a moved date', () => {
  const reasonsOf = (
    rule: RecurrenceRule,
    period: { start: string; end: string },
    others: Partial<Recurrence> = {},
  ): unknown[] =>
    occurrences({ rule, referenceDate: '2025-12-31', ...NO_LIMITS, ...others }, period).map(
      ({ ruleDate, reasons }) => [ruleDate, ...reasons],
    );

  it('the reasons of a moved date are the end of a short month, for months and years alike', () => {
    const monthly: RecurrenceRule = {
      type: 'monthly',
      config: { day_of_month: 30, handle_month_end: true },
    };
    expect(reasonsOf(monthly, { start: '2026-01-01', end: '2026-03-31' })).toEqual([
      ['2026-01-30'],
      ['2026-02-28', 'month_end'],
      ['2026-03-30'],
    ]);
    const months: RecurrenceRule = { type: 'custom', config: { interval: 2, unit: 'months' } };
    expect(reasonsOf(months, { start: '2025-12-01', end: '2026-03-31' })).toEqual([
      ['2025-12-31'],
      ['2026-02-28', 'month_end'],
    ]);
    const years: RecurrenceRule = {
      type: 'custom',
      config: { interval: 1, unit: 'years', month_of_year: 2, day_of_month: 29 },
    };
    expect(reasonsOf(years, { start: '2027-01-01', end: '2028-12-31' })).toEqual([
      ['2027-02-28', 'month_end'],
      ['2028-02-29'],
    ]);
  });

  it('the reasons of a moved date are the weekday of custom weeks where it is another than that of the reference', () => {
    const weeks = (day_of_week?: number): RecurrenceRule => ({
      type: 'custom',
      config: { interval: 1, unit: 'weeks', day_of_week },
    });
    // 2025-12-31 is a Wednesday.
    const period = { start: '2026-01-01', end: '2026-01-07' };
    expect(reasonsOf(weeks(), period)).toEqual([['2026-01-07']]);
    expect(reasonsOf(weeks(3), period)).toEqual([['2026-01-07']]);
    expect(reasonsOf(weeks(4), period)).toEqual([['2026-01-01', 'weekday']]);
  });

  it('the reasons of a moved date are in order where there are several', () => {
    const monthly: RecurrenceRule = {
      type: 'monthly',
      config: { day_of_month: 31, handle_month_end: true },
    };
    // 2026-02-28 is a Saturday.
    const february = { start: '2026-02-01', end: '2026-02-28' };
    expect(reasonsOf(monthly, february, { weekendRule: 'before' })).toEqual([
      ['2026-02-28', 'month_end', 'weekend'],
    ]);
  });
});

describe('the months left out', () => {
  const skipped = (
    period: { start: string; end: string },
    others: Partial<Recurrence> = {},
    handle_month_end = false,
  ): string[] =>
    scheduleOf(
      {
        rule: { type: 'monthly', config: { day_of_month: 30, handle_month_end } },
        referenceDate: '2025-01-01',
        ...NO_LIMITS,
        ...others,
      },
      period,
    ).skippedMonths;
  const twoYears = { start: '2026-01-01', end: '2027-12-31' };

  it('the months left out are those without the day, when month ends are not handled', () => {
    expect(skipped(twoYears)).toEqual(['2026-02', '2027-02']);
    expect(skipped(twoYears, {}, true)).toEqual([]);
  });

  it('the months left out are those of the period, whatever the weekend rule is', () => {
    expect(skipped({ start: '2026-02-10', end: '2026-02-11' })).toEqual(['2026-02']);
    const beside = { start: '2026-01-10', end: '2026-01-31' };
    expect(skipped(beside, { weekendRule: 'before' })).toEqual([]);
    const after = { start: '2026-03-01', end: '2026-03-31' };
    expect(skipped(after, { weekendRule: 'after' })).toEqual([]);
  });

  it('the months left out are those within the limits', () => {
    expect(skipped(twoYears, { startsOn: '2026-03-01' })).toEqual(['2027-02']);
    expect(skipped(twoYears, { endsOn: '2027-01-31' })).toEqual(['2026-02']);
    expect(skipped({ start: '2026-02-20', end: '2026-02-21' }, { endsOn: '2026-02-10' })).toEqual(
      [],
    );
  });
});
