import { SetMetadata } from '@nestjs/common';
import { routeMetadata } from './route-metadata.js';

/** Limits beside the one on all authenticated requests. */
export type RateLimitKind = 'reports' | 'auth';

const RATE_LIMITED = Symbol('RATE_LIMITED');

/** `reports` counts beside the limit on all requests; `auth` is for what takes a password. */
export const RateLimited = (kind: RateLimitKind): MethodDecorator & ClassDecorator =>
  SetMetadata(RATE_LIMITED, kind);

export const rateLimitOf = routeMetadata<RateLimitKind>(RATE_LIMITED);
