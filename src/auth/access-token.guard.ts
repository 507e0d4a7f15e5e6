import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { inactiveUser, invalidToken } from '../platform/errors/domain-error.js';
import { isPublic } from '../platform/http/route-decorators.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { UsersService } from '../users/users.service.js';
import { AccessTokenStrategy, bearerToken } from './access-tokens.js';

/**
 * Requires the token of an active user and an open session on every route that is not `@Public()`. Public routes ignore
 * the token, so that a token cannot bypass their limits.
 */
@Injectable()
export class AccessTokenGuard extends AuthGuard() {
  constructor(
    strategy: AccessTokenStrategy,
    private readonly users: UsersService,
  ) {
    super({ defaultStrategy: strategy.id });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isPublic(context)) return true;
    const request = context.switchToHttp().getRequest<Request & { user?: AuthenticatedUser }>();
    request.user = this.users.cachedIdentity(bearerToken(request) ?? '');
    if (!request.user) await super.canActivate(context);
    return true;
  }

  /** @throws DomainError INVALID_TOKEN, INACTIVE_USER */
  override handleRequest<User>(
    error: Error | null,
    user: (User & { active: boolean }) | null,
  ): User {
    if (error) throw error;
    if (!user) throw invalidToken();
    if (!user.active) throw inactiveUser();
    return user;
  }
}
