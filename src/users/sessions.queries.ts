import type { Scope } from '../platform/database/database.js';
import type { Instant } from '../platform/values/instant.js';

/** The columns of the response. */
export interface SessionRow {
  id: string;
  created_at: Instant;
  last_refreshed_at: Instant | null;
  user_agent: string | null;
}

/** $1: owner, $2: household, $3: now. */
const LIST = `
  SELECT id, created_at, last_refreshed_at, user_agent FROM sessions
  WHERE household_id = $2 AND user_id = $1 AND expires_at > $3
  ORDER BY seq DESC`;

/** The owner's sessions that have neither ended nor expired, newest first. */
export function listSessions({ manager, userId, householdId }: Scope): Promise<SessionRow[]> {
  return manager.query(LIST, [userId, householdId, new Date()]);
}
