import { describe, expect, it } from '@jest/globals';
import { followingCycles, type FollowedCycle, type FollowingOptions } from './following-cycles.js';

const OPTIONS: FollowingOptions = { maxDays: 45, nextIncomeAmount: 'same' };

const cycle = (
  startDate: string,
  endDate: string,
  { incomeAmount = 500_00n, side = false }: Partial<FollowedCycle> = {},
): FollowedCycle & { name: string } => ({
  ...{ name: `${startDate} to ${endDate}`, startDate, endDate },
  ...{ incomeAmount, side },
});

const FEBRUARY = {
  ...{ id: null, name: '2026-02-01 to 2026-02-28' },
  ...{ startDate: '2026-02-01', endDate: '2026-02-28', incomeAmount: 500_00n },
};

describe('followingCycles', () => {
  const range = { today: '2026-01-10', to: '2026-02-28' };
  const january = cycle('2026-01-01', '2026-01-31');

  it('have the income amount of the stored cycle, or none', () => {
    const same = followingCycles([january], range, OPTIONS);
    expect(same).toEqual({ cycles: [FEBRUARY], gaps: [] });
    const zero = followingCycles([january], range, { ...OPTIONS, nextIncomeAmount: 'zero' });
    expect(zero).toEqual({ cycles: [{ ...FEBRUARY, incomeAmount: 0n }], gaps: [] });
  });

  it('are found without cycles with side, but for their names', () => {
    const trip = cycle('2026-01-20', '2026-02-20', { incomeAmount: 1n, side: true });
    expect(followingCycles([january, trip], range, OPTIONS).cycles).toEqual([FEBRUARY]);
    const named = { ...trip, name: FEBRUARY.name };
    expect(followingCycles([january, named], range, OPTIONS).cycles).toEqual([
      { ...FEBRUARY, name: `${FEBRUARY.name} (2)` },
    ]);
    // Days after the last of the others are no gap.
    const later = cycle('2026-03-05', '2026-03-10', { side: true });
    expect(followingCycles([january, later], range, OPTIONS).gaps).toEqual([]);
    expect(followingCycles([{ ...january, side: true }], range, OPTIONS).cycles).toMatchObject([
      { startDate: '2026-01-10', endDate: '2026-02-20', incomeAmount: 0n },
      { startDate: '2026-02-21' },
    ]);
  });
});

describe('the following cycle of today', () => {
  const december = cycle('2025-12-01', '2025-12-31');
  const january = { startDate: '2026-01-01', endDate: '2026-01-31', incomeAmount: 500_00n };
  const ofDay = (stored: Parameters<typeof followingCycles>[0], today: string, options = OPTIONS) =>
    followingCycles(stored, { today, to: today }, options).cycles;

  it('is the one that includes today, also if it began before', () => {
    expect(ofDay([december], '2026-01-01')).toMatchObject([january]);
    expect(ofDay([december], '2026-01-10')).toMatchObject([january]);
    expect(ofDay([december], '2026-01-31')).toMatchObject([january]);
    const trip = cycle('2026-01-05', '2026-01-20', { side: true });
    expect(ofDay([december, trip], '2026-01-10')).toMatchObject([january]);
    const zero = ofDay([december], '2026-01-10', { ...OPTIONS, nextIncomeAmount: 'zero' });
    expect(zero).toMatchObject([{ ...january, incomeAmount: 0n }]);
  });

  it('has no income amount where it ends early', () => {
    const stored = [december, cycle('2026-01-20', '2026-02-10')];
    expect(ofDay(stored, '2026-01-10')).toMatchObject([
      { startDate: '2026-01-01', endDate: '2026-01-19', incomeAmount: 0n },
    ]);
  });

  it('is none in a stored cycle', () => {
    expect(ofDay([december], '2025-12-10')).toEqual([]);
  });
});
