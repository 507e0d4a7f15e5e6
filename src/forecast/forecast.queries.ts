import sql, { raw, type Sql } from 'sql-template-tag';
import type { StatementDays } from '../cards/card.js';
import { countsByItselfSql, incomeCountsByItselfSql } from '../cards/statement-days-sql.js';
import {
  expensesOfSql,
  incomesOfSql,
  sumIncomesUsdSql,
  sumUsdSql,
} from '../ledger/entities/balance.js';
import { CycleExpense } from '../ledger/entities/cycle-expense.entity.js';
import { CycleIncome } from '../ledger/entities/cycle-income.entity.js';
import { IS_OPEN_EXPENSE_SQL, IS_OPEN_INCOME_SQL } from '../ledger/entities/open-entries.js';
import { isUneditedSql } from '../ledger/generation/generated-entry.js';
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

/** The stored entries of a forecast. */
const MAX_STORED_ENTRIES = 10_000;
/** One more, to see that there are too many. The number is not a value: the server plans for it. */
export const LIMIT = raw(`LIMIT ${MAX_STORED_ENTRIES + 1}`);

/** A row whose amounts are texts. */
export type WithTexts<Row, Amount extends keyof Row> = Omit<Row, Amount> & Record<Amount, string>;

type CycleRow = WithTexts<StoredCycle, 'incomeAmount' | 'remainingBalance' | 'settled'>;

/**
 * Every cycle, in the order of creation.
 *
 * @param days whose purchases with cards are settled with their statements
 */
