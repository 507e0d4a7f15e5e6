import { Inject, Injectable, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { AuthGuard } from '@nestjs/passport';
import { minutes } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { IsReadOnly } from '../platform/http/read-only.decorator.js';
import { checkAfterBody } from '../platform/http/repeated-check.js';
import { clientNetwork } from '../platform/rate-limits/client-network.js';
import { RateLimitsService } from '../platform/rate-limits/rate-limits.service.js';
import { inRequest } from '../platform/values/requester.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { IsSignInRequired } from '../users/requires-sign-in.decorator.js';
import { inactiveUser, invalidToken } from '../users/user-errors.js';
import { AccessTokenStrategy, bearerToken } from './access-tokens.js';
import { IdentityCache } from './identity-cache.js';
import type { Identity } from './identity.queries.js';
import {
  isPersonalAccessToken,
  PersonalAccessTokensService,
} from './personal-access-tokens.service.js';

/** Requests of each client network with personal access tokens that might be guesses. */
const UNKNOWN_TOKEN_POLICY = { name: 'unknown-access-token', limit: 100, ttl: minutes(1) };

const READ_METHODS = ['GET', 'HEAD'];

/**
 * A personal access token is looked up again, with one statement, after a body that took longer.
 */
const SHORT_BODY_MS = 1000;

type UserRequest = Request & { user?: AuthenticatedUser };

const PUBLIC = Symbol('PUBLIC');

/** Allows requests without an access token. Every other route requires one. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, true);

/**
 * Requires the token of an active user, of an open session or a personal one, on every route that
 * is not `@Public()`. When the body of the request has been read, what has ended meanwhile is
 * refused. Public routes ignore the token, so that a token cannot bypass their limits.
 */
@Injectable()
export class AccessTokenGuard extends AuthGuard() {
  constructor(
    strategy: AccessTokenStrategy,
    private readonly identities: IdentityCache,
    private readonly tokens: PersonalAccessTokensService,
    private readonly limits: RateLimitsService,
    private readonly reflector: Reflector,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    super({ defaultStrategy: strategy.id });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean>(PUBLIC, route)) return true;
    const request = context.switchToHttp().getRequest<UserRequest>();
    const text = bearerToken(request) ?? '';
    if (isPersonalAccessToken(text)) {
      await this.authenticateScript(context, text);
    } else {
      await this.authenticateSession(context, text);
    }
    return true;
  }

  /** @throws DomainError INVALID_TOKEN, INACTIVE_USER */
  private async authenticateSession(context: ExecutionContext, text: string): Promise<void> {
    const request = context.switchToHttp().getRequest<UserRequest>();
    const acceptedAt = Date.now();
    const identity = this.identities.get(text) ?? (await this.verifiedUser(request));
    request.user = inRequest(identity, this.settings.todayIn);
    if (READ_METHODS.includes(request.method)) return;
    checkAfterBody(request, async () => {
      const current = await this.identities.readAgain(text, identity, acceptedAt);
      if (!current) throw invalidToken();
      if (!current.active) throw inactiveUser();
    });
  }

  /**
   * Passport gets the headers alone. V8 allocates functions that are assigned to a property, as
   * Passport does for each request, in the old generation: whatever they refer to stays in memory
   * until that is collected (docs/decisions/0008).
   *
   * @throws DomainError INVALID_TOKEN, INACTIVE_USER
   */
  private async verifiedUser({ headers, rawHeaders }: UserRequest): Promise<Identity> {
    const credentials = { headers, rawHeaders } as object as { user: Identity };
    await super.canActivate(new ExecutionContextHost([credentials, {}]));
    return credentials.user;
  }

  /** @throws DomainError INVALID_TOKEN, RATE_LIMIT_EXCEEDED, INACTIVE_USER, FORBIDDEN */
  private async authenticateScript(context: ExecutionContext, text: string): Promise<void> {
    const http = context.switchToHttp();
    const request = http.getRequest<UserRequest>();
    const { ip = '', method } = request;
    const start = performance.now();
    const token = await this.tokens.find(text);
    if (!token) {
      await this.limits.count(
        http.getResponse<Response>(),
        UNKNOWN_TOKEN_POLICY,
        clientNetwork(ip),
      );
      throw invalidToken();
    }
    const { active, ...user } = token.user;
    if (!active) throw inactiveUser();
    const route = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride(IsSignInRequired, route)) {
      throw new DomainError('FORBIDDEN', 'This action requires a sign-in');
    }
    const isRead =
      READ_METHODS.includes(method) || this.reflector.get(IsReadOnly, context.getHandler());
    if (token.access === 'read' && !isRead) {
      throw new DomainError('FORBIDDEN', 'This token can only read');
    }
    await this.tokens.recordUse(token);
    request.user = inRequest({ ...user, tokenAccess: token.access }, this.settings.todayIn);
    checkAfterBody(request, async () => {
      if (performance.now() - start < SHORT_BODY_MS) return;
      const current = await this.tokens.findAgain(text, token);
      if (!current) throw invalidToken();
      if (!current.user.active) throw inactiveUser();
    });
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
