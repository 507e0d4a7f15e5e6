import sql, { empty, type Sql } from 'sql-template-tag';
import { BUDGET_REFERENCE_SQL } from '../budgets/budget.entity.js';
import { NO_BUDGET } from '../budgets/dto/budget.dto.js';
import { sumUsdSql } from '../ledger/entities/balance.js';
import type { EntryPath } from '../ledger/entities/cycle-entry.entity.js';
import { displayedStatusSql } from '../ledger/entities/expense-status.js';
import { plannedAmountSql } from '../ledger/entities/planned-amount.js';
import { usedRateSql } from '../ledger/entities/used-rate.js';
import { searchEntries } from '../ledger/entry-search.js';
import {
  summaryColumnSql,
  withoutSummary,
  type ListRow,
  type NoEntry,
} from '../ledger/list-rows.js';
import { PAYMENT_METHOD_REFERENCE_SQL } from '../payment-methods/payment-method.entity.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
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

/** The response of expenses `e` with payment methods `pm` and budgets `b`. */
const columnsSql = ({ today }: Scope): Sql => sql`e.id, e.description, e.currency, e.amount,
  e.amount_usd, ${usedRateSql('e')} AS exchange_rate, ${plannedAmountSql('e')} AS planned_amount,
  e.due_date, e.category,
  ${displayedStatusSql(today)} AS status, e.paid, e.paid_at, e.comments, e.autopay_info,
  e.template_id, e.occurrence_date, e.instalment, ${PAYMENT_METHOD_REFERENCE_SQL} AS payment_method,
  ${BUDGET_REFERENCE_SQL} AS budget, e.created_at, e.updated_at`;

const joinSql = ({ householdId }: Scope): Sql => sql`
  LEFT JOIN payment_methods pm ON pm.household_id = ${householdId} AND pm.id = e.payment_method_id
  LEFT JOIN budgets b ON b.household_id = ${householdId} AND b.id = e.budget_id`;

/** Whether an expense `e` has the values of a query; a value that is absent is any. */
const matchesSql = (
  { today }: Scope,
  {
    status,
    category,
    currency,
    payment_method_id: methodId,
    budget_id: budgetId,
  }: ListExpensesQuery,
): Sql => sql`
  (${status}::text IS NULL OR ${displayedStatusSql(today)} = ${status})
  AND (${category}::expense_category IS NULL OR e.category = ${category})
  AND (${currency}::currency_code IS NULL OR e.currency = ${currency})
  AND (${methodId}::uuid IS NULL OR e.payment_method_id = ${methodId})
  AND (${budgetId}::text IS NULL OR coalesce(e.budget_id::text, ${NO_BUDGET}) = ${budgetId})`;

/** @param over `OVER ()`: window functions, so that a list and its totals are consistent. */
const summarySql = (over = empty): Sql => sql`json_build_object(
  'total_amount_usd', ${sumUsdSql(sql`true`, over)}::text,
  'fixed_amount', ${sumUsdSql(sql`e.category = 'fixed'`, over)}::text,
  'variable_amount', ${sumUsdSql(sql`e.category = 'variable'`, over)}::text,
  'paid_amount', ${sumUsdSql(sql`e.paid`, over)}::text,
  'pending_amount', ${sumUsdSql(sql`NOT e.paid`, over)}::text,
  'total_count', count(e.id) ${over})`;

const ORDER = sql`e.due_date, e.seq`;

const LIST_SUMMARY = summaryColumnSql(summarySql(sql`OVER ()`), ORDER);
const SEARCH_TOTALS = summarySql();

/** The expenses by due date, then creation; undefined if the cycle does not exist. */
export async function listExpenses(
  scope: Scope,
  cycleId: string,
  filter: ListExpensesQuery,
): Promise<ExpenseListResponse | undefined> {
  const { manager, userId, householdId } = scope;
  // A single row without an expense if the cycle has no matching expense; no row without the cycle.
  const rows = await query<ListRow<ExpenseResponse, ExpenseListSummary>>(
    manager,
    sql`
      SELECT ${columnsSql(scope)}, ${LIST_SUMMARY}
      FROM cycles c
      LEFT JOIN cycle_expenses e ON e.household_id = ${householdId} AND e.cycle_id = c.id
        AND e.active AND ${matchesSql(scope, filter)}
      ${joinSql(scope)}
      WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.id = ${cycleId}
        AND c.active
      ORDER BY ${ORDER}`,
  );
  const summary = rows[0]?.summary;
  if (!summary) return undefined;
  const expenses = rows.filter((row) => row.id !== null).map(withoutSummary);
  return { expenses, summary };
}

/** A page of all cycles' expenses by due date, then creation, with the totals of all pages. */
export async function searchExpenses(
  scope: Scope,
  filter: SearchExpensesQuery,
  range: { limit: number; offset: number },
): Promise<Omit<ExpensePageResponse, 'pagination'>> {
  const kind = {
    table: 'cycle_expenses',
    alias: 'e',
    date: 'due_date',
    columns: columnsSql(scope),
    joins: joinSql(scope),
    matches: matchesSql(scope, filter),
    totals: SEARCH_TOTALS,
    totalled: sql`e.amount_usd, e.category, e.status, e.paid`,
  } as const;
  const { entries, summary } = await searchEntries<FoundExpenseResponse, ExpenseListSummary>(
    scope,
    kind,
    filter,
    range,
  );
  return { expenses: entries, summary };
}

/**
 * The expense; undefined if the cycle does not exist, null if the cycle does not have the expense.
 */
export async function findExpense(
  scope: Scope,
  { cycleId, entryId }: EntryPath,
): Promise<ExpenseResponse | null | undefined> {
  const { manager, userId, householdId } = scope;
  const [row] = await query<ExpenseResponse | NoEntry>(
    manager,
    sql`
      SELECT ${columnsSql(scope)}
      FROM cycles c
      LEFT JOIN cycle_expenses e ON e.household_id = ${householdId} AND e.cycle_id = c.id
        AND e.active AND e.id = ${entryId}
      ${joinSql(scope)}
      WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.id = ${cycleId}
        AND c.active`,
  );
  return row?.id === null ? null : row;
}

/** The user's expenses with these ids, in any order; other ids are ignored. */
export function listExpensesByIds(
  scope: Scope,
  ids: readonly string[],
): Promise<ExpenseResponse[]> {
  const { manager, userId, householdId } = scope;
  return query(
    manager,
    sql`
      SELECT ${columnsSql(scope)}
      FROM cycle_expenses e
      JOIN cycles c ON c.household_id = ${householdId} AND c.id = e.cycle_id
        AND c.user_id = ${userId} AND c.active
      ${joinSql(scope)}
      WHERE e.household_id = ${householdId} AND e.active AND e.id = ANY(${ids})`,
  );
}
