import type { EntityManager } from 'typeorm';
import type { Instant } from '../../platform/values/instant.js';

/** A household in a list. */
export interface HouseholdOverview {
  id: string;
  name: string;
  members: number;
  active_members: number;
  admins: number;
  created_at: Instant;
}

const LIST = `
  SELECT h.id, h.name, h.created_at,
    count(u.id)::int AS members,
    (count(u.id) FILTER (WHERE u.active))::int AS active_members,
    (count(u.id) FILTER (WHERE u.role = 'admin'))::int AS admins
  FROM households h LEFT JOIN users u ON u.household_id = h.id
  GROUP BY h.id
  ORDER BY h.seq`;

/** All households, in order of creation. */
export function listHouseholds(manager: EntityManager): Promise<HouseholdOverview[]> {
  return manager.query(LIST);
}
