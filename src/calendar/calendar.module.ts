import { Module } from '@nestjs/common';
import { CardsModule } from '../cards/cards.module.js';
import { PaymentMethodsModule } from '../payment-methods/payment-methods.module.js';
import { CalendarFeedsController } from './calendar-feeds.controller.js';
import { CalendarFeedsRepository } from './calendar-feeds.repository.js';
import { CalendarFeedsService } from './calendar-feeds.service.js';
import { CalendarController } from './calendar.controller.js';

@Module({
  imports: [CardsModule, PaymentMethodsModule],
  controllers: [CalendarFeedsController, CalendarController],
  providers: [CalendarFeedsRepository, CalendarFeedsService],
  exports: [CalendarFeedsService],
})
export class CalendarModule {}
