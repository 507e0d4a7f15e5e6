import {
  applyDecorators,
  Inject,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { normalizeEmail, normalizeText } from '../platform/dto/fields.js';
import { RateLimited } from '../platform/rate-limits/rate-limited.decorator.js';
import { RateLimitsService } from '../platform/rate-limits/rate-limits.service.js';
import { accountKey, accountPolicy } from './rate-limits.js';

/** What names the account in a body. */
type AccountField = 'email' | 'token';

const AccountNamedBy = Reflector.createDecorator<AccountField>();

/**
 * Counts requests of public routes by the account that their body names, once it has been read and
 * before it is validated.
 */
@Injectable()
class AccountLimitInterceptor implements NestInterceptor {
  constructor(
    private readonly limits: RateLimitsService,
    private readonly reflector: Reflector,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const policy = accountPolicy(this.settings.rateLimits);
    const field = this.reflector.get(AccountNamedBy, context.getHandler());
    const account = field === 'token' ? tokenIn(request.body) : emailIn(request.body);
    const key = accountKey(request.ip, account);
    await this.limits.count(http.getResponse<Response>(), policy, key);
    return next.handle();
  }
}

/**
 * Limits a public route by client network, and by the account that its body names.
 *
 * @param body reads the body, before requests are counted by the account
 */
export const AccountLimited = (
  body: MethodDecorator,
  field: AccountField = 'email',
): MethodDecorator =>
  applyDecorators(
    RateLimited('auth'),
    AccountNamedBy(field),
    body,
    UseInterceptors(AccountLimitInterceptor),
  );

/** The normalized e-mail in a body; empty if there is none. */
function emailIn(body: unknown): string {
  const { username, email } = (body ?? {}) as { username?: unknown; email?: unknown };
  const given = username ?? email;
  return typeof given === 'string' ? normalizeEmail(given) : '';
}

/** The token of a reset in a body, as it is looked for; empty if there is none. */
function tokenIn(body: unknown): string {
  const { token } = (body ?? {}) as { token?: unknown };
  return typeof token === 'string' ? `token ${normalizeText(token)}` : '';
}
