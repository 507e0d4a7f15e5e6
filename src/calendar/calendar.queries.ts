import sql, { raw, type Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import type { StatementDays } from '../cards/card.js';
import { countsByItselfSql } from '../cards/statement-days-sql.js';
import { expensesOfSql, incomesOfSql, IS_COUNTED_SQL } from '../ledger/entities/balance.js';
import type { CycleStatus } from '../ledger/entities/cycle.entity.js';
import { displayedStatusSql } from '../ledger/entities/expense-status.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import { readPages } from '../platform/database/row-pages.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import type { Instant } from '../platform/values/instant.js';
import type { CalendarFeed } from './calendar-feed.entity.js';

/** An expense or an income in a calendar. */
export interface CalendarEntry {
  id: string;
  date: CalendarDate;
  description: string;
  currency: CurrencyCode;
  amount: string;
  amount_usd: string;
  /** The displayed status of an expense; `received` or `expected` for an income. */
  status: string;
  payment_method_name: string | null;
  budget_name: string | null;
  /** Whether it is paid with the statement of a card. */
  has_statement: boolean;
  cycle_status: CycleStatus;
  /** When what the calendar stores of the entry was last changed, rounded up to a second. */
  changed_at: Instant;
}

/** The columns of both kinds of entries, here of expenses `e`. */
const expensesSql = ({ householdId, today }: Scope, days: readonly StatementDays[]): Sql => sql`
  SELECT e.id, e.due_date AS date, e.description, e.currency, e.amount, e.amount_usd,
    ${displayedStatusSql(today)} AS status, e.payment_method_id,
    e.budget_id, e.cycle_id, e.seq, e.updated_at AS changed_at,
    NOT ${countsByItselfSql(days)} AS has_statement
  FROM ${expensesOfSql(householdId)} AND ${IS_COUNTED_SQL}`;
const incomesSql = ({ householdId }: Scope): Sql => sql`
  SELECT i.id, i.income_date, i.description, i.currency, i.amount, i.amount_usd,
    CASE WHEN i.received THEN 'received' ELSE 'expected' END, i.payment_method_id,
    i.budget_id, i.cycle_id, i.seq, i.updated_at, false
  FROM ${incomesOfSql(householdId)} AND i.active`;

/** The days before and after today that a calendar has. */
export const DAYS_BEFORE = 400;
export const DAYS_AFTER = 800;
/** The entries of a calendar: those of these days that are nearest to today. */
const MAX_CALENDAR_ENTRIES = raw('5000');

/**
 * The end of the second in which an instant lies, as calendars have no fractions; a whole second
 * stays.
 */
const roundedUpSql = (instant: Sql): Sql =>
  sql`date_trunc('second', ${instant} + interval '999 milliseconds')`;

/** A feed of an active user. */
export type ReadableFeed = Pick<
  CalendarFeed,
  'id' | 'name' | 'userId' | 'householdId' | 'paymentMethodId' | 'alarmDays'
> & {
  /** The time zone of its user. */
  timeZone: string;
  /** When the feed or its user was last changed. */
  changedAt: Instant;
};

/**
 * Undefined if the feed does not exist or its user is not active. The statement cannot name the
 * household, because the token does not contain it.
 */
export async function findFeed(
  manager: EntityManager,
  tokenHash: string,
): Promise<ReadableFeed | undefined> {
  const [feed] = await query<ReadableFeed>(
    manager,
    sql`
      SELECT f.id, f.name, f.user_id AS "userId", f.household_id AS "householdId",
        u.time_zone AS "timeZone", f.payment_method_id AS "paymentMethodId",
        f.alarm_days AS "alarmDays", GREATEST(f.updated_at, u.updated_at) AS "changedAt"
      FROM calendar_feeds f JOIN users u ON u.id = f.user_id AND u.active
      WHERE f.token_hash = ${tokenHash}`,
  );
  return feed;
}

/**
 * When the feed, its user or any record of the user was last changed, rounded up to a second: the
 * amounts of statements follow from many records.
 */
export async function findLastChange(
  { manager, userId, householdId }: Scope,
  { changedAt }: Pick<ReadableFeed, 'changedAt'>,
): Promise<Instant> {
  const latest = sql`(
    SELECT created_at FROM activity_log
    WHERE household_id = ${householdId} AND actor_user_id = ${userId} ORDER BY seq DESC LIMIT 1)`;
  const [found] = await query<{ at: Instant }>(
    manager,
    sql`SELECT ${roundedUpSql(sql`GREATEST(${changedAt}::timestamptz, ${latest})`)} AS at`,
  );
  return found?.at ?? changedAt;
}

/**
 * The entries of a calendar near today in pages, by date. In a transaction.
 *
 * @param days whose purchases with cards are paid with statements
 */
export function entriesOfCalendar(
  scope: Scope,
  { paymentMethodId, changedAt }: ReadableFeed,
  days: readonly StatementDays[],
): AsyncGenerator<CalendarEntry[]> {
  const { manager, userId, householdId, today } = scope;
  const lastChange = sql`GREATEST(
    entry.changed_at, c.updated_at, m.updated_at, b.updated_at, ${changedAt}::timestamptz)`;
  const nearest = sql`
    SELECT entry.id, entry.date, entry.description, entry.currency, entry.amount, entry.amount_usd,
      entry.status, m.name AS payment_method_name, b.name AS budget_name, c.status AS cycle_status,
      entry.has_statement,
      ${roundedUpSql(lastChange)} AS changed_at
    FROM cycles c
    CROSS JOIN LATERAL (${expensesSql(scope, days)} UNION ALL ${incomesSql(scope)}) AS entry
    LEFT JOIN payment_methods m
      ON m.household_id = ${householdId} AND m.id = entry.payment_method_id
    LEFT JOIN budgets b ON b.household_id = ${householdId} AND b.id = entry.budget_id
    WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
      AND c.status IN ('draft', 'active')
      AND (${paymentMethodId}::uuid IS NULL OR entry.payment_method_id = ${paymentMethodId})
      AND entry.date BETWEEN ${today}::date - ${raw(String(DAYS_BEFORE))}
        AND ${today}::date + ${raw(String(DAYS_AFTER))}
    ORDER BY abs(entry.date - ${today}::date), entry.date, entry.id LIMIT ${MAX_CALENDAR_ENTRIES}`;
  return readPages(manager, sql`SELECT * FROM (${nearest}) AS entry ORDER BY date, id`);
}
