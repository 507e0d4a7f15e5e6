import { Injectable } from '@nestjs/common';
import { NamedRecordsRepository } from '../records/named-records.js';
import { PaymentMethod } from './payment-method.entity.js';

@Injectable()
export class PaymentMethodsRepository extends NamedRecordsRepository<PaymentMethod> {
  protected readonly kind = PaymentMethod;
}
