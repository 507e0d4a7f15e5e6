import createOpenApiClient from 'openapi-fetch';
import { bodyOf, errorOf, isApiError, type ApiError } from './errors.js';
import { randomKey } from './idempotency-key.js';
import { nextPageOf } from './pages.js';
import { fetchWithRetries, type Exchange, type RetrySettings } from './retry.js';
import { API_PREFIX, rulesOf, type OperationRules } from './rules.js';
import { authorize, Session, type AccessToken } from './session.js';
import type {
  ApiCall,
  ApiMethod,
  ApiPaths,
  ApiResponse,
  Cancellation,
  Operation,
  PagedPath,
  RequestOptions,
  Schemas,
} from './types.js';

export interface ExpenseClientOptions extends Partial<RetrySettings> {
  /**
   * The address of the service without `/api/v1`, for example `http://localhost:3000`; in browsers
   * also a path, or `''`. The constructor throws a `TypeError` for one that ends in `/api/v1`, and
   * for `localhost:3000` without a scheme.
   */
  baseUrl: string;
  /**
   * A token that the application has stored; or a personal access token as text, in place of a
   * sign-in: it is never refreshed.
   */
  token?: AccessToken | string | undefined;
  /**
   * Called with each new token, and with `undefined` at the end of the session: to store or remove
   * it.
   */
  onToken?: (token: AccessToken | undefined) => void;
  /**
   * Called when the session has ended and the user must sign in again, with the error of the
   * refused request.
   */
  onSessionEnd?: (error: ApiError) => void;
  /** Whether the token is also refreshed while there are no requests. Default: false. */
  keepAlive?: boolean;
}

/**
 * A client of the API for one user. `GET`, `POST`, `PUT`, `PATCH` and `DELETE` take a path of the
 * OpenAPI document without `/api/v1`.
 */
export class ExpenseClient {
  readonly GET: ApiCall<'get'> = (path, ...[options]) => this.call('get', path, options);
  readonly POST: ApiCall<'post'> = (path, ...[options]) => this.call('post', path, options);
  readonly PUT: ApiCall<'put'> = (path, ...[options]) => this.call('put', path, options);
  readonly PATCH: ApiCall<'patch'> = (path, ...[options]) => this.call('patch', path, options);
  readonly DELETE: ApiCall<'delete'> = (path, ...[options]) => this.call('delete', path, options);

  private readonly api;
  private readonly baseUrl: string;
  private readonly retrySettings: RetrySettings;
  private session: Session | undefined;

  constructor(private readonly options: ExpenseClientOptions) {
    const { token, fetch, maxRetries, maxWaitMs, timeoutMs } = options;
    const baseUrl = options.baseUrl.replace(/\/+$/, '');
    if (baseUrl.endsWith(API_PREFIX)) {
      throw new TypeError(`baseUrl must not end in /api/v1, which the client adds: ${baseUrl}`);
    }
    // `localhost:3000` is a URL with the scheme `localhost:`, which `fetch` does not know.
    if (/^[\w.-]+:(?!\/\/)/.test(baseUrl)) {
      throw new TypeError(`baseUrl must begin with http:// or https://: ${baseUrl}`);
    }
    this.baseUrl = baseUrl;
    this.api = createOpenApiClient<ApiPaths>({ baseUrl });
    this.retrySettings = {
      // In browsers, `fetch` must not be called as a method of another object.
      fetch: (request, init) => (fetch ?? globalThis.fetch)(request, init),
      maxRetries: maxRetries ?? 4,
      maxWaitMs: maxWaitMs ?? 60_000,
      timeoutMs: timeoutMs ?? 30_000,
    };
    this.token = typeof token === 'string' ? { value: token, expiresAt: Infinity } : token;
  }

  /** The current token. Set it to use one that another tab has stored. */
  get token(): AccessToken | undefined {
    return this.session?.token;
  }

