import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/** The names of limits, as keys; the modules that register limits add theirs. */
export interface RateLimitNames {
  authenticated: true;
}

/** A registered limit by its name, in addition to the one on all authenticated requests. */
export const RateLimited = Reflector.createDecorator<keyof RateLimitNames>();

const reflector = new Reflector();

export const rateLimitOf = (context: ExecutionContext): keyof RateLimitNames | undefined =>
  reflector.getAllAndOverride(RateLimited, [context.getHandler(), context.getClass()]);
