import { isApiError } from './errors.js';
import type { Exchange } from './retry.js';

/** Which part of the remaining lifetime of a token passes before it is refreshed. */
const REFRESH_AFTER = 0.8;
const MIN_REFRESH_INTERVAL_MS = 1000;

/** An access token. It can be stored as JSON. */
export interface AccessToken {
  value: string;
  /** Milliseconds since 1970; infinite for a personal access token, which cannot be refreshed. */
  expiresAt: number;
}

interface SessionSettings {
  /** Requests another token of the session. */
  refresh: (session: Session) => Promise<AccessToken>;
  onRefresh: (session: Session) => void;
  /** Whether the token is also refreshed while there are no requests. */
  keepAlive: boolean;
}

/** A sign-in: its current token, which is refreshed before it expires (docs/api.md, sessions). */
export class Session {
  private refreshAt = 0;
  private refreshing: Promise<void> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private over = false;

  constructor(
    private current: AccessToken,
    private readonly settings: SessionSettings,
  ) {
    this.over = current.expiresAt === Infinity;
    this.schedule();
  }

  get token(): AccessToken {
    return this.current;
  }

  /**
   * Whether the service refuses to refresh the token, or `stop` was called. The token may still be
   * valid.
   */
  get isOver(): boolean {
    return this.over;
  }

  /**
   * Sends a request with the token. If that is due for a refresh, this begins in the background,
   * because a token is valid until it expires. If the token is refused, the request is sent once
   * more with another one, if there is one.
   */
  async send(request: Request, send: () => Promise<Exchange>): Promise<Exchange> {
    if (Date.now() >= this.refreshAt && !this.isOver) void this.refresh();
    const token = this.current;
    authorize(request, token.value);
    const exchange = await send();
    if (exchange.response.status !== 401) return exchange;
    if (this.current === token && !this.isOver) {
      await unlessAborted(this.refresh(), request.signal);
    }
    if (this.current === token) return exchange;
    authorize(request, this.current.value);
    return send();
  }

  /** Ends the refreshing. */
  stop(): void {
    this.over = true;
    clearTimeout(this.timer);
  }

  /** Requests a new token, once for concurrent calls. Never rejects. */
  private refresh(): Promise<void> {
    return (this.refreshing ??= this.requestToken().finally(() => (this.refreshing = undefined)));
  }

  private async requestToken(): Promise<void> {
    try {
      this.current = await this.settings.refresh(this);
      this.settings.onRefresh(this);
    } catch (error) {
      // Any other error is temporary.
      this.over ||= isApiError(error, 'INVALID_TOKEN');
    }
    this.schedule();
  }

  private schedule(): void {
    const now = Date.now();
    const remainingMs = this.current.expiresAt - now;
    const delay = Math.max(remainingMs * REFRESH_AFTER, MIN_REFRESH_INTERVAL_MS);
    this.refreshAt = now + delay;
    clearTimeout(this.timer);
    if (!this.settings.keepAlive || this.isOver) return;
    this.timer = setTimeout(() => void this.refresh(), delay);
    // In Node.js, the timer must not keep the process running.
    (this.timer as { unref?: () => void }).unref?.();
  }
}

/** Sets the token of a request. */
export function authorize(request: Request, token: string): void {
  request.headers.set('Authorization', `Bearer ${token}`);
}

/** Waits for the promise, but not longer than until the signal is aborted. */
function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    promise.then(resolve, reject);
  });
}
