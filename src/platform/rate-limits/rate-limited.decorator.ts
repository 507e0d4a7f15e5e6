import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/** The names of limits, as keys; the list of the application adds its own. */
export interface RateLimitNames {
  authenticated: true;
}

/** The route counts towards this limit, too, beside the one on all authenticated requests. */
export const RateLimited = Reflector.createDecorator<keyof RateLimitNames>();

const reflector = new Reflector();

export const rateLimitOf = (context: ExecutionContext): keyof RateLimitNames | undefined =>
  reflector.getAllAndOverride(RateLimited, [context.getHandler(), context.getClass()]);
