/** The last answers of the service, which are shown while it cannot be reached. */
import { useSyncExternalStore } from 'react';

const CACHE = 'answers';
const MAX_ANSWERS = 100;

/** Whether the last answer that was shown is an earlier one. */
let isCut = false;
const changes = new EventTarget();

function setCut(value: boolean): void {
  if (value === isCut) return;
  isCut = value;
  changes.dispatchEvent(new Event('change'));
}

/** Undefined where the page has no secure address, and thus no place to keep anything. */
const open = async () => ('caches' in globalThis ? caches.open(CACHE) : undefined);

/**
 * A `fetch` that returns the last answer to the same GET where there is no connection.
 *
 * @param isOfSession whether a request belongs to the session that is stored: an answer that
 *   arrives after the sign-out, or to another user, is not kept
 */
export const fetchOrLast =
  (isOfSession: (request: Request) => boolean) =>
  async (request: Request, init: RequestInit): Promise<Response> => {
    const isRead = request.method === 'GET';
    try {
      const response = await fetch(request, init);
      setCut(false);
      if (isRead && response.ok && isOfSession(request)) void keep(request.url, response.clone());
      return response;
    } catch (error) {
      const last =
        isRead &&
        !init.signal?.aborted &&
        (await (await open())?.match(request.url, { ignoreVary: true }));
      if (!last || !isOfSession(request)) throw error;
      setCut(true);
      return last;
    }
  };

/** Under the address alone, because a request contains the token. */
async function keep(url: string, response: Response): Promise<void> {
  // A copy of everything is no view.
  if (url.endsWith('/export')) return;
  const cache = await open();
  await cache?.put(url, response);
  const kept = (await cache?.keys()) ?? [];
  for (const oldest of kept.slice(0, -MAX_ANSWERS)) await cache?.delete(oldest);
}

/** For the end of a session: the next one may be that of another user. */
export async function forgetAnswers(): Promise<void> {
  if ('caches' in globalThis) await caches.delete(CACHE);
}

function subscribe(listener: () => void): () => void {
  changes.addEventListener('change', listener);
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    changes.removeEventListener('change', listener);
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Whether what is shown may not be the latest. */
export const useIsOffline = (): boolean =>
  useSyncExternalStore(subscribe, () => isCut || !navigator.onLine);
