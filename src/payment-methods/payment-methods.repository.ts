import { Injectable } from '@nestjs/common';
import type { Scope } from '../platform/database/database.js';
import { NamedRecordsRepository } from '../records/named-records.js';
import { PaymentMethod } from './payment-method.entity.js';

@Injectable()
export class PaymentMethodsRepository extends NamedRecordsRepository<PaymentMethod> {
  protected readonly kind = PaymentMethod;

  /** Whether another payment method, active or not, is paid from this one. */
  isPaidFrom({ manager, userId, householdId }: Scope, { id }: PaymentMethod): Promise<boolean> {
    return manager.existsBy(PaymentMethod, { paidFromId: id, householdId, userId });
  }
}
