import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { inactiveUser, invalidToken } from '../platform/errors/domain-error.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { UsersService } from '../users/users.service.js';
import type { RequestWithTokenSubject } from '../platform/http/token-subject.js';
import { isPublic } from '../platform/http/route-decorators.js';

/** Requires the token of an active user and an open session on every route that is not `@Public()`. */
@Injectable()
export class AccountGuard implements CanActivate {
  constructor(private readonly users: UsersService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isPublic(context)) return true;
    const request = context
      .switchToHttp()
      .getRequest<RequestWithTokenSubject & { user?: AuthenticatedUser }>();
    if (!request.tokenSubject) throw invalidToken();
    const user = await this.users.identify(request.tokenSubject);
    if (!user) throw invalidToken();
    if (!user.active) throw inactiveUser();
    request.user = user;
    return true;
  }
}
