import { Big } from 'big.js';
import { OperatorError } from '../platform/errors/domain-error.js';
import { isCalendarDate, type CalendarDate } from '../platform/values/calendar-date.js';
import type { NewRate } from './rates-file.js';

/** Ten years of daily rates have 250 KB. */
const MAX_BODY_BYTES = 1_000_000;
/** The precision of the column: 12 integer digits and 6 decimals. */
const RATE_DECIMALS = 6;
const RATE_LIMIT = new Big('1e12');

/** The server with the rates cannot be reached, or its response is refused. */
export class RatesSourceError extends OperatorError {}

/**
 * Fetches the rates of MXN in USD from a server with the API of Frankfurter v2. Days without a
 * rate, such as weekends, are absent. A server may begin with the last rate before `from`, which is
 * left out: only the requested days are stored.
 *
 * @param server the address to which `/v2/rates` is appended
 * @throws RatesSourceError; one invalid rate refuses all
 */
export async function fetchRates(
  server: string,
  { from, to }: { from: CalendarDate; to: CalendarDate },
  signal: AbortSignal,
): Promise<NewRate[]> {
  const query = new URLSearchParams({ from, to, base: 'mxn', quotes: 'usd' });
  const url = `${server.replace(/\/$/, '')}/v2/rates?${query.toString()}`;
  try {
    const response = await fetch(url, { headers: { Accept: 'application/json' }, signal });
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    const rates: unknown = JSON.parse(await readBody(response));
    if (!Array.isArray(rates)) throw new Error('the response is not an array of rates');
    return rates
      .map((rate) => parseRate(rate as Record<string, unknown> | null, to))
      .filter(({ rateDate }) => rateDate >= from);
  } catch (error) {
    throw new RatesSourceError(`${url}: ${reasonOf(error as Error)}`);
  }
}

async function readBody({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error(`the response exceeds ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parseRate(value: Record<string, unknown> | null, latest: CalendarDate): NewRate {
  const refuse = (problem: string): never => {
    throw new Error(`${problem}: ${JSON.stringify(value).slice(0, 200)}`);
  };
  const { date, base, quote, rate } = value ?? {};
  if (base !== 'MXN' || quote !== 'USD') return refuse('not a rate of MXN in USD');
  if (!isCalendarDate(date)) return refuse('not a date');
  if (date > latest) return refuse('a rate of the future');
  if (typeof rate !== 'number') return refuse('not a number');
  const rounded = new Big(rate).round(RATE_DECIMALS, Big.roundHalfUp);
  if (rounded.lte(0) || rounded.gte(RATE_LIMIT)) return refuse('not a positive rate');
  return { fromCurrency: base, toCurrency: quote, rate: rounded, rateDate: date };
}

/** A failed connection is the cause of an error that does not say why. */
function reasonOf(error: Error): string {
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  if (!cause) return error.message;
  // The cause has no message if several addresses of the server were tried.
  return cause.message === '' ? String(cause.code) : cause.message;
}
