import type { EntityType } from '../../activity/activity-record.entity.js';

/** The household and the cycle of the entities of each type. */
export const SCOPE_SQL = {
  payment_method: `SELECT t.id, u.household_id, NULL::uuid AS cycle_id
    FROM payment_methods t JOIN users u ON u.id = t.user_id`,
  recurrent_expense: `SELECT t.id, u.household_id, NULL::uuid AS cycle_id
    FROM expense_templates t JOIN users u ON u.id = t.user_id`,
  recurrent_income: `SELECT t.id, u.household_id, NULL::uuid AS cycle_id
    FROM income_templates t JOIN users u ON u.id = t.user_id`,
  cycle: `SELECT t.id, u.household_id, t.id AS cycle_id
    FROM cycles t JOIN users u ON u.id = t.user_id`,
  cycle_expense: `SELECT t.id, u.household_id, t.cycle_id
    FROM cycle_expenses t JOIN cycles c ON c.id = t.cycle_id JOIN users u ON u.id = c.user_id`,
  cycle_income: `SELECT t.id, u.household_id, t.cycle_id
    FROM cycle_incomes t JOIN cycles c ON c.id = t.cycle_id JOIN users u ON u.id = c.user_id`,
} as const satisfies Partial<Record<EntityType, string>>;

/** The entity types that have a table. */
export type StoredType = keyof typeof SCOPE_SQL;

export const ALL_SCOPES_SQL = Object.entries(SCOPE_SQL)
  .map(([type, sql]) => `SELECT '${type}' AS type, ${type}.* FROM (${sql}) AS ${type}`)
  .join(' UNION ALL ');
