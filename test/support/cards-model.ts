/**
 * A reference implementation of the statements of cards, which shares no code with the service:
 * day by day and entry by entry from what is stored, without regard to time.
 */
import { cents, money, sumOf, type Cents } from '../model/cents.js';
import { converted, valueIn, type DatedAmount } from './conversion-model.js';
import { plusDays } from './forecast-periods.js';
import {
  closingBefore,
  closingFrom,
  dueDateOf,
  isClosing,
  type StatementDays,
} from './statement-dates.js';
import {
  dayOf,
  type Currency,
  type Household,
  type Method,
  type StoredStatement,
} from './stored-household.js';

/** A payment method with statements. */
export type Card = Method & StatementDays & { first_closing_date: string };

/** A purchase by card, or a credit of it, that is not cancelled. */
export interface CardEntry extends DatedAmount {
  entity_type: string;
  payment_method_id: string | null;
}

export interface Statement {
  card: Card;
  stored: StoredStatement | undefined;
  from: string;
  closing: string;
  due: string;
  status: 'open' | 'closed' | 'overdue' | 'paid';
  entries: readonly CardEntry[];
  /** In the currency of the card, as the amounts that follow. */
  total: Cents;
  carried: Cents;
  stated: Cents | null;
  amount: Cents;
  /** Null: it is not paid. */
  paidAmount: Cents | null;
  /** Milliseconds; null as well where it is paid by itself or by autopay. */
  paidAt: number | null;
  /** The owner's day on which something was paid. */
  paidOn: string | null;
}

const isCard = (method: Method): method is Card => method.closing_day !== null;

export const cardsOf = ({ methods }: Household): Card[] => methods.filter(isCard);

const storedOf = ({ statements }: Household, { id }: Card): StoredStatement[] =>
  statements.filter(({ payment_method_id }) => payment_method_id === id);

/** The closings of stored statements, and those by the days of the card until a date, ascending. */
function closingsOf(household: Household, card: Card, until: string): string[] {
  const closings = new Set(storedOf(household, card).map(({ closing_date }) => closing_date));
  for (let day = card.first_closing_date; day <= until; day = plusDays(day, 1)) {
    if (isClosing(card, day)) closings.add(day);
  }
  return [...closings].sort();
}

/** The first day whose purchases belong to a statement of a card. */
function firstDayOf(household: Household, card: Card): string {
  const [first = ''] = closingsOf(household, card, card.first_closing_date);
  const stored = storedOf(household, card).find(({ closing_date }) => closing_date === first);
  return stored?.first_date ?? plusDays(closingBefore(card, first), 1);
}

/** Whether an expense or an income is in a statement, and not by itself. */
export function isOfStatement(
  household: Household,
  { payment_method_id, date }: { payment_method_id: string | null; date: string },
): boolean {
  const card = cardsOf(household).find(({ id }) => id === payment_method_id);
  return card !== undefined && date >= firstDayOf(household, card);
}

/** What is stored with a card, paid or not, in cycles of any status. */
function storedEntries({ entries }: Household, card: Card): CardEntry[] {
  return entries
    .filter((entry) => entry.payment_method_id === card.id && !entry.cancelled)
    .map(({ amount, amount_usd, ...entry }) => ({
      ...entry,
      amount: cents(amount),
      amount_usd: cents(amount_usd),
    }));
}

const signed = ({ entity_type }: CardEntry, amount: Cents): Cents =>
  entity_type === 'cycle_income' ? -amount : amount;

/** How and when a statement was paid. */
function paymentOf(
  { today, timeZone }: Household,
  { card, stored, closing, due, amount }: Omit<Statement, 'status' | `paid${string}`>,
): Pick<Statement, 'status' | 'paidAmount' | 'paidAt' | 'paidOn'> {
  const paid = { status: 'paid', paidAt: null, paidOn: null } as const;
  if (stored && stored.paid_at !== null) {
    const { paid_at: paidAt, paid_amount } = stored;
    const paidOn = dayOf(paidAt, timeZone);
    return { status: 'paid', paidAmount: cents(paid_amount ?? ''), paidAt, paidOn };
  }
  if (closing < today && amount <= 0n) return { ...paid, paidAmount: 0n };
  if (card.autopay && due < today) return { ...paid, paidAmount: amount, paidOn: due };
  const status = due < today ? 'overdue' : closing < today ? 'closed' : 'open';
  return { ...paid, status, paidAmount: null };
}

/**
 * The statements of a card until a closing date, and all that are stored, ascending.
 *
 * @param planned entries that would be there as well
 */
