import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { authenticatedPolicy } from '../platform/rate-limits/policies.js';
import { RateLimitsService } from '../platform/rate-limits/rate-limits.service.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { OperationClient } from './operation-client.js';

/**
 * Takes messages with personal access tokens alone, which a person gives to an assistant and can
 * take back, and counts those that no operation has counted.
 */
@Injectable()
export class MessageLimit implements NestInterceptor {
  constructor(
    private readonly operations: OperationClient,
    private readonly limits: RateLimitsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { user: AuthenticatedUser }>();
    return from(this.respond(request, http.getResponse<Response>(), next));
  }

  /** @throws DomainError FORBIDDEN, RATE_LIMIT_EXCEEDED */
  private async respond(
    request: Request & { user: AuthenticatedUser },
    response: Response,
    next: CallHandler,
  ): Promise<unknown> {
    const { user } = request;
    try {
      if (!user.tokenAccess) {
        throw new DomainError('FORBIDDEN', 'Assistants need a personal access token');
      }
      return await lastValueFrom(next.handle(), { defaultValue: undefined });
    } finally {
      if (!this.operations.hasForwarded(request)) {
        await this.limits.count(response, authenticatedPolicy(this.settings.rateLimits), user.id);
      }
    }
  }
}
