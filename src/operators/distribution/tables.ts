/** Small tables that every household uses, with a copy on every node: a write to one is a write to all nodes. */
export const REFERENCE_TABLES: readonly string[] = [
  'households',
  'users',
  'household_invitations',
  'exchange_rates',
  'sessions',
];

/** The tables of a household's records, which have `household_id` in every key. All rows of one are on one node. */
export const DISTRIBUTED_TABLES: readonly string[] = [
  'payment_methods',
  'expense_templates',
  'income_templates',
  'cycles',
  'cycle_expenses',
  'cycle_incomes',
  'comments',
  'activity_log',
  'calendar_feeds',
  'idempotency_keys',
];

/** The tables with a trigger for the version before household keys, which cannot use a distributed database. */
export const FILLED_TABLES: readonly string[] = [
  'payment_methods',
  'expense_templates',
  'cycles',
  'cycle_expenses',
];
