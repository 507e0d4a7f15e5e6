import { authThrottlers } from './auth/rate-limits.js';
import { authenticatedThrottlers, type Throttlers } from './platform/rate-limits/policies.js';
import { reportThrottlers } from './reports/rate-limits.js';

/** The limits that RateLimitGuard counts, in the order of the headers of a response. */
export const RATE_LIMITS: Throttlers = (settings) => [
  ...authenticatedThrottlers(settings),
  ...authThrottlers(settings),
  ...reportThrottlers(settings),
];

declare module './platform/rate-limits/rate-limited.decorator.js' {
  interface RateLimitNames {
    auth: true;
    reports: true;
  }
}
