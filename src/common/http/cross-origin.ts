import cors from 'cors';
import type { RequestHandler } from 'express';

/** What scripts of other origins may read, beside the body. */
const EXPOSED_HEADERS = ['Link', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'];

/** Lets scripts of these origins read the answers, and answers by itself what browsers ask in advance. */
export function crossOrigin(origins: readonly string[]): RequestHandler {
  const share = cors({ origin: [...origins], exposedHeaders: EXPOSED_HEADERS });
  return (request, response, next) => {
    if (request.headers.origin !== undefined || request.method === 'OPTIONS') {
      share(request, response, next);
    } else {
      response.setHeader('Vary', 'Origin');
      next();
    }
  };
}
