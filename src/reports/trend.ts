import type { Money } from '../common/money.js';

export const TRENDS = ['increasing', 'decreasing', 'stable'] as const;
export type Trend = (typeof TRENDS)[number];

/** Where an amount goes; a change of up to 5 % of the earliest is none. */
export function trendOf({ earliest, latest }: { earliest: Money; latest: Money }): Trend {
  if (latest.gt(earliest.times('1.05'))) return 'increasing';
  return latest.lt(earliest.times('0.95')) ? 'decreasing' : 'stable';
}
