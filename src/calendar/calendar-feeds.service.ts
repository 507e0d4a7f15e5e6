import { Injectable } from '@nestjs/common';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import { Database } from '../platform/database/database.js';
import { ResourceNotFoundError } from '../platform/errors/domain-error.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import type { CalendarFeed } from './calendar-feed.entity.js';
import { CalendarFeedsRepository } from './calendar-feeds.repository.js';
import { findCalendar, type Calendar } from './calendar.queries.js';
import type { CreateCalendarFeedDto } from './dto/calendar-feed.dto.js';

const TOKEN_BYTES = 32;
/** What {@link TOKEN_BYTES} give in base64url. */
const TOKEN = /^[\w-]{43}$/;

/** Calendars of expenses and incomes that are read with a secret URL (contract, section 21). */
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
   * @throws ResourceNotFoundError for the payment method
   */
  create(
    user: AuthenticatedUser,
    { name, payment_method_id: paymentMethodId = null }: CreateCalendarFeedDto,
  ): Promise<{ feed: Omit<CalendarFeed, 'seq'>; token: string }> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    return this.database.transaction(async (manager) => {
      if (paymentMethodId !== null) {
        await this.paymentMethods.getForUse(manager, user, paymentMethodId);
      }
      const feed = {
        ...{ id: randomUUID(), householdId: user.householdId, userId: user.id },
        ...{ name, paymentMethodId, tokenHash: hash(token), createdAt: new Date() },
      };
      await this.repository.insert(manager, feed);
      return { feed, token };
    });
  }

  /** The feeds of the user, newest first. */
  list(user: AuthenticatedUser): Promise<CalendarFeed[]> {
    return this.repository.list(this.database.manager, user);
  }

  /**
   * Revokes a feed: its URL leads nowhere from then on.
   *
   * @throws ResourceNotFoundError
   */
  async remove(user: AuthenticatedUser, id: string): Promise<void> {
    await this.database.transaction(async (manager) => {
      const isRemoved = await this.repository.remove(manager, user, id);
      if (!isRemoved) throw new ResourceNotFoundError('calendar_feed');
    });
  }

  /**
   * The calendar of a token: expenses that are not cancelled and incomes, of the draft and active cycles.
   *
   * @throws ResourceNotFoundError for a wrong or revoked token, or one of an inactive user
   */
  async read(token: string): Promise<Calendar> {
    const calendar = TOKEN.test(token)
      ? await findCalendar(this.database.manager, hash(token))
      : undefined;
    if (!calendar) throw new ResourceNotFoundError('calendar_feed');
    return calendar;
  }
}

const hash = (token: string): string => createHash('sha256').update(token).digest('hex');
