import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { sendTogether } from '#postgres';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database, type Scope } from '../platform/database/database.js';
import type { Owner } from '../platform/values/user-id.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { invalidToken } from '../users/user-errors.js';
import type { User } from '../users/user.entity.js';
import type { SessionResponse } from './dto/auth.dto.js';
import { IdentityCache } from './identity-cache.js';
import { listSessions } from './sessions.queries.js';
import { SessionsRepository, type OpenSession } from './sessions.repository.js';

const HOUR_MS = 3_600_000;
const MAX_USER_AGENT_LENGTH = 200;
const MAX_SESSIONS = 100;

/** The sessions of a user: each sign-in begins one, whose tokens are refused once it has ended. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly database: Database,
    private readonly repository: SessionsRepository,
    private readonly identities: IdentityCache,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * A new session for a verified password, in the caller's transaction; the oldest ends if the user
   * would have more than {@link MAX_SESSIONS}.
   *
   * @returns undefined when the password has been changed since the user was read, or the user is
   *   not active any more
   */
  async signIn(
    manager: EntityManager,
    user: Pick<User, 'id' | 'householdId' | 'passwordHash'>,
    userAgent: string | undefined,
  ): Promise<OpenSession | undefined> {
    const [owner, oldest] = await sendTogether([
      this.repository.findWithPassword(manager, user),
      this.repository.findOldest(manager, user, MAX_SESSIONS - 1),
    ]);
    if (!owner) return undefined;
    if (oldest.length > 0) {
      this.repository.deleteOldest(manager, owner, oldest);
      this.identities.invalidateAfterCommit(manager, owner.id);
    }
    return this.create(manager, owner, userAgent);
  }

  /** A new session, in the caller's transaction. */
  create(manager: EntityManager, owner: Owner, userAgent: string | undefined): OpenSession {
    return this.repository.insert(manager, owner, {
      // An empty header counts as none.
      userAgent: userAgent ? userAgent.slice(0, MAX_USER_AGENT_LENGTH) : null,
      expiresAt: new Date(Date.now() + this.settings.sessionMaxHours * HOUR_MS),
    });
  }

  /** @throws DomainError INVALID_TOKEN when the session has ended or expired */
  async refresh(user: AuthenticatedUser, id: string): Promise<OpenSession> {
    const session = await this.database.transaction(user, (scope) =>
      this.repository.refresh(scope, id),
    );
    if (!session) throw invalidToken();
    return session;
  }

  /**
   * Reads whether the session of a token is still open. A token of version 1.0 has none.
   *
   * @throws DomainError INVALID_TOKEN
   */
  async assertOpen(scope: Scope, id: string | undefined): Promise<void> {
    if (id !== undefined && !(await this.repository.isOpen(scope, id))) throw invalidToken();
  }

  /** Sessions that have neither ended nor expired, newest first. */
  list(user: AuthenticatedUser): Promise<SessionResponse[]> {
    return this.database.read(user, (scope) => listSessions(scope, user.sessionId));
  }

  /**
   * Ends a session: its tokens are refused at once by this process, within three seconds by the
   * others.
   *
   * @returns whether the user had such a session
   */
  async end(user: AuthenticatedUser, id: string): Promise<boolean> {
    const now = new Date().toISOString();
    const ended = await this.database.transaction(user, (scope) => {
      this.identities.invalidateAfterCommit(scope.manager, user.id);
      return this.repository.delete(scope, id);
    });
    return ended !== null && ended.expires_at > now;
  }

  /** Ends all sessions of a user in the caller's transaction. */
  endAll(manager: EntityManager, user: Owner): void {
    this.repository.deleteAll(manager, user);
    this.identities.invalidateAfterCommit(manager, user.id);
  }
}
