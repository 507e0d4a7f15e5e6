import {
  createParamDecorator,
  Injectable,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { hours, minutes } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { clientNetwork } from '../platform/rate-limits/client-network.js';
import { RateLimitsService } from '../platform/rate-limits/rate-limits.service.js';
import { CalendarFeedsService, isFeedToken } from './calendar-feeds.service.js';
import type { ReadableFeed } from './calendar.queries.js';

/** Requests of each feed. */
const FEED_POLICY = { name: 'calendar-feed', limit: 60, ttl: hours(1) };
/** Requests of each client network with tokens that might be guesses. */
const UNKNOWN_FEED_POLICY = { name: 'unknown-calendar-feed', limit: 100, ttl: minutes(1) };

type FeedRequest = Request<{ token: string }> & { calendarFeed?: ReadableFeed };

/** The feed that {@link CalendarFeedGuard} has found. */
export const CurrentFeed = createParamDecorator(
  (_data: unknown, context: ExecutionContext): ReadableFeed | undefined =>
    context.switchToHttp().getRequest<FeedRequest>().calendarFeed,
);

/** Finds the feed of the token in the path, and limits how often it is read and how often tokens are guessed. */
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
    const response = http.getResponse<Response>();
    const { token } = request.params;
    if (!isFeedToken(token)) throw new ResourceNotFoundError('calendar_feed');
    const feed = await this.feeds.findByToken(token);
    if (!feed) {
      await this.limits.count(response, UNKNOWN_FEED_POLICY, clientNetwork(request.ip ?? ''));
      throw new ResourceNotFoundError('calendar_feed');
    }
    await this.limits.count(response, FEED_POLICY, feed.id);
    request.calendarFeed = feed;
    return true;
  }
}
