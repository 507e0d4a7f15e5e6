import type { EntityManager } from 'typeorm';
import type { Scope } from '../platform/database/database.js';
import type { Instant } from '../platform/values/instant.js';
import type { ZonedOwner } from '../platform/values/requester.js';
import type { PersonalAccessTokenResponse } from './dto/personal-access-token.dto.js';
import type { TokenAccess } from './personal-access-token.entity.js';

/** A token that a request has, and its user. */
export interface IdentifiedToken {
  id: string;
  access: TokenAccess;
  lastUsedAt: Instant | null;
  expiresAt: Instant;
  user: ZonedOwner & { email: string; active: boolean };
}

/** $1: hash, $2: time. */
const FIND = `
  SELECT t.id, t.access, t.last_used_at AS "lastUsedAt", t.expires_at AS "expiresAt",
    json_build_object('id', u.id, 'email', u.email, 'householdId', u.household_id,
      'timeZone', u.time_zone, 'active', u.active) AS user
  FROM personal_access_tokens t
  JOIN users u ON u.id = t.user_id AND u.household_id = t.household_id
  WHERE t.token_hash = $1 AND (t.expires_at > $2 OR NOT u.active)`;

/** $1: owner, $2: household, $3: now. The columns of the response. */
const LIST = `
  SELECT id, name, access, created_at, expires_at, last_used_at FROM personal_access_tokens
  WHERE household_id = $2 AND user_id = $1 AND expires_at > $3
  ORDER BY seq DESC`;

/**
 * The token with this hash that expires after a time, or one of a deactivated user; undefined if
 * there is none.
 */
export async function findToken(
  manager: EntityManager,
  hash: string,
  time: Date,
): Promise<IdentifiedToken | undefined> {
  const [token] = await manager.query<IdentifiedToken[]>(FIND, [hash, time]);
  return token;
}

/** The owner's unexpired tokens, newest first. */
export function listTokens({
  manager,
  userId,
  householdId,
}: Scope): Promise<PersonalAccessTokenResponse[]> {
  return manager.query(LIST, [userId, householdId, new Date()]);
}
