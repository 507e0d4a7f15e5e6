import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { onRequestEnd } from '#http-host';
import { SETTINGS } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import { assertConnected } from '../http/request-end.js';
import { Metrics } from '../metrics/metrics.js';
import { isForwarding } from './forwards-requests.decorator.js';
import type { LimitedRequest } from './policies.js';
import { rateLimitExceeded } from './rate-limits.service.js';

/**
 * Requests of one user in a process, from the headers until both the handler and the response have
 * ended.
 */
const ALL: Kind = { name: 'all', max: 50 };

/**
 * Requests that are sent on to other routes, where each counts among {@link ALL}: more, so that it
 * is there that one too many is refused.
 */
const FORWARDED: Kind = { name: 'forwarded', max: 100 };
const RETRY_AFTER_SECONDS = 1;

/** Requests that are counted together, and how many are allowed at a time. */
interface Kind {
  name: string;
  max: number;
}

/** The route takes long, so that fewer of its kind are allowed at a time. */
export const LongRequest = Reflector.createDecorator<Kind>();

/**
 * Limits how many requests of a user are processed at the same time. Runs before requests are
 * counted by the hour.
 */
@Injectable()
export class RequestsInProgressGuard implements CanActivate {
  /** The number of requests by user and kind. */
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
    const all = isForwarding(context) ? FORWARDED : ALL;
    const kinds = kind ? [all, kind] : [all];
    const keyOf = ({ name }: Kind): string => `${name} ${user.id}`;
    const countOf = (one: Kind): number => this.inProgress.get(keyOf(one)) ?? 0;
    if (kinds.some((one) => countOf(one) >= one.max)) {
      this.metrics.rateLimitHits.inc({ policy: 'in-progress' });
      response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
      throw rateLimitExceeded(response);
    }
    const add = (change: number): void => {
      for (const one of kinds) {
        const count = countOf(one) + change;
        if (count > 0) this.inProgress.set(keyOf(one), count);
        else this.inProgress.delete(keyOf(one));
      }
    };
    add(1);
    onRequestEnd(response, () => add(-1));
    return true;
  }
}