export async function listCycles(
  { manager, userId, householdId }: Scope,
  days: readonly StatementDays[],
): Promise<StoredCycle[]> {
  const rows = await query<CycleRow>(
    manager,
    sql`
      SELECT c.id, c.name, c.start_date AS "startDate", c.end_date AS "endDate", c.status,
        c.side, c.income_amount AS "incomeAmount", c.remaining_balance AS "remainingBalance",
        CASE WHEN c.status = 'completed' THEN 0.00 ELSE
          (SELECT ${sumIncomesUsdSql(sql`i.received AND ${incomeCountsByItselfSql(days)}`)}
            FROM ${incomesOfSql(householdId)})
          - (SELECT ${sumUsdSql(sql`e.paid AND ${countsByItselfSql(days)}`)}
            FROM ${expensesOfSql(householdId)}) END AS settled
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

/**
 * SQL: the open entries of draft and active cycles that meet a condition on each kind, as a FROM and
 * WHERE clause.
 */
const openEntriesSql = (
  { userId, householdId }: Scope,
  { expenses, incomes }: { expenses: Sql; incomes: Sql },
): Sql => sql`
  FROM cycles c
  CROSS JOIN LATERAL (
    SELECT 'cycle_expense' AS entity_type, e.id, e.cycle_id, e.due_date AS date, e.description,
      e.category, e.budget_id, e.currency, e.amount, e.amount_usd, e.template_id, e.occurrence_date,
      e.instalment, e.payment_method_id, e.seq
    FROM ${expensesOfSql(householdId)} AND ${IS_OPEN_EXPENSE_SQL} AND ${expenses}
    UNION ALL
    SELECT 'cycle_income', i.id, i.cycle_id, i.income_date, i.description, NULL, i.budget_id,
      i.currency, i.amount, i.amount_usd, i.template_id, i.occurrence_date, i.instalment,
      i.payment_method_id, i.seq
    FROM ${incomesOfSql(householdId)} AND ${IS_OPEN_INCOME_SQL} AND ${incomes}
  ) AS entry
  LEFT JOIN payment_methods m
    ON m.household_id = ${householdId} AND m.id = entry.payment_method_id
  LEFT JOIN budgets b ON b.household_id = ${householdId} AND b.id = entry.budget_id
  WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
    AND c.status <> 'completed'`;

/** SQL: the open entries of a forecast that belong to no statement, as a FROM and WHERE clause. */
const countingEntriesSql = (
  scope: Scope,
  { freeUntil, currency, paymentMethodId }: ForecastQuery,
  days: readonly StatementDays[],
): Sql => sql`
  ${openEntriesSql(scope, {
    expenses: countsByItselfSql(days),
    incomes: incomeCountsByItselfSql(days),
  })}
    AND entry.date <= ${freeUntil}
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

/** What the open entries of a forecast are read with. */
interface OpenEntriesOptions {
  /** The stored cycles, at least the draft and active ones. */
  cycles: CyclesById;
  /** Whose purchases with cards count with their statements. */
  days: readonly StatementDays[];
}

/**
 * The open entries of a forecast, by kind, date and creation; they are counted before they are
 * read, in pages between which other requests run.
 *
 * @throws DomainError CYCLE_GENERATION_ERROR when there are more than {@link MAX_STORED_ENTRIES}
 */
export async function listOpenEntries(
  scope: Scope,
  forecast: ForecastQuery,
  { cycles, days }: OpenEntriesOptions,
): Promise<PlannedEntry[]> {
  const openEntries = countingEntriesSql(scope, forecast, days);
  const [counted] = await query<Counted>(
    scope.manager,
    sql`SELECT count(*)::int AS count ${openEntries}`,
  );
  assertStored(counted?.count ?? 0);
  return readEntries(scope, sql`${openEntries} ${ORDER}`, cycles);
}

/**
 * The open occurrences of templates that nobody has edited, by kind, date and creation, as far as
 * they count in the forecast or in a cycle that has begun until its last day. They are read like
 * {@link listOpenEntries}.
 *
 * @throws DomainError CYCLE_GENERATION_ERROR when there are more than {@link MAX_STORED_ENTRIES}
 */
export async function listOccurrences(
  scope: Scope,
  { freeUntil }: ForecastQuery,
  { templateIds, cycles }: Pick<OpenEntriesOptions, 'cycles'> & { templateIds: readonly string[] },
): Promise<PlannedEntry[]> {
  const occurrences = openEntriesSql(scope, {
    expenses: sql`e.template_id = ANY(${templateIds}) AND ${isUneditedSql(CycleExpense, 'e')}`,
    incomes: sql`i.template_id = ANY(${templateIds}) AND ${isUneditedSql(CycleIncome, 'i')}`,
  });
  const entries = await readEntries(
    scope,
    sql`${occurrences} AND least(entry.date, c.start_date) <= ${freeUntil} ${ORDER} ${LIMIT}`,
    cycles,
  );
  assertStored(entries.length);
  return entries;
}

const ORDER = raw('ORDER BY entry.entity_type, entry.date, entry.seq');

/** @param source the FROM clause and what follows it */
async function readEntries(
  { manager }: Scope,
  source: Sql,
  cycles: CyclesById,
): Promise<PlannedEntry[]> {
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
      ${source}`,
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
 * @throws DomainError CYCLE_GENERATION_ERROR like {@link listOpenEntries}
 */
export async function sumOpenEntries(
  scope: Scope,
  forecast: ForecastQuery,
  { cycles, days }: OpenEntriesOptions,
): Promise<PlannedEntry[]> {
  // The day before today stands for all days before it.
  const sums = await query<OpenSumRow>(
    scope.manager,
    sql`
      SELECT entry.entity_type AS type, entry.cycle_id AS "cycleId",
        greatest(entry.date, ${forecast.today}::date - 1) AS date, count(*)::int AS count,
        sum(entry.amount) AS amount, sum(entry.amount_usd) AS "amountUsd"
      ${countingEntriesSql(scope, forecast, days)}
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

interface Counted {
  count: number;
}

/** @throws DomainError CYCLE_GENERATION_ERROR when there are more than {@link MAX_STORED_ENTRIES} */
export function assertStored(count: number): void {
  if (count <= MAX_STORED_ENTRIES) return;
  throw new DomainError(
    'CYCLE_GENERATION_ERROR',
    `More than ${MAX_STORED_ENTRIES} stored expenses and incomes count in the forecast`,
    { limit: MAX_STORED_ENTRIES },
  );
}
