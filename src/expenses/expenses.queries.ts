import { sumUsdSql } from '../ledger/balance.js';
import type { EntryPath } from '../ledger/cycle-entry.entity.js';
import type { CycleStatus } from '../ledger/cycle.entity.js';
import { displayedStatusSql } from '../ledger/expense-status.js';
import { expenseColumnsSql } from '../ledger/snapshots.js';
import type { Scope } from '../platform/database/database.js';
import { today } from '../platform/values/calendar-date.js';
import type { ExpenseListSummary, ListExpensesQuery } from './dto/expense-list.dto.js';
import type { SearchExpensesQuery } from './dto/expense-search.dto.js';
import type { ExpenseRow } from './dto/expense.dto.js';

export interface ExpenseList {
  expenses: ExpenseRow[];
  summary: ExpenseListSummary;
}

interface FoundExpense extends ExpenseRow {
  cycle_id: string;
  cycle_name: string;
  cycle_status: CycleStatus;
}

/** A page of the expenses of a user, and the totals of all pages. */
export interface ExpensePage {
  expenses: FoundExpense[];
  summary: ExpenseListSummary;
}

// In every statement $1 is the owner, $2 the household and $3 today.

/** Expenses `e` with payment methods `pm`. */
const COLUMNS = `e.id, ${expenseColumnsSql(displayedStatusSql('$3'))}, e.paid,
    pm.name AS payment_method_name, pm.method_type AS payment_method_type, e.created_at, e.updated_at`;

/** Conditions on an expense `e`; null: any value. $4: status, $5: category, $6: currency, $7: method. */
const MATCHES = `
  ($4::text IS NULL OR ${displayedStatusSql('$3')} = $4)
  AND ($5::expense_category IS NULL OR e.category = $5)
  AND ($6::currency_code IS NULL OR e.currency = $6)
  AND ($7::uuid IS NULL OR e.payment_method_id = $7)`;

/** The values of $3 to $7. */
function matchValues(query: ListExpensesQuery): unknown[] {
  const { status = null, category = null, currency = null, payment_method_id = null } = query;
  return [today(), status, category, currency, payment_method_id];
}

/** @param over `OVER ()`: window functions, so that a list and its totals are consistent. */
const totalsSql = (over = ''): string => `
  ${sumUsdSql('true', over)} AS total_amount_usd,
  ${sumUsdSql(`e.category = 'fixed'`, over)} AS fixed_amount,
  ${sumUsdSql(`e.category = 'variable'`, over)} AS variable_amount,
  ${sumUsdSql('e.paid', over)} AS paid_amount,
  ${sumUsdSql('NOT e.paid', over)} AS pending_amount,
  (count(e.id) ${over})::int AS total_count`;

/** $8: cycle. A single row without an expense if the cycle has no matching expense; no row without the cycle. */
const LIST = `
  SELECT ${COLUMNS}, ${totalsSql('OVER ()')}
  FROM cycles c
  LEFT JOIN cycle_expenses e ON e.household_id = $2 AND e.cycle_id = c.id AND e.active AND ${MATCHES}
  LEFT JOIN payment_methods pm ON pm.household_id = $2 AND pm.id = e.payment_method_id
  WHERE c.household_id = $2 AND c.user_id = $1 AND c.id = $8 AND c.active
  ORDER BY e.due_date, e.seq`;

