import type { ExecutionContext } from '@nestjs/common';
import { hours, type ThrottlerOptions } from '@nestjs/throttler';
import type { Request } from 'express';
import type { RateLimitSettings } from '../config/settings.js';
import { isForwarding } from './forwards-requests.decorator.js';

/** A limit: `limit` requests with the same key in a window of `ttl` milliseconds. */
export interface Policy {
  name: string;
  limit: number;
  ttl: number;
}

/** A request after the guard that requires an access token; public routes have no user. */
export type LimitedRequest = Request & { user?: { id: string; email: string } };

/** What RateLimitGuard counts, and by which key. */
export type Throttlers = (settings: RateLimitSettings) => ThrottlerOptions[];

export const hasUser = (context: ExecutionContext): boolean =>
  context.switchToHttp().getRequest<LimitedRequest>().user !== undefined;

export const idOfUser = ({ user }: Partial<LimitedRequest>): string => user?.id ?? '';

/** The limit on all requests with an access token. */
export const authenticatedPolicy = ({ authenticatedPerHour }: RateLimitSettings): Policy => ({
  name: 'authenticated',
  limit: authenticatedPerHour,
  ttl: hours(1),
});

export const authenticatedThrottlers: Throttlers = (settings) => [
  {
    ...authenticatedPolicy(settings),
    skipIf: (context) => !hasUser(context) || isForwarding(context),
    getTracker: idOfUser,
  },
];
