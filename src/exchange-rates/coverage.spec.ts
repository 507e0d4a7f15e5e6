import { describe, expect, it } from '@jest/globals';
import { coverageOf } from './coverage.js';

const rate = { from: 'MXN', to: 'USD', month: '2025-11', days: 30 } as const;

describe('coverageOf', () => {
  it('coverageOf has the months without a rate, up to this one, over the turn of the year', () => {
    const other = { from: 'USD', to: 'MXN', month: '2025-12', days: 1 } as const;
    expect(coverageOf([rate, other], '2026-02-14')).toEqual({
      pairs: ['MXN-USD', 'USD-MXN'],
      months: [
        { month: '2025-11', days: { 'MXN-USD': 30, 'USD-MXN': 0 } },
        { month: '2025-12', days: { 'MXN-USD': 0, 'USD-MXN': 1 } },
        { month: '2026-01', days: { 'MXN-USD': 0, 'USD-MXN': 0 } },
        { month: '2026-02', days: { 'MXN-USD': 0, 'USD-MXN': 0 } },
      ],
    });
  });

  it('coverageOf goes on to rates of the future', () => {
    const { months } = coverageOf([rate, { ...rate, month: '2026-01' }], '2025-11-01');
    expect(months.map(({ month }) => month)).toEqual(['2025-11', '2025-12', '2026-01']);
  });

  it('coverageOf is empty without rates', () => {
    expect(coverageOf([], '2026-02-14')).toEqual({ pairs: [], months: [] });
  });
});
