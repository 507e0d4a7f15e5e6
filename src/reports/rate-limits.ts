import { hours } from '@nestjs/throttler';
import { hasUser, idOfUser, registerThrottlers } from '../platform/rate-limits/policies.js';
import { rateLimitOf } from '../platform/rate-limits/rate-limited.decorator.js';

declare module '../platform/rate-limits/rate-limited.decorator.js' {
  interface RateLimitNames {
    reports: true;
  }
}

registerThrottlers(({ reportsPerHour }) => [
  {
    name: 'reports',
    limit: reportsPerHour,
    ttl: hours(1),
    skipIf: (context) => rateLimitOf(context) !== 'reports' || !hasUser(context),
    getTracker: idOfUser,
  },
]);
