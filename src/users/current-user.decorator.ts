import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { UserId } from '../common/user-id.js';

/** Who makes the request: what never changes about a user. The role does; who needs it reads it. */
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
