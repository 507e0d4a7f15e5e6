import type { NextFunction, Request, Response } from 'express';

/** Answers about money are never kept by a cache. */
export function forbidCaching(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'no-store');
  next();
}
