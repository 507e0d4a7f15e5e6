import type { NextFunction, Request, Response } from 'express';
import { randomUUID } from 'node:crypto';

export const REQUEST_ID_HEADER = 'X-Request-Id';
const VALID_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Sets `X-Request-Id` on the response: the id that the client sent if it is valid, else a new one.
 */
export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  const sent = request.header(REQUEST_ID_HEADER);
  const isValid = sent !== undefined && VALID_ID.test(sent);
  response.setHeader(REQUEST_ID_HEADER, isValid ? sent : newRequestId());
  next();
}

export const newRequestId = (): string => randomUUID();

/** The id of the request; empty before {@link assignRequestId} ran. */
export function requestIdOf(request: Request): string {
  return String(request.res?.getHeader(REQUEST_ID_HEADER) ?? '');
}
