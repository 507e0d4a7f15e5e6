import type { EntityManager } from 'typeorm';
import type { UserId } from '../platform/values/user-id.js';
import type { StoredUserResponse } from './dto/user.dto.js';

/** $1: user. The columns of the response, but `today`. */
const PROFILE = `
  SELECT id, email, first_name, last_name, preferred_currency, locale, time_zone, active, created_at,
    updated_at
  FROM users WHERE id = $1`;

/** Undefined if the user does not exist. */
export async function findProfile(
  manager: EntityManager,
  id: UserId,
): Promise<StoredUserResponse | undefined> {
  const [profile] = await manager.query<StoredUserResponse[]>(PROFILE, [id]);
  return profile;
}
