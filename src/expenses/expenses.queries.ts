import { BUDGET_REFERENCE_SQL } from '../budgets/budget.entity.js';
import { NO_BUDGET } from '../budgets/dto/budget.dto.js';
import { sumUsdSql } from '../ledger/entities/balance.js';
import type { EntryPath } from '../ledger/entities/cycle-entry.entity.js';
import { displayedStatusSql } from '../ledger/entities/expense-status.js';
import { plannedAmountSql } from '../ledger/entities/planned-amount.js';
import { usedRateSql } from '../ledger/entities/used-rate.js';
import {
  summaryColumnSql,
  withoutSummary,
  type ListRow,
  type NoEntry,
} from '../ledger/list-rows.js';
import { PAYMENT_METHOD_REFERENCE_SQL } from '../payment-methods/payment-method.entity.js';
import type { Scope } from '../platform/database/database.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type {
  ExpenseListResponse,
  ExpenseListSummary,
  ListExpensesQuery,
} from './dto/expense-list.dto.js';
import type {
  ExpensePageResponse,
  FoundExpenseResponse,
  SearchExpensesQuery,
} from './dto/expense-search.dto.js';
import type { ExpenseResponse } from './dto/expense.dto.js';

// In every statement $1 is the owner, $2 the household and $3 today.

/** The response of expenses `e` with payment methods `pm` and budgets `b`. */
const COLUMNS = `e.id, e.description, e.currency, e.amount, e.amount_usd,
  ${usedRateSql('e')} AS exchange_rate, ${plannedAmountSql('e')} AS planned_amount,
  e.due_date, e.category,
  ${displayedStatusSql('$3')} AS status, e.paid, e.paid_at, e.comments, e.autopay_info,
  e.template_id, e.occurrence_date, ${PAYMENT_METHOD_REFERENCE_SQL} AS payment_method,
  ${BUDGET_REFERENCE_SQL} AS budget, e.created_at, e.updated_at`;

const BUDGET_JOIN = 'LEFT JOIN budgets b ON b.household_id = $2 AND b.id = e.budget_id';

/**
 * Conditions on an expense `e`; null: any value. $4: status, $5: category, $6: currency, $7:
 * method, $8: budget, or `none`.
 */
const MATCHES = `
  ($4::text IS NULL OR ${displayedStatusSql('$3')} = $4)
  AND ($5::expense_category IS NULL OR e.category = $5)
  AND ($6::currency_code IS NULL OR e.currency = $6)
  AND ($7::uuid IS NULL OR e.payment_method_id = $7)
  AND ($8::text IS NULL OR coalesce(e.budget_id::text, '${NO_BUDGET}') = $8)`;

/** The values of $3 to $8. */
function matchValues(today: CalendarDate, query: ListExpensesQuery): unknown[] {
  const { status = null, category = null, currency = null } = query;
  const { payment_method_id = null, budget_id = null } = query;
  return [today, status, category, currency, payment_method_id, budget_id];
}

/** @param over `OVER ()`: window functions, so that a list and its totals are consistent. */
const summarySql = (over = ''): string => `json_build_object(
  'total_amount_usd', ${sumUsdSql('true', over)}::text,
  'fixed_amount', ${sumUsdSql(`e.category = 'fixed'`, over)}::text,
  'variable_amount', ${sumUsdSql(`e.category = 'variable'`, over)}::text,
  'paid_amount', ${sumUsdSql('e.paid', over)}::text,
  'pending_amount', ${sumUsdSql('NOT e.paid', over)}::text,
  'total_count', count(e.id) ${over})`;

const ORDER = 'e.due_date, e.seq';

/**
 * $9: cycle. A single row without an expense if the cycle has no matching expense; no row without
 * the cycle.
 */
const LIST = `
  SELECT ${COLUMNS}, ${summaryColumnSql(summarySql('OVER ()'), ORDER)}
  FROM cycles c
  LEFT JOIN cycle_expenses e ON e.household_id = $2 AND e.cycle_id = c.id AND e.active AND ${MATCHES}
  LEFT JOIN payment_methods pm ON pm.household_id = $2 AND pm.id = e.payment_method_id
  ${BUDGET_JOIN}
  WHERE c.household_id = $2 AND c.user_id = $1 AND c.id = $9 AND c.active
  ORDER BY ${ORDER}`;

