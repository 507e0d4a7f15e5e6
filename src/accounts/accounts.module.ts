import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { MailModule } from '../platform/mail/mail.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountController } from './account.controller.js';
import { PasswordResetsService } from './password-resets.service.js';
import { ProfileController } from './profile.controller.js';
import { ProfileService } from './profile.service.js';
import { ReminderLinksService } from './reminder-links.service.js';
import { RemindersController } from './reminders.controller.js';

@Module({
  imports: [AuthModule, UsersModule, MailModule],
  controllers: [AccountController, ProfileController, RemindersController],
  providers: [PasswordResetsService, ProfileService, ReminderLinksService],
  exports: [PasswordResetsService, ReminderLinksService],
})
export class AccountsModule {}
