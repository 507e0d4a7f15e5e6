import type { EntityManager } from 'typeorm';
import type { CurrencyCode } from '../platform/values/enums.js';
import type { Instant } from '../platform/values/instant.js';
import type { TokenSubject, UserId } from '../platform/values/user-id.js';
import type { AuthenticatedUser } from './current-user.decorator.js';

export type Identity = AuthenticatedUser & { active: boolean; passwordChangedAt: Instant | null };

/** The expiry is null if the user has no such session. */
type IdentityRow = Identity & { sessionExpiresAt: Instant | null };

/** The columns of the response. */
export interface ProfileRow {
  id: UserId;
  email: string;
  first_name: string | null;
  last_name: string | null;
  preferred_currency: CurrencyCode;
  locale: string;
  active: boolean;
  created_at: Instant;
  updated_at: Instant;
}

/** $1: user, $2: session or null. */
const IDENTITY = `
  SELECT u.id, u.email, u.household_id AS "householdId", u.active,
    u.password_changed_at AS "passwordChangedAt", s.expires_at AS "sessionExpiresAt"
  FROM users u
  LEFT JOIN sessions s ON s.household_id = u.household_id AND s.user_id = u.id AND s.id = $2
  WHERE u.id = $1`;

/** $1: user. */
const PROFILE = `
  SELECT id, email, first_name, last_name, preferred_currency, locale, active, created_at, updated_at
  FROM users WHERE id = $1`;

/** The user and the session of an access token; undefined if the user does not exist. */
export async function findIdentity(
  { userId, sessionId }: Pick<TokenSubject, 'userId' | 'sessionId'>,
  manager: EntityManager,
): Promise<IdentityRow | undefined> {
  const [row] = await manager.query<IdentityRow[]>(IDENTITY, [userId, sessionId ?? null]);
  return row;
}

/** Undefined if the user does not exist. */
export async function findProfile(
  id: UserId,
  manager: EntityManager,
): Promise<ProfileRow | undefined> {
  const [row] = await manager.query<ProfileRow[]>(PROFILE, [id]);
  return row;
}
