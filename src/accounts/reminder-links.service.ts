import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS } from '../platform/config/config.module.js';
import { linkWithToken } from '../platform/config/mail-settings.js';
import type { Settings } from '../platform/config/settings.js';
import { Database } from '../platform/database/database.js';
import { MailQueue } from '../platform/mail/mail-queue.js';
import type { Mail } from '../platform/mail/mail.js';
import { SignedTokens } from '../platform/values/signed-token.js';
import type { UserId } from '../platform/values/user-id.js';
import { invalidLink } from '../users/user-errors.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { confirmationMail } from './mails/reminder-confirmation.js';

const DAY_MS = 24 * 3_600_000;

/** Links that confirm reminders of one account in a day. */
const MAX_LINKS_PER_DAY = 3;

/** Links in mails that turn reminders on and off. */
@Injectable()
export class ReminderLinksService {
  private readonly confirmations: SignedTokens;
  private readonly unsubscriptions: SignedTokens;

  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly mails: MailQueue,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.confirmations = new SignedTokens(settings.authSecret, 'confirm reminders');
    this.unsubscriptions = new SignedTokens(settings.authSecret, 'unsubscribe from reminders');
  }

  /** Whether users can confirm reminders, and get them. */
  get canBeSent(): boolean {
    return this.mails.isAvailable && this.settings.remindersUrl !== undefined;
  }

  /** Sends a user the link that confirms reminders, in the background, if there are mails. */
  send(id: UserId): void {
    const { remindersUrl } = this.settings;
    if (this.canBeSent && remindersUrl !== undefined) {
      this.mails.add(() => this.prepareMail(id, remindersUrl));
    }
  }

  /** @throws DomainError INVALID_TOKEN also when the e-mail has changed or is confirmed */
  async confirm(token: string): Promise<void> {
    const id = this.confirmations.idIn(token) as UserId | undefined;
    if (id === undefined || !(await this.users.findById(id))) throw invalidLink();
    await this.database.systemTransaction(async (manager) => {
      const user = await this.users.lock(manager, id);
      const isValid = this.confirmations.isValid(token, user.email);
      if (!isValid || !user.active || user.remindersConfirmed) throw invalidLink();
      this.users.update(manager, user, { remindersConfirmed: true });
    }, id);
  }

  /** Where mail applications turn reminders off; undefined without a public URL. */
  unsubscribeUrl({ id }: Pick<User, 'id'>): string | undefined {
    const { publicUrl } = this.settings;
    const token = this.unsubscriptions.sign({ id });
    return publicUrl && `${publicUrl}/account/reminders/unsubscribe?token=${token}`;
  }

  /** Turns the reminders of a token's user off; does nothing for an invalid token. */
  async unsubscribe(token: string): Promise<void> {
    const id = this.unsubscriptions.idIn(token) as UserId | undefined;
    if (id === undefined || !this.unsubscriptions.isValid(token)) return;
    if (!(await this.users.findById(id))?.remindersEnabled) return;
    await this.database.systemTransaction(async (manager) => {
      const user = await this.users.lock(manager, id);
      if (user.remindersEnabled) this.users.update(manager, user, { remindersEnabled: false });
    }, id);
  }

  /** Null if the user needs no link any more, or has had too many. */
  private prepareMail(id: UserId, page: string): Promise<Mail | null> {
    return this.database.systemTransaction(async (manager) => {
      const user = await this.users.lock(manager, id);
      if (!user.active || !user.remindersEnabled || user.remindersConfirmed) return null;
      const count = linksOfDay(user);
      if (count.reminderLinks > MAX_LINKS_PER_DAY) return null;
      this.users.updateInternal(manager, user, count);
      const expiresAt = new Date(Date.now() + DAY_MS);
      const token = this.confirmations.sign({ id, expiresAt }, user.email);
      return confirmationMail(user, { link: linkWithToken(page, token), expiresAt });
    }, id);
  }
}

/** The count of links with one more. */
function linksOfDay({
  reminderLinks,
  reminderLinksSince: since,
}: User): Pick<User, 'reminderLinks' | 'reminderLinksSince'> {
  const isSameDay = since !== null && Date.now() - since.getTime() < DAY_MS;
  return isSameDay
    ? { reminderLinks: reminderLinks + 1, reminderLinksSince: since }
    : { reminderLinks: 1, reminderLinksSince: new Date() };
}
