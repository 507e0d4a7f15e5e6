import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { MailModule } from '../platform/mail/mail.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountController } from './account.controller.js';
import { PasswordResetsService } from './password-resets.service.js';

@Module({
  imports: [AuthModule, UsersModule, MailModule],
  controllers: [AccountController],
  providers: [PasswordResetsService],
  exports: [PasswordResetsService],
})
export class AccountsModule {}
