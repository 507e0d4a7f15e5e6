import sql, { raw, type Sql } from 'sql-template-tag';
import {
  expensesOfSql,
  incomesOfSql,
  sumIncomesUsdSql,
  sumUsdSql,
} from '../ledger/entities/balance.js';
import { BUDGET_LIMITS_SQL } from '../ledger/entities/cycle.entity.js';
import { IS_OPEN_EXPENSE_SQL, IS_OPEN_INCOME_SQL } from '../ledger/entities/open-entries.js';
import type { PaymentMethodType } from '../payment-methods/payment-method.entity.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import { readPages } from '../platform/database/row-pages.js';
import { DomainError } from '../platform/errors/domain-error.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import { centsOf } from '../platform/values/money.js';
import type { ExpenseCategory } from '../templates/expense-template.entity.js';
import type { Instalment } from '../templates/recurrence/planned-schedule.js';
import type { StoredCycle } from './planned-cycle.js';
import { plannedEntry, type ForecastEntryType, type PlannedEntry } from './planned-entry.js';
import type { ForecastQuery } from './query.js';
import type { StoredLeft, StoredPesos } from './set-aside.js';

/** The stored entries of a forecast. */
const MAX_STORED_ENTRIES = 10_000;
/** One more, to see that there are too many. The number is not a value: the server plans for it. */
const LIMIT = raw(`LIMIT ${MAX_STORED_ENTRIES + 1}`);

/** A row whose amounts are texts. */
type WithTexts<Row, Amount extends keyof Row> = Omit<Row, Amount> & Record<Amount, string>;

type CycleRow = WithTexts<StoredCycle, 'incomeAmount' | 'remainingBalance' | 'settled'>;

/** Every cycle, in the order of creation. */
export async function listCycles({ manager, userId, householdId }: Scope): Promise<StoredCycle[]> {
  const rows = await query<CycleRow>(
    manager,
    sql`
      SELECT c.id, c.name, c.start_date AS "startDate", c.end_date AS "endDate", c.status,
        c.side, c.income_amount AS "incomeAmount", c.remaining_balance AS "remainingBalance",
        CASE WHEN c.status = 'completed' THEN 0.00 ELSE
          (SELECT ${sumIncomesUsdSql(sql`i.received`)} FROM ${incomesOfSql(householdId)})
          - (SELECT ${sumUsdSql(sql`e.paid`)} FROM ${expensesOfSql(householdId)}) END AS settled
      FROM cycles c
      WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
      ORDER BY c.seq`,
  );
  return rows.map((row) => ({
    ...row,
    incomeAmount: centsOf(row.incomeAmount),
    remainingBalance: centsOf(row.remainingBalance),
    settled: centsOf(row.settled),
  }));
}

