import { UnsupportedMediaTypeException } from '@nestjs/common';
import { json, text, urlencoded, type RequestHandler } from 'express';
import { isUtf8 } from 'node:buffer';
import { API_PREFIX, CSV_TYPE } from './route-decorators.js';

/** Every valid body fits, even with all its text escaped, which takes up to 12 bytes a character. */
export const MAX_BODY_BYTES = 128 * 1024;

const MAX_CSV_BYTES = 1_000_000;

/** Routes that read their body after the guards (file-body.ts). */
const FILE_PATHS = new RegExp(`^/${API_PREFIX}/import/?$`, 'i');

const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/** A body of another method has no meaning (RFC 9110, 9.3.1 and 9.3.5) and is ignored. */
export const readsBody = (method: string): boolean => METHODS_WITH_BODY.has(method);

/**
 * Parsers of JSON and form bodies in UTF-8, which respond with 413 above {@link MAX_BODY_BYTES}, and of CSV as text
 * up to {@link MAX_CSV_BYTES}.
 */
export const bodyParsers = (): RequestHandler[] =>
  [
    // Not strict: a JSON value that is no object is refused later, with a message that says so.
    json({ limit: MAX_BODY_BYTES, strict: false, verify: requireUtf8 }),
    urlencoded({ limit: MAX_BODY_BYTES, extended: false, verify: requireUtf8 }),
    text({ type: CSV_TYPE, limit: MAX_CSV_BYTES, verify: requireUtf8 }),
  ].map(
    (parse): RequestHandler =>
      (request, response, next) =>
        readsBody(request.method) && !FILE_PATHS.test(request.path)
          ? parse(request, response, next)
          : next(),
  );

/** Rejects other encodings, declared or not: decoding them as UTF-8 would store replacement characters. */
function requireUtf8(
  _request: unknown,
  _response: unknown,
  body: Buffer,
  encoding: string | null,
): void {
  if ((encoding !== null && encoding !== 'utf-8') || !isUtf8(body)) {
    throw new UnsupportedMediaTypeException();
  }
}
