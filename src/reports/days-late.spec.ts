import { describe, expect, it } from '@jest/globals';
import { meanDays } from './days-late.js';

describe('meanDays', () => {
  it.each([
    [0, 0, null],
    [0, 3, 0],
    [7, 1, 7],
    [-7, 2, -3.5],
    [1, 3, 0.3],
    [2, 3, 0.7],
    [1, 4, 0.3],
    [-1, 4, -0.3],
    [1, 20, 0.1],
    [-1, 20, -0.1],
    [1, 21, 0],
    [-1, 21, 0],
    [23, 20, 1.2],
    [-23, 20, -1.2],
    [5, 50_000, 0],
    [40_000_000_000, 200_000, 200_000],
  ])('the mean of %d days in %d entries is %s', (sum, count, expected) => {
    // toBe distinguishes 0 and -0.
    expect(meanDays(sum, count)).toBe(expected);
  });
});
