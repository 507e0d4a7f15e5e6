import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ForecastModule } from '../forecast/forecast.module.js';
import { MailModule } from '../platform/mail/mail.module.js';
import { UsersModule } from '../users/users.module.js';
import { RemindersSchedule } from './reminders.schedule.js';
import { RemindersService } from './reminders.service.js';

@Module({
  imports: [AccountsModule, ForecastModule, MailModule, UsersModule],
  providers: [RemindersService, RemindersSchedule],
})
export class RemindersModule {}
