import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Owner } from '../platform/values/user-id.js';

/** The user of a request, with properties that never change. The role can change and is read when needed. */
export interface AuthenticatedUser extends Owner {
  email: string;
  /** The session of the access token; undefined for a token of version 1.0, which names none. */
  sessionId?: string;
}

/** The authenticated user of the request. */
export const CurrentUser = createParamDecorator(
  (_data: unknown, context: ExecutionContext): AuthenticatedUser =>
    context.switchToHttp().getRequest<Request & { user: AuthenticatedUser }>().user,
);

/** The `User-Agent` header of the request. */
export const UserAgent = createParamDecorator(
  (_data: unknown, context: ExecutionContext): string | undefined =>
    context.switchToHttp().getRequest<Request>().get('User-Agent'),
);
