import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { invalidToken } from '../common/errors/invalid-token.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { UsersService } from '../users/users.service.js';
import type { CheckedRequest } from './access-token.guard.js';
import { inactiveUser } from './auth-errors.js';
import { isPublic } from './public.decorator.js';

/** Demands the token of an active user on every route that is not `@Public()`. */
@Injectable()
export class AccountGuard implements CanActivate {
  constructor(private readonly users: UsersService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isPublic(context)) return true;
    const request = context
      .switchToHttp()
      .getRequest<CheckedRequest & { user?: AuthenticatedUser }>();
    if (!request.tokenSubject) throw invalidToken();
    const user = await this.users.identify(request.tokenSubject.userId);
    if (!user) throw invalidToken();
    if (!user.active) throw inactiveUser();
    request.user = user;
    return true;
  }
}
