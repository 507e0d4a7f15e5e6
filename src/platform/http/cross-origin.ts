import cors from 'cors';
import type { RequestHandler } from 'express';
import type { Settings } from '../config/settings.js';
import { OPERATION_ID_HEADER } from './operation-id.interceptor.js';

/** Response headers that scripts of other origins may read. */
const EXPOSED_HEADERS = [
  'Content-Disposition',
  'Deprecation',
  'ETag',
  'Link',
  'Location',
  OPERATION_ID_HEADER,
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
];

/** How long a browser may cache the response to a preflight request; the maximum of Safari. */
const PREFLIGHT_MAX_AGE_SECONDS = 600;

/**
 * CORS: allows scripts of these origins to read responses, and responds to preflight requests.
 *
 * @param headers of responses, in addition to {@link EXPOSED_HEADERS}
 */
export const crossOrigin = (
  origins: Settings['corsOrigins'],
  headers: readonly string[],
): RequestHandler =>
  cors({
    origin: [...origins],
    exposedHeaders: [...EXPOSED_HEADERS, ...headers].sort(),
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
  });

/** Whether scripts of an origin may read responses. */
export const isAllowedOrigin = (origins: Settings['corsOrigins'], origin: string): boolean =>
  origins.some((allowed) =>
    typeof allowed === 'string' ? allowed === origin : allowed.test(origin),
  );
