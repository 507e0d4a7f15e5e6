import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { PaymentMethodsModule } from '../payment-methods/payment-methods.module.js';
import { TemplatesController } from './templates.controller.js';

import { TemplatesService } from './templates.service.js';

@Module({
  imports: [ActivityModule, PaymentMethodsModule],
  controllers: [TemplatesController],
  providers: [TemplatesService],
  exports: [TemplatesService],
})
export class TemplatesModule {}
