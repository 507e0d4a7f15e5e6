import sql from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { query } from '../platform/database/query.js';
import type { UserId } from '../platform/values/user-id.js';
import type { StoredUserResponse } from './dto/user.dto.js';

/** The columns of the response, but `today`; undefined if the user does not exist. */
export async function findProfile(
  manager: EntityManager,
  id: UserId,
): Promise<StoredUserResponse | undefined> {
  const [profile] = await query<StoredUserResponse>(
    manager,
    sql`
      SELECT id, email, first_name, last_name, preferred_currency, locale, time_zone,
        minimum_balance, next_income_amount,
        json_build_object('enabled', reminders_enabled, 'hour', reminders_hour,
          'days_before', reminders_days_before, 'confirmed', reminders_confirmed) AS reminders,
        active, created_at, updated_at
      FROM users WHERE id = ${id}`,
  );
  return profile;
}
