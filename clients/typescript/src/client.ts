import createOpenApiClient from 'openapi-fetch';
import { bodyOf, errorOf, isApiError, type ApiError } from './errors.js';
import { nextPageOf } from './pages.js';
import { fetchWithRetries, type Exchange, type RetrySettings } from './retry.js';
import { rulesOf, type OperationRules } from './rules.js';
import { authorize, Session, type AccessToken } from './session.js';
import type {
  ApiCall,
  ApiMethod,
  ApiPaths,
  ApiResponse,
  Operation,
  PagedPath,
  RequestOptions,
  Schemas,
} from './types.js';

export interface ExpenseClientOptions extends Partial<RetrySettings> {
  /** The address of the service without `/api/v1`, for example `http://localhost:3000`. */
  baseUrl: string;
  /** A token that the application has stored. */
  token?: AccessToken | undefined;
  /** Called with each new token, and with `undefined` at the end of the session: to store or remove it. */
  onToken?: (token: AccessToken | undefined) => void;
  /** Called when the session is over and the user must sign in again, with the error of the refused request. */
  onSessionEnd?: (error: ApiError) => void;
  /** Whether the token is also refreshed while there are no requests. Default: false. */
  keepAlive?: boolean;
}

/**
 * A client of the API for one user. `GET`, `POST`, `PUT`, `PATCH` and `DELETE` take a path of the OpenAPI document
 * without `/api/v1`.
 */
export class ExpenseClient {
  readonly GET: ApiCall<'get'> = (path, ...[options]) => this.call('get', path, options);
  readonly POST: ApiCall<'post'> = (path, ...[options]) => this.call('post', path, options);
  readonly PUT: ApiCall<'put'> = (path, ...[options]) => this.call('put', path, options);
  readonly PATCH: ApiCall<'patch'> = (path, ...[options]) => this.call('patch', path, options);
  readonly DELETE: ApiCall<'delete'> = (path, ...[options]) => this.call('delete', path, options);

  private readonly api;
  private readonly retrySettings: RetrySettings;
  private session: Session | undefined;

  constructor(private readonly options: ExpenseClientOptions) {
    const { baseUrl, token, fetch, maxRetries, maxWaitMs, timeoutMs } = options;
    this.api = createOpenApiClient<ApiPaths>({ baseUrl: `${baseUrl.replace(/\/+$/, '')}/api/v1` });
    this.retrySettings = {
      // In browsers, `fetch` must not be called as a method of another object.
      fetch: (request, init) => (fetch ?? globalThis.fetch)(request, init),
      maxRetries: maxRetries ?? 4,
      maxWaitMs: maxWaitMs ?? 60_000,
      timeoutMs: timeoutMs ?? 30_000,
    };
    this.token = token;
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

  /** Begins a session. Throws `ApiError` with `INVALID_CREDENTIALS` or `INACTIVE_USER`. */
  async signIn({ email, password }: { email: string; password: string }): Promise<void> {
    await this.POST('/auth/login', { body: { username: email, password } });
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

  /** The pages of a list, from the one that `options` select to the last one. Each is a response of `GET`. */
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

  /** Sends a request of any operation. The types of the public methods describe its parameters and its result. */
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

/** 128 random bits. Unlike `crypto.randomUUID`, it works on pages without HTTPS, too. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
