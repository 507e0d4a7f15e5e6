import { Injectable } from '@nestjs/common';
import { MoreThan, type EntityManager } from 'typeorm';
import type { Owner } from '../platform/values/user-id.js';
import { Invitation } from './invitation.entity.js';

@Injectable()
export class InvitationsRepository {
  async insert(
    { id: createdBy, householdId }: Owner,
    manager: EntityManager,
    values: Pick<Invitation, 'codeHash' | 'expiresAt'>,
  ): Promise<void> {
    await manager.insert(Invitation, { ...values, createdBy, householdId });
  }

  /** Invitations that can be used, newest first. */
  listOpen({ householdId }: Owner, manager: EntityManager): Promise<Invitation[]> {
    return manager.find(Invitation, {
      where: { householdId, expiresAt: MoreThan(new Date()) },
      order: { seq: 'DESC' },
    });
  }

  findOpen(manager: EntityManager, codeHash: string): Promise<Invitation | null> {
    return manager.findOne(Invitation, { where: { codeHash, expiresAt: MoreThan(new Date()) } });
  }

  /**
   * Deletes an open invitation; returns whether it existed.
   *
   * @param inviter a member of the household, or the invitation itself
   */
  async remove(
    { householdId }: Pick<Owner, 'householdId'>,
    manager: EntityManager,
    id: string,
  ): Promise<boolean> {
    const { affected } = await manager.delete(Invitation, {
      id,
      householdId,
      expiresAt: MoreThan(new Date()),
    });
    return affected === 1;
  }
}
