import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { SETTINGS } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import { assertConnected, onRequestEnd } from '../http/request-end.js';
import { Metrics } from '../metrics/metrics.js';
import type { LimitedRequest } from './policies.js';
import { rateLimitExceeded } from './rate-limits.service.js';

/** Requests of one user in a process, from the headers until both the handler and the response have ended. */
const MAX_IN_PROGRESS = { all: 50, import: 1, export: 2 };
const RETRY_AFTER_SECONDS = 1;

type Kind = keyof typeof MAX_IN_PROGRESS;

/** The route takes long, so that fewer of its kind are allowed at a time. */
export const LongRequest = Reflector.createDecorator<Exclude<Kind, 'all'>>();

/** Limits how many requests of a user are processed at the same time. Runs before requests are counted by the hour. */
@Injectable()
export class RequestsInProgressGuard implements CanActivate {
  /** By user and kind. */
  private readonly inProgress = new Map<string, number>();

  constructor(
    private readonly reflector: Reflector,
    private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @throws DomainError RATE_LIMIT_EXCEEDED; DisconnectedError */
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const { user } = http.getRequest<LimitedRequest>();
    const response = http.getResponse<Response>();
    if (!user || !this.settings.rateLimits.enabled) return true;
    assertConnected(response);
    const kind = this.reflector.get(LongRequest, context.getHandler()) as Kind | undefined;
    const kinds: Kind[] = kind ? ['all', kind] : ['all'];
    const countOf = (one: Kind): number => this.inProgress.get(`${one} ${user.id}`) ?? 0;
    if (kinds.some((one) => countOf(one) >= MAX_IN_PROGRESS[one])) {
      this.metrics.rateLimitHits.inc({ policy: 'in-progress' });
      response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
      throw rateLimitExceeded(response);
    }
    const add = (change: number): void => {
      for (const one of kinds) {
        const count = countOf(one) + change;
        if (count > 0) this.inProgress.set(`${one} ${user.id}`, count);
        else this.inProgress.delete(`${one} ${user.id}`);
      }
    };
    add(1);
    onRequestEnd(response, () => add(-1));
    return true;
  }
}
