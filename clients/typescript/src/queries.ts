import type { ExpenseClient } from './client.js';
import { isApiError } from './errors.js';
import { CachedQuery, type Query, type QueryState, type ReadResult } from './query.js';
import { rulesOf } from './rules.js';
import { Submissions } from './submissions.js';
import type {
  ApiResponse,
  DataAt,
  GetPath,
  Operation,
  PathsWith,
  RequestInput,
  RequestOptions,
} from './types.js';

export type { Query, QueryState };

/** How many queries without subscribers are kept. */
const MAX_IDLE_QUERIES = 100;

/** How the service names what a request wrote. */
const OPERATION_ID = 'Operation-Id';

type WriteMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type HeadersOf<Op> = Op extends { parameters: { header?: infer Headers } }
  ? NonNullable<Headers>
  : never;

type IfMatch<Op> = [HeadersOf<Op>] extends [never]
  ? NoIfMatch
  : 'If-Match' extends keyof HeadersOf<Op>
    ? {
        /** The `etag` of what the user sees, or its `updated_at` in quotes. */
        ifMatch?: string | undefined;
      }
    : NoIfMatch;

interface NoIfMatch {
  ifMatch?: never;
}

/** The options of the client, and `ifMatch` where the operation takes `If-Match`. */
export type SendOptions<Op> = RequestOptions<Op> & IfMatch<Op> & RefreshOptions;

interface RefreshOptions {
  /**
   * The paths of what the write does not change, or changes only where the page does not show it.
   * After the write, their queries are not read again at once, as all others are, but when they next
   * get a first subscriber, as on another page.
   */
  refreshLater?: readonly GetPath[] | undefined;
}

/** The response to a write. */
export type Sent<Op> = ApiResponse<Op> & {
  /** For `undo`; `undefined` if the request has written nothing that can be undone. */
  operationId: string | undefined;
};

/** The options, which may be left out where none is required. */
type Optional<Options> = object extends Options ? [Options?] : [Options];

/** Data that is read once for all who show it, and read again after each write. */
export class Queries {
  private readonly queries = new Map<string, CachedQuery<unknown>>();
  private readonly subscribed = new Set<CachedQuery<unknown>>();
  /** In the order in which they lost their last subscriber, or were created. */
  private readonly idle = new Set<CachedQuery<unknown>>();
  private readonly submissions = new Submissions();
  /** Changes with `clear`. */
  private generation = {};

  constructor(private readonly client: ExpenseClient) {}

  /**
   * The query for a path and its parameters: the same one for equal parameters. It reads when it
   * has its first subscriber, and aborts the request when it has none.
   */
  query<Path extends GetPath>(
    path: Path,
    ...[options]: Optional<RequestInput<Operation<'get', Path>>>
  ): Query<DataAt<Path>> {
    const key = `${path} ${canonical(options)}`;
    let query = this.queries.get(key);
    if (!query) {
      const created = new CachedQuery<unknown>({
        path,
        read: (signal) => this.read(path, { ...options, signal }),
        onSubscribed: () => this.addSubscribed(key, created),
        onUnsubscribed: () => this.addIdle(created),
      });
      query = created;
      this.queries.set(key, query);
      this.addIdle(query);
    }
    return query as Query<DataAt<Path>>;
  }

  /**
   * Reads all queries with subscribers again, and the others when they next have one. Their data
   * is shown meanwhile. Never rejects: each query has its own error.
   */
  refresh(): Promise<void> {
    return this.refreshAllBut([]);
  }

  /** Forgets all data, for a sign-out. Queries with subscribers read again at `refresh`. */
  clear(): void {
    this.generation = {};
    this.submissions.clear();
    for (const query of [...this.idle, ...this.subscribed]) query.clear();
    for (const query of this.idle) this.remove(query);
  }