export function statementsOf(
  household: Household,
  card: Card,
  until: string,
  planned: readonly CardEntry[] = [],
): Statement[] {
  const all = [
    ...storedEntries(household, card),
    ...planned.filter(({ payment_method_id }) => payment_method_id === card.id),
  ];
  const statements: Statement[] = [];
  let from = firstDayOf(household, card);
  for (const closing of closingsOf(household, card, until)) {
    const stored = storedOf(household, card).find((one) => one.closing_date === closing);
    const entries = all.filter(({ date }) => from <= date && date <= closing);
    const total = sumOf(
      entries.map((entry) => signed(entry, valueIn(household.rates, card.default_currency, entry))),
    );
    const before = statements.at(-1);
    const isBeforePaid = before !== undefined && before.paidAmount !== null;
    const carried = isBeforePaid ? before.amount - (before.paidAmount ?? 0n) : 0n;
    const stated = stored?.stated_amount ? cents(stored.stated_amount) : null;
    const amount = stored?.amount ? cents(stored.amount) : (stated ?? total + carried);
    const due = stored?.due_date ?? dueDateOf(card, closing);
    const statement = { card, stored, from, closing, due, entries, total, carried, stated, amount };
    statements.push({ ...statement, ...paymentOf(household, statement) });
    from = plusDays(closing, 1);
  }
  return statements;
}

/** Something that was paid for a statement, in the currency of the card. */
export interface StatementPayment {
  card: Card;
  currency: Currency;
  amount: Cents;
  /** Milliseconds; null: paid by autopay, on its due date. */
  at: number | null;
  /** The owner's day. */
  on: string;
}

export function paymentsOf(household: Household): StatementPayment[] {
  return cardsOf(household).flatMap((card) =>
    statementsOf(household, card, household.today).flatMap(({ paidAmount, paidAt, paidOn }) => {
      if (paidAmount === null || paidOn === null) return [];
      const { default_currency: currency } = card;
      return [{ card, currency, amount: paidAmount, at: paidAt, on: paidOn }];
    }),
  );
}

/** What was paid, in USD by the rate of the day on which it was. */
export function paidInUsd({ rates }: Household, payment: StatementPayment): Cents {
  const { amount, currency: from, on: date } = payment;
  return converted(rates, { amount, from, to: 'USD', date });
}

/** Payments that the plan of draft and active cycles knows: not those of completed ones alone. */
export function paymentsOfPlan(household: Household): StatementPayment[] {
  return paymentsOf(household).filter(({ on }) => {
    const cycles = household.cycles.filter((one) => one.start_date <= on && on <= one.end_date);
    return cycles.length === 0 || cycles.some(({ status }) => status !== 'completed');
  });
}

/** The body of a statement; of one that is stored without the times of its record. */
export function statementView(household: Household, statement: Statement): object {
  const { card, stored, stated, amount, paidAmount, paidAt } = statement;
  const { id, name, method_type, default_currency: currency } = card;
  const { rates, today: date } = household;
  return {
    id: stored?.id ?? null,
    payment_method: { id, name, method_type },
    ...{ closing_date: statement.closing, from: statement.from, to: statement.closing },
    ...{ due_date: statement.due, status: statement.status, currency },
    total_amount: money(statement.total),
    carried_amount: money(statement.carried),
    stated_amount: stated === null ? null : money(stated),
    amount: money(amount),
    amount_usd: money(converted(rates, { amount, from: currency, to: 'USD', date })),
    paid: paidAmount !== null,
    paid_at: paidAt === null ? null : new Date(paidAt).toISOString(),
    paid_amount: paidAmount === null ? null : money(paidAmount),
    expense_count: statement.entries.filter((one) => one.entity_type === 'cycle_expense').length,
  };
}

/** The statements that the list shows without parameters: until the second after the current. */
export function listedStatements(household: Household, card: Card): Statement[] {
  const { today } = household;
  const later = card.first_closing_date > today ? card.first_closing_date : today;
  const statements = statementsOf(household, card, plusDays(later, 100));
  const current = statements.findIndex(({ closing }) => closing >= today);
  const unpaid = statements.findIndex(
    ({ status, closing }) => status !== 'paid' && closing >= plusDays(today, -400),
  );
  return statements.slice(Math.min(unpaid, current), current + 3);
}

/** The first closing after a change of the days of a card that had others. */
export const firstClosingAfter = (days: StatementDays, today: string): string =>
  closingFrom(days, plusDays(today, 1));
