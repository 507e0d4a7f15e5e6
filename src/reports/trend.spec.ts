import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import { trendOf } from './trend.js';

describe('trendOf', () => {
  it.each([
    ['100.00', '105.00', 'stable'],
    ['100.00', '105.01', 'increasing'],
    ['100.00', '95.00', 'stable'],
    ['100.00', '94.99', 'decreasing'],
    ['0.00', '0.01', 'increasing'],
    ['0.00', '0.00', 'stable'],
    ['10.00', '0.00', 'decreasing'],
  ])('the trend from %s to %s is %s', (earliest, latest, expected) => {
    expect(trendOf({ earliest: new Big(earliest), latest: new Big(latest) })).toBe(expected);
  });
});
