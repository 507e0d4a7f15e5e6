import { withPauses } from '../platform/process/pauses.js';
import { dayNumber } from '../platform/values/calendar-date.js';
import { dayIn } from '../platform/values/time-zone.js';
import type { TemplateTotals } from './variance.queries.js';

type SettledEntries = Pick<TemplateTotals, 'id' | 'settled' | 'settled_at' | 'settled_days'>;

/**
 * The mean number of days by which the entries of each template were paid or received late in the
 * time zone, by its id: negative when earlier; null without settled entries. It is not computed in
 * SQL, where the name of a zone can mean another rule than here. A report can have tens of thousands of entries, between which other
 * requests are processed.
 */
export async function meanDaysLateOf(
  templates: readonly SettledEntries[],
  timeZone: string,
): Promise<Map<string, number | null>> {
  const sums = new Map(templates.map(({ id, settled_days }) => [id, -settled_days]));
  for await (const [id, instant] of withPauses(instantsOf(templates))) {
    sums.set(id, (sums.get(id) ?? 0) + dayNumber(dayIn(timeZone, new Date(instant))));
  }
  return new Map(templates.map(({ id, settled }) => [id, meanDays(sums.get(id) ?? 0, settled)]));
}

function* instantsOf(templates: readonly SettledEntries[]): Generator<[string, number], void> {
  for (const { id, settled_at } of templates) {
    for (const instant of settled_at) yield [id, instant];
  }
}

/**
 * The mean with at most one decimal, half away from zero, never -0; null of nothing.
 *
 * @param sum the sum of `count` whole numbers of days
 */
export function meanDays(sum: number, count: number): number | null {
  if (count === 0) return null;
  // Whole numbers are exact.
  const tenths = Math.floor((20 * Math.abs(sum) + count) / (2 * count));
  return tenths === 0 ? 0 : (Math.sign(sum) * tenths) / 10;
}
