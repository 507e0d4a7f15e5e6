import { json, urlencoded, type NextFunction, type Request, type Response } from 'express';
import { requireUtf8 } from './require-utf8.js';

const BODY_LIMIT = '100kb';

const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

type Middleware = (request: Request, response: Response, next: NextFunction) => void;

/** A body of another method means nothing (RFC 9110, 9.3.1 and 9.3.5) and is passed over, whatever it is. */
export const readsBody = (method: string): boolean => METHODS_WITH_BODY.has(method);

export const bodyParsers = (): Middleware[] =>
  [
    // Any JSON value is read, so that one that is no object is told so, and not that it is no JSON.
    json({ limit: BODY_LIMIT, strict: false, verify: requireUtf8 }),
    urlencoded({ limit: BODY_LIMIT, extended: false, verify: requireUtf8 }),
  ].map(
    (parse): Middleware =>
      (request, response, next) =>
        readsBody(request.method) ? parse(request, response, next) : next(),
  );
