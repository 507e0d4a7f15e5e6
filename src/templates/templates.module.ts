import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { PaymentMethodsModule } from '../payment-methods/payment-methods.module.js';
import { IncomeTemplatesController } from './income-templates.controller.js';
import { IncomeTemplatesService } from './income-templates.service.js';
import { OccurrencesController } from './occurrences.controller.js';
import { OccurrencesService } from './occurrences.service.js';
import { TemplatesController } from './templates.controller.js';
import { TemplatesService } from './templates.service.js';

@Module({
  imports: [ActivityModule, PaymentMethodsModule],
  controllers: [TemplatesController, IncomeTemplatesController, OccurrencesController],
  providers: [TemplatesService, IncomeTemplatesService, OccurrencesService],
  exports: [TemplatesService, IncomeTemplatesService],
})
export class TemplatesModule {}
