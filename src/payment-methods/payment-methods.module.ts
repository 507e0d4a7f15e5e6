import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { ChosenPaymentMethods } from './chosen-payment-methods.js';
import { PaymentMethodsController } from './payment-methods.controller.js';
import { PaymentMethodsRepository } from './payment-methods.repository.js';
import { PaymentMethodsService } from './payment-methods.service.js';

@Module({
  imports: [ActivityModule],
  controllers: [PaymentMethodsController],
  providers: [PaymentMethodsService, PaymentMethodsRepository, ChosenPaymentMethods],
  exports: [PaymentMethodsService, ChosenPaymentMethods],
})
export class PaymentMethodsModule {}
