import { isApiError } from './errors.js';

/** What is known of a query. Each change makes another object. */
export interface QueryState<Data> {
  /** What was read last; kept while it is read again, and after an error other than 403 and 404. */
  data: Data | undefined;
  /** The tag of `data`, for `If-Match`, if it is a single record. */
  etag: string | undefined;
  /** Why the last reading failed; `undefined` if it succeeded. */
  error: unknown;
  /** Whether it is being read, or will be for the first time with the first subscriber. */
  isLoading: boolean;
}

/** Data of the service, for `useSyncExternalStore` of React, or what another framework has. */
export interface Query<Data> {
  /** The same object until something changes. */
  getSnapshot: () => QueryState<Data>;
  /** Calls the listener after each change. Returns a function that ends this. */
  subscribe: (listener: () => void) => () => void;
  /** Reads again, also without subscribers. Resolves afterwards, and never rejects. */
  refresh: () => Promise<void>;
}

/** The data that was read, and its tag. */
export interface ReadResult<Data> {
  data: Data;
  etag: string | undefined;
}

interface QuerySettings<Data> {
  /** As it is in the OpenAPI document, such as `/cycles/{id}`. */
  path: string;
  read: (signal: AbortSignal) => Promise<ReadResult<Data>>;
  /** Called with the first subscriber. */
  onSubscribed: () => void;
  /** Called when there are no more subscribers. */
  onUnsubscribed: () => void;
}

/** How long data counts as current when a query gets a subscriber again. */
const CURRENT_MS = 10_000;

const UNREAD = { data: undefined, etag: undefined, error: undefined, isLoading: true };

export class CachedQuery<Data> implements Query<Data> {
  private state: QueryState<Data> = UNREAD;
  /** By subscription, because a listener may subscribe twice. */
  private readonly listeners = new Map<object, () => void>();
  /** When the data was read, in milliseconds since 1970; 0 if it has to be read again. */
  private readAt = 0;
  /** The reading whose result counts. */
  private reading: { controller: AbortController; done: Promise<void> } | undefined;

  constructor(private readonly settings: QuerySettings<Data>) {}

  get path(): string {
    return this.settings.path;
  }

  readonly getSnapshot = (): QueryState<Data> => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    const subscription = {};
    this.listeners.set(subscription, listener);
    if (this.listeners.size === 1) this.begin();
    return () => {
      if (this.listeners.delete(subscription) && this.listeners.size === 0) this.end();
    };
  };

  readonly refresh = async (): Promise<void> => {
    // What an earlier request returns may be older than the reason to refresh.
    this.reading?.controller.abort();
    // If this reading is aborted too, the next subscriber reads again.
    this.readAt = 0;
    const controller = new AbortController();
    const done = this.read(controller);
    this.reading = { controller, done };
    this.change({ isLoading: true });
    await done;
    // A later refresh may have replaced this one.
    await this.endOfReading();
  };

  /** Lets the next subscriber read again, and a request that is running start again. */
  invalidate(): void {
    this.readAt = 0;
    if (this.reading) void this.refresh();
  }

  /** Forgets the data. */
  clear(): void {
    this.abort();
    this.readAt = 0;
    this.change({ ...UNREAD, isLoading: this.listeners.size === 0 });
  }

  private async endOfReading(): Promise<void> {
    while (this.reading) await this.reading.done;
  }

  private begin(): void {
    this.settings.onSubscribed();
    if (!this.reading && Date.now() - this.readAt > CURRENT_MS) void this.refresh();
  }

  private end(): void {
    this.settings.onUnsubscribed();
    // A component that takes the place of another one subscribes at once.
    queueMicrotask(() => {
      if (this.listeners.size > 0 || !this.reading) return;
      this.abort();
      this.change({ isLoading: this.state.data === undefined && this.state.error === undefined });
    });
  }

  private abort(): void {
    this.reading?.controller.abort();
    this.reading = undefined;
  }

  private async read({ signal }: AbortController): Promise<void> {
    const result = await this.settings.read(signal).then(
      ({ data, etag }) => ({ data: this.sameOr(data), etag, error: undefined }),
      (error: unknown) => ({ ...(isGone(error) && UNREAD), error }),
    );
    // It was aborted, or a later request has replaced it.
    if (this.reading?.controller.signal !== signal) return;
    this.reading = undefined;
    this.readAt = result.error === undefined ? Date.now() : 0;
    this.change({ ...result, isLoading: false });
  }

  /** The data that is shown, if it is equal, so that a view of it need not be drawn again. */
  private sameOr(data: Data): Data {
    const { data: shown } = this.state;
    return JSON.stringify(shown) === JSON.stringify(data) ? (shown as Data) : data;
  }

  private change(changes: Partial<QueryState<Data>>): void {
    const state = { ...this.state, ...changes };
    const names = Object.keys(state) as (keyof QueryState<Data>)[];
    if (names.every((name) => Object.is(state[name], this.state[name]))) return;
    this.state = Object.freeze(state);
    for (const listener of [...this.listeners.values()]) listener();
  }
}

/** Whether the data does not exist any more, or may not be read any more. */
function isGone(error: unknown): boolean {
  return isApiError(error) && [403, 404].includes(error.status);
}
