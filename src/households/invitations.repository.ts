import { Injectable } from '@nestjs/common';
import { MoreThan, type EntityManager } from 'typeorm';
import type { UserId } from '../platform/values/user-id.js';
import { Invitation } from './invitation.entity.js';

@Injectable()
export class InvitationsRepository {
  async insert(
    manager: EntityManager,
    values: { householdId: string; createdBy: UserId; codeHash: string; expiresAt: Date },
  ): Promise<void> {
    await manager.insert(Invitation, values);
  }

  /** Invitations that can be used, newest first. */
  listOpen(manager: EntityManager, householdId: string): Promise<Invitation[]> {
    return manager.find(Invitation, {
      where: { householdId, expiresAt: MoreThan(new Date()) },
      order: { seq: 'DESC' },
    });
  }

  findOpen(manager: EntityManager, codeHash: string): Promise<Invitation | null> {
    return manager.findOne(Invitation, { where: { codeHash, expiresAt: MoreThan(new Date()) } });
  }

  /** Deletes an open invitation; returns whether it existed. */
  async remove(manager: EntityManager, householdId: string, id: string): Promise<boolean> {
    const { affected } = await manager.delete(Invitation, {
      id,
      householdId,
      expiresAt: MoreThan(new Date()),
    });
    return affected === 1;
  }
}
