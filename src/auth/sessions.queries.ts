import sql from 'sql-template-tag';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import type { SessionResponse } from './dto/auth.dto.js';

/**
 * The owner's sessions that have neither ended nor expired, newest first. The columns are the
 * response.
 *
 * @param currentId the session of the request, if it has one
 */
export function listSessions(
  { manager, userId, householdId }: Scope,
  currentId: string | undefined,
): Promise<SessionResponse[]> {
  return query(
    manager,
    sql`
      SELECT id, created_at, last_refreshed_at, user_agent,
        coalesce(id = ${currentId}, false) AS current
      FROM sessions
      WHERE household_id = ${householdId} AND user_id = ${userId} AND expires_at > ${new Date()}
      ORDER BY seq DESC`,
  );
}
