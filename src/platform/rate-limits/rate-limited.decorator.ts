import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

type RateLimitKind = 'reports' | 'auth';

/**
 * A limit in addition to the one on all authenticated requests: `reports` for expensive reads, `auth` for routes that
 * check or store a password.
 */
export const RateLimited = Reflector.createDecorator<RateLimitKind>();

const reflector = new Reflector();

export const rateLimitOf = (context: ExecutionContext): RateLimitKind | undefined =>
  reflector.getAllAndOverride(RateLimited, [context.getHandler(), context.getClass()]);
