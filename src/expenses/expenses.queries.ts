import type { EntityManager } from 'typeorm';
import { sumUsdSql } from '../ledger/balance.js';
import { displayedStatusSql, type ExpenseStatus } from '../ledger/expense-status.js';
import { usedRateSql, type ExpenseSnapshot } from '../ledger/snapshots.js';
import type { PaymentMethodType } from '../payment-methods/payment-method.entity.js';
import { today } from '../platform/values/calendar-date.js';
import type { CurrencyCode, ExpenseCategory } from '../platform/values/enums.js';
import type { UserId } from '../platform/values/user-id.js';

/** The columns of the response. */
export interface ExpenseRow extends Omit<ExpenseSnapshot, 'active'> {
  payment_method_name: string;
  payment_method_type: PaymentMethodType;
}

/** Amounts in USD without cancelled expenses; the count includes them. */
export interface ExpenseTotals {
  total_amount_usd: string;
  fixed_amount: string;
  variable_amount: string;
  paid_amount: string;
  pending_amount: string;
  total_count: number;
}

export interface ExpenseList {
  expenses: ExpenseRow[];
  summary: ExpenseTotals;
}

export interface ExpenseFilter {
  status?: ExpenseStatus;
  category?: ExpenseCategory;
  currency?: CurrencyCode;
  paymentMethodId?: string;
}

/** $1: owner, $2: cycle, $3: today. Expenses `e` are joined to a cycle `c` of the owner. */
const COLUMNS = `
  SELECT e.id, e.description, e.currency, e.amount, e.amount_usd,
    ${usedRateSql('e')} AS exchange_rate, e.due_date, e.category,
    ${displayedStatusSql('$3')} AS status, e.paid, e.paid_at, e.comments, e.autopay_info, e.template_id,
    e.occurrence_date,
    e.payment_method_id, pm.name AS payment_method_name, pm.method_type AS payment_method_type,
    e.created_at, e.updated_at`;

const OVER_ALL_ROWS = 'OVER ()';

/** Window functions over all rows, so that the list and its totals are consistent. */
const TOTALS = `
  ${sumUsdSql('true', OVER_ALL_ROWS)} AS total_amount_usd,
  ${sumUsdSql(`e.category = 'fixed'`, OVER_ALL_ROWS)} AS fixed_amount,
  ${sumUsdSql(`e.category = 'variable'`, OVER_ALL_ROWS)} AS variable_amount,
  ${sumUsdSql('e.paid', OVER_ALL_ROWS)} AS paid_amount,
  ${sumUsdSql('NOT e.paid', OVER_ALL_ROWS)} AS pending_amount,
  (count(e.id) ${OVER_ALL_ROWS})::int AS total_count`;

/** A single row without an expense if the cycle has no matching expense; no row without the cycle. */
const LIST = `${COLUMNS}, ${TOTALS}
  FROM cycles c
  LEFT JOIN cycle_expenses e ON e.cycle_id = c.id AND e.active
    AND ($4::text IS NULL OR ${displayedStatusSql('$3')} = $4)
    AND ($5::expense_category IS NULL OR e.category = $5)
    AND ($6::currency_code IS NULL OR e.currency = $6)
    AND ($7::uuid IS NULL OR e.payment_method_id = $7)
  LEFT JOIN payment_methods pm ON pm.id = e.payment_method_id
  WHERE c.user_id = $1 AND c.id = $2 AND c.active
  ORDER BY e.due_date, e.seq`;

const FIND = `${COLUMNS}
  FROM cycles c
  LEFT JOIN cycle_expenses e ON e.cycle_id = c.id AND e.active AND e.id = $4
  LEFT JOIN payment_methods pm ON pm.id = e.payment_method_id
  WHERE c.user_id = $1 AND c.id = $2 AND c.active`;

type NoExpense = Record<keyof ExpenseRow, null>;

/** The expenses by due date, then creation; undefined if the cycle does not exist. */
export async function listExpenses(
  owner: UserId,
  manager: EntityManager,
  cycleId: string,
  filter: ExpenseFilter,
): Promise<ExpenseList | undefined> {
  const { status = null, category = null, currency = null, paymentMethodId = null } = filter;
  const rows = await manager.query<((ExpenseRow | NoExpense) & ExpenseTotals)[]>(LIST, [
    owner,
    cycleId,
    today(),
    status,
    category,
    currency,
    paymentMethodId,
  ]);
  const [first] = rows;
  if (!first) return undefined;
  return { expenses: rows.filter((row) => row.id !== null), summary: first };
}

/** The expense; undefined if the cycle does not exist, null if the cycle does not have the expense. */
export async function findExpense(
  owner: UserId,
  manager: EntityManager,
  { cycleId, expenseId }: { cycleId: string; expenseId: string },
): Promise<ExpenseRow | null | undefined> {
  const [row] = await manager.query<(ExpenseRow | NoExpense)[]>(FIND, [
    owner,
    cycleId,
    today(),
    expenseId,
  ]);
  return row?.id === null ? null : row;
}