/** White space but the space, in PostgreSQL's regular expressions, whose `\s` depends on the locale. */
const WHITE_SPACE = String.raw`\u0009-\u000d\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;

/**
 * Without the case and the accents of letters, with `ss` for `ß` and one space for white space;
 * `translate` has letters that are not composed of others. The generated column
 * `folded_description` has the description in this form.
 */
const foldedSql = (text: string): string =>
  `lower(replace(replace(translate(regexp_replace(
    regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g'),
    '[${WHITE_SPACE}]|[ ${WHITE_SPACE}]{2,}', ' ', 'g'),
    'ØøŁłĐđĦħ', 'OoLlDdHh'), 'ß', 'ss'), 'ẞ', 'ss'))`;

/**
 * $9: limit, $10: offset, $11: first due date, $12: last due date, $13: template, $14: text, folded
 * once and not for each row. The columns of the page alone are read and sorted. An empty page is a
 * single row without an expense.
 */
const SEARCH = `
  WITH matching AS (
    SELECT e.id, e.due_date, e.seq, e.amount_usd, e.category, e.status, e.paid, e.active
    FROM cycles c
    JOIN cycle_expenses e ON e.household_id = $2 AND e.cycle_id = c.id AND e.active AND ${MATCHES}
    WHERE c.household_id = $2 AND c.user_id = $1 AND c.active
      AND ($11::date IS NULL OR e.due_date >= $11) AND ($12::date IS NULL OR e.due_date <= $12)
      AND ($13::uuid IS NULL OR e.template_id = $13)
      AND ($14::text IS NULL
        OR strpos(e.folded_description, (SELECT nullif(${foldedSql('$14::text')}, ''))) > 0)
  ), page AS (
    SELECT id FROM matching ORDER BY due_date, seq LIMIT $9 OFFSET $10
  )
  SELECT ${summaryColumnSql('t.summary', ORDER)}, ${COLUMNS},
    json_build_object('id', c.id, 'name', c.name, 'status', c.status) AS cycle
  FROM (SELECT ${summarySql()} AS summary FROM matching AS e) AS t
  LEFT JOIN (
    page JOIN cycle_expenses e ON e.household_id = $2 AND e.id = page.id
    JOIN cycles c ON c.household_id = $2 AND c.id = e.cycle_id
    JOIN payment_methods pm ON pm.household_id = $2 AND pm.id = e.payment_method_id
    ${BUDGET_JOIN}
  ) ON true
  ORDER BY ${ORDER}`;

/** $4: cycle, $5: expense. */
const FIND = `
  SELECT ${COLUMNS}
  FROM cycles c
  LEFT JOIN cycle_expenses e
    ON e.household_id = $2 AND e.cycle_id = c.id AND e.active AND e.id = $5
  LEFT JOIN payment_methods pm ON pm.household_id = $2 AND pm.id = e.payment_method_id
  ${BUDGET_JOIN}
  WHERE c.household_id = $2 AND c.user_id = $1 AND c.id = $4 AND c.active`;

/** $4: expenses. */
const LIST_BY_IDS = `
  SELECT ${COLUMNS}
  FROM cycle_expenses e
  JOIN cycles c ON c.household_id = $2 AND c.id = e.cycle_id AND c.user_id = $1 AND c.active
  JOIN payment_methods pm ON pm.household_id = $2 AND pm.id = e.payment_method_id
  ${BUDGET_JOIN}
  WHERE e.household_id = $2 AND e.active AND e.id = ANY($4)`;

/** The expenses by due date, then creation; undefined if the cycle does not exist. */
export async function listExpenses(
  { manager, userId, householdId, today }: Scope,
  cycleId: string,
  query: ListExpensesQuery,
): Promise<ExpenseListResponse | undefined> {
  const rows = await manager.query<ListRow<ExpenseResponse, ExpenseListSummary>[]>(LIST, [
    userId,
    householdId,
    ...matchValues(today, query),
    cycleId,
  ]);
  const summary = rows[0]?.summary;
  if (!summary) return undefined;
  const expenses = rows.filter((row) => row.id !== null).map(withoutSummary);
  return { expenses, summary };
}

/** A page of all cycles' expenses by due date, then creation, with the totals of all pages. */
export async function searchExpenses(
  { manager, userId, householdId, today }: Scope,
  query: SearchExpensesQuery,
  { limit, offset }: { limit: number; offset: number },
): Promise<Omit<ExpensePageResponse, 'pagination'>> {
  const { from = null, to = null, template_id = null, q: text = null } = query;
  const rows = await manager.query<ListRow<FoundExpenseResponse, ExpenseListSummary>[]>(SEARCH, [
    userId,
    householdId,
    ...matchValues(today, query),
    limit,
    offset,
    from,
    to,
    template_id,
    text,
  ]);
  const summary = rows[0]?.summary;
  if (!summary) throw new Error('The totals are missing');
  const expenses = rows.filter((row) => row.id !== null).map(withoutSummary);
  return { expenses, summary };
}

/**
 * The expense; undefined if the cycle does not exist, null if the cycle does not have the expense.
 */
export async function findExpense(
  { manager, userId, householdId, today }: Scope,
  { cycleId, entryId }: EntryPath,
): Promise<ExpenseResponse | null | undefined> {
  const [row] = await manager.query<(ExpenseResponse | NoEntry)[]>(FIND, [
    userId,
    householdId,
    today,
    cycleId,
    entryId,
  ]);
  return row?.id === null ? null : row;
}

/** The user's expenses with these ids, in any order; other ids are ignored. */
export function listExpensesByIds(
  { manager, userId, householdId, today }: Scope,
  ids: readonly string[],
): Promise<ExpenseResponse[]> {
  return manager.query(LIST_BY_IDS, [userId, householdId, today, ids]);
}
