import { Inject, Injectable, Logger } from '@nestjs/common';
import { setTimeout } from 'node:timers/promises';
import { ReminderLinksService } from '../accounts/reminder-links.service.js';
import { ForecastService } from '../forecast/forecast.service.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { MAIL_RESULTS, MailQueue } from '../platform/mail/mail-queue.js';
import type { Mail } from '../platform/mail/mail.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { inCommand } from '../platform/values/requester.js';
import { dayIn, hourIn } from '../platform/values/time-zone.js';
import type { UserId } from '../platform/values/user-id.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { reminderMail } from './mails/reminder.js';
import { firstBelowZero, reminderOf } from './reminder.js';
import { listDue, listTimeZones, type ZoneTime } from './reminders.queries.js';

/** How long to wait while too many reminders are on their way. */
const WAIT_MS = 500;

/** Mails that remind users of what is due. */
@Injectable()
export class RemindersService {
  private readonly logger = new Logger('Reminders');
  private readonly results;

  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly links: ReminderLinksService,
    private readonly forecasts: ForecastService,
    private readonly mails: MailQueue,
    @Inject(SETTINGS) private readonly settings: Settings,
    metrics: Metrics,
  ) {
    this.results = metrics.addCounter({
      name: 'reminders_total',
      help: 'Of mails_total, those that remind of what is due',
      labelNames: ['result'],
    });
    for (const result of MAIL_RESULTS) this.results.inc({ result }, 0);
  }

  get canBeSent(): boolean {
    return this.links.canBeSent;
  }

  /**
   * Looks at every user whose hour has come and who was not looked at today, one after another, and
   * sends a mail where there is something to say. Other processes may do the same: each user is
   * taken by one of them.
   *
   * @param signal ends it with its reason
   */
  async sendDue(signal: AbortSignal): Promise<void> {
    const zones = await this.database.systemQuery(listTimeZones);
    if (zones.length === 0) return;
    let due: UserId[];
    do {
      const times = zones.map((timeZone) => this.timeIn(timeZone));
      due = await this.database.systemQuery((manager) => listDue(manager, times));
      for (const id of due) {
        while (!this.mails.hasPlaceForBulk) await setTimeout(WAIT_MS, undefined, { signal });
        signal.throwIfAborted();
        await this.remind(id);
      }
    } while (due.length > 0);
  }

  private timeIn(timeZone: string): ZoneTime {
    const now = new Date();
    const day = this.settings.todayIn?.(timeZone) ?? dayIn(timeZone, now);
    return { timeZone, day, hour: hourIn(timeZone, now) };
  }

  private async remind(id: UserId): Promise<void> {
    try {
      const user = await this.take(id);
      const mail = user && (await this.writeMail(user));
      if (mail) void this.mails.addBulk(mail).then((result) => this.results.inc({ result }));
    } catch (error) {
      // Such as a forecast without the exchange rate that it needs.
      if (!(error instanceof DomainError)) throw error;
      this.logger.warn(`A user gets no reminder: ${error.code}`);
    }
  }

  /**
   * Takes the day of a user, so that nobody else does: before the mail, so that none is sent rather
   * than two.
   *
   * @returns null if it is taken, another day has begun, or reminders were turned off
   */
  private take(id: UserId): Promise<User | null> {
    return this.database.systemTransaction(async (manager) => {
      const user = await this.users.lock(manager, id);
      const { day, hour } = this.timeIn(user.timeZone);
      const isWanted = user.active && user.remindersEnabled && user.remindersConfirmed;
      const isDue = user.remindersHour <= hour && (user.remindedOn ?? '') < day;
      if (!isWanted || !isDue) return null;
      this.users.updateInternal(manager, user, { remindedOn: day });
      return user;
    }, id);
  }

  /** @returns null if there is nothing to say */
  private async writeMail(user: User): Promise<Mail | null> {
    const forecast = await this.forecasts.forecast(inCommand(user, this.settings.todayIn), {
      set_aside: 'budgets',
      include: ['days', 'entries'],
    });
    const isBelowZero = firstBelowZero(forecast) !== null;
    if (isBelowZero !== user.remindedBelowZero) await this.recordBelowZero(user, isBelowZero);
    const reminder = reminderOf(forecast, {
      daysBefore: user.remindersDaysBefore,
      isBelowZeroKnown: user.remindedBelowZero,
    });
    const { remindersUrl } = this.settings;
    return (
      reminder &&
      reminderMail(user, reminder, {
        page: remindersUrl && new URL(remindersUrl).origin,
        unsubscribeUrl: this.links.unsubscribeUrl(user),
      })
    );
  }

  private async recordBelowZero({ id }: User, remindedBelowZero: boolean): Promise<void> {
    await this.database.systemTransaction(async (manager) => {
      const user = await this.users.lock(manager, id);
      this.users.updateInternal(manager, user, { remindedBelowZero });
    }, id);
  }
}
