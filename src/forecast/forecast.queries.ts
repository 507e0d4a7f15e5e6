import sql, { raw } from 'sql-template-tag';
import {
  expensesOfSql,
  incomesOfSql,
  IS_COUNTED_SQL,
  sumIncomesUsdSql,
  sumUsdSql,
} from '../ledger/entities/balance.js';
import { BUDGET_LIMITS_SQL } from '../ledger/entities/cycle.entity.js';
import type { PaymentMethodType } from '../payment-methods/payment-method.entity.js';
import type { Scope } from '../platform/database/database.js';
import { readPages } from '../platform/database/row-pages.js';
import { DomainError } from '../platform/errors/domain-error.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import { centsOf } from '../platform/values/money.js';
import type { ExpenseCategory } from '../templates/expense-template.entity.js';
import type { StoredCycle } from './planned-cycle.js';
import { plannedEntry, type ForecastEntryType, type PlannedEntry } from './planned-entry.js';
import type { ForecastQuery } from './query.js';
import type { StoredLeft, StoredPesos } from './set-aside.js';

/** The stored entries of a forecast. */
const MAX_STORED_ENTRIES = 10_000;

/** A row whose amounts are texts. */
type WithTexts<Row, Amount extends keyof Row> = Omit<Row, Amount> & Record<Amount, string>;

/** Every cycle, in the order of creation. $1: owner, $2: household. */
const CYCLES = `
  SELECT c.id, c.name, c.start_date AS "startDate", c.end_date AS "endDate", c.status,
    c.income_amount AS "incomeAmount", c.remaining_balance AS "remainingBalance",
    CASE WHEN c.status = 'completed' THEN 0.00 ELSE
      (SELECT ${sumIncomesUsdSql(sql`i.received`).text} FROM ${incomesOfSql(raw('$2')).text})
      - (SELECT ${sumUsdSql(sql`e.paid`).text} FROM ${expensesOfSql(raw('$2')).text}) END AS settled
  FROM cycles c
  WHERE c.household_id = $2 AND c.user_id = $1 AND c.active
  ORDER BY c.seq`;

type CycleRow = WithTexts<StoredCycle, 'incomeAmount' | 'remainingBalance' | 'settled'>;

export async function listCycles({ manager, userId, householdId }: Scope): Promise<StoredCycle[]> {
  const rows = await manager.query<CycleRow[]>(CYCLES, [userId, householdId]);
  return rows.map((row) => ({
    ...row,
    incomeAmount: centsOf(row.incomeAmount),
    remainingBalance: centsOf(row.remainingBalance),
    settled: centsOf(row.settled),
  }));
}

/** The open entries of both kinds. $2: household. */
const EXPENSES = `
  SELECT 'cycle_expense' AS entity_type, e.id, e.cycle_id, e.due_date AS date, e.description,
    e.category, e.budget_id, e.currency, e.amount, e.amount_usd, e.template_id, e.occurrence_date,
    e.payment_method_id, e.seq
  FROM ${expensesOfSql(raw('$2')).text} AND ${IS_COUNTED_SQL.text} AND NOT e.paid`;
const INCOMES = `
  SELECT 'cycle_income', i.id, i.cycle_id, i.income_date, i.description, NULL, NULL, i.currency, i.amount,
    i.amount_usd, i.template_id, i.occurrence_date, i.payment_method_id, i.seq
  FROM ${incomesOfSql(raw('$2')).text} AND i.active AND NOT i.received`;

/** $1: owner, $2: household, $3: last day, $4: currency or null, $5: payment method or null. */
const OPEN = `
  FROM cycles c
  CROSS JOIN LATERAL (${EXPENSES} UNION ALL ${INCOMES}) AS entry
  LEFT JOIN payment_methods m ON m.household_id = $2 AND m.id = entry.payment_method_id
  LEFT JOIN budgets b ON b.household_id = $2 AND b.id = entry.budget_id
  WHERE c.household_id = $2 AND c.user_id = $1 AND c.active AND c.status <> 'completed'
    AND entry.date <= $3 AND ($4::currency_code IS NULL OR entry.currency = $4)
    AND ($5::uuid IS NULL OR entry.payment_method_id = $5)`;

