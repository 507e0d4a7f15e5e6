import { describe, expect, it } from '@jest/globals';
import {
  cyclesOfRun,
  firstPeriod,
  periodAfter,
  runsWithoutCycle,
  storedPeriod,
  unusedName,
  type StoredPeriod,
} from './periods.js';

const MAX_DAYS = 45;

const cycle = (text: string): StoredPeriod => {
  const [startDate = '', endDate = ''] = text.split('/');
  return { startDate, endDate };
};

/** The cycles that would follow, as `start/end` and `cut`, of each run. */
function proposed(
  stored: string[],
  { today, to, maxDays = MAX_DAYS }: { today: string; to: string; maxDays?: number },
): string[][] {
  return runsWithoutCycle(stored.map(cycle), { start: today, end: to }, maxDays).map((run) =>
    cyclesOfRun(run, to, maxDays).map(
      ({ start, end, isCut }) => `${start}/${end}${isCut ? ' cut' : ''}`,
    ),
  );
}

/** The days of the cycle after a stored one, as `start/end`. */
function daysAfter(previous: string, maxDays: number, dayBefore?: string): string {
  const period = storedPeriod(
    cycle(previous),
    dayBefore === undefined ? undefined : cycle(dayBefore),
  );
  const { start, end } = periodAfter(period, maxDays);
  return `${start}/${end}`;
}

describe('periodAfter', () => {
  it.each([
    // Months.
    ['2026-01-01/2026-01-31', '2026-02-01', '2026-02-28'],
    ['2028-01-01/2028-01-31', '2028-02-01', '2028-02-29'],
    ['2026-02-01/2026-02-28', '2026-03-01', '2026-03-31'],
    ['2026-12-01/2026-12-31', '2027-01-01', '2027-01-31'],
    // Halves.
    ['2026-02-01/2026-02-15', '2026-02-16', '2026-02-28'],
    ['2028-02-01/2028-02-15', '2028-02-16', '2028-02-29'],
    ['2026-02-16/2026-02-28', '2026-03-01', '2026-03-15'],
    ['2026-12-16/2026-12-31', '2027-01-01', '2027-01-15'],
    // As many days.
    ['2026-01-16/2026-01-30', '2026-01-31', '2026-02-14'],
    ['2026-01-02/2026-01-31', '2026-02-01', '2026-03-02'],
    ['2028-02-01/2028-02-28', '2028-02-29', '2028-03-27'],
    ['2028-02-16/2028-02-28', '2028-02-29', '2028-03-12'],
    ['2026-01-15/2026-01-31', '2026-02-01', '2026-02-17'],
    ['2026-01-01/2026-02-15', '2026-02-16', '2026-04-02'],
    ['2026-01-19/2026-03-01', '2026-03-02', '2026-04-12'],
    ['2026-01-10/2026-01-10', '2026-01-11', '2026-01-11'],
    // At most 45 days apart.
    ['2026-01-01/2026-03-31', '2026-04-01', '2026-05-16'],
    // Months from a later day than the 1st.
    ['2026-01-15/2026-02-14', '2026-02-15', '2026-03-14'],
    ['2026-12-28/2027-01-27', '2027-01-28', '2027-02-27'],
    ['2026-11-02/2026-12-01', '2026-12-02', '2027-01-01'],
    ['2026-02-15/2026-03-14', '2026-03-15', '2026-04-14'],
    ['2028-02-15/2028-03-14', '2028-03-15', '2028-04-14'],
    ['2028-02-15/2028-03-13', '2028-03-14', '2028-04-10'],
    ['2026-01-29/2026-02-28', '2026-03-01', '2026-03-31'],
    ['2026-03-30/2026-04-29', '2026-04-30', '2026-05-30'],
  ])('after %s, a cycle from %s ends on %s', (previous, start, end) => {
    expect(daysAfter(previous, MAX_DAYS)).toBe(`${start}/${end}`);
  });

  it.each([
    ['2026-02-01/2026-02-28', '2026-03-01', 30, '2026-03-31'],
    ['2026-02-01/2026-02-28', '2026-03-01', 29, '2026-03-28'],
    ['2026-03-01/2026-03-31', '2026-04-01', 29, '2026-04-30'],
    ['2026-03-01/2026-03-31', '2026-04-01', 28, '2026-04-29'],
    ['2026-02-16/2026-02-28', '2026-03-01', 14, '2026-03-15'],
    ['2026-02-16/2026-02-28', '2026-03-01', 13, '2026-03-13'],
    ['2026-03-01/2026-03-15', '2026-03-16', 14, '2026-03-30'],
    ['2026-03-01/2026-03-15', '2026-03-16', 10, '2026-03-26'],
    ['2026-02-10/2026-03-09', '2026-03-10', 30, '2026-04-09'],
    ['2026-02-10/2026-03-09', '2026-03-10', 29, '2026-04-06'],
    ['2026-03-10/2026-04-09', '2026-04-10', 29, '2026-05-09'],
  ])('after %s, a cycle from %s that may take %i days more ends on %s', (...row) => {
    const [previous, start, maxDays, end] = row;
    expect(daysAfter(previous, maxDays)).toBe(`${start}/${end}`);
  });

  it.each([
    ['a month', '2026-01-15/2026-02-14', '2026-03-15/2026-04-14'],
    ['no cycle', undefined, '2026-03-15/2026-04-14'],
    ['four weeks', '2026-01-18/2026-02-14', '2026-03-15/2026-04-11'],
    ['a half', '2026-02-01/2026-02-14', '2026-03-15/2026-04-11'],
    ['42 days', '2026-01-04/2026-02-14', '2026-03-15/2026-04-11'],
  ])('takes 28 days after %s for a month or not', (_kind, dayBefore, days) => {
    expect(daysAfter('2026-02-15/2026-03-14', MAX_DAYS, dayBefore)).toBe(days);
  });

  it('gives 42 days without a previous cycle, or as many as may be', () => {
    expect(firstPeriod('2026-01-19', MAX_DAYS).end).toBe('2026-03-01');
    expect(firstPeriod('2026-01-19', 41).end).toBe('2026-03-01');
    expect(firstPeriod('2026-01-19', 10).end).toBe('2026-01-29');
  });
});

