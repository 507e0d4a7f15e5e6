import { Injectable } from '@nestjs/common';
import { ChosenRecords } from '../records/chosen-records.js';
import { PaymentMethod } from './payment-method.entity.js';
import { PaymentMethodsRepository } from './payment-methods.repository.js';

@Injectable()
export class ChosenPaymentMethods extends ChosenRecords<PaymentMethod> {
  constructor(repository: PaymentMethodsRepository) {
    super(repository, PaymentMethod.type, 'payment_method_id');
  }
}
