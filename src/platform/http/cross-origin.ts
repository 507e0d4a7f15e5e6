import cors from 'cors';
import type { RequestHandler } from 'express';
import type { Settings } from '../config/settings.js';
import { DomainError } from '../errors/domain-error.js';
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

/**
 * Refuses requests of pages of other origins, also those whose response they could not read: a page
 * can send them to a service that only the computer of its reader reaches (DNS rebinding).
 */
export const refuseOtherOrigins =
  (origins: Settings['corsOrigins']): RequestHandler =>
  ({ headers: { origin } }, _response, next) => {
    const isAllowed =
      origin === undefined ||
      origins.some((one) => (typeof one === 'string' ? one === origin : one.test(origin)));
    next(isAllowed ? undefined : new DomainError('FORBIDDEN', 'The origin is not in CORS_ORIGINS'));
  };
