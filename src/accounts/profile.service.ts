import { Inject, Injectable } from '@nestjs/common';
import type { UpdateProfileDto } from '../auth/dto/auth.dto.js';
import { IdentityCache } from '../auth/identity-cache.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database } from '../platform/database/database.js';
import { formatMoney } from '../platform/values/money.js';
import type { UserId } from '../platform/values/user-id.js';
import { toUserResponse, type UserResponse } from '../users/dto/user.dto.js';
import { invalidToken } from '../users/user-errors.js';
import { UsersService } from '../users/users.service.js';
import { ReminderLinksService } from './reminder-links.service.js';

/** What users see and choose of their accounts. */
@Injectable()
export class ProfileService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly identities: IdentityCache,
    private readonly reminderLinks: ReminderLinksService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @throws DomainError INVALID_TOKEN when the user no longer exists */
  async get(id: UserId): Promise<UserResponse> {
    const profile = await this.users.findProfile(id);
    if (!profile) throw invalidToken();
    return profile;
  }

  /**
   * Updates the given fields; an update without changes leaves `updatedAt`. The new values
   * count at once in this process, within three seconds in the others. Sends a link to a user who
   * turns reminders on, unless the e-mail is confirmed.
   *
   * @throws DomainError INVALID_TOKEN when the user no longer exists
   */
  update(id: UserId, dto: UpdateProfileDto): Promise<UserResponse> {
    return this.database.systemTransaction(async (manager) => {
      const user = await this.users.lock(manager, id);
      const { reminders = {} } = dto;
      const profile = {
        firstName: dto.first_name === undefined ? user.firstName : dto.first_name,
        lastName: dto.last_name === undefined ? user.lastName : dto.last_name,
        preferredCurrency: dto.preferred_currency ?? user.preferredCurrency,
        locale: dto.locale ?? user.locale,
        timeZone: dto.time_zone ?? user.timeZone,
        minimumBalance: dto.minimum_balance
          ? formatMoney(dto.minimum_balance)
          : user.minimumBalance,
        nextIncomeAmount: dto.next_income_amount ?? user.nextIncomeAmount,
        remindersEnabled: reminders.enabled ?? user.remindersEnabled,
        remindersHour: reminders.hour ?? user.remindersHour,
        remindersDaysBefore: reminders.days_before ?? user.remindersDaysBefore,
      };
      const isChanged = Object.entries(profile).some(
        ([field, value]) => user[field as keyof typeof profile] !== value,
      );
      if (isChanged) {
        this.identities.invalidateAfterCommit(manager, id);
        this.users.update(manager, user, profile);
      }
      if (reminders.enabled && !user.remindersConfirmed) {
        this.database.afterCommit(manager, () => this.reminderLinks.send(id));
      }
      return toUserResponse(user, this.settings.todayIn);
    }, id);
  }
}
