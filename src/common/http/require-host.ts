import { BadRequestException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/** HTTP/1.1 demands the header (RFC 9112, 3.2). Node would refuse for it without the error envelope. */
export function requireHost(request: Request, _response: Response, next: NextFunction): void {
  const isMissing = request.headers.host === undefined && request.httpVersion === '1.1';
  next(isMissing ? new BadRequestException() : undefined);
}
