import { Inject, Injectable } from '@nestjs/common';
import { AuthService } from '../auth/auth.service.js';
import { PasswordHasher } from '../auth/password-hasher.js';
import {
  PasswordResetTokensService,
  type NewResetToken,
} from '../auth/password-reset-tokens.service.js';
import { SETTINGS } from '../platform/config/config.module.js';
import { linkWithToken } from '../platform/config/mail-settings.js';
import type { Settings } from '../platform/config/settings.js';
import { Database } from '../platform/database/database.js';
import { MailQueue } from '../platform/mail/mail-queue.js';
import type { Mail } from '../platform/mail/mail.js';
import { inactiveUser, invalidLink } from '../users/user-errors.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import type { ConfirmPasswordResetDto } from './dto/account.dto.js';
import { passwordResetMail } from './mails/password-reset.js';

/** The link to the page that takes the token, or the token alone without PASSWORD_RESET_URL. */
interface ResetLink {
  link: string;
  expiresAt: Date;
}

/** New passwords for users who have forgotten theirs. */
@Injectable()
export class PasswordResetsService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly auth: AuthService,
    private readonly hasher: PasswordHasher,
    private readonly tokens: PasswordResetTokensService,
    private readonly mails: MailQueue,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Whether users can request a reset: a mail server is configured. */
  get canBeRequested(): boolean {
    return this.mails.isAvailable;
  }

  /**
   * Sends the user with this e-mail a link, in the background: nobody learns from it whether there
   * is one.
   */
  request(email: string): void {
    this.mails.add(() => this.prepareMail(email));
  }

  /** A link for an operator, who gives it to the user. Also for an inactive user. */
  createLink({ id }: User): Promise<ResetLink> {
    return this.database.systemTransaction(async (manager) => {
      const user = await this.users.lock(manager, id);
      return this.toLink(this.tokens.createForOperator(manager, user));
    });
  }

  /**
   * Sets the password of the token's user, and ends all of the user's sessions and tokens.
   *
   * @throws DomainError INVALID_TOKEN, INACTIVE_USER
   */
  async confirm({ token, new_password }: ConfirmPasswordResetDto): Promise<void> {
    const id = await this.database.systemQuery((manager) => this.tokens.findUserId(manager, token));
    if (id === undefined) throw invalidLink();
    const passwordHash = await this.hasher.hash(new_password);
    await this.database.systemTransaction(async (manager) => {
      const user = await this.users.lock(manager, id);
      // It may have been used or ended since.
      if ((await this.tokens.findUserId(manager, token)) === undefined) throw invalidLink();
      if (!user.active) throw inactiveUser();
      this.auth.replacePassword(manager, user, passwordHash);
    }, id);
  }

  /** Null for an unknown or inactive user, or one that has had too many. */
  private async prepareMail(email: string): Promise<Mail | null> {
    const found = await this.users.findByEmail(email);
    if (!found?.active) return null;
    return this.database.systemTransaction(async (manager) => {
      const user = await this.users.lock(manager, found.id);
      // It may have changed since.
      if (!user.active || user.email !== found.email) return null;
      const created = await this.tokens.createForUser(manager, user);
      return created && passwordResetMail(user, this.toLink(created));
    }, found.id);
  }

  private toLink({ token, expiresAt }: NewResetToken): ResetLink {
    const { passwordResetUrl } = this.settings;
    return {
      link: passwordResetUrl === undefined ? token : linkWithToken(passwordResetUrl, token),
      expiresAt,
    };
  }
}
