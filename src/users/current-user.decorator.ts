import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { UserRole } from './user.entity.js';
import type { UserId } from '../common/user-id.js';

/** Who makes the request, as the token and the stored user say. */
export interface AuthenticatedUser {
  id: UserId;
  email: string;
  householdId: string;
  /** In the household. */
  role: UserRole;
}

/** The authenticated user of the request. */
export const CurrentUser = createParamDecorator(
  (_data: unknown, context: ExecutionContext): AuthenticatedUser =>
    context.switchToHttp().getRequest<Request & { user: AuthenticatedUser }>().user,
);