const COUNT = `SELECT count(*)::int AS count ${OPEN}`;

const LIST = `
  SELECT entry.entity_type AS type, entry.id, entry.cycle_id AS "cycleId", entry.date,
    entry.description, entry.category, entry.currency, entry.amount,
    entry.amount_usd AS "amountUsd", entry.template_id AS "templateId",
    entry.occurrence_date AS "occurrenceDate", entry.budget_id AS "budgetId",
    b.name AS "budgetName", entry.payment_method_id AS "paymentMethodId", m.name AS "methodName",
    m.method_type AS "methodType", m.active AS "isMethodActive" ${OPEN}
  ORDER BY entry.entity_type, entry.date, entry.seq`;

/** $6: today; the day before stands for all days before it. */
const SUM = `
  SELECT entry.entity_type AS type, entry.cycle_id AS "cycleId",
    greatest(entry.date, $6::date - 1) AS date, count(*)::int AS count,
    sum(entry.amount) AS amount, sum(entry.amount_usd) AS "amountUsd" ${OPEN}
  GROUP BY 1, 2, 3 LIMIT ${MAX_STORED_ENTRIES + 1}`;

const parametersOf = (
  { userId, householdId }: Scope,
  { to, currency, paymentMethodId }: ForecastQuery,
): unknown[] => [userId, householdId, to, currency, paymentMethodId];

interface OpenSumRow {
  type: ForecastEntryType;
  cycleId: string;
  date: CalendarDate;
  amount: string;
  amountUsd: string;
  count: number;
}

interface OpenEntryRow extends Omit<OpenSumRow, 'count'> {
  id: string;
  description: string;
  category: ExpenseCategory | null;
  currency: CurrencyCode;
  templateId: string | null;
  occurrenceDate: CalendarDate | null;
  budgetId: string | null;
  budgetName: string;
  paymentMethodId: string | null;
  methodName: string;
  methodType: PaymentMethodType;
  isMethodActive: boolean;
}

type CyclesById = ReadonlyMap<string, StoredCycle>;

/**
 * The open entries of a forecast, by kind, date and creation; they are counted before they are
 * read, in pages between which other requests run.
 *
 * @param cycles the stored cycles, at least the draft and active ones
 * @throws DomainError CYCLE_GENERATION_ERROR when there are more than {@link MAX_STORED_ENTRIES}
 */
export async function listOpenEntries(
  scope: Scope,
  query: ForecastQuery,
  cycles: CyclesById,
): Promise<PlannedEntry[]> {
  const parameters = parametersOf(scope, query);
  const [counted] = await scope.manager.query<Counted[]>(COUNT, parameters);
  assertStored(counted?.count ?? 0);
  const entries: PlannedEntry[] = [];
  const statement = { text: LIST, values: parameters };
  for await (const page of readPages<OpenEntryRow>(scope.manager, statement)) {
    entries.push(...page.map((row) => toOpenEntry(row, cycles)));
  }
  return entries;
}

const toOpenEntry = (row: OpenEntryRow, cycles: CyclesById): PlannedEntry =>
  plannedEntry({
    type: row.type,
    id: row.id,
    cycle: cycles.get(row.cycleId) ?? null,
    date: row.date,
    description: row.description,
    category: row.category,
    currency: row.currency,
    amount: centsOf(row.amount),
    amountUsd: centsOf(row.amountUsd),
    templateId: row.templateId,
    occurrenceDate: row.occurrenceDate,
    budget: row.budgetId === null ? null : { id: row.budgetId, name: row.budgetName },
    paymentMethod:
      row.paymentMethodId === null
        ? null
        : {
            id: row.paymentMethodId,
            name: row.methodName,
            methodType: row.methodType,
            active: row.isMethodActive,
          },
  });

/**
 * The sums of these entries by kind, cycle and day, all days before today as one, for a forecast
 * that shows no entries.
 *
 * @param cycles the stored cycles, at least the draft and active ones
 * @throws DomainError CYCLE_GENERATION_ERROR like {@link listOpenEntries}
 */
