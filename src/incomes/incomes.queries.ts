import { sumIncomesUsdSql } from '../ledger/entities/balance.js';
import type { EntryPath } from '../ledger/entities/cycle-entry.entity.js';
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
import type {
  IncomeListResponse,
  IncomeListSummary,
  IncomeResponse,
  ListIncomesQuery,
} from './dto/income.dto.js';

/** The response of incomes `i` with payment methods `pm`. */
const COLUMNS = `i.id, i.description, i.currency, i.amount, i.amount_usd,
  ${usedRateSql('i')} AS exchange_rate, ${plannedAmountSql('i')} AS planned_amount,
  i.income_date, i.received, i.received_at, i.comments, i.template_id,
  i.occurrence_date, ${PAYMENT_METHOD_REFERENCE_SQL} AS payment_method, i.created_at, i.updated_at`;

const OVER_ALL_ROWS = 'OVER ()';

/** Window functions over all rows, so that the list and its totals are consistent. */
const SUMMARY = `json_build_object(
  'total_amount_usd', ${sumIncomesUsdSql('true', OVER_ALL_ROWS)}::text,
  'received_amount', ${sumIncomesUsdSql('i.received', OVER_ALL_ROWS)}::text,
  'expected_amount', ${sumIncomesUsdSql('NOT i.received', OVER_ALL_ROWS)}::text,
  'total_count', count(i.id) ${OVER_ALL_ROWS})`;

const ORDER = 'i.income_date, i.seq';

/**
 * $1: owner, $2: household, $3: cycle, $4: currency, $5: received, $6: method; null: any value. A
 * single row without an income if the cycle has no matching income; no row without the cycle.
 */
const LIST = `
  SELECT ${COLUMNS}, ${summaryColumnSql(SUMMARY, ORDER)}
  FROM cycles c
  LEFT JOIN cycle_incomes i ON i.household_id = $2 AND i.cycle_id = c.id AND i.active
    AND ($4::currency_code IS NULL OR i.currency = $4)
    AND ($5::boolean IS NULL OR i.received = $5)
    AND ($6::uuid IS NULL OR i.payment_method_id = $6)
  LEFT JOIN payment_methods pm ON pm.household_id = $2 AND pm.id = i.payment_method_id
  WHERE c.household_id = $2 AND c.user_id = $1 AND c.id = $3 AND c.active
  ORDER BY ${ORDER}`;

/** $1: owner, $2: household, $3: cycle, $4: income. */
const FIND = `
  SELECT ${COLUMNS}
  FROM cycles c
  LEFT JOIN cycle_incomes i
    ON i.household_id = $2 AND i.cycle_id = c.id AND i.active AND i.id = $4
  LEFT JOIN payment_methods pm ON pm.household_id = $2 AND pm.id = i.payment_method_id
  WHERE c.household_id = $2 AND c.user_id = $1 AND c.id = $3 AND c.active`;

/** $1: owner, $2: household, $3: incomes. */
const LIST_BY_IDS = `
  SELECT ${COLUMNS}
  FROM cycle_incomes i
  JOIN cycles c ON c.household_id = $2 AND c.id = i.cycle_id AND c.user_id = $1 AND c.active
  LEFT JOIN payment_methods pm ON pm.household_id = $2 AND pm.id = i.payment_method_id
  WHERE i.household_id = $2 AND i.active AND i.id = ANY($3)`;

/** The incomes by income date, then creation; undefined if the cycle does not exist. */
export async function listIncomes(
  { manager, userId, householdId }: Scope,
  cycleId: string,
  { currency, received, payment_method_id }: ListIncomesQuery,
): Promise<IncomeListResponse | undefined> {
  const rows = await manager.query<ListRow<IncomeResponse, IncomeListSummary>[]>(LIST, [
    userId,
    householdId,
    cycleId,
    currency ?? null,
    received ?? null,
    payment_method_id ?? null,
  ]);
  const summary = rows[0]?.summary;
  if (!summary) return undefined;
  const incomes = rows.filter((row) => row.id !== null).map(withoutSummary);
  return { incomes, summary };
}

/**
 * The income; undefined if the cycle does not exist, null if the cycle does not have the income.
 */
export async function findIncome(
  { manager, userId, householdId }: Scope,
  { cycleId, entryId }: EntryPath,
): Promise<IncomeResponse | null | undefined> {
  const parameters = [userId, householdId, cycleId, entryId];
  const [row] = await manager.query<(IncomeResponse | NoEntry)[]>(FIND, parameters);
  return row?.id === null ? null : row;
}

/** The user's incomes with these ids, in any order; other ids are ignored. */
export function listIncomesByIds(
  { manager, userId, householdId }: Scope,
  ids: readonly string[],
): Promise<IncomeResponse[]> {
  return manager.query(LIST_BY_IDS, [userId, householdId, ids]);
}
