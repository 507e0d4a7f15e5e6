import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { MailQueue } from '../platform/mail/mail-queue.js';
import { RateLimitsModule } from '../platform/rate-limits/rate-limits.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountController } from './account.controller.js';
import { PasswordResetsService } from './password-resets.service.js';

@Module({
  imports: [AuthModule, UsersModule, RateLimitsModule],
  controllers: [AccountController],
  providers: [PasswordResetsService, MailQueue],
  exports: [PasswordResetsService],
})
export class AccountsModule {}