export async function sumOpenEntries(
  scope: Scope,
  query: ForecastQuery,
  cycles: CyclesById,
): Promise<PlannedEntry[]> {
  const parameters = [...parametersOf(scope, query), query.today];
  const sums = await scope.manager.query<OpenSumRow[]>(SUM, parameters);
  assertStored(sums.reduce((total, { count }) => total + count, 0));
  return sums.map(({ type, cycleId, date, amount, amountUsd, count }) =>
    plannedEntry({
      type,
      cycle: cycles.get(cycleId) ?? null,
      date,
      description: '',
      currency: query.currency ?? 'USD',
      amount: centsOf(amount),
      amountUsd: centsOf(amountUsd),
      count,
    }),
  );
}

/** Draft and active cycles that end in the forecast. $1: owner, $2: household, $3: today, $4: last day. */
const ENDING = `c.household_id = $2 AND c.user_id = $1 AND c.active AND c.status <> 'completed'
  AND c.end_date BETWEEN $3 AND $4`;

/** $5: whether budgets that are exhausted are included, $6: how many rows. */
const LEFT = `
  WITH spent AS (
    SELECT e.cycle_id, e.budget_id, ${sumUsdSql().text} AS total
    FROM cycles c JOIN cycle_expenses e ON e.household_id = $2 AND e.cycle_id = c.id
    WHERE ${ENDING} AND e.budget_id IS NOT NULL
    GROUP BY e.cycle_id, e.budget_id
  )
  SELECT c.id AS "cycleId", l.budget_id AS "budgetId", b.name, l."limit" - coalesce(spent.total, 0.00) AS "left"
  FROM cycles c
  CROSS JOIN LATERAL ${BUDGET_LIMITS_SQL.text}
  JOIN budgets b ON b.household_id = $2 AND b.id = l.budget_id
  LEFT JOIN spent ON spent.cycle_id = c.id AND spent.budget_id = l.budget_id
  WHERE ${ENDING} AND ($5 OR l."limit" > coalesce(spent.total, 0.00))
  ORDER BY c.seq LIMIT $6`;

/**
 * What is left of budgets in the stored cycles, by their creation.
 *
 * @param withExhausted also what is 0.00 or less
 */
export async function listLeft(
  { manager, userId, householdId }: Scope,
  { today, to }: ForecastQuery,
  { withExhausted, max }: { withExhausted: boolean; max: number },
): Promise<StoredLeft[]> {
  const parameters = [userId, householdId, today, to, withExhausted, max];
  const rows = await manager.query<WithTexts<StoredLeft, 'left'>[]>(LEFT, parameters);
  return rows.map((row) => ({ ...row, left: centsOf(row.left) }));
}

const PESOS = `
  SELECT c.id AS "cycleId", e.budget_id AS "budgetId", e.due_date AS date, e.amount,
    e.amount_usd AS "amountUsd", count(*)::int AS count
  FROM cycles c
  JOIN cycle_expenses e ON e.household_id = $2 AND e.cycle_id = c.id AND ${IS_COUNTED_SQL.text}
    AND NOT e.paid AND e.currency = 'MXN' AND e.budget_id IS NOT NULL AND e.due_date <= $4
  WHERE ${ENDING}
  GROUP BY 1, 2, 3, 4, 5 LIMIT ${MAX_STORED_ENTRIES + 1}`;

/**
 * The open expenses in pesos that are part of what budgets have spent.
 *
 * @throws DomainError CYCLE_GENERATION_ERROR when there are more than {@link MAX_STORED_ENTRIES}
 */
export async function listOpenPesos(
  { manager, userId, householdId }: Scope,
  { today, to }: ForecastQuery,
): Promise<StoredPesos[]> {
  const parameters = [userId, householdId, today, to];
  const rows = await manager.query<WithTexts<StoredPesos, 'amount' | 'amountUsd'>[]>(
    PESOS,
    parameters,
  );
  assertStored(rows.length);
  return rows.map((row) => ({
    ...row,
    amount: centsOf(row.amount),
    amountUsd: centsOf(row.amountUsd),
  }));
}

interface Counted {
  count: number;
}

function assertStored(count: number): void {
  if (count <= MAX_STORED_ENTRIES) return;
  throw new DomainError(
    'CYCLE_GENERATION_ERROR',
    `More than ${MAX_STORED_ENTRIES} stored expenses and incomes count in the forecast`,
    { limit: MAX_STORED_ENTRIES },
  );
}
