import type { Scope } from '../platform/database/database.js';
import { Injectable } from '@nestjs/common';
import { OwnedRepository, ROW_LOCKS } from '../platform/database/repositories.js';
import { PaymentMethod } from './payment-method.entity.js';

@Injectable()
export class PaymentMethodsRepository extends OwnedRepository<PaymentMethod> {
  protected readonly entity = PaymentMethod;

  /** All payment methods of the owner, locked against changes until the transaction ends. */
  lockAll({ manager, userId, householdId }: Scope): Promise<PaymentMethod[]> {
    return manager.find(PaymentMethod, {
      where: { userId, householdId },
      order: { seq: 'ASC' },
      lock: { mode: ROW_LOCKS.share },
    });
  }
}
