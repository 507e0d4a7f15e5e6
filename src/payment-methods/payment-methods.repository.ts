import { Injectable } from '@nestjs/common';
import { OwnedRepository } from '../platform/database/repositories.js';
import { PaymentMethod } from './payment-method.entity.js';

@Injectable()
export class PaymentMethodsRepository extends OwnedRepository<PaymentMethod> {
  protected readonly entity = PaymentMethod;
}
