import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { UserId } from '../platform/values/user-id.js';

/** The user of a request, with properties that never change. The role can change and is read when needed. */
export interface AuthenticatedUser {
  id: UserId;
  email: string;
  householdId: string;
}

/** The authenticated user of the request. */
export const CurrentUser = createParamDecorator(
  (_data: unknown, context: ExecutionContext): AuthenticatedUser =>
    context.switchToHttp().getRequest<Request & { user: AuthenticatedUser }>().user,
);
