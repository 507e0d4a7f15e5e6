import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Scope } from '../platform/database/database.js';
import {
  insertRows,
  ROW_LOCKS,
  updateRows,
  type RowLock,
} from '../platform/database/repositories.js';
import { PaymentMethod } from './payment-method.entity.js';

@Injectable()
export class PaymentMethodsRepository {
  find(
    { manager, userId, householdId }: Scope,
    where: { id: string } | { name: string },
  ): Promise<PaymentMethod | null> {
    return manager
      .getRepository(PaymentMethod)
      .findOne({ where: { ...where, householdId, userId } });
  }

  /** Those of the payment methods that the owner has, in any order. */
  listByIds(
    { manager, userId, householdId }: Scope,
    ids: readonly string[],
  ): Promise<PaymentMethod[]> {
    return manager
      .getRepository(PaymentMethod)
      .find({ where: { id: In([...ids]), householdId, userId } });
  }

  /** A payment method, locked until the transaction ends: `update` to change it, `share` to prevent changes. */
  lock(
    { manager, userId, householdId }: Scope,
    id: string,
    lock: RowLock = 'update',
  ): Promise<PaymentMethod | null> {
    return manager
      .getRepository(PaymentMethod)
      .findOne({ where: { id, householdId, userId }, lock: { mode: ROW_LOCKS[lock] } });
  }

  /** All payment methods of the owner, locked against changes until the transaction ends. */
  lockAll({ manager, userId, householdId }: Scope): Promise<PaymentMethod[]> {
    return manager.getRepository(PaymentMethod).find({
      where: { userId, householdId },
      order: { seq: 'ASC' },
      lock: { mode: ROW_LOCKS.share },
    });
  }

  /** Active or not. */
  count({ manager, userId, householdId }: Scope): Promise<number> {
    return manager.getRepository(PaymentMethod).countBy({ householdId, userId });
  }

  insert(scope: Scope, method: PaymentMethod): Promise<void> {
    method.userId = scope.userId;
    method.householdId = scope.householdId;
    return insertRows(scope, PaymentMethod, [method]);
  }

  /** Writes a locked payment method. */
  update(scope: Scope, method: PaymentMethod): Promise<void> {
    return updateRows(scope, PaymentMethod, [method]);
  }
}
