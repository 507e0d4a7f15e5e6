import type { NextFunction, Request, Response } from 'express';
import { randomUUID } from 'node:crypto';

const HEADER = 'X-Request-Id';
const ACCEPTABLE = /^[A-Za-z0-9._-]{1,64}$/;

/** Gives every response the request's own id, or a new one where it has none that can be taken over. */
export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.header(HEADER);
  response.setHeader(HEADER, given !== undefined && ACCEPTABLE.test(given) ? given : randomUUID());
  next();
}

export function requestIdOf(request: Request): string {
  return String(request.res?.getHeader(HEADER) ?? '');
}
