import sql from 'sql-template-tag';
import { IS_COUNTED_SQL } from './balance.js';

/**
 * SQL: whether a row `e` of `cycle_expenses` is open: neither deleted, paid nor cancelled. In code
 * it is `CycleEntry.isOpen`.
 */
export const IS_OPEN_EXPENSE_SQL = sql`(${IS_COUNTED_SQL} AND NOT e.paid)`;

/** SQL: whether a row `i` of `cycle_incomes` is open: neither deleted nor received. */
export const IS_OPEN_INCOME_SQL = sql`(i.active AND NOT i.received)`;
