import { Injectable } from '@nestjs/common';
import type { Scope } from '../platform/database/database.js';
import { insertRows, lockRow } from '../platform/database/repositories.js';
import { updateRows } from '../records/record-updates.js';
import { CardStatement } from './card-statement.entity.js';

@Injectable()
export class CardStatementsRepository {
  /** A stored statement, locked until the transaction ends. */
  lock(
    { manager, userId, householdId }: Scope,
    { paymentMethodId, closingDate }: Pick<CardStatement, 'paymentMethodId' | 'closingDate'>,
  ): Promise<CardStatement | null> {
    const where = { paymentMethodId, closingDate, householdId, userId, active: true };
    return lockRow(manager.getRepository(CardStatement), where, 'update');
  }

  /** A statement, also one that is derived again, locked until the transaction ends. */
  lockWithDeleted(
    { manager, userId, householdId }: Scope,
    id: string,
  ): Promise<CardStatement | null> {
    return lockRow(manager.getRepository(CardStatement), { id, householdId, userId }, 'update');
  }

  /** The card of a statement, also of one that is derived again; it never changes. */
  async findCardId(
    { manager, userId, householdId }: Scope,
    id: string,
  ): Promise<string | undefined> {
    const found = await manager.findOne(CardStatement, {
      select: { id: true, householdId: true, paymentMethodId: true },
      where: { id, householdId, userId },
    });
    return found?.paymentMethodId;
  }

  insert(scope: Scope, statements: readonly CardStatement[]): void {
    if (statements.length === 0) return;
    for (const statement of statements) {
      statement.userId = scope.userId;
      statement.householdId = scope.householdId;
    }
    insertRows(scope, CardStatement, statements);
  }

  /** Writes a locked statement. */
  update(scope: Scope, statement: CardStatement): void {
    updateRows(scope, CardStatement, [statement]);
  }
}
