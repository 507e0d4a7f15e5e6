import { Injectable, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { inactiveUser, invalidToken } from '../platform/errors/domain-error.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { AccessTokenStrategy, bearerToken } from './access-tokens.js';
import { IdentityCache } from './identity-cache.js';

type UserRequest = Request & { user?: AuthenticatedUser };

const PUBLIC = Symbol('PUBLIC');

/** Allows requests without an access token. Every other route requires one. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, true);

/**
 * Requires the token of an active user and an open session on every route that is not `@Public()`.
 * Public routes ignore the token, so that a token cannot bypass their limits.
 */
@Injectable()
export class AccessTokenGuard extends AuthGuard() {
  constructor(
    strategy: AccessTokenStrategy,
    private readonly identities: IdentityCache,
    private readonly reflector: Reflector,
  ) {
    super({ defaultStrategy: strategy.id });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean>(PUBLIC, route)) return true;
    const request = context.switchToHttp().getRequest<UserRequest>();
    const token = bearerToken(request) ?? '';
    request.user = this.identities.get(token);
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
