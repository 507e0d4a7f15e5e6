import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';

type Middleware = (request: Request, response: Response, next: NextFunction) => void;

/** The headers of helmet. They are the same for every answer, so it is asked for them once. */
export function securityHeaders(): Middleware {
  // Its upgrade of http addresses would break Swagger UI where there is no TLS.
  const ask = helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });
  const headers = new Map<string, string>();
  const answer = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  ask({} as Request, answer as unknown as Response, () => undefined);
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}
