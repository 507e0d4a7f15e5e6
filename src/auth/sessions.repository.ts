import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { In, MoreThan, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { sendTogether } from '#postgres';
import { advisoryLockId } from '../platform/database/advisory-lock.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import { insertRows } from '../platform/database/repositories.js';
import { send } from '../platform/database/send.js';
import type { Instant } from '../platform/values/instant.js';
import type { Owner } from '../platform/values/user-id.js';
import { User } from '../users/user.entity.js';
import { Session } from './session.entity.js';

export interface OpenSession {
  id: string;
  expires_at: Instant;
}

/** The properties whose columns {@link OpenSession} has. */
const OPEN_SESSION: (keyof Session)[] = ['id', 'expiresAt'];

@Injectable()
export class SessionsRepository {
  /**
   * The user, if still active and with the password that was verified. Until the transaction
   * ends, {@link deleteAll} waits, so that it deletes the session that this transaction inserts. It
   * does not wait for a lock of the row: Citus locks the whole table of users for a shared one, and
   * concurrent sign-ins would deadlock.
   */
  async findWithPassword(
    manager: EntityManager,
    { id, passwordHash }: Pick<User, 'id' | 'passwordHash'>,
  ): Promise<Owner | null> {
    const [, owner] = await sendTogether([
      query(manager, sql`SELECT pg_advisory_xact_lock_shared(${advisoryLockId(id)})`),
      manager.getRepository(User).findOne({
        select: { id: true, householdId: true },
        where: { id, passwordHash, active: true },
      }),
    ]);
    return owner;
  }

  insert(
    manager: EntityManager,
    { id: userId, householdId }: Owner,
    { userAgent, expiresAt }: Pick<Session, 'userAgent' | 'expiresAt'>,
  ): OpenSession {
    const id = randomUUID();
    insertRows({ manager }, Session, [{ id, householdId, userId, userAgent, expiresAt }]);
    return { id, expires_at: expiresAt.toISOString() };
  }

  /** Whether the user has such a session, and it has not expired. */
  isOpen({ manager, userId, householdId }: Scope, id: string): Promise<boolean> {
    return manager.getRepository(Session).exists({
      where: { householdId, userId, id, expiresAt: MoreThan(new Date()) },
    });
  }

  /** Sets the time of the refresh; null if the user has no such session, or it has expired. */
  async refresh({ manager, userId, householdId }: Scope, id: string): Promise<OpenSession | null> {
    const now = new Date();
    const { raw } = (await manager
      .createQueryBuilder()
      .update(Session)
      .set({ lastRefreshedAt: now })
      .where({ householdId, userId, id, expiresAt: MoreThan(now) })
      .returning(OPEN_SESSION)
      .execute()) as { raw: OpenSession[] };
    return raw[0] ?? null;
  }

  /** Deletes a session of the user; null if there is none. */
  async delete({ manager, userId, householdId }: Scope, id: string): Promise<OpenSession | null> {
    const { raw } = (await manager
      .createQueryBuilder()
      .delete()
      .from(Session)
      .where({ householdId, userId, id })
      .returning(OPEN_SESSION)
      .execute()) as { raw: OpenSession[] };
    return raw[0] ?? null;
  }

  /** The ids of the user's sessions except the newest ones. */
  async findOldest(
    manager: EntityManager,
    { id: userId, householdId }: Owner,
    kept: number,
  ): Promise<string[]> {
    const rows = await query<{ id: string }>(
      manager,
      sql`
        SELECT id FROM sessions WHERE household_id = ${householdId} AND user_id = ${userId}
        ORDER BY seq DESC OFFSET ${kept}`,
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Deletes these sessions of the user. To be called before {@link insert}, and only if there are
   * any: Citus locks the whole table for a deletion, and concurrent transactions that have inserted
   * a row would deadlock.
   */
  deleteOldest(
    manager: EntityManager,
    { id: userId, householdId }: Owner,
    ids: readonly string[],
  ): void {
    sendDeletion(manager, { householdId, userId, id: In(ids) });
  }

  /** Deletes all sessions of the user. */
  deleteAll(manager: EntityManager, { id: userId, householdId }: Owner): void {
    send(manager, sql`SELECT pg_advisory_xact_lock(${advisoryLockId(userId)})`);
    sendDeletion(manager, { householdId, userId });
  }
}

function sendDeletion(manager: EntityManager, where: FindOptionsWhere<Session>): void {
  const deletion = manager.createQueryBuilder().delete().from(Session).where(where);
  const [text, values] = deletion.getQueryAndParameters();
  send(manager, { text, values });
}
