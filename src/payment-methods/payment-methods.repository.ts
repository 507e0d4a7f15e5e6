import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { OwnedRepository, ROW_LOCKS } from '../platform/database/repositories.js';
import type { Owner } from '../platform/values/user-id.js';
import { PaymentMethod } from './payment-method.entity.js';

@Injectable()
export class PaymentMethodsRepository extends OwnedRepository<PaymentMethod> {
  protected readonly entity = PaymentMethod;

  /** All payment methods of the owner, locked against changes until the transaction ends. */
  lockAll({ id: userId, householdId }: Owner, manager: EntityManager): Promise<PaymentMethod[]> {
    return manager.find(PaymentMethod, {
      where: { userId, householdId },
      order: { seq: 'ASC' },
      lock: { mode: ROW_LOCKS.share },
    });
  }
}
