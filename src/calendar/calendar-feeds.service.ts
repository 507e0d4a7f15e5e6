import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import { allInOrder } from '../platform/database/all-in-order.js';
import { Database } from '../platform/database/database.js';
import { assertWithinLimit, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { TemporaryFile } from '../platform/files/temporary-file.js';
import { hashOfToken, newToken } from '../platform/values/secret-token.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { MAX_CALENDAR_FEEDS, type CalendarFeed } from './calendar-feed.entity.js';
import { CalendarFeedsRepository } from './calendar-feeds.repository.js';
import { entriesOfCalendar, findFeed, type ReadableFeed } from './calendar.queries.js';
import {
  changedCalendarFeedFields,
  toCalendarFile,
  type CreateCalendarFeedDto,
  type UpdateCalendarFeedDto,
} from './dto/calendar-feed.dto.js';

const TOKEN_BYTES = 32;

/** Whether a text has the form of a token: {@link TOKEN_BYTES} in base64url. */
export const isFeedToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

export interface NewCalendarFeed {
  feed: Omit<CalendarFeed, 'seq' | 'userId' | 'householdId'>;
  token: string;
}

/** Calendars of expenses and incomes that are read with a secret URL (see docs/api.md). */
@Injectable()
export class CalendarFeedsService {
  constructor(
    private readonly database: Database,
    private readonly repository: CalendarFeedsRepository,
    private readonly paymentMethods: PaymentMethodsService,
  ) {}

  /**
   * Creates a feed; only the result contains its token.
   *
   * @throws ResourceNotFoundError for the payment method; DomainError RESOURCE_CONFLICT at the limit
   */
  create(
    user: AuthenticatedUser,
    {
      name,
      payment_method_id: paymentMethodId = null,
      alarm_days: alarmDays = null,
    }: CreateCalendarFeedDto,
  ): Promise<NewCalendarFeed> {
    const token = newToken(TOKEN_BYTES);
    return this.database.transaction(user, async (scope) => {
      const [stored] = await allInOrder([
        this.repository.count(scope),
        paymentMethodId && this.paymentMethods.lock(scope, paymentMethodId),
      ]);
      assertWithinLimit('calendar_feed', { stored, limit: MAX_CALENDAR_FEEDS });
      const createdAt = new Date();
      const feed = {
        id: randomUUID(),
        name,
        paymentMethodId,
        alarmDays,
        tokenHash: hashOfToken(token),
        createdAt,
        updatedAt: createdAt,
      };
      await this.repository.insert(scope, feed);
      return { feed, token };
    });
  }

  /** The feeds of the user, newest first. */
  list(user: AuthenticatedUser): Promise<CalendarFeed[]> {
    return this.database.read(user, (scope) => this.repository.list(scope));
  }

  /**
   * Updates the given fields; the URL stays the same.
   *
   * @throws ResourceNotFoundError for the feed or the payment method
   */
  update(user: AuthenticatedUser, id: string, dto: UpdateCalendarFeedDto): Promise<CalendarFeed> {
    return this.database.transaction(user, async (scope) => {
      const feed = await this.repository.lock(scope, id);
      if (!feed) throw new ResourceNotFoundError('calendar_feed');
      const chosen = dto.payment_method_id ?? undefined;
      await this.paymentMethods.lockIfOther(scope, feed.paymentMethodId, chosen);
      const changed = changedCalendarFeedFields(feed, dto);
      if (Object.keys(changed).length > 0) await this.repository.update(scope, feed, changed);
      return feed;
    });
  }

  /**
   * Revokes a feed: from then on, its URL responds with 404.
   *
   * @throws ResourceNotFoundError
   */
  async remove(user: AuthenticatedUser, id: string): Promise<void> {
    await this.database.transaction(user, async (scope) => {
      const isRemoved = await this.repository.remove(scope, id);
      if (!isRemoved) throw new ResourceNotFoundError('calendar_feed');
    });
  }

  /** The feed of a well-formed token; undefined for a wrong or revoked one, or one of an inactive user. */
  findByToken(token: string): Promise<ReadableFeed | undefined> {
    return this.database.unowned((manager) => findFeed(manager, hashOfToken(token)));
  }

  /**
   * An iCalendar file with the expenses that are not cancelled and the incomes, of the draft and active cycles, from 400 days
   * before today to 800 after, and at most the 5,000 nearest to today. Written in bounded memory; no connection of the
   * database waits for a slow client. The caller closes the file.
   */
  write(feed: ReadableFeed): Promise<TemporaryFile> {
    const owner = { id: feed.userId, householdId: feed.householdId };
    return this.database.snapshot(owner, (scope) =>
      TemporaryFile.from(toCalendarFile(feed, entriesOfCalendar(scope, feed))),
    );
  }
}
