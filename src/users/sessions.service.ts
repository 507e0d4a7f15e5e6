import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database } from '../platform/database/database.js';
import { ExpiredRows } from '../platform/database/expired-rows.js';
import { invalidToken } from '../platform/errors/domain-error.js';
import type { Instant } from '../platform/values/instant.js';
import type { UserId } from '../platform/values/user-id.js';
import type { AuthenticatedUser } from './current-user.decorator.js';
import type { User } from './user.entity.js';
import { UsersService } from './users.service.js';

const HOUR_MS = 3_600_000;
const MAX_USER_AGENT_LENGTH = 200;

export interface OpenSession {
  id: string;
  expires_at: Instant;
}

export interface SessionRow {
  id: string;
  created_at: Instant;
  last_refreshed_at: Instant | null;
  user_agent: string | null;
}

/**
 * $1 the user, $2 the hash of the password that was verified. The lock makes a sign-in wait for a concurrent password
 * change, after which the old hash matches no more: a session that the change does not end is one with the new
 * password.
 */
const LOCK_USER = `
  SELECT household_id FROM users WHERE id = $1 AND password_hash = $2 FOR SHARE`;

/** $1 the household, $2 the user, $3 the user agent, $4 the expiry. */
const CREATE = `
  INSERT INTO sessions (household_id, user_id, user_agent, expires_at)
  VALUES ($1, $2, $3, $4)
  RETURNING id, expires_at`;

/** $1 the household, $2 the user, $3 the session, $4 now. */
const REFRESH = `
  UPDATE sessions SET last_refreshed_at = $4
  WHERE household_id = $1 AND user_id = $2 AND id = $3 AND expires_at > $4
  RETURNING id, expires_at`;

/** $1 the household, $2 the user, $3 the session or null for all. */
const END = `
  DELETE FROM sessions
  WHERE household_id = $1 AND user_id = $2 AND ($3::uuid IS NULL OR id = $3)
  RETURNING id, expires_at`;

/** $1 the household, $2 the user, $3 now. */
const LIST = `
  SELECT id, created_at, last_refreshed_at, user_agent FROM sessions
  WHERE household_id = $1 AND user_id = $2 AND expires_at > $3
  ORDER BY seq DESC`;

/** The sessions of a user: each sign-in is one (see docs/api.md). */
@Injectable()
export class SessionsService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    @Inject(SETTINGS) private readonly settings: Settings,
    expiredRows: ExpiredRows,
  ) {
    expiredRows.register('sessions');
  }

  /** A new session; undefined when the user's password has been changed since the user was read. */
  async create(
    manager: EntityManager,
    { id, passwordHash }: Pick<User, 'id' | 'passwordHash'>,
    userAgent: string | undefined,
  ): Promise<OpenSession | undefined> {
    const [user] = await manager.query<{ household_id: string }[]>(LOCK_USER, [id, passwordHash]);
    if (!user) return undefined;
    const expiresAt = new Date(Date.now() + this.settings.sessionMaxHours * HOUR_MS);
    const agent = userAgent?.slice(0, MAX_USER_AGENT_LENGTH);
    const [session] = await manager.query<OpenSession[]>(CREATE, [
      user.household_id,
      id,
      // An empty header counts as none.
      agent === '' ? null : agent,
      expiresAt,
    ]);
    return session;
  }

  /** @throws DomainError INVALID_TOKEN when the session has ended or expired */
  async refresh(user: AuthenticatedUser, id: string): Promise<OpenSession> {
    const [session] = await this.database.transaction(async (manager) => {
      const [rows] = await manager.query<[OpenSession[], number]>(REFRESH, [
        user.householdId,
        user.id,
        id,
        new Date(),
      ]);
      return rows;
    });
    if (!session) throw invalidToken();
    return session;
  }

  /** Sessions that have neither ended nor expired, newest first. */
  list(user: AuthenticatedUser): Promise<SessionRow[]> {
    return this.database.manager.query(LIST, [user.householdId, user.id, new Date()]);
  }

  /**
   * Ends a session: its tokens are refused at once by this process, within three seconds by the others.
   *
   * @returns whether the user had such a session
   */
  async end(user: AuthenticatedUser, id: string): Promise<boolean> {
    const now = new Date().toISOString();
    const [ended] = await this.database.transaction((manager) => deleteSessions(manager, user, id));
    this.users.invalidateSessions([id]);
    return ended !== undefined && ended.expires_at > now;
  }

  /**
   * Ends all sessions of a user in the caller's transaction.
   *
   * @returns their ids, for {@link UsersService.invalidateSessions} after the commit
   */
  async endAll(manager: EntityManager, user: Pick<User, 'id' | 'householdId'>): Promise<string[]> {
    return (await deleteSessions(manager, user, null)).map(({ id }) => id);
  }
}

async function deleteSessions(
  manager: EntityManager,
  { householdId, id: userId }: { householdId: string; id: UserId },
  id: string | null,
): Promise<OpenSession[]> {
  const [rows] = await manager.query<[OpenSession[], number]>(END, [householdId, userId, id]);
  return rows;
}
