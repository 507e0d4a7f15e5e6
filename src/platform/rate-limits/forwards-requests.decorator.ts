import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/**
 * The route sends its requests on to other routes, whose limits count them. It counts those itself
 * that it does not send on.
 */
export const ForwardsRequests = Reflector.createDecorator<boolean>();

const reflector = new Reflector();

export const isForwarding = (context: ExecutionContext): boolean =>
  reflector.get<boolean | undefined>(ForwardsRequests, context.getHandler()) ?? false;