/** White space in PostgreSQL's regular expressions, whose `\s` depends on the locale. */
const WHITE_SPACE = String.raw`[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;

/**
 * Without the case and the accents of letters, with `ss` for `ß` and one space for white space; `translate` has letters that are
 * not composed of others.
 */
const foldedSql = (text: string): string =>
  `lower(replace(replace(translate(regexp_replace(
    regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g'), '${WHITE_SPACE}+', ' ', 'g'),
    'ØøŁłĐđĦħ', 'OoLlDdHh'), 'ß', 'ss'), 'ẞ', 'ss'))`;

/**
 * $8: limit, $9: offset, $10: first due date, $11: last due date, $12: template, $13: text.
 * An empty page is a single row without an expense. Materialized, so that no text of other users' expenses is folded.
 */
const SEARCH = `
  WITH found AS MATERIALIZED (
    SELECT e.*, c.name AS cycle_name, c.status AS cycle_status
    FROM cycles c
    JOIN cycle_expenses e ON e.household_id = $2 AND e.cycle_id = c.id AND e.active AND ${MATCHES}
    WHERE c.household_id = $2 AND c.user_id = $1 AND c.active
      AND ($10::date IS NULL OR e.due_date >= $10) AND ($11::date IS NULL OR e.due_date <= $11)
      AND ($12::uuid IS NULL OR e.template_id = $12)
  ), matching AS (
    SELECT * FROM found
    WHERE $13::text IS NULL OR strpos(${foldedSql('description')}, nullif(${foldedSql('$13::text')}, '')) > 0
  ), page AS (
    SELECT * FROM matching ORDER BY due_date, seq LIMIT $8 OFFSET $9
  )
  SELECT t.*, ${COLUMNS}, e.cycle_id, e.cycle_name, e.cycle_status
  FROM (SELECT ${totalsSql()} FROM matching AS e) AS t
  LEFT JOIN (
    page AS e JOIN payment_methods pm ON pm.household_id = $2 AND pm.id = e.payment_method_id
  ) ON true
  ORDER BY e.due_date, e.seq`;

/** $4: cycle, $5: expense. */
const FIND = `
  SELECT ${COLUMNS}
  FROM cycles c
  LEFT JOIN cycle_expenses e
    ON e.household_id = $2 AND e.cycle_id = c.id AND e.active AND e.id = $5
  LEFT JOIN payment_methods pm ON pm.household_id = $2 AND pm.id = e.payment_method_id
  WHERE c.household_id = $2 AND c.user_id = $1 AND c.id = $4 AND c.active`;

/** $4: expenses. */
const LIST_BY_IDS = `
  SELECT ${COLUMNS}
  FROM cycle_expenses e
  JOIN cycles c ON c.household_id = $2 AND c.id = e.cycle_id AND c.user_id = $1 AND c.active
  JOIN payment_methods pm ON pm.household_id = $2 AND pm.id = e.payment_method_id
  WHERE e.household_id = $2 AND e.active AND e.id = ANY($4)`;

type NoExpense = Record<keyof ExpenseRow, null>;

/** The expenses by due date, then creation; undefined if the cycle does not exist. */
export async function listExpenses(
  { manager, userId, householdId }: Scope,
  cycleId: string,
  query: ListExpensesQuery,
): Promise<ExpenseList | undefined> {
  const rows = await manager.query<((ExpenseRow | NoExpense) & ExpenseListSummary)[]>(LIST, [
    userId,
    householdId,
    ...matchValues(query),
    cycleId,
  ]);
  const [first] = rows;
  if (!first) return undefined;
  return { expenses: rows.filter((row) => row.id !== null), summary: first };
}

/** The expenses of all cycles by due date, then creation. */
export async function searchExpenses(
  { manager, userId, householdId }: Scope,
  query: SearchExpensesQuery,
  { limit, offset }: { limit: number; offset: number },
): Promise<ExpensePage> {
  const { from = null, to = null, template_id = null, q: text = null } = query;
  const rows = await manager.query<((FoundExpense | NoExpense) & ExpenseListSummary)[]>(SEARCH, [
    userId,
    householdId,
    ...matchValues(query),
    limit,
    offset,
    from,
    to,
    template_id,
    text,
  ]);
  const [first] = rows;
  if (!first) throw new Error('The totals are missing');
  return { expenses: rows.filter((row) => row.id !== null), summary: first };
}

/** The expense; undefined if the cycle does not exist, null if the cycle does not have the expense. */
export async function findExpense(
  { manager, userId, householdId }: Scope,
  { cycleId, entryId }: EntryPath,
): Promise<ExpenseRow | null | undefined> {
  const [row] = await manager.query<(ExpenseRow | NoExpense)[]>(FIND, [
    userId,
    householdId,
    today(),
    cycleId,
    entryId,
  ]);
  return row?.id === null ? null : row;
}

/** The user's expenses with these ids, in any order; other ids are ignored. */
export function listExpensesByIds(
  { manager, userId, householdId }: Scope,
  ids: readonly string[],
): Promise<ExpenseRow[]> {
  return manager.query(LIST_BY_IDS, [userId, householdId, today(), ids]);
}
