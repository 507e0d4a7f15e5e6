import {
  createParamDecorator,
  Injectable,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { hours, minutes } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { clientNetwork } from '../platform/rate-limits/client-network.js';
import { RateLimitsService } from '../platform/rate-limits/rate-limits.service.js';
import type { Requester } from '../platform/values/requester.js';
import { CalendarFeedsService, isFeedToken, type RequestedFeed } from './calendar-feeds.service.js';

/** Requests of each feed. */
const FEED_POLICY = { name: 'calendar-feed', limit: 60, ttl: hours(1) };
/** Requests of each client network with tokens that might be guesses. */
const UNKNOWN_FEED_POLICY = { name: 'unknown-calendar-feed', limit: 100, ttl: minutes(1) };

type FeedRequest = Request<{ token: string }> & { calendarFeed?: RequestedFeed; user?: Requester };

/** The feed that {@link CalendarFeedGuard} has found. */
export const CurrentFeed = createParamDecorator(
  (_data: unknown, context: ExecutionContext): RequestedFeed | undefined =>
    context.switchToHttp().getRequest<FeedRequest>().calendarFeed,
);

/**
 * Finds the feed of the token in the path, for whose user the request is from then on, and limits
 * how often tokens are guessed: whoever has the address of a feed needs no account.
 */
@Injectable()
export class CalendarFeedGuard implements CanActivate {
  constructor(
    private readonly feeds: CalendarFeedsService,
    private readonly limits: RateLimitsService,
  ) {}

  /** @throws ResourceNotFoundError; DomainError RATE_LIMIT_EXCEEDED */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FeedRequest>();
    const { token } = request.params;
    if (!isFeedToken(token)) throw new ResourceNotFoundError('calendar_feed');
    const feed = await this.feeds.findByToken(token);
    if (!feed) {
      const network = clientNetwork(request.ip ?? '');
      await this.limits.count(http.getResponse<Response>(), UNKNOWN_FEED_POLICY, network);
      throw new ResourceNotFoundError('calendar_feed');
    }
    request.calendarFeed = feed;
    request.user = feed.user;
    return true;
  }
}

/** Limits how often a feed is read. */
@Injectable()
export class CalendarFeedLimit implements NestInterceptor {
  constructor(private readonly limits: RateLimitsService) {}

  /** @throws DomainError RATE_LIMIT_EXCEEDED */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const { calendarFeed } = http.getRequest<FeedRequest>();
    await this.limits.count(http.getResponse<Response>(), FEED_POLICY, calendarFeed?.id ?? '');
    return next.handle();
  }
}
