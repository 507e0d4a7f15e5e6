import {
  createParamDecorator,
  Injectable,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { hours, minutes } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { onRequestEnd } from '#http-host';
import { DomainError, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { disconnection } from '../platform/http/request-end.js';
import { FairQueue } from '../platform/process/fair-queue.js';
import { clientNetwork } from '../platform/rate-limits/client-network.js';
import { RateLimitsService } from '../platform/rate-limits/rate-limits.service.js';
import { CalendarFeedsService, isFeedToken, type RequestedFeed } from './calendar-feeds.service.js';

/** Requests of each feed. */
const FEED_POLICY = { name: 'calendar-feed', limit: 60, ttl: hours(1) };
/** Requests of each client network with tokens that might be guesses. */
const UNKNOWN_FEED_POLICY = { name: 'unknown-calendar-feed', limit: 100, ttl: minutes(1) };

type FeedRequest = Request<{ token: string }> & { calendarFeed?: RequestedFeed };

/** The feed that {@link CalendarFeedGuard} has found. */
export const CurrentFeed = createParamDecorator(
  (_data: unknown, context: ExecutionContext): RequestedFeed | undefined =>
    context.switchToHttp().getRequest<FeedRequest>().calendarFeed,
);

/** Calendars that a process writes or sends, and the requests that wait for that. */
const MAX_CALENDARS = { all: 4, ofFeed: 1, waiting: 4 };
const MAX_WAIT_MS = 10_000;
/** To write and send a calendar. */
const MAX_SENDING_MS = 30_000;
/** When a client may try again. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Finds the feed of the token in the path, and limits how often it is read, how often tokens are
 * guessed, and how many calendars are written and sent at a time: whoever has the address of a feed
 * needs no account.
 */
@Injectable()
export class CalendarFeedGuard implements CanActivate {
  /** By the id of the feed. */
  private readonly calendars = new FairQueue<string>({
    max: MAX_CALENDARS.all,
    maxOfKey: () => MAX_CALENDARS.ofFeed,
    maxWaiting: MAX_CALENDARS.waiting,
    timeoutMs: MAX_WAIT_MS,
    refusal: tooManyCalendars,
  });

  constructor(
    private readonly feeds: CalendarFeedsService,
    private readonly limits: RateLimitsService,
  ) {}

  /** @throws ResourceNotFoundError; DomainError SERVICE_UNAVAILABLE, RATE_LIMIT_EXCEEDED */
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
    await this.beginCalendar(feed, response);
    await this.limits.count(response, FEED_POLICY, feed.id);
    request.calendarFeed = feed;
    return true;
  }

  /** Waits until the calendar may be written; from then on its response has limited time. */
  private async beginCalendar({ id }: RequestedFeed, response: Response): Promise<void> {
    const end = await this.calendars.begin(id, disconnection(response));
    const timer = setTimeout(() => response.destroy(), MAX_SENDING_MS);
    onRequestEnd(response, () => {
      clearTimeout(timer);
      end();
    });
  }
}

const tooManyCalendars = (): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', 'Too many calendars are being read; try again later', {
    retry_after: RETRY_AFTER_SECONDS,
  });