/** SQL: the open entries of a forecast, as a FROM and WHERE clause. */
const openEntriesSql = (
  { userId, householdId }: Scope,
  { freeUntil, currency, paymentMethodId }: ForecastQuery,
): Sql => sql`
  FROM cycles c
  CROSS JOIN LATERAL (
    SELECT 'cycle_expense' AS entity_type, e.id, e.cycle_id, e.due_date AS date, e.description,
      e.category, e.budget_id, e.currency, e.amount, e.amount_usd, e.template_id, e.occurrence_date,
      e.instalment, e.payment_method_id, e.seq
    FROM ${expensesOfSql(householdId)} AND ${IS_OPEN_EXPENSE_SQL}
    UNION ALL
    SELECT 'cycle_income', i.id, i.cycle_id, i.income_date, i.description, NULL, NULL, i.currency,
      i.amount, i.amount_usd, i.template_id, i.occurrence_date, i.instalment,
      i.payment_method_id, i.seq
    FROM ${incomesOfSql(householdId)} AND ${IS_OPEN_INCOME_SQL}
  ) AS entry
  LEFT JOIN payment_methods m
    ON m.household_id = ${householdId} AND m.id = entry.payment_method_id
  LEFT JOIN budgets b ON b.household_id = ${householdId} AND b.id = entry.budget_id
  WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
    AND c.status <> 'completed' AND entry.date <= ${freeUntil}
    AND (${currency}::currency_code IS NULL OR entry.currency = ${currency})
    AND (${paymentMethodId}::uuid IS NULL OR entry.payment_method_id = ${paymentMethodId})`;

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
  instalment: Instalment | null;
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
  forecast: ForecastQuery,
  cycles: CyclesById,
): Promise<PlannedEntry[]> {
  const { manager } = scope;
  const openEntries = openEntriesSql(scope, forecast);
  const [counted] = await query<Counted>(
    manager,
    sql`SELECT count(*)::int AS count ${openEntries}`,
  );
  assertStored(counted?.count ?? 0);
  const entries: PlannedEntry[] = [];
  const pages = readPages<OpenEntryRow>(
    manager,
    sql`
      SELECT entry.entity_type AS type, entry.id, entry.cycle_id AS "cycleId", entry.date,
        entry.description, entry.category, entry.currency, entry.amount,
        entry.amount_usd AS "amountUsd", entry.template_id AS "templateId",
        entry.occurrence_date AS "occurrenceDate", entry.instalment, entry.budget_id AS "budgetId",
        b.name AS "budgetName", entry.payment_method_id AS "paymentMethodId",
        m.name AS "methodName", m.method_type AS "methodType", m.active AS "isMethodActive"
      ${openEntries}
      ORDER BY entry.entity_type, entry.date, entry.seq`,
  );
  for await (const page of pages) {
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
    instalment: row.instalment,
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
  forecast: ForecastQuery,
  cycles: CyclesById,
): Promise<PlannedEntry[]> {
  // The day before today stands for all days before it.
  const sums = await query<OpenSumRow>(
    scope.manager,
    sql`
      SELECT entry.entity_type AS type, entry.cycle_id AS "cycleId",
        greatest(entry.date, ${forecast.today}::date - 1) AS date, count(*)::int AS count,
        sum(entry.amount) AS amount, sum(entry.amount_usd) AS "amountUsd"
      ${openEntriesSql(scope, forecast)}
      GROUP BY 1, 2, 3 ${LIMIT}`,
  );
  assertStored(sums.reduce((total, { count }) => total + count, 0));
  return sums.map(({ type, cycleId, date, amount, amountUsd, count }) =>
    plannedEntry({
      type,
      cycle: cycles.get(cycleId) ?? null,
      date,
      description: '',
      currency: forecast.currency ?? 'USD',
      amount: centsOf(amount),
      amountUsd: centsOf(amountUsd),
      count,
    }),
  );
}

/** SQL: whether a cycle `c` is a draft or active one that has a day that counts. */
const isCurrentSql = (
  { userId, householdId }: Scope,
  { today, freeUntil }: ForecastQuery,
): Sql => sql`
  c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
  AND c.status <> 'completed' AND c.end_date >= ${today} AND c.start_date <= ${freeUntil}`;

/**
 * What is left of budgets in the stored cycles, by their creation.
 *
 * @param withExhausted also what is 0.00 or less
 */
export async function listLeft(
  scope: Scope,
  forecast: ForecastQuery,
  { withExhausted, max }: { withExhausted: boolean; max: number },
): Promise<StoredLeft[]> {
  const { manager, householdId } = scope;
  const isCurrent = isCurrentSql(scope, forecast);
  const rows = await query<WithTexts<StoredLeft, 'left'>>(
    manager,
    sql`
      WITH spent AS (
        SELECT e.cycle_id, e.budget_id, ${sumUsdSql()} AS total
        FROM cycles c
        JOIN cycle_expenses e ON e.household_id = ${householdId} AND e.cycle_id = c.id
        WHERE ${isCurrent} AND e.budget_id IS NOT NULL
        GROUP BY e.cycle_id, e.budget_id
      )
      SELECT c.id AS "cycleId", l.budget_id AS "budgetId", b.name,
        l."limit" - coalesce(spent.total, 0.00) AS "left"
      FROM cycles c
      CROSS JOIN LATERAL ${BUDGET_LIMITS_SQL}
      JOIN budgets b ON b.household_id = ${householdId} AND b.id = l.budget_id
      LEFT JOIN spent ON spent.cycle_id = c.id AND spent.budget_id = l.budget_id
      WHERE ${isCurrent} AND (${withExhausted} OR l."limit" > coalesce(spent.total, 0.00))
      ORDER BY c.seq LIMIT ${max}`,
  );
  return rows.map((row) => ({ ...row, left: centsOf(row.left) }));
}

/**
 * The open expenses in pesos that are part of what budgets have spent.
 *
 * @throws DomainError CYCLE_GENERATION_ERROR when there are more than {@link MAX_STORED_ENTRIES}
 */
export async function listOpenPesos(scope: Scope, forecast: ForecastQuery): Promise<StoredPesos[]> {
  const { manager, householdId } = scope;
  const rows = await query<WithTexts<StoredPesos, 'amount' | 'amountUsd'>>(
    manager,
    sql`
      SELECT c.id AS "cycleId", e.budget_id AS "budgetId", e.due_date AS date, e.amount,
        e.amount_usd AS "amountUsd", count(*)::int AS count
      FROM cycles c
      JOIN cycle_expenses e ON e.household_id = ${householdId} AND e.cycle_id = c.id
        AND ${IS_OPEN_EXPENSE_SQL} AND e.currency = 'MXN' AND e.budget_id IS NOT NULL
        AND e.due_date <= ${forecast.freeUntil}
      WHERE ${isCurrentSql(scope, forecast)}
      GROUP BY 1, 2, 3, 4, 5 ${LIMIT}`,
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
