import { NetworkError } from './errors.js';

const FIRST_BACKOFF_MS = 300;
const MAX_BACKOFF_MS = 10_000;

/**
 * The service, or a proxy before it, is temporarily unavailable. The request may have been
 * processed.
 */
const UNAVAILABLE = [502, 503, 504];

export interface RetrySettings {
  fetch: (request: Request, init: RequestInit) => Promise<Response>;
  /** How often a request is sent again. */
  maxRetries: number;
  /** How long a request waits in total before it is sent again. */
  maxWaitMs: number;
  /** How long an attempt may take until its response has arrived completely. */
  timeoutMs: number;
}

export interface Exchange {
  response: Response;
  /** Whether an earlier attempt may have taken effect although its response was lost. */
  isRepeated: boolean;
}

/**
 * Sends a request, and again after an error that is temporary: after `Retry-After` seconds if the
 * response has them, otherwise with exponential backoff and jitter.
 *
 * @param isRepeatable whether it is safe to send the request again after it may have taken effect
 * @returns the response, with a body that has arrived completely
 * @throws NetworkError; the reason of the request's signal
 */
export async function fetchWithRetries(
  request: Request,
  isRepeatable: boolean,
  settings: RetrySettings,
): Promise<Exchange> {
  let isRepeated = false;
  let waitedMs = 0;
  for (let retries = 0; ; retries++) {
    const outcome = await attempt(request, settings);
    const failed = outcome instanceof NetworkError || UNAVAILABLE.includes(outcome.status);
    const backoffMs = Math.random() * Math.min(FIRST_BACKOFF_MS * 2 ** retries, MAX_BACKOFF_MS);
    const waitMs =
      outcome instanceof NetworkError ? backoffMs : Math.max(backoffMs, retryAfterMs(outcome));
    const isTemporary = failed ? isRepeatable : wasRefusedForNow(outcome);
    if (!isTemporary || retries >= settings.maxRetries || waitedMs + waitMs > settings.maxWaitMs) {
      if (outcome instanceof NetworkError) throw outcome;
      // The earlier attempt has deleted the record.
      const isDone = isRepeated && request.method === 'DELETE' && outcome.status === 404;
      return { response: isDone ? new Response(null, { status: 204 }) : outcome, isRepeated };
    }
    isRepeated ||= failed;
    waitedMs += waitMs;
    await wait(waitMs, request.signal);
  }
}

async function attempt(
  request: Request,
  { fetch, timeoutMs }: RetrySettings,
): Promise<Response | NetworkError> {
  request.signal.throwIfAborted();
  // Not `AbortSignal.timeout`, which Node.js 20 may collect, together with its timer, in an
  // `AbortSignal.any`.
  const timeout = new AbortController();
  const timer = setTimeout(() => {
    timeout.abort(new DOMException('The response took too long', 'TimeoutError'));
  }, timeoutMs);
  const signal = AbortSignal.any([request.signal, timeout.signal]);
  try {
    const response = await fetch(request.clone(), { signal });
    // The connection may still fail while the body is being read.
    await response.clone().arrayBuffer();
    return response;
  } catch (error) {
    request.signal.throwIfAborted();
    return new NetworkError(error, request.headers.get('Idempotency-Key') ?? undefined);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Whether the request has had no effect and will be accepted later: a rate limit, or its key is in
 * use.
 */
function wasRefusedForNow({ status, headers }: Response): boolean {
  return status === 429 || (status === 409 && headers.has('Retry-After'));
}

/** `Retry-After` in milliseconds, which is in seconds or, from a proxy, a date; 0 without it. */
function retryAfterMs({ headers }: Response): number {
  const value = headers.get('Retry-After') ?? '0';
  return (/^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()) || 0;
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}
