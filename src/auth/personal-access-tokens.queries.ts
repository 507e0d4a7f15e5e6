import sql from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import type { Instant } from '../platform/values/instant.js';
import type { ZonedOwner } from '../platform/values/requester.js';
import type { PlanningDefaults } from '../users/authenticated-user.js';
import type { PersonalAccessTokenResponse } from './dto/personal-access-token.dto.js';
import type { TokenAccess } from './personal-access-token.entity.js';

/** A token that a request has, and its user. */
export interface IdentifiedToken {
  id: string;
  access: TokenAccess;
  lastUsedAt: Instant | null;
  expiresAt: Instant;
  user: ZonedOwner & PlanningDefaults & { email: string; active: boolean };
}

/**
 * The token with this hash that expires after a time, or one of a deactivated user; undefined if
 * there is none.
 */
export async function findToken(
  manager: EntityManager,
  hash: string,
  time: Date,
): Promise<IdentifiedToken | undefined> {
  const [token] = await query<IdentifiedToken>(
    manager,
    sql`
      SELECT t.id, t.access, t.last_used_at AS "lastUsedAt", t.expires_at AS "expiresAt",
        json_build_object('id', u.id, 'email', u.email, 'householdId', u.household_id,
          'timeZone', u.time_zone, 'minimumBalance', u.minimum_balance::text,
          'nextIncomeAmount', u.next_income_amount, 'active', u.active) AS user
      FROM personal_access_tokens t
      JOIN users u ON u.id = t.user_id AND u.household_id = t.household_id
      WHERE t.token_hash = ${hash} AND (t.expires_at > ${time} OR NOT u.active)`,
  );
  return token;
}

/** The owner's unexpired tokens, newest first. The columns are the response. */
export function listTokens({
  manager,
  userId,
  householdId,
}: Scope): Promise<PersonalAccessTokenResponse[]> {
  return query(
    manager,
    sql`
      SELECT id, name, access, created_at, expires_at, last_used_at FROM personal_access_tokens
      WHERE household_id = ${householdId} AND user_id = ${userId} AND expires_at > ${new Date()}
      ORDER BY seq DESC`,
  );
}
