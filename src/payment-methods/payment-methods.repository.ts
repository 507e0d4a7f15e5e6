import { Injectable } from '@nestjs/common';
import { Any, In } from 'typeorm';
import type { Scope } from '../platform/database/database.js';
import { lockRow, ROW_LOCKS, updateRows } from '../platform/database/repositories.js';
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

  /** A payment method, locked against changes until the transaction ends. */
  lock({ manager, userId, householdId }: Scope, id: string): Promise<PaymentMethod | null> {
    return lockRow(manager.getRepository(PaymentMethod), { id, householdId, userId }, 'share');
  }

  /**
   * A payment method, and another one that has its new name, active or not, locked until the
   * transaction ends. One that gets the name at the same time is not seen: the constraint refuses
   * the second.
   */
  async lockToChange(
    { manager, userId, householdId }: Scope,
    id: string,
    newName: string | undefined,
  ): Promise<{ method?: PaymentMethod; namesake?: PaymentMethod }> {
    const owner = { householdId, userId };
    const found = await manager.getRepository(PaymentMethod).find({
      where: [{ id, ...owner }, ...(newName === undefined ? [] : [{ name: newName, ...owner }])],
      order: { seq: 'ASC' },
      lock: { mode: ROW_LOCKS.update },
    });
    return {
      method: found.find((method) => method.id === id),
      namesake: found.find((method) => method.id !== id),
    };
  }

  /**
   * The owner's payment methods with these ids, or all, locked against changes until the
   * transaction ends.
   */
  lockAll(
    { manager, userId, householdId }: Scope,
    ids?: readonly string[],
  ): Promise<PaymentMethod[]> {
    return manager.getRepository(PaymentMethod).find({
      where: { userId, householdId, ...(ids && { id: Any(ids) }) },
      order: { seq: 'ASC' },
      lock: { mode: ROW_LOCKS.share },
    });
  }

  /** Active or not. */
  count({ manager, userId, householdId }: Scope): Promise<number> {
    return manager.getRepository(PaymentMethod).countBy({ householdId, userId });
  }

  /**
   * Inserts a new payment method, unless another one, active or not, has its name, which is
   * returned then.
   */
  async insertOrFindByName(scope: Scope, method: PaymentMethod): Promise<PaymentMethod | null> {
    method.userId = scope.userId;
    method.householdId = scope.householdId;
    const insertion = scope.manager
      .createQueryBuilder()
      .insert()
      .into(PaymentMethod)
      .values(method)
      .orIgnore()
      .returning('id')
      .updateEntity(false);
    for (;;) {
      const result = await insertion.execute();
      const inserted = result.raw as { id: string }[];
      if (inserted.length > 0) return null;
      const existing = await this.find(scope, { name: method.name });
      if (existing) return existing;
      // Renamed in the meantime, so that the name is available.
    }
  }

  /** Writes a locked payment method. */
  update(scope: Scope, method: PaymentMethod): void {
    updateRows(scope, PaymentMethod, [method]);
  }
}
