import {
  expensesOfSql,
  incomesOfSql,
  IS_COUNTED_SQL,
  sumIncomesUsdSql,
  sumUsdSql,
} from '../ledger/balance.js';
import type { Scope } from '../platform/database/database.js';
import { readPages } from '../platform/database/row-pages.js';
import { DomainError } from '../platform/errors/domain-error.js';
import type { ForecastQuery, OpenEntry, StoredCycle } from './plan.js';

/** Stored entries that count. */
const MAX_STORED_ENTRIES = 10_000;

/** Every cycle, in the order of creation. $1: owner, $2: household. */
const CYCLES = `
  SELECT c.id, c.name, c.start_date, c.end_date, c.status, c.income_amount, c.remaining_balance,
    CASE WHEN c.status = 'completed' THEN 0.00 ELSE
      (SELECT ${sumIncomesUsdSql('i.received')} FROM ${incomesOfSql('c', '$2')})
      - (SELECT ${sumUsdSql('e.paid')} FROM ${expensesOfSql('c', '$2')}) END AS settled
  FROM cycles c
  WHERE c.household_id = $2 AND c.user_id = $1 AND c.active
  ORDER BY c.seq`;

export function listCycles({ manager, userId, householdId }: Scope): Promise<StoredCycle[]> {
  return manager.query(CYCLES, [userId, householdId]);
}

/** The open entries of both kinds. $2: household. */
const EXPENSES = `
  SELECT 'cycle_expense' AS entity_type, e.id, e.cycle_id, e.due_date AS date, e.description,
    e.category, e.currency, e.amount, e.amount_usd, e.template_id, e.occurrence_date,
    e.payment_method_id, e.seq
  FROM ${expensesOfSql('c', '$2')} AND ${IS_COUNTED_SQL} AND NOT e.paid`;
const INCOMES = `
  SELECT 'cycle_income', i.id, i.cycle_id, i.income_date, i.description, NULL, i.currency, i.amount,
    i.amount_usd, i.template_id, i.occurrence_date, i.payment_method_id, i.seq
  FROM ${incomesOfSql('c', '$2')} AND i.active AND NOT i.received`;

/** $1: owner, $2: household, $3: last day, $4: currency or null, $5: payment method or null. */
const OPEN = `
  FROM cycles c
  CROSS JOIN LATERAL (${EXPENSES} UNION ALL ${INCOMES}) AS entry
  LEFT JOIN payment_methods m ON m.household_id = $2 AND m.id = entry.payment_method_id
  WHERE c.household_id = $2 AND c.user_id = $1 AND c.active AND c.status <> 'completed'
    AND entry.date <= $3 AND ($4::currency_code IS NULL OR entry.currency = $4)
    AND ($5::uuid IS NULL OR entry.payment_method_id = $5)`;

const COUNT = `SELECT count(*)::int AS count ${OPEN}`;

const LIST = `
  SELECT entry.entity_type, entry.id, entry.cycle_id, entry.date, entry.description, entry.category,
    entry.currency, entry.amount, entry.amount_usd, entry.template_id, entry.occurrence_date,
    entry.payment_method_id, m.name AS method_name, m.method_type ${OPEN}
  ORDER BY entry.entity_type, entry.date, entry.seq`;

/** $6: today; the day before stands for all days before it. */
const SUM = `
  SELECT entry.entity_type, entry.cycle_id, greatest(entry.date, $6::date - 1) AS date,
    count(*)::int AS count, sum(entry.amount) AS amount, sum(entry.amount_usd) AS amount_usd ${OPEN}
  GROUP BY 1, 2, 3 LIMIT ${MAX_STORED_ENTRIES + 1}`;

const parametersOf = (
  { userId, householdId }: Scope,
  { to, currency, paymentMethodId }: ForecastQuery,
): unknown[] => [userId, householdId, to, currency, paymentMethodId];

/**
 * The open entries that count, by kind, date and creation; they are counted before they are read,
 * in pages between which other requests run.
 *
 * @throws DomainError CYCLE_GENERATION_ERROR when there are more than {@link MAX_STORED_ENTRIES}
 */
export async function listOpenEntries(scope: Scope, query: ForecastQuery): Promise<OpenEntry[]> {
  const parameters = parametersOf(scope, query);
  assertCount(await scope.manager.query<Counted[]>(COUNT, parameters));
  const entries: OpenEntry[] = [];
  for await (const page of readPages<OpenEntry>(scope.manager, LIST, parameters)) {
    entries.push(...page);
  }
  return entries;
}

/**
 * Their sums by kind, cycle and day, all days before today as one: without what entries show.
 *
 * @throws DomainError CYCLE_GENERATION_ERROR like {@link listOpenEntries}
 */
export async function sumOpenEntries(scope: Scope, query: ForecastQuery): Promise<OpenEntry[]> {
  const parameters = [...parametersOf(scope, query), query.today];
  const sums = await scope.manager.query<(OpenEntry & Counted)[]>(SUM, parameters);
  assertCount(sums);
  return sums;
}

interface Counted {
  count: number;
}

function assertCount(counts: readonly Counted[]): void {
  if (counts.reduce((sum, { count }) => sum + count, 0) <= MAX_STORED_ENTRIES) return;
  throw new DomainError(
    'CYCLE_GENERATION_ERROR',
    `More than ${MAX_STORED_ENTRIES} stored expenses and incomes count in the forecast`,
    { limit: MAX_STORED_ENTRIES },
  );
}
