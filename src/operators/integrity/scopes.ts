import type { EntityType } from '../../activity/activity-record.entity.js';

/** The household and the cycle of the entities of each type. */
export const SCOPE_SQL = {
  payment_method: 'SELECT id, household_id, NULL::uuid AS cycle_id FROM payment_methods',
  recurrent_expense: 'SELECT id, household_id, NULL::uuid AS cycle_id FROM expense_templates',
  recurrent_income: 'SELECT id, household_id, NULL::uuid AS cycle_id FROM income_templates',
  cycle: 'SELECT id, household_id, id AS cycle_id FROM cycles',
  cycle_expense: 'SELECT id, household_id, cycle_id FROM cycle_expenses',
  cycle_income: 'SELECT id, household_id, cycle_id FROM cycle_incomes',
} as const satisfies Partial<Record<EntityType, string>>;

/** The entity types that have a table. */
export type StoredType = keyof typeof SCOPE_SQL;

export const ALL_SCOPES_SQL = Object.entries(SCOPE_SQL)
  .map(([type, sql]) => `SELECT '${type}' AS type, ${type}.* FROM (${sql}) AS ${type}`)
  .join(' UNION ALL ');
