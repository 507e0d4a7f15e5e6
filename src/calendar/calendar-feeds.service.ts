import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { sendTogether } from '#postgres';
import { daysOfStatements } from '../cards/card.js';
import { CardsService } from '../cards/cards.service.js';
import { ChosenPaymentMethods } from '../payment-methods/chosen-payment-methods.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database } from '../platform/database/database.js';
import { assertWithinLimit, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { TemporaryFile } from '../platform/files/temporary-file.js';
import { addDays } from '../platform/values/calendar-date.js';
import { inRequest, type Requester } from '../platform/values/requester.js';
import { hashOfToken, newToken } from '../platform/values/secret-token.js';
import { idIfChanged } from '../records/chosen-records.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { MAX_CALENDAR_FEEDS } from './calendar-feed.entity.js';
import { CalendarFeedsRepository } from './calendar-feeds.repository.js';
import { statementEvents } from './calendar-statements.js';
import {
  DAYS_AFTER,
  entriesOfCalendar,
  findFeed,
  findLastChange,
  type ReadableFeed,
} from './calendar.queries.js';
import {
  changedCalendarFeedFields,
  toCalendarFeedResponse,
  toCalendarFile,
  type CalendarFeedResponse,
  type CreatedCalendarFeedResponse,
  type CreateCalendarFeedDto,
  type UpdateCalendarFeedDto,
} from './dto/calendar-feed.dto.js';

const TOKEN_BYTES = 32;

/** Whether a text has the form of a token: {@link TOKEN_BYTES} in base64url. */
export const isFeedToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** A feed with its user, whose day is that of the beginning of the request. */
export type RequestedFeed = ReadableFeed & { user: Requester };

/** Calendars of expenses and incomes that are read with a secret URL. */
@Injectable()
export class CalendarFeedsService {
  constructor(
    private readonly database: Database,
    private readonly repository: CalendarFeedsRepository,
    private readonly paymentMethods: ChosenPaymentMethods,
    private readonly cards: CardsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Creates a feed; only the response contains its secret URL.
   *
   * @param publicUrl where clients reach the service
   * @throws ResourceNotFoundError for the payment method; DomainError RESOURCE_CONFLICT at the
   *   limit
   */
  create(
    user: AuthenticatedUser,
    {
      name,
      payment_method_id: paymentMethodId = null,
      alarm_days: alarmDays = null,
    }: CreateCalendarFeedDto,
    publicUrl: string,
  ): Promise<CreatedCalendarFeedResponse> {
    const token = newToken(TOKEN_BYTES);
    return this.database.transaction(user, async (scope) => {
      const [stored] = await sendTogether([
        this.repository.count(scope),
        this.paymentMethods.lock(scope, paymentMethodId),
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
      this.repository.insert(scope, feed);
      return { ...toCalendarFeedResponse(feed), url: `${publicUrl}/calendar/${token}.ics` };
    });
  }

  /** The feeds of the user, newest first. */
  async list(user: AuthenticatedUser): Promise<CalendarFeedResponse[]> {
    const feeds = await this.database.read(user, (scope) => this.repository.list(scope));
    return feeds.map(toCalendarFeedResponse);
  }

  /**
   * Updates the given fields; the URL stays the same.
   *
   * @throws ResourceNotFoundError for the feed or the payment method
   */
  update(
    user: AuthenticatedUser,
    id: string,
    dto: UpdateCalendarFeedDto,
  ): Promise<CalendarFeedResponse> {
    return this.database.transaction(user, async (scope) => {
      const feed = await this.repository.lock(scope, id);
      if (!feed) throw new ResourceNotFoundError('calendar_feed');
      const chosen = idIfChanged(feed.paymentMethodId, dto.payment_method_id);
      await this.paymentMethods.lock(scope, chosen);
      const changed = changedCalendarFeedFields(feed, dto);
      if (Object.keys(changed).length > 0) this.repository.update(scope, feed, changed);
      return toCalendarFeedResponse(feed);
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

  /**
   * The feed of a well-formed token; undefined for a wrong or revoked one, or one of an inactive
   * user.
   */
  async findByToken(token: string): Promise<RequestedFeed | undefined> {
    const feed = await this.database.systemQuery((manager) =>
      findFeed(manager, hashOfToken(token)),
    );
    if (!feed) return undefined;
    const { userId: id, householdId, timeZone } = feed;
    const user = inRequest({ id, householdId, timeZone }, this.settings.todayIn);
    return { ...feed, user };
  }

  /**
   * An iCalendar file with the expenses that are not cancelled and the incomes, of the draft and
   * active cycles, from 400 days before today to 800 after, and at most the 5,000 nearest to today;
   * and with the statements of cards of which something is to be paid, at most 1,000.
   * Written in bounded memory; no connection of the database waits for a slow client. The caller
   * closes the file.
   */
  write(feed: RequestedFeed): Promise<TemporaryFile> {
    return this.database.snapshot(feed.user, async (scope) => {
      const { today } = scope;
      const [cards, changedAt] = await sendTogether([
        this.cards.list(scope, addDays(today, DAYS_AFTER)),
        findLastChange(scope, feed),
      ]);
      const statements = await this.cards.statementsOf(scope, cards);
      const events = statementEvents(statements, feed, { today, changedAt });
      const entries = entriesOfCalendar(scope, feed, cards.flatMap(daysOfStatements));
      return TemporaryFile.from(toCalendarFile(feed, events, entries));
    });
  }
}
