import type { Scope } from '../platform/database/database.js';
import type { SessionResponse } from './dto/auth.dto.js';

/**
 * $1: owner, $2: household, $3: now, $4: the session of the request or null. The columns of the
 * response.
 */
const LIST = `
  SELECT id, created_at, last_refreshed_at, user_agent, coalesce(id = $4, false) AS current
  FROM sessions
  WHERE household_id = $2 AND user_id = $1 AND expires_at > $3
  ORDER BY seq DESC`;

/** The owner's sessions that have neither ended nor expired, newest first. */
export function listSessions(
  { manager, userId, householdId }: Scope,
  currentId: string | undefined,
): Promise<SessionResponse[]> {
  return manager.query(LIST, [userId, householdId, new Date(), currentId ?? null]);
}
