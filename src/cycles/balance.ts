import { COSTS_SQL } from './expense-status.js';

/** What remains of a row of `cycles`: its income less what its expenses cost. */
export const BALANCE_SQL = `income_amount - (
  SELECT coalesce(sum(e.amount_usd), 0) FROM cycle_expenses e
  WHERE e.cycle_id = cycles.id AND e.active AND ${COSTS_SQL})`;
