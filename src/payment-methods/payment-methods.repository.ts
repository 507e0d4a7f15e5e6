import { Injectable } from '@nestjs/common';
import { OwnedRepository } from '../database/owned-repository.js';
import { PaymentMethod } from './payment-method.entity.js';

@Injectable()
export class PaymentMethodsRepository extends OwnedRepository<PaymentMethod> {
  protected readonly entity = PaymentMethod;
}
