import { createHash } from 'node:crypto';

/** The time from the beginning to the end of a request, in milliseconds. */
export interface Period {
  from: number;
  to: number;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const TODAY = /(?<="today":")\d{4}-\d\d-\d\d(?=")/g;
const ICS_INSTANT = /(?<=(?:DTSTAMP|LAST-MODIFIED):)\d{8}T\d{6}Z/g;

/**
 * The time of the first request in the examples; each later one is a minute after the one before.
 */
const BEGINNING = Date.parse('2026-01-18T16:20:31.482Z');
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/**
 * Instants that responses compute from the time of a request: now, and the ends of an invitation
 * and a token.
 */
const OFFSETS_DAYS = [0, 7, 90];

/** The value with ids, times and replaced texts that are the same at each recording. */
export function normalized<Value>(
  value: Value,
  periods: readonly Period[],
  replacements: ReadonlyMap<string, string>,
): Value {
  const ids = new Map<string, string>();
  const idOf = (id: string): string => {
    const same = ids.get(id) ?? uuidFrom(`example ${ids.size}`);
    ids.set(id, same);
    return same;
  };
  const replaced = [...replacements].reduce(
    (text, [random, example]) => text.replaceAll(random, example),
    JSON.stringify(value),
  );
  const text = replaced
    .replaceAll(TODAY, new Date(BEGINNING).toISOString().slice(0, 10))
    .replaceAll(ICS_INSTANT, compact(new Date(BEGINNING)))
    .replaceAll(INSTANT, (instant) => normalizedInstant(instant, periods))
    .replaceAll(UUID, idOf);
  return JSON.parse(text) as Value;
}

function normalizedInstant(instant: string, periods: readonly Period[]): string {
  for (const days of OFFSETS_DAYS) {
    const time = Date.parse(instant) - days * DAY_MS;
    const index = periods.findIndex(({ from, to }) => time >= from && time <= to);
    if (index !== -1) {
      return new Date(BEGINNING + index * MINUTE_MS + days * DAY_MS).toISOString();
    }
  }
  return instant;
}

const compact = (date: Date): string =>
  `${date.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

/** A UUID of version 4 that depends on the text alone. */
function uuidFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
