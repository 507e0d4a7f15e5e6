import { Injectable } from '@nestjs/common';
import { MoreThan, type EntityManager } from 'typeorm';
import { ROW_LOCKS } from '../platform/database/repositories.js';
import type { Instant } from '../platform/values/instant.js';
import type { Owner } from '../platform/values/user-id.js';
import { Session } from './session.entity.js';
import { User } from './user.entity.js';

export interface OpenSession {
  id: string;
  expires_at: Instant;
}

/** The properties whose columns {@link OpenSession} has. */
const OPEN_SESSION: (keyof Session)[] = ['id', 'expiresAt'];

@Injectable()
export class SessionsRepository {
  /**
   * Locks the user whose password was verified. The lock makes a sign-in wait for a concurrent password change, after
   * which the old hash matches no more: a session that the change does not end is one with the new password.
   */
  lockUser(
    { id, passwordHash }: Pick<User, 'id' | 'passwordHash'>,
    manager: EntityManager,
  ): Promise<Owner | null> {
    return manager.findOne(User, {
      select: { id: true, householdId: true },
      where: { id, passwordHash },
      lock: { mode: ROW_LOCKS.share },
    });
  }

  async insert(
    { id: userId, householdId }: Owner,
    manager: EntityManager,
    { userAgent, expiresAt }: Pick<Session, 'userAgent' | 'expiresAt'>,
  ): Promise<OpenSession> {
    const session = manager.create(Session, { householdId, userId, userAgent, expiresAt });
    await manager.insert(Session, session);
    return { id: session.id, expires_at: expiresAt.toISOString() };
  }

  /** Sets the time of the refresh; undefined if the user has no such session, or it has expired. */
  async refresh(
    { id: userId, householdId }: Owner,
    manager: EntityManager,
    id: string,
  ): Promise<OpenSession | undefined> {
    const now = new Date();
    const { raw } = (await manager
      .createQueryBuilder()
      .update(Session)
      .set({ lastRefreshedAt: now })
      .where({ householdId, userId, id, expiresAt: MoreThan(now) })
      .returning(OPEN_SESSION)
      .execute()) as { raw: OpenSession[] };
    return raw[0];
  }

  /** Deletes a session of the user, or all; returns the deleted ones. */
  async delete(
    { id: userId, householdId }: Owner,
    manager: EntityManager,
    id?: string,
  ): Promise<OpenSession[]> {
    const { raw } = (await manager
      .createQueryBuilder()
      .delete()
      .from(Session)
      .where({ householdId, userId, ...(id !== undefined && { id }) })
      .returning(OPEN_SESSION)
      .execute()) as { raw: OpenSession[] };
    return raw;
  }
}
