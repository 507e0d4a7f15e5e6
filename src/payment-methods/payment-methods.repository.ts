import { Injectable } from '@nestjs/common';
import { NamedRecordsRepository } from '../platform/database/named-records.js';
import { PaymentMethod } from './payment-method.entity.js';

@Injectable()
export class PaymentMethodsRepository extends NamedRecordsRepository<PaymentMethod> {
  protected readonly kind = PaymentMethod;
}
