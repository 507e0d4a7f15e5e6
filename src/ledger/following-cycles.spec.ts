import { describe, expect, it } from '@jest/globals';
import {
  begunFollowing,
  followingCycles,
  type FollowedCycle,
  type FollowingOptions,
} from './following-cycles.js';

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

describe('begunFollowing', () => {
  const december = cycle('2025-12-01', '2025-12-31');
  const january = { startDate: '2026-01-01', endDate: '2026-01-31', incomeAmount: 500_00n };

  it('is the cycle that would follow, includes today and began before', () => {
    expect(begunFollowing([december], '2026-01-10', OPTIONS)).toEqual(january);
    expect(begunFollowing([december], '2026-01-31', OPTIONS)).toEqual(january);
    const trip = cycle('2026-01-05', '2026-01-20', { side: true });
    expect(begunFollowing([december, trip], '2026-01-10', OPTIONS)).toEqual(january);
    const zero = begunFollowing([december], '2026-01-10', { ...OPTIONS, nextIncomeAmount: 'zero' });
    expect(zero).toEqual({ ...january, incomeAmount: 0n });
  });

  it('has no income amount where it ends early', () => {
    const stored = [december, cycle('2026-01-20', '2026-02-10')];
    expect(begunFollowing(stored, '2026-01-10', OPTIONS)).toEqual({
      ...{ startDate: '2026-01-01', endDate: '2026-01-19' },
      incomeAmount: 0n,
    });
  });

  it('is none on its first day, in a stored cycle and without cycles', () => {
    expect(begunFollowing([december], '2026-01-01', OPTIONS)).toBeUndefined();
    expect(begunFollowing([december], '2025-12-10', OPTIONS)).toBeUndefined();
    expect(begunFollowing([], '2026-01-10', OPTIONS)).toBeUndefined();
  });
});
