import type { ExecutionContext } from '@nestjs/common';
import { hours, minutes, type ThrottlerOptions } from '@nestjs/throttler';
import type { Request } from 'express';
import { createHash } from 'node:crypto';
import type { RateLimitSettings } from '../config/settings.js';
import { clientNetwork } from './client-network.js';
import { rateLimitOf } from './rate-limited.decorator.js';

/** At most `limit` requests with the same key in a window of `ttl` milliseconds. */
export interface Policy {
  name: string;
  limit: number;
  ttl: number;
}

/** A request after the guard that requires an access token; public routes have no user. */
export type LimitedRequest = Request & { user?: { id: string; email: string } };

/** Registration, sign-in and password change, of one account from one client network. */
export const accountPolicy = ({ authPerMinute }: RateLimitSettings): Policy => ({
  name: 'auth',
  limit: authPerMinute,
  ttl: minutes(1),
});

/** A hash, so that keys have a fixed length and the store has no e-mails. */
export const accountKey = (ip = '', email: string): string =>
  createHash('sha256')
    .update(`${clientNetwork(ip)} ${email}`)
    .digest('base64url');

/** What RateLimitGuard counts, and by which key. */
export const throttlersOf = (settings: RateLimitSettings): ThrottlerOptions[] => [
  {
    // Of a client network for all accounts together.
    name: 'auth-address',
    limit: settings.authPerAddressPerMinute,
    ttl: minutes(1),
    skipIf: (context) => rateLimitOf(context) !== 'auth',
    getTracker: ({ ip = '' }: Partial<LimitedRequest>) => clientNetwork(ip),
  },
  {
    // Of a password change. AccountLimitInterceptor counts registration and sign-in, by the e-mail in their body.
    ...accountPolicy(settings),
    skipIf: (context) => rateLimitOf(context) !== 'auth' || !hasUser(context),
    getTracker: ({ ip, user }: Partial<LimitedRequest>) => accountKey(ip, user?.email ?? ''),
  },
  {
    name: 'authenticated',
    limit: settings.authenticatedPerHour,
    ttl: hours(1),
    skipIf: (context) => !hasUser(context),
    getTracker: idOfUser,
  },
  {
    name: 'reports',
    limit: settings.reportsPerHour,
    ttl: hours(1),
    skipIf: (context) => rateLimitOf(context) !== 'reports' || !hasUser(context),
    getTracker: idOfUser,
  },
];

const hasUser = (context: ExecutionContext): boolean =>
  context.switchToHttp().getRequest<LimitedRequest>().user !== undefined;

const idOfUser = ({ user }: Partial<LimitedRequest>): string => user?.id ?? '';
