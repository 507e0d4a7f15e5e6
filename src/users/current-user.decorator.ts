import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Owner } from '../platform/values/user-id.js';

/** The user of a request, with properties that never change. The role can change and is read when needed. */
export interface AuthenticatedUser extends Owner {
  email: string;
}

/** The authenticated user of the request. */
export const CurrentUser = createParamDecorator(
  (_data: unknown, context: ExecutionContext): AuthenticatedUser =>
    context.switchToHttp().getRequest<Request & { user: AuthenticatedUser }>().user,
);