  set token(token: AccessToken | undefined) {
    if (token?.value === this.token?.value) return;
    this.session?.stop();
    this.session =
      token &&
      new Session(token, {
        keepAlive: this.options.keepAlive ?? false,
        refresh: (session) => this.refresh(session),
        onRefresh: (session) => {
          if (this.session === session) this.options.onToken?.(session.token);
        },
      });
  }

  /**
   * Begins a session. Throws `ApiError` with `INVALID_CREDENTIALS`, `INACTIVE_USER`, or
   * `VALIDATION_ERROR` of the fields `email` and `password`.
   */
  async signIn({ email, password }: { email: string; password: string }): Promise<void> {
    await this.POST('/auth/login', { body: { email, password } });
  }

  /** Ends the session. Its token is removed even if the service cannot be reached. */
  async signOut(): Promise<void> {
    const { session } = this;
    if (!session) return;
    try {
      await this.POST('/auth/logout');
    } catch (error) {
      // The session has already ended.
      if (!isApiError(error, 'INVALID_TOKEN')) throw error;
    } finally {
      if (this.session === session) this.changeToken(undefined);
    }
  }

  /**
   * Marks expenses of a cycle as paid, all or none, and each only if it is still the one that was
   * read.
   *
   * @param expenses 1 to 200, as they were read
   * @returns the paid expenses, and the balance of the cycle in USD
   * @throws ApiError with `PRECONDITION_FAILED`, and `details.id` of an expense that has changed
   */
  payMany(
    cycleId: string,
    expenses: readonly Pick<Schemas['ExpenseResponse'], 'id' | 'updated_at'>[],
    options?: Cancellation,
  ): Promise<ApiResponse<Operation<'patch', '/cycles/{cycle_id}/expenses'>>> {
    return this.PATCH('/cycles/{cycle_id}/expenses', {
      ...options,
      params: { path: { cycle_id: cycleId } },
      body: {
        expenses: expenses.map(({ id, updated_at }) => ({ id, if_match: updated_at, paid: true })),
      },
    });
  }

  /**
   * Moves expenses that are neither paid nor cancelled, and incomes that are not received, to
   * another cycle, all or none.
   *
   * @param ids of both cycles, and of the expenses and incomes; without the latter two, all such
   *   expenses of the cycle, and no incomes
   * @returns each expense and income in its new cycle, and the balances of both cycles in USD
   */
  carryOver(
    {
      from,
      to,
      expenseIds,
      incomeIds,
    }: { from: string; to: string; expenseIds?: string[]; incomeIds?: string[] },
    options?: Cancellation,
  ): Promise<ApiResponse<Operation<'post', '/cycles/{id}/carry-over'>>> {
    return this.POST('/cycles/{id}/carry-over', {
      ...options,
      params: { path: { id: from } },
      body: { to_cycle_id: to, expense_ids: expenseIds ?? null, income_ids: incomeIds ?? null },
    });
  }

  /**
   * Takes back the change in a record of `GET /activity`.
   *
   * @returns the record as it is now, and `activity_id`, whose undo makes the change again
   * @throws ApiError with `RESOURCE_CONFLICT`, and `details.fields` with the fields that have
   *   changed since
   */
  undo(
    recordId: string,
    options?: Cancellation,
  ): Promise<ApiResponse<Operation<'post', '/activity/{id}/undo'>>> {
    return this.POST('/activity/{id}/undo', { ...options, params: { path: { id: recordId } } });
  }

  /**
   * Takes back everything that a request wrote, or nothing.
   *
   * @param operationId the header `Operation-Id` of the response to the request, or `operation_id`
   *   of its records in `GET /activity`
   * @returns `operation_id`, whose undo makes the changes again
   * @throws ApiError with `RESOURCE_CONFLICT`, and `details.activity_id` of the record that cannot
   *   be undone
   */
  undoOperation(
    operationId: string,
    options?: Cancellation,
  ): Promise<ApiResponse<Operation<'post', '/activity/operations/{operation_id}/undo'>>> {
    return this.POST('/activity/operations/{operation_id}/undo', {
      ...options,
      params: { path: { operation_id: operationId } },
    });
  }

