import { COSTS_SQL } from './expense-status.js';

/** What remains of a row of `cycles`: its income less what its expenses cost. */
export const BALANCE_SQL = `income_amount - (
  SELECT coalesce(sum(e.amount_usd), 0) FROM cycle_expenses e
  WHERE e.cycle_id = cycles.id AND e.active AND ${COSTS_SQL})`;

/** What a cycle's expenses add up to; amounts in USD, with two decimals. */
export interface CycleSums {
  total_expenses: string;
  fixed_expenses: string;
  variable_expenses: string;
  expense_count: number;
  paid_count: number;
  pending_count: number;
}

/** The sums of the expenses `e` that cost. */
export const SUMS_SQL = `
  coalesce(sum(e.amount_usd), 0.00) AS total_expenses,
  coalesce(sum(e.amount_usd) FILTER (WHERE e.category = 'fixed'), 0.00) AS fixed_expenses,
  coalesce(sum(e.amount_usd) FILTER (WHERE e.category = 'variable'), 0.00) AS variable_expenses,
  count(*)::int AS expense_count,
  (count(*) FILTER (WHERE e.paid))::int AS paid_count,
  (count(*) FILTER (WHERE NOT e.paid))::int AS pending_count`;
