import { BadRequestException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/**
 * How many times a header occurs in a request.
 *
 * @param name in lower case
 * @param rawHeaders names and values alternately, as Node provides them
 */
export const countHeader = (name: string, rawHeaders: readonly string[]): number =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;

/**
 * Rejects a request without exactly one Host header, which HTTP/1.1 requires (RFC 9112, 3.2). Node
 * can check this itself, but its response would not have the error envelope.
 */
export function requireHost(request: Request, _response: Response, next: NextFunction): void {
  const { rawHeaders, httpVersion } = request;
  const count = countHeader('host', rawHeaders);
  const isInvalid = count > 1 || (count === 0 && httpVersion === '1.1');
  next(isInvalid ? new BadRequestException() : undefined);
}
