import { ENTITY_TYPES } from '../activity/activity-record.entity.js';

/** All types but comments. */
export const STORED_TYPES = ENTITY_TYPES.filter((type) => type !== 'comment');
export type StoredType = (typeof STORED_TYPES)[number];

interface EntityTable {
  table: string;
  /** SQL: the cycle that an entity is or belongs to. */
  cycleId: string;
  /** Whether inactive entities are deleted; others can still be read and commented on. */
  isDeletable: boolean;
}

/** The table of the entities of each type. */
export const ENTITY_TABLES: Readonly<Record<StoredType, EntityTable>> = {
  payment_method: { table: 'payment_methods', cycleId: 'NULL::uuid', isDeletable: false },
  recurrent_expense: { table: 'expense_templates', cycleId: 'NULL::uuid', isDeletable: false },
  recurrent_income: { table: 'income_templates', cycleId: 'NULL::uuid', isDeletable: false },
  cycle: { table: 'cycles', cycleId: 'id', isDeletable: true },
  cycle_expense: { table: 'cycle_expenses', cycleId: 'cycle_id', isDeletable: true },
  cycle_income: { table: 'cycle_incomes', cycleId: 'cycle_id', isDeletable: true },
  budget: { table: 'budgets', cycleId: 'NULL::uuid', isDeletable: false },
};

/** The types whose inactive entities are deleted. */
export const DELETABLE_TYPES = STORED_TYPES.filter((type) => ENTITY_TABLES[type].isDeletable);
