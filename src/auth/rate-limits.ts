import { minutes } from '@nestjs/throttler';
import { hash } from 'node:crypto';
import type { RateLimitSettings } from '../platform/config/settings.js';
import { clientNetwork } from '../platform/rate-limits/client-network.js';
import {
  hasUser,
  type LimitedRequest,
  type Policy,
  type Throttlers,
} from '../platform/rate-limits/policies.js';
import { rateLimitOf } from '../platform/rate-limits/rate-limited.decorator.js';

/** Registration, sign-in and password change, of one account from one client network. */
export const accountPolicy = ({ authPerMinute }: RateLimitSettings): Policy => ({
  name: 'auth',
  limit: authPerMinute,
  ttl: minutes(1),
});

/** A hash, so that keys have a fixed length and the store has no e-mails. */
export const accountKey = (ip = '', email: string): string =>
  hash('sha256', `${clientNetwork(ip)} ${email}`, 'base64url');

export const authThrottlers: Throttlers = (settings) => [
  {
    // All accounts of a client network together.
    name: 'auth-address',
    limit: settings.authPerAddressPerMinute,
    ttl: minutes(1),
    skipIf: (context) => rateLimitOf(context) !== 'auth',
    getTracker: ({ ip = '' }: Partial<LimitedRequest>) => clientNetwork(ip),
  },
  {
    // Password changes. AccountLimitInterceptor counts registration and sign-in, by the e-mail in
    // their body.
    ...accountPolicy(settings),
    skipIf: (context) => rateLimitOf(context) !== 'auth' || !hasUser(context),
    getTracker: ({ ip, user }: Partial<LimitedRequest>) => accountKey(ip, user?.email ?? ''),
  },
];
