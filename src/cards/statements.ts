/** What statements of cards amount to: pure functions of what was bought, stated and paid. */
import { Big } from 'big.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import type { Money } from '../platform/values/money.js';
import { dayIn, startOfDay } from '../platform/values/time-zone.js';
import type { Card, StatementDates } from './card.js';

export const STATEMENT_STATUSES = ['open', 'closed', 'overdue', 'paid'] as const;
export type StatementStatus = (typeof STATEMENT_STATUSES)[number];

/** The purchases of a statement without its credits. */
export interface Purchases {
  /** In the currency of the card; credits alone make it negative. */
  total: Money;
  expenseCount: number;
}

/** A statement with its amounts in the currency of the card. */
export interface Statement extends StatementDates, Purchases {
  card: Card;
  status: StatementStatus;
  /** What the statement before was short of, or below 0.00 had too much. */
  carried: Money;
  /** What is, or was, to be paid. */
  amount: Money;
  paid: boolean;
  paidAt: Date | null;
  paidAmount: Money | null;
}

const ZERO = new Big(0);
const NOTHING: Purchases = { total: ZERO, expenseCount: 0 };

/**
 * The statements of a card by closing date. One that has closed with 0.00 or less is paid by itself,
 * and all of it is carried to the next; with `autopay` one whose due date has passed was paid in
 * full at the beginning of that day.
 *
 * @param purchases by closing date; those of statements that are stored as paid change no amount
 * @param timeZone of the owner
 */
export function statementsWith(
  card: Card,
  purchases: ReadonlyMap<CalendarDate, Purchases>,
  { today, timeZone }: { today: CalendarDate; timeZone: string },
): Statement[] {
  const statements: Statement[] = [];
  for (const dates of card.statements) {
    const { stored, closingDate, dueDate } = dates;
    const { total, expenseCount } = purchases.get(closingDate) ?? NOTHING;
    const carried = carriedFrom(statements.at(-1));
    const amount = (stored?.paid ? stored.amount : stored?.statedAmount) ?? total.plus(carried);
    const payment = stored?.paid
      ? stored
      : closingDate < today && amount.lte(0)
        ? { paid: true, paidAt: null, paidAmount: ZERO }
        : card.autopay && dueDate < today
          ? { paid: true, paidAt: startOfDay(timeZone, dueDate), paidAmount: amount }
          : { paid: false, paidAt: null, paidAmount: null };
    const { paid, paidAt, paidAmount } = payment;
    const status = paid
      ? 'paid'
      : dueDate < today
        ? 'overdue'
        : closingDate < today
          ? 'closed'
          : 'open';
    statements.push({
      ...dates,
      ...{ card, status, total, expenseCount, carried, amount, paid, paidAt, paidAmount },
    });
  }
  return statements;
}

/** What was paid for a statement, in the currency of its card. */
export interface StatementPayment {
  /** The payment method from which it was paid; null: the main one. */
  paidFromId: string | null;
  paidAt: Date;
  /** The day of `paidAt` of the owner. */
  date: CalendarDate;
  amount: Money;
  currency: CurrencyCode;
}

/** What has left other payment methods for statements. */
export const paymentsOf = (
  statements: readonly Statement[],
  { timeZone }: { timeZone: string },
): StatementPayment[] =>
  statements.flatMap(({ card: { paidFromId, currency }, paidAt, paidAmount: amount }) =>
    paidAt && amount?.gt(0)
      ? [{ paidFromId, paidAt, date: dayIn(timeZone, paidAt), amount, currency }]
      : [],
  );

const carriedFrom = (before: Statement | undefined): Money =>
  before?.paid ? before.amount.minus(before.paidAmount ?? ZERO) : ZERO;
