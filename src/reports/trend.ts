import type { Money } from '../platform/values/money.js';

export const TRENDS = ['increasing', 'decreasing', 'stable'] as const;
export type Trend = (typeof TRENDS)[number];

/** The trend between two amounts; a change of up to 5 % of the earliest amount is `stable`. */
export function trendOf({ earliest, latest }: { earliest: Money; latest: Money }): Trend {
  if (latest.gt(earliest.times('1.05'))) return 'increasing';
  return latest.lt(earliest.times('0.95')) ? 'decreasing' : 'stable';
}
