import type { EntityManager } from 'typeorm';
import { IS_COUNTED_SQL } from '../ledger/balance.js';
import type { CycleStatus } from '../ledger/cycle.entity.js';
import { displayedStatusSql } from '../ledger/expense-status.js';
import { today, type CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/enums.js';
import type { Instant } from '../platform/values/instant.js';

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
  cycle_status: CycleStatus;
  updated_at: Instant;
}

export interface Calendar {
  name: string;
  entries: CalendarEntry[];
}

/** The columns of both kinds of entries, here of expenses `e`. $2: today. */
const EXPENSES = `
  SELECT e.id, e.due_date AS date, e.description, e.currency, e.amount, e.amount_usd,
    ${displayedStatusSql('$2')} AS status, e.payment_method_id, e.cycle_id, e.seq, e.updated_at
  FROM cycle_expenses e WHERE e.cycle_id = c.id AND ${IS_COUNTED_SQL}`;
const INCOMES = `
  SELECT i.id, i.income_date, i.description, i.currency, i.amount, i.amount_usd,
    CASE WHEN i.received THEN 'received' ELSE 'expected' END, i.payment_method_id, i.cycle_id, i.seq, i.updated_at
  FROM cycle_incomes i WHERE i.household_id = f.household_id AND i.cycle_id = c.id AND i.active`;

/** $1: hash of the token. A single row without an entry if the calendar is empty; no row without the feed. */
const CALENDAR = `
  SELECT f.name, v.id, v.date, v.description, v.currency, v.amount, v.amount_usd, v.status,
    m.name AS payment_method_name, v.cycle_status, v.updated_at
  FROM calendar_feeds f
  JOIN users u ON u.id = f.user_id AND u.active
  LEFT JOIN LATERAL (
    SELECT entry.*, c.status AS cycle_status
    FROM cycles c CROSS JOIN LATERAL (${EXPENSES} UNION ALL ${INCOMES}) AS entry
    WHERE c.user_id = f.user_id AND c.active AND c.status IN ('draft', 'active')
      AND (f.payment_method_id IS NULL OR entry.payment_method_id = f.payment_method_id)
  ) AS v ON true
  LEFT JOIN payment_methods m ON m.id = v.payment_method_id
  WHERE f.token_hash = $1
  ORDER BY v.date, v.id`;

type NoEntry = Record<keyof CalendarEntry, null>;

/** The calendar of a feed by date; undefined if the feed does not exist or its user is not active. */
export async function findCalendar(
  manager: EntityManager,
  tokenHash: string,
): Promise<Calendar | undefined> {
  const rows = await manager.query<((CalendarEntry | NoEntry) & { name: string })[]>(CALENDAR, [
    tokenHash,
    today(),
  ]);
  const [first] = rows;
  return first && { name: first.name, entries: rows.filter((row) => row.id !== null) };
}
