import sql, { empty, type Sql } from 'sql-template-tag';
import { BUDGET_REFERENCE_SQL } from '../budgets/budget.entity.js';
import { NO_BUDGET } from '../budgets/dto/budget.dto.js';
import { sumIncomesUsdSql } from '../ledger/entities/balance.js';
import type { EntryPath } from '../ledger/entities/cycle-entry.entity.js';
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
  FoundIncomeResponse,
  IncomePageResponse,
  SearchIncomesQuery,
} from './dto/income-search.dto.js';
import type {
  IncomeListResponse,
  IncomeListSummary,
  IncomeResponse,
  ListIncomesQuery,
} from './dto/income.dto.js';

/** The response of incomes `i` with payment methods `pm` and budgets `b`. */
const COLUMNS = sql`i.id, i.description, i.currency, i.amount, i.amount_usd,
  ${usedRateSql('i')} AS exchange_rate, ${plannedAmountSql('i')} AS planned_amount,
  i.income_date, i.received, i.received_at, i.comments, i.template_id,
  i.occurrence_date, i.instalment, ${PAYMENT_METHOD_REFERENCE_SQL} AS payment_method,
  ${BUDGET_REFERENCE_SQL} AS budget, i.created_at, i.updated_at`;

const joinSql = ({ householdId }: Scope): Sql => sql`
  LEFT JOIN payment_methods pm ON pm.household_id = ${householdId} AND pm.id = i.payment_method_id
  LEFT JOIN budgets b ON b.household_id = ${householdId} AND b.id = i.budget_id`;

/** Whether an income `i` has the values of a query; a value that is absent is any. */
const matchesSql = ({
  currency,
  received,
  payment_method_id: methodId,
  budget_id: budgetId,
}: ListIncomesQuery): Sql => sql`
  (${currency}::currency_code IS NULL OR i.currency = ${currency})
  AND (${received}::boolean IS NULL OR i.received = ${received})
  AND (${methodId}::uuid IS NULL OR i.payment_method_id = ${methodId})
  AND (${budgetId}::text IS NULL OR coalesce(i.budget_id::text, ${NO_BUDGET}) = ${budgetId})`;

/** @param over `OVER ()`: window functions, so that a list and its totals are consistent. */
const summarySql = (over = empty): Sql => sql`json_build_object(
  'total_amount_usd', ${sumIncomesUsdSql(sql`true`, over)}::text,
  'received_amount', ${sumIncomesUsdSql(sql`i.received`, over)}::text,
  'expected_amount', ${sumIncomesUsdSql(sql`NOT i.received`, over)}::text,
  'total_count', count(i.id) ${over})`;

const ORDER = sql`i.income_date, i.seq`;

const LIST_SUMMARY = summaryColumnSql(summarySql(sql`OVER ()`), ORDER);
const SEARCH_TOTALS = summarySql();

/** The incomes by income date, then creation; undefined if the cycle does not exist. */
export async function listIncomes(
  scope: Scope,
  cycleId: string,
  filter: ListIncomesQuery,
): Promise<IncomeListResponse | undefined> {
  const { manager, userId, householdId } = scope;
  // A single row without an income if the cycle has no matching income; no row without the cycle.
  const rows = await query<ListRow<IncomeResponse, IncomeListSummary>>(
    manager,
    sql`
      SELECT ${COLUMNS}, ${LIST_SUMMARY}
      FROM cycles c
      LEFT JOIN cycle_incomes i ON i.household_id = ${householdId} AND i.cycle_id = c.id
        AND i.active AND ${matchesSql(filter)}
      ${joinSql(scope)}
      WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.id = ${cycleId}
        AND c.active
      ORDER BY ${ORDER}`,
  );
  const summary = rows[0]?.summary;
  if (!summary) return undefined;
  const incomes = rows.filter((row) => row.id !== null).map(withoutSummary);
  return { incomes, summary };
}

/** A page of all cycles' incomes by income date, then creation, with the totals of all pages. */
export async function searchIncomes(
  scope: Scope,
  filter: SearchIncomesQuery,
  range: { limit: number; offset: number },
): Promise<Omit<IncomePageResponse, 'pagination'>> {
  const kind = {
    table: 'cycle_incomes',
    alias: 'i',
    date: 'income_date',
    columns: COLUMNS,
    joins: joinSql(scope),
    matches: matchesSql(filter),
    totals: SEARCH_TOTALS,
    totalled: sql`i.amount_usd, i.received`,
  } as const;
  const { entries, summary } = await searchEntries<FoundIncomeResponse, IncomeListSummary>(
    scope,
    kind,
    filter,
    range,
  );
  return { incomes: entries, summary };
}

/**
 * The income; undefined if the cycle does not exist, null if the cycle does not have the income.
 */
export async function findIncome(
  scope: Scope,
  { cycleId, entryId }: EntryPath,
): Promise<IncomeResponse | null | undefined> {
  const { manager, userId, householdId } = scope;
  const [row] = await query<IncomeResponse | NoEntry>(
    manager,
    sql`
      SELECT ${COLUMNS}
      FROM cycles c
      LEFT JOIN cycle_incomes i ON i.household_id = ${householdId} AND i.cycle_id = c.id
        AND i.active AND i.id = ${entryId}
      ${joinSql(scope)}
      WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.id = ${cycleId}
        AND c.active`,
  );
  return row?.id === null ? null : row;
}

/** The user's incomes with these ids, in any order; other ids are ignored. */
export function listIncomesByIds(scope: Scope, ids: readonly string[]): Promise<IncomeResponse[]> {
  const { manager, userId, householdId } = scope;
  return query(
    manager,
    sql`
      SELECT ${COLUMNS}
      FROM cycle_incomes i
      JOIN cycles c ON c.household_id = ${householdId} AND c.id = i.cycle_id
        AND c.user_id = ${userId} AND c.active
      ${joinSql(scope)}
      WHERE i.household_id = ${householdId} AND i.active AND i.id = ANY(${ids})`,
  );
}
