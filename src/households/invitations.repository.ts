import { Injectable } from '@nestjs/common';
import { MoreThan, type EntityManager } from 'typeorm';
import type { Scope } from '../platform/database/database.js';
import { insertRows } from '../platform/database/repositories.js';
import { Invitation } from './invitation.entity.js';

@Injectable()
export class InvitationsRepository {
  insert(scope: Scope, values: Pick<Invitation, 'codeHash' | 'expiresAt'>): void {
    const { userId: createdBy, householdId } = scope;
    insertRows(scope, Invitation, [{ ...values, createdBy, householdId }]);
  }

  /** The number of invitations that can be used. */
  countOpen({ manager, householdId }: Scope): Promise<number> {
    return manager
      .getRepository(Invitation)
      .count({ where: { householdId, expiresAt: MoreThan(new Date()) } });
  }

  /** Invitations that can be used, newest first. */
  listOpen({ manager, householdId }: Scope): Promise<Invitation[]> {
    return manager.getRepository(Invitation).find({
      where: { householdId, expiresAt: MoreThan(new Date()) },
      order: { seq: 'DESC' },
    });
  }

  findOpen(manager: EntityManager, codeHash: string): Promise<Invitation | null> {
    return manager
      .getRepository(Invitation)
      .findOne({ where: { codeHash, expiresAt: MoreThan(new Date()) } });
  }

  /** Deletes an open invitation of the household; returns whether it existed. */
  remove({ manager, householdId }: Scope, id: string): Promise<boolean> {
    return this.use(manager, { id, householdId });
  }

  /** Deletes an open invitation; returns whether it still existed. */
  async use(
    manager: EntityManager,
    { id, householdId }: Pick<Invitation, 'id' | 'householdId'>,
  ): Promise<boolean> {
    const { raw } = (await manager
      .createQueryBuilder()
      .delete()
      .from(Invitation)
      .where({ id, householdId, expiresAt: MoreThan(new Date()) })
      .returning('id')
      .execute()) as { raw: object[] };
    return raw.length === 1;
  }
}
