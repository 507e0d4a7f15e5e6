import type { NextFunction, Request, Response } from 'express';
import { randomUUID } from 'node:crypto';

export const REQUEST_ID_HEADER = 'X-Request-Id';
const ACCEPTABLE = /^[A-Za-z0-9._-]{1,64}$/;

/** Gives every response the request's own id, or a new one where it has none that can be taken over. */
export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.header(REQUEST_ID_HEADER);
  const isAcceptable = given !== undefined && ACCEPTABLE.test(given);
  response.setHeader(REQUEST_ID_HEADER, isAcceptable ? given : newRequestId());
  next();
}

export const newRequestId = (): string => randomUUID();

export function requestIdOf(request: Request): string {
  return String(request.res?.getHeader(REQUEST_ID_HEADER) ?? '');
}
