import type { Request } from 'express';
import { hash } from 'node:crypto';
import { ValidationFailedError } from '../platform/errors/domain-error.js';
import { normalizedPath } from '../platform/http/request-path.js';
import { canonicalJson } from '../platform/values/canonical-json.js';

export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';

const VALID_KEY = /^[\x21-\x7e]{1,255}$/;
/**
 * A quoted string (RFC 9651), as the header is specified; most clients send the key without quotes.
 */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * The key in the header, the same with quotes and without.
 *
 * @throws ValidationFailedError
 */
export function parseIdempotencyKey(header: string): string {
  const quoted = QUOTED.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1');
  const key = quoted ?? header;
  const isUnterminated = quoted === undefined && header.startsWith('"');
  if (VALID_KEY.test(key) && !isUnterminated) return key;
  const name = IDEMPOTENCY_KEY_HEADER;
  throw new ValidationFailedError({
    [name]: [{ reason: 'malformed', message: `${name} must be 1 to 255 visible ASCII characters` }],
  });
}

/**
 * Equal for two requests with the same method, path, query and body. Bodies are compared as JSON
 * values, or as bytes.
 */
export function hashOfRequest({ method, path, query, body }: Request): string {
  const compared = Buffer.isBuffer(body) ? sha256(body) : (body as unknown);
  return sha256(canonicalJson([method, normalizedPath(path), query, compared]));
}

const sha256 = (data: Buffer | string): string => hash('sha256', data, 'hex');