  /**
   * The pages of a list, from the one that `options` select to the last one. Each is a response of
   * `GET`.
   */
  async *pages<Path extends PagedPath>(
    path: Path,
    options?: RequestOptions<Operation<'get', Path>>,
  ): AsyncGenerator<ApiResponse<Operation<'get', Path>>, void, undefined> {
    const { params } = { ...options } as { params?: { query?: object } };
    let next: object | undefined = {};
    for (let query = { ...params?.query }; next; query = { ...query, ...next }) {
      const page: ApiResponse<Operation<'get', Path>> = await this.call('get', path, {
        ...options,
        params: { ...params, query },
      });
      yield page;
      next = nextPageOf(page.data, page.response);
    }
  }

  /**
   * Sends a request of any operation. The types of the public methods describe its parameters and
   * its result.
   */
  private async call<Op>(
    method: ApiMethod,
    path: string,
    options: object = {},
    session = this.session,
  ): Promise<ApiResponse<Op>> {
    const rules = rulesOf(`${method.toUpperCase()} ${path}`);
    const { data: text, response } = (await this.api.request(
      method,
      path as never,
      {
        ...options,
        ...encodingOf(path, options),
        baseUrl: this.baseUrl + rules.prefix,
        parseAs: 'text',
        fetch: (request: Request) => this.send(request, rules, session),
      } as never,
    )) as { data: string | undefined; response: Response };
    const data = bodyOf(response, text);
    if (rules.startsSession) this.changeToken(tokenOf(data as Schemas['TokenResponse']));
    const etag = response.headers.get('ETag') ?? undefined;
    return { data, etag, response } as ApiResponse<Op>;
  }

  /** @throws ApiError, UnexpectedResponseError for a status other than 2xx; NetworkError */
  private async send(
    request: Request,
    rules: OperationRules,
    session: Session | undefined,
  ): Promise<Response> {
    if (rules.takesKey && !request.headers.has('Idempotency-Key')) {
      request.headers.set('Idempotency-Key', randomKey());
    }
    const send = (): Promise<Exchange> =>
      fetchWithRetries(request, rules.isRepeatable, this.retrySettings);
    if (rules.token === 'current' && session) authorize(request, session.token.value);
    const { response, isRepeated } =
      rules.token === 'refreshed' && session ? await session.send(request, send) : await send();
    if (response.ok) return response;
    const error = await errorOf(response, isRepeated);
    if (rules.token === 'refreshed' && session?.isOver && isApiError(error, 'INVALID_TOKEN')) {
      this.endSession(session, error);
    }
    throw error;
  }

  private async refresh(session: Session): Promise<AccessToken> {
    type Refresh = Operation<'post', '/auth/refresh'>;
    const { data } = await this.call<Refresh>('post', '/auth/refresh', {}, session);
    return tokenOf(data);
  }

  private endSession(session: Session, error: ApiError): void {
    // Concurrent requests report it once; a session that the user has begun since then is kept.
    if (this.session !== session) return;
    this.changeToken(undefined);
    this.options.onSessionEnd?.(error);
  }

  private changeToken(token: AccessToken | undefined): void {
    this.token = token;
    this.options.onToken?.(token);
  }
}

/** The encoding of a body that is not JSON: the form of the sign-in, or CSV. */
function encodingOf(path: string, { body }: { body?: unknown }): object {
  if (path === '/auth/login') {
    return {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      bodySerializer: (form: Record<string, string>) => new URLSearchParams(form),
    };
  }
  return typeof body === 'string'
    ? { headers: { 'Content-Type': 'text/csv' }, bodySerializer: String }
    : {};
}

function tokenOf(response: Schemas['TokenResponse']): AccessToken {
  return {
    value: response.access_token,
    expiresAt: Date.now() + response.expires_in * 1000,
  };
}
