import { Big } from 'big.js';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { Change } from '../../activity/mutation.js';
import { sumMoney, type Money } from '../../platform/values/money.js';
import type { CycleEntry } from './cycle-entry.entity.js';
import type { CycleExpense } from './cycle-expense.entity.js';
import type { CycleIncome } from './cycle-income.entity.js';
import type { Cycle } from './cycle.entity.js';

/**
 * The remaining balance of a cycle in USD is its `income_amount` plus its incomes minus its
 * expenses that are not cancelled. This file has the only definition of each part, in code and in
 * SQL.
 */

const ZERO = new Big(0);

/** Whether an expense is included in totals and counts: deleted and cancelled ones are not. */
export const isCounted = ({ active, status }: Pick<CycleExpense, 'active' | 'status'>): boolean =>
  active && status !== 'cancelled';

/** The amount in USD that an expense adds to the balance of its cycle: zero or negative. */
export const expenseEffect = (
  expense: Pick<CycleExpense, 'active' | 'status' | 'amountUsd'>,
): Money => (isCounted(expense) ? expense.amountUsd.neg() : ZERO);

/**
 * The amount in USD that an income adds to the balance of its cycle, whether or not it is received.
 */
export const incomeEffect = ({
  active,
  amountUsd,
}: Pick<CycleIncome, 'active' | 'amountUsd'>): Money => (active ? amountUsd : ZERO);

/** What a change of an entry adds to the balance; before null, the entry is new. */
export const effectOf = ({ before, after }: Change<CycleEntry, CycleEntry | null>): Money =>
  after.effect().minus(before?.effect() ?? ZERO);

/**
 * The remaining balance in USD of a cycle after changes of its entries; before null, an entry is
 * new.
 */
export const balanceAfter = (
  { remainingBalance }: Pick<Cycle, 'remainingBalance'>,
  changes: readonly Change<CycleEntry, CycleEntry | null>[],
): Money => sumMoney([remainingBalance, ...changes.map(effectOf)]);

/** The SQL of {@link isCounted} for a row `e` of `cycle_expenses`. */
export const IS_COUNTED_SQL = sql`(e.active AND e.status <> 'cancelled')`;

/**
 * SQL: the sum in USD of the counted rows `e`.
 *
 * @param condition an additional condition
 * @param over `OVER ()` for a window function
 */
export const sumUsdSql = (condition = sql`true`, over = empty): Sql =>
  sql`coalesce(sum(e.amount_usd) FILTER (WHERE ${IS_COUNTED_SQL} AND ${condition}) ${over}, 0.00)`;

/**
 * SQL: the sum in USD of the rows `i` of `cycle_incomes`, with the same parameters as
 * {@link sumUsdSql}.
 */
export const sumIncomesUsdSql = (condition = sql`true`, over = empty): Sql =>
  sql`coalesce(sum(i.amount_usd) FILTER (WHERE i.active AND ${condition}) ${over}, 0.00)`;

/**
 * SQL: the expenses `e` of a row `c` of `cycles`, as a FROM and WHERE clause.
 *
 * @param household the value, or the column that has it: a distributed database does not derive it
 *   from the cycle
 */
export const expensesOfSql = (household: string | Sql): Sql =>
  sql`cycle_expenses e WHERE e.household_id = ${household} AND e.cycle_id = c.id`;

/** SQL: the incomes `i` of a row `c` of `cycles`, like {@link expensesOfSql}. */
export const incomesOfSql = (household: string | Sql): Sql =>
  sql`cycle_incomes i WHERE i.household_id = ${household} AND i.cycle_id = c.id`;

/** SQL: the remaining balance in USD of a row `c` of `cycles`, like {@link expensesOfSql}. */
export const balanceSql = (household: string | Sql): Sql =>
  sql`c.income_amount
    + (SELECT ${sumIncomesUsdSql()} FROM ${incomesOfSql(household)})
    - (SELECT ${sumUsdSql()} FROM ${expensesOfSql(household)})`;
