import { hours } from '@nestjs/throttler';
import { hasUser, idOfUser, type Throttlers } from '../platform/rate-limits/policies.js';
import { rateLimitOf } from '../platform/rate-limits/rate-limited.decorator.js';

export const reportThrottlers: Throttlers = ({ reportsPerHour }) => [
  {
    name: 'reports',
    limit: reportsPerHour,
    ttl: hours(1),
    skipIf: (context) => rateLimitOf(context) !== 'reports' || !hasUser(context),
    getTracker: idOfUser,
  },
];
