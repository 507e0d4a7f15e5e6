/** All types but comments. */
export const STORED_TYPES = [
  'payment_method',
  'recurrent_expense',
  'recurrent_income',
  'cycle',
  'cycle_expense',
  'cycle_income',
] as const;
export type StoredType = (typeof STORED_TYPES)[number];

/** The table of the entities of each type, and its SQL expression of the cycle that an entity is or belongs to. */
export const ENTITY_TABLES = {
  payment_method: { table: 'payment_methods', cycleId: 'NULL::uuid' },
  recurrent_expense: { table: 'expense_templates', cycleId: 'NULL::uuid' },
  recurrent_income: { table: 'income_templates', cycleId: 'NULL::uuid' },
  cycle: { table: 'cycles', cycleId: 'id' },
  cycle_expense: { table: 'cycle_expenses', cycleId: 'cycle_id' },
  cycle_income: { table: 'cycle_incomes', cycleId: 'cycle_id' },
} as const satisfies Record<StoredType, { table: string; cycleId: string }>;

/** The types whose inactive entities are deleted; those of other types can still be read and commented on. */
export const DELETABLE_TYPES: readonly StoredType[] = ['cycle', 'cycle_expense', 'cycle_income'];
