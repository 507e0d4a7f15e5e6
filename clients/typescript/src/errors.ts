import type { components } from './schema.js';

type ErrorResponses = components['responses'];
type ErrorBody = ErrorResponses[keyof ErrorResponses]['content']['application/json'];

/** The error codes of the API. A newer service may have more. */
export type ErrorCode = ErrorBody['error']['code'];

type DetailsByCode = { [Body in ErrorBody['error'] as Body['code']]: Body['details'] };

/** `error.details` of a response with the code. */
export type ErrorDetails<Code extends ErrorCode> = DetailsByCode[Code];

/**
 * A response in which the API reports an error. `isApiError` narrows `code`, and with it the type
 * of `details`.
 */
export class ApiError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'ApiError';
  readonly code: Code;
  readonly details: ErrorDetails<Code>;
  /** The HTTP status. */
  readonly status: number;
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined;

  /**
   * @param isRepeated whether an earlier attempt of the request may have taken effect although its
   *   response was lost. Then this client may itself have caused a 412 or 409: read the record
   *   again.
   */
  constructor(
    { code, message, details }: { code: Code; message: string; details: ErrorDetails<Code> },
    readonly response: Response,
    readonly isRepeated: boolean,
  ) {
    super(message);
    this.code = code;
    this.details = details;
    this.status = response.status;
    this.requestId = response.headers.get('X-Request-Id') ?? undefined;
  }
}

/**
 * No complete response arrived: no connection, a timeout, or an origin that the service does not
 * allow. `cause` is the error of `fetch`. A write may have taken effect.
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';

  /**
   * @param idempotencyKey that of a POST; sent again with the same body, it cannot take effect
   *   twice
   */
  constructor(
    cause: unknown,
    readonly idempotencyKey: string | undefined,
  ) {
    super('No response from the service', { cause });
  }
}

/** A response that is not one of the API, for example the HTML page of a proxy. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
  readonly status: number;

  /** @param text the body */
  constructor(
    readonly response: Response,
    readonly text: string,
  ) {
    super(`Unexpected response with status ${String(response.status)}`);
    this.status = response.status;
  }
}

/**
 * Whether this is an `ApiError`, with one of the codes if any are given. `switch (error.code)` and
 * codes narrow the type of `error.details`.
 */
export function isApiError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is { [Each in Code]: ApiError<Each> }[Code] {
  return (
    error instanceof ApiError &&
    (codes.length === 0 || (codes as ErrorCode[]).includes(error.code as ErrorCode))
  );
}

/** The error for a response outside 2xx. */
export async function errorOf(
  response: Response,
  isRepeated: boolean,
): Promise<ApiError | UnexpectedResponseError> {
  const text = await response.text();
  const body = parsed(text) as Partial<ErrorBody> | null | undefined;
  return typeof body?.error?.code === 'string'
    ? new ApiError(body.error, response, isRepeated)
    : new UnexpectedResponseError(response, text);
}

/** The body of a response with status 2xx: JSON, text in CSV, or nothing. */
export function bodyOf(response: Response, text: string | undefined): unknown {
  if (!text || response.headers.get('Content-Type')?.startsWith('text/csv')) return text;
  const body = parsed(text);
  if (body === undefined) throw new UnexpectedResponseError(response, text);
  return body;
}

/** The value, or `undefined` if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
