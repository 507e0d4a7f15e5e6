import { parseIdempotencyKey } from '../idempotency/idempotency-key.js';
import { ValidationFailedError } from '../platform/errors/domain-error.js';
import type { FieldErrors } from '../platform/errors/field-reasons.js';
import type { DescribedTool } from './described-tools.js';

/** A request for an operation. */
export interface OperationRequest {
  method: string;
  /** The path ends with the query. */
  path: string;
  headers: Record<string, string>;
  /** JSON. */
  body?: string;
}

export type Arguments = Readonly<Record<string, unknown>>;

/**
 * The request for the operation of a tool. The operation validates the values; here is refused what
 * cannot be sent to it.
 *
 * @throws ValidationFailedError
 */
export function toOperationRequest(tool: DescribedTool, args: Arguments): OperationRequest {
  const { method, hasBody } = tool;
  assertSendable(tool, args);
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  const body: [string, unknown][] = [];
  let path = tool.path;
  for (const [name, value] of Object.entries(args)) {
    switch (tool.places.get(name)) {
      case 'path':
        path = path.replace(`{${name}}`, () => encodePathSegment(toText(value)));
        break;
      case 'query':
        if (value !== null) query.set(name, toText(value));
        break;
      case 'body':
        body.push([name, value]);
        break;
      case 'header':
        if (value === null) break;
        parseIdempotencyKey(toText(value));
        headers['Idempotency-Key'] = toText(value);
        break;
      case 'nowhere':
      case undefined:
        break;
    }
  }
  if (hasBody) headers['Content-Type'] = 'application/json';
  return {
    method,
    path: query.size > 0 ? `${path}?${query.toString()}` : path,
    headers,
    ...(hasBody && { body: JSON.stringify(Object.fromEntries(body)) }),
  };
}

/** @throws ValidationFailedError naming unknown arguments, and missing ones of the path */
function assertSendable({ places }: DescribedTool, args: Arguments): void {
  const errors: FieldErrors = {};
  for (const name of Object.keys(args).filter((one) => !places.has(one))) {
    errors[name] = [{ reason: 'unknown_field', message: `property ${name} should not exist` }];
  }
  for (const [name, place] of places) {
    const value = args[name];
    if (place !== 'path' || (typeof value === 'string' && value !== '')) continue;
    errors[name] = [{ reason: 'required', message: `${name} must be an id` }];
  }
  if (Object.keys(errors).length > 0) throw new ValidationFailedError(errors);
}

/** Lists are separated by commas. */
const toText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(toText).join(',')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

/** A lone surrogate, which a URL cannot have, becomes a replacement character. */
const encodePathSegment = (text: string): string =>
  encodeURIComponent(Buffer.from(text).toString());
