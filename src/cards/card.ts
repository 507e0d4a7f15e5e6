/** The statements of cards by their dates: pure functions of what is stored. */
import type { PaymentMethodType } from '../payment-methods/payment-method.entity.js';
import {
  dueDateOf,
  monthDayBefore,
  nextClosing,
  type StatementRules,
} from '../payment-methods/statement-dates.js';
import { addDays, type CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import type { Money } from '../platform/values/money.js';

/** What is stored of a statement; amounts in the currency of the card. */
export interface StoredStatement {
  id: string;
  firstDate: CalendarDate;
  closingDate: CalendarDate;
  dueDate: CalendarDate;
  statedAmount: Money | null;
  amount: Money | null;
  paid: boolean;
  paidAt: Date | null;
  paidAmount: Money | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A payment method that has statements, or had some that are stored. */
export interface CardFields {
  id: string;
  name: string;
  methodType: PaymentMethodType;
  active: boolean;
  currency: CurrencyCode;
  /** null: no further statements. */
  rules: StatementRules | null;
  firstClosingDate: CalendarDate | null;
  autopay: boolean;
  paidFromId: string | null;
  /** By closing date. */
  stored: readonly StoredStatement[];
}

/** The days of a statement; both `from` and the closing date are its own. */
export interface StatementDates {
  from: CalendarDate;
  closingDate: CalendarDate;
  dueDate: CalendarDate;
  /** null: derived. */
  stored: StoredStatement | null;
}

/** Days whose purchases with a card are of its statements; both included. */
export interface StatementDays {
  cardId: string;
  first: CalendarDate;
  last: CalendarDate;
}

/** After the last day of every statement. */
const LAST_DAY = '2999-12-31';

/** A card with its statements by closing date. */
export interface Card extends CardFields {
  statements: readonly StatementDates[];
}

/**
 * A card with its stored statements, and those by its rules until the first one that closes on a day
 * or later.
 */
export const toCard = (fields: CardFields, until: CalendarDate): Card => ({
  ...fields,
  statements: statementsOf(fields, until),
});

/**
 * The statement of what was bought on a day; undefined: none.
 *
 * @param day not after the one of {@link toCard}
 */
export function statementOf(
  { statements }: Pick<Card, 'statements'>,
  day: CalendarDate,
): StatementDates | undefined {
  const statement = statements.find(({ closingDate }) => closingDate >= day);
  return statement && statement.from <= day ? statement : undefined;
}

/** Whether what was bought or received on a day with a payment method belongs to a statement. */
export const isOfStatement = (
  { paymentMethodId, date }: { paymentMethodId: string | null; date: CalendarDate },
  days: readonly StatementDays[],
): boolean =>
  days.some(
    ({ cardId, first, last }) => cardId === paymentMethodId && date >= first && date <= last,
  );

/** The days that have a statement, also those after the last one of a card with rules; or none. */
export function daysOfStatements({ id: cardId, statements, rules }: Card): StatementDays[] {
  const [first, last] = [statements[0], statements.at(-1)];
  if (!first || !last) return [];
  return [{ cardId, first: first.from, last: rules ? LAST_DAY : last.closingDate }];
}

function statementsOf(card: CardFields, until: CalendarDate): StatementDates[] {
  const stored = new Map(card.stored.map((one) => [one.closingDate, one]));
  const closings = new Set([...stored.keys(), ...closingsOf(card, until)]);
  const statements: StatementDates[] = [];
  for (const closingDate of [...closings].sort()) {
    const own = stored.get(closingDate) ?? null;
    statements.push({
      from: firstDayOf(closingDate, { card, own, before: statements.at(-1) }),
      closingDate,
      dueDate: own?.dueDate ?? (card.rules ? dueDateOf(closingDate, card.rules) : closingDate),
      stored: own,
    });
  }
  return statements;
}

function closingsOf({ rules, firstClosingDate }: CardFields, until: CalendarDate): CalendarDate[] {
  if (!rules || firstClosingDate === null) return [];
  const closings = [firstClosingDate];
  for (let last = firstClosingDate; last < until;) {
    last = nextClosing(last, rules);
    closings.push(last);
  }
  return closings;
}

/** The day after the statement before; of the first one a month before its closing. */
function firstDayOf(
  closing: CalendarDate,
  {
    card: { rules },
    own,
    before,
  }: { card: CardFields; own: StoredStatement | null; before: StatementDates | undefined },
): CalendarDate {
  if (before) return addDays(before.closingDate, 1);
  if (own) return own.firstDate;
  return rules ? addDays(monthDayBefore(closing, rules.closingDay), 1) : closing;
}