  /**
   * Sends a write, and then begins to read the queries again, without waiting for them; also if the
   * service says that the data has changed (404, 409, 412). `refreshLater` names those that are not
   * read at once after the write.
   *
   * The same `POST` takes effect once while it is running, and if it is sent again within ten
   * minutes after it has failed, for example with a `NetworkError`: it has the same
   * `Idempotency-Key`.
   *
   * @throws what the client throws
   */
  async send<Method extends WriteMethod, Path extends PathsWith<Lowercase<Method>>>(
    method: Method,
    path: Path,
    ...[options]: Optional<SendOptions<Operation<Lowercase<Method>, Path>>>
  ): Promise<Sent<Operation<Lowercase<Method>, Path>>> {
    const sent = await this.write(method, path, { ...(options as UntypedOptions) });
    return sent as Sent<Operation<Lowercase<Method>, Path>>;
  }

  /**
   * Takes back everything that a write changed, or nothing.
   *
   * @param operationId of the response of `send`
   * @returns also the `operationId` of the undo, whose undo makes the changes again
   */
  undo(
    operationId: string,
  ): Promise<Sent<Operation<'post', '/activity/operations/{operation_id}/undo'>>> {
    return this.send('POST', '/activity/operations/{operation_id}/undo', {
      params: { path: { operation_id: operationId } },
    });
  }

  private async read(path: string, options: object): Promise<ReadResult<unknown>> {
    return (this.client.GET as UntypedCall)(path, options);
  }

  private async write(
    method: WriteMethod,
    path: string,
    { ifMatch, signal, refreshLater = [], ...request }: UntypedOptions,
  ): Promise<object> {
    const { generation } = this;
    const send = (header: object): Promise<ApiResponse<unknown>> =>
      (this.client[method] as UntypedCall)(path, {
        ...request,
        ...(signal && { signal }),
        params: { ...request.params, header: { ...header, ...request.params?.header } },
      });
    try {
      const response = await (rulesOf(`${method} ${path}`).takesKey
        ? this.submissions.send(`${method} ${path} ${canonical(request)}`, (key) =>
            send({ 'Idempotency-Key': key }),
          )
        : send(ifMatch === undefined ? {} : { 'If-Match': ifMatch }));
      this.refreshAfterWrite(generation, refreshLater);
      const operationId = response.response.headers.get(OPERATION_ID) ?? undefined;
      return { ...response, operationId };
    } catch (error) {
      if (isApiError(error) && [404, 409, 412].includes(error.status)) {
        this.refreshAfterWrite(generation, []);
      }
      throw error;
    }
  }

  /** Does nothing after a `clear`, because the session of the write has ended. */
  private refreshAfterWrite(generation: object, refreshLater: readonly string[]): void {
    if (this.generation === generation) void this.refreshAllBut(refreshLater);
  }

  private async refreshAllBut(refreshLater: readonly string[]): Promise<void> {
    const isLater = ({ path }: CachedQuery<unknown>) => refreshLater.includes(path);
    const subscribed = [...this.subscribed];
    for (const query of [...this.idle, ...subscribed.filter(isLater)]) query.invalidate();
    const now = subscribed.filter((query) => !isLater(query));
    await Promise.all(now.map((query) => query.refresh()));
  }

  private addSubscribed(key: string, query: CachedQuery<unknown>): void {
    this.idle.delete(query);
    this.subscribed.add(query);
    // It was removed while the caller kept it.
    if (!this.queries.has(key)) this.queries.set(key, query);
  }

  private addIdle(query: CachedQuery<unknown>): void {
    this.subscribed.delete(query);
    this.idle.add(query);
    const [oldest] = this.idle;
    if (oldest && this.idle.size > MAX_IDLE_QUERIES) this.remove(oldest);
  }

  private remove(query: CachedQuery<unknown>): void {
    this.idle.delete(query);
    for (const [key, each] of this.queries) if (each === query) this.queries.delete(key);
  }
}

interface UntypedOptions {
  params?: { header?: object };
  body?: unknown;
  signal?: AbortSignal;
  ifMatch?: string | undefined;
  refreshLater?: readonly string[] | undefined;
}

type UntypedCall = (path: string, options: object) => Promise<ApiResponse<unknown>>;

/** JSON that is equal for equal options, in whatever order their properties are. */
function canonical(options: object | undefined): string {
  return JSON.stringify(options ?? {}, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