describe('the cycles that would follow', () => {
  it('begin today without stored cycles', () => {
    expect(proposed([], { today: '2026-01-19', to: '2026-03-02' })).toEqual([
      ['2026-01-19/2026-03-01', '2026-03-02/2026-04-12'],
    ]);
  });

  it('begin today where all stored cycles begin later, and end before them', () => {
    const stored = ['2026-02-01/2026-02-28', '2026-03-05/2026-03-10'];
    expect(proposed(stored, { today: '2026-01-19', to: '2026-03-12' })).toEqual([
      ['2026-01-19/2026-01-31 cut'],
      ['2026-03-01/2026-03-04 cut'],
      ['2026-03-11/2026-03-16'],
    ]);
  });

  it('end with the one that includes the last day of the forecast', () => {
    const today = '2026-01-19';
    expect(proposed([], { today, to: '2026-03-01' })).toEqual([['2026-01-19/2026-03-01']]);
    expect(proposed([], { today, to: today })).toEqual([['2026-01-19/2026-03-01']]);
  });

  it('begin with the one that includes today', () => {
    const stored = ['2026-01-01/2026-01-10'];
    expect(proposed(stored, { today: '2026-01-11', to: '2026-01-25' })).toEqual([
      ['2026-01-11/2026-01-20', '2026-01-21/2026-01-30'],
    ]);
    expect(proposed(stored, { today: '2026-01-20', to: '2026-01-25' })).toEqual([
      ['2026-01-11/2026-01-20', '2026-01-21/2026-01-30'],
    ]);
    expect(proposed(stored, { today: '2026-01-21', to: '2026-01-25' })).toEqual([
      ['2026-01-21/2026-01-30'],
    ]);
    expect(proposed(stored, { today: '2026-02-15', to: '2026-02-15' })).toEqual([
      ['2026-02-10/2026-02-19'],
    ]);
  });

  it('are months from the same day, of which one has four weeks', () => {
    const range = { today: '2026-01-20', to: '2026-04-10' };
    expect(proposed(['2025-12-10/2026-01-09'], range)).toEqual([
      ['2026-01-10/2026-02-09', '2026-02-10/2026-03-09', '2026-03-10/2026-04-09'].concat(
        '2026-04-10/2026-05-09',
      ),
    ]);
    // A month of 31 days is not allowed: as many days as before.
    expect(proposed(['2025-11-10/2025-12-09'], { ...range, maxDays: 29 })).toEqual([
      ['2026-01-09/2026-02-07', '2026-02-08/2026-03-09', '2026-03-10/2026-04-08'].concat(
        '2026-04-09/2026-05-08',
      ),
    ]);
  });

  it('stay of four weeks after cycles of four weeks', () => {
    const range = { today: '2026-03-10', to: '2026-03-10' };
    const four = ['2026-01-13/2026-02-09', '2026-02-10/2026-03-09'];
    expect(proposed(four.slice(0, 1), range)).toEqual([['2026-03-10/2026-04-06']]);
    expect(proposed(four, range)).toEqual([['2026-03-10/2026-04-06']]);
    expect(proposed(four.slice(1), range)).toEqual([['2026-03-10/2026-04-09']]);
    // Of two that ended on the day before the one created last counts.
    const month = '2026-01-10/2026-02-09';
    expect(proposed([month, ...four], range)).toEqual([['2026-03-10/2026-04-06']]);
    expect(proposed([...four, month], range)).toEqual([['2026-03-10/2026-04-09']]);
  });

  it('can begin long after the last stored cycle', () => {
    // 14 days each; 2 days each: 46,000 days.
    expect(proposed(['1990-01-01/1990-01-14'], { today: '2026-01-19', to: '2026-01-25' })).toEqual([
      ['2026-01-12/2026-01-25'],
    ]);
    expect(proposed(['1900-01-01/1900-01-02'], { today: '2026-01-19', to: '2026-01-21' })).toEqual([
      ['2026-01-18/2026-01-19', '2026-01-20/2026-01-21'],
    ]);
    expect(proposed(['1900-01-01/1900-01-31'], { today: '2026-01-19', to: '2026-01-21' })).toEqual([
      ['2026-01-01/2026-01-31'],
    ]);
    expect(proposed(['1900-01-20/1900-02-19'], { today: '2026-01-19', to: '2026-01-20' })).toEqual([
      ['2025-12-20/2026-01-19', '2026-01-20/2026-02-19'],
    ]);
    // 30 days each until those from 11 April to 10 May 1900, which are a month.
    expect(proposed(['1900-01-11/1900-02-09'], { today: '2026-01-19', to: '2026-01-19' })).toEqual([
      ['2026-01-11/2026-02-10'],
    ]);
  });

  it('fill the days between stored cycles', () => {
    const stored = ['2026-01-01/2026-01-10', '2026-01-16/2026-01-31', '2026-02-03/2026-03-01'];
    expect(proposed(stored, { today: '2026-01-05', to: '2026-03-20' })).toEqual([
      ['2026-01-11/2026-01-15 cut'],
      ['2026-02-01/2026-02-02 cut'],
      ['2026-03-02/2026-03-28'],
    ]);
  });

  it('are not cut where they end on the day before the next stored cycle', () => {
    const stored = ['2026-01-01/2026-01-05', '2026-01-16/2026-01-20'];
    expect(proposed(stored, { today: '2026-01-02', to: '2026-01-20' })).toEqual([
      ['2026-01-06/2026-01-10', '2026-01-11/2026-01-15'],
    ]);
  });

  it('fill a single day', () => {
    const stored = ['2026-01-01/2026-01-10', '2026-01-12/2026-01-20'];
    expect(proposed(stored, { today: '2026-01-10', to: '2026-01-20' })).toEqual([
      ['2026-01-11/2026-01-11 cut'],
    ]);
    expect(proposed(stored, { today: '2026-01-11', to: '2026-01-11' })).toEqual([
      ['2026-01-11/2026-01-11 cut'],
    ]);
  });

  it('end before a stored cycle that begins after the forecast', () => {
    const stored = ['2026-01-01/2026-01-31', '2026-02-20/2026-03-20'];
    expect(proposed(stored, { today: '2026-01-10', to: '2026-02-05' })).toEqual([
      ['2026-02-01/2026-02-19 cut'],
    ]);
  });

  it('are none while stored cycles reach to the end of the forecast', () => {
    const stored = ['2026-01-15/2026-02-10', '2026-01-01/2026-01-31'];
    expect(proposed(stored, { today: '2026-01-10', to: '2026-02-10' })).toEqual([]);
  });

  it('do not end after the last supported date', () => {
    const stored = ['2999-11-01/2999-12-10'];
    expect(proposed(stored, { today: '2999-12-01', to: '2999-12-31' })).toEqual([[]]);
    const months = ['2999-11-01/2999-11-30'];
    expect(proposed(months, { today: '2999-11-30', to: '2999-12-31' })).toEqual([
      ['2999-12-01/2999-12-31'],
    ]);
    const lastDay = ['2999-11-01/2999-12-10', '2999-12-31/2999-12-31'];
    expect(proposed(lastDay, { today: '2999-12-01', to: '2999-12-31' })).toEqual([
      ['2999-12-11/2999-12-30 cut'],
    ]);
  });

  it('are months after a month and halves after a half', () => {
    expect(proposed(['2026-01-01/2026-01-31'], { today: '2026-03-10', to: '2026-05-01' })).toEqual([
      ['2026-03-01/2026-03-31', '2026-04-01/2026-04-30', '2026-05-01/2026-05-31'],
    ]);
    expect(proposed(['2026-01-01/2026-01-15'], { today: '2026-02-10', to: '2026-03-01' })).toEqual([
      ['2026-02-01/2026-02-15', '2026-02-16/2026-02-28', '2026-03-01/2026-03-15'],
    ]);
  });

  it('are months after one that happens to be a month', () => {
    // 30 days, then April, then May.
    const stored = ['2026-03-02/2026-03-31'];
    const months = ['2026-04-01/2026-04-30', '2026-05-01/2026-05-31', '2026-06-01/2026-06-30'];
    expect(proposed(stored, { today: '2026-03-31', to: '2026-06-01' })).toEqual([months]);
    expect(proposed(stored, { today: '2026-05-31', to: '2026-06-01' })).toEqual([months.slice(1)]);
  });

  it('have as many days after a month where the next month is too long', () => {
    const stored = ['2026-02-01/2026-02-28'];
    const cycles = ['2026-03-01/2026-03-28', '2026-03-29/2026-04-25', '2026-04-26/2026-05-23'];
    const to = '2026-05-01';
    expect(proposed(stored, { today: '2026-02-28', to, maxDays: 29 })).toEqual([cycles]);
    expect(proposed(stored, { today: '2026-04-01', to, maxDays: 29 })).toEqual([cycles.slice(1)]);
  });

  it('follow the one created later of those with the same end date', () => {
    const [long, short] = ['2026-01-01/2026-01-10', '2026-01-06/2026-01-10'];
    const period = { today: '2026-01-10', to: '2026-01-12' };
    expect(proposed([long, short], period)).toEqual([['2026-01-11/2026-01-15']]);
    expect(proposed([short, long], period)).toEqual([['2026-01-11/2026-01-20']]);
  });

  it('follow the one that ends last of those that overlap', () => {
    const stored = ['2026-01-08/2026-01-10', '2026-01-01/2026-01-20', '2026-01-05/2026-01-12'];
    expect(proposed(stored, { today: '2026-01-10', to: '2026-02-01' })).toEqual([
      ['2026-01-21/2026-02-09'],
    ]);
  });
});

it('a run names the stored cycle before it', () => {
  const first = { ...cycle('2026-01-01/2026-01-10'), id: 1 };
  const second = { ...cycle('2026-01-16/2026-01-20'), id: 2 };
  const runs = runsWithoutCycle(
    [second, first],
    { start: '2026-01-05', end: '2026-01-30' },
    MAX_DAYS,
  );
  expect(runs).toEqual([
    { start: '2026-01-11', end: '2026-01-15', previous: first, before: storedPeriod(first) },
    { start: '2026-01-21', end: '9999-12-31', previous: second, before: storedPeriod(second) },
  ]);
});

it('unusedName adds the first number that makes the dates an unused name', () => {
  const period = { start: '2026-01-01', end: '2026-01-31' };
  const name = '2026-01-01 to 2026-01-31';
  expect(unusedName(period, new Set())).toBe(name);
  expect(unusedName(period, new Set([name]))).toBe(`${name} (2)`);
  expect(unusedName(period, new Set([name, `${name} (2)`, `${name} (4)`]))).toBe(`${name} (3)`);
});
