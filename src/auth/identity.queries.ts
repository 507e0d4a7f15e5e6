import sql from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { query } from '../platform/database/query.js';
import type { Instant } from '../platform/values/instant.js';
import type { ZonedOwner } from '../platform/values/requester.js';
import type { UserId } from '../platform/values/user-id.js';
import type { AuthenticatedUser, PlanningDefaults } from '../users/authenticated-user.js';

/**
 * The claims of a valid access token. Whether its user and session exist has not been checked yet.
 */
export interface TokenSubject {
  userId: UserId;
  /** Undefined in tokens of version 1.0, which had no sessions. */
  sessionId?: string;
  /** Milliseconds since 1970, rounded down to seconds. */
  issuedAt: number;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** The user of a valid access token until `expiresAt`. */
export type Identity = Omit<AuthenticatedUser, 'today' | 'operationId' | 'operation'> &
  Pick<TokenSubject, 'issuedAt' | 'expiresAt'> & { active: boolean };

interface IdentityRow extends ZonedOwner, PlanningDefaults {
  email: string;
  active: boolean;
  passwordChangedAt: Instant | null;
  /** Null if the user has no such session. */
  sessionExpiresAt: Instant | null;
}

/**
 * The user of an access token; null if the user does not exist or the token is no longer accepted.
 *
 * @param time when the session must not have expired, in milliseconds since 1970
 */
export async function findIdentity(
  manager: EntityManager,
  claims: TokenSubject,
  time: number,
): Promise<Identity | null> {
  const { userId, sessionId, issuedAt, expiresAt } = claims;
  const [row] = await query<IdentityRow>(
    manager,
    sql`
      SELECT u.id, u.email, u.household_id AS "householdId", u.time_zone AS "timeZone",
        u.minimum_balance AS "minimumBalance", u.next_income_amount AS "nextIncomeAmount", u.active,
        u.password_changed_at AS "passwordChangedAt", s.expires_at AS "sessionExpiresAt"
      FROM users u
      LEFT JOIN sessions s
        ON s.household_id = u.household_id AND s.user_id = u.id AND s.id = ${sessionId}
      WHERE u.id = ${userId}`,
  );
  if (!row || !isAccepted(claims, row, time)) return null;
  const { id, email, householdId, timeZone, minimumBalance, nextIncomeAmount, active } = row;
  const user = { id, email, householdId, timeZone, minimumBalance, nextIncomeAmount, active };
  return { ...user, sessionId, issuedAt, expiresAt };
}

/**
 * Whether the session of a token is open. A token without one is accepted until the password is
 * changed, and one of a deactivated user always, so that it is refused as such.
 */
function isAccepted(
  { sessionId, issuedAt }: TokenSubject,
  { active, passwordChangedAt, sessionExpiresAt }: IdentityRow,
  time: number,
): boolean {
  if (!active) return true;
  if (sessionId !== undefined) {
    return sessionExpiresAt !== null && Date.parse(sessionExpiresAt) > time;
  }
  return passwordChangedAt === null || issuedAt >= Date.parse(passwordChangedAt);
}
