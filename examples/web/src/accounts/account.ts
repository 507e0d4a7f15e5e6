/** What a payment method has, and what is still open there. */
import {
  addAmounts,
  convertToUsd,
  formatNumber,
  fromCents,
  isNegative,
  toCents,
  type Schemas,
} from 'expense-service-client';
import { queries, tagOf, type Currency } from '../api';
import { isDue, putStatement } from '../cards/statement';
import { dateOf, isExpense, isOpen, putEntry, type Entry } from '../entries/entry';
import type { Plan } from '../overview/plan';

type Holdings = Schemas['CurrentBalancesResponse'];
type Method = Schemas['PaymentMethodResponse'];
export type Holding = Holdings['payment_methods'][number];

/** A payment method among those with a balance, and among all. */
interface Account {
  id: string;
  holdings: Holdings;
  methods: readonly Method[];
}

const MAIN_FIRST = ['debit', 'transfer', 'cash', 'credit'];

/** Whether an entry counts with a payment method, as the service decides it. */
export function countsWith(
  { payment_method: method }: Pick<Entry, 'payment_method'>,
  { id, holdings: { payment_methods: holdings }, methods }: Account,
): boolean {
  const rank = (each: Holding) => MAIN_FIRST.indexOf(each.payment_method.method_type);
  // The oldest of its type is the first one.
  const [main] = holdings.toSorted((a, b) => rank(a) - rank(b));
  const isStated = (of?: string | null) => holdings.some((each) => each.payment_method.id === of);
  const paidFrom = methods.find((each) => each.id === method?.id)?.paid_from_id;
  const other = isStated(paidFrom) ? paidFrom : main?.payment_method.id;
  return method?.id === id || (!isStated(method?.id) && other === id);
}

/** A bill, a statement or an income that may have gone out or arrived already. */
export interface Unsettled {
  id: string;
  name: string;
  date: string;
  isIncome: boolean;
  currency: Currency;
  amount: string;
  amount_usd: string;
  /** `at` is a timestamp; undefined: now. */
  settle: (at: string | undefined) => Promise<{ operationId: string | undefined }>;
}

/** What is open with a payment method, by date. */
export function unsettledOf({ cycles, statements }: Plan, account: Account): Unsettled[] {
  const isOf = (each: Pick<Entry, 'payment_method'>) => countsWith(each, account);
  const entries = cycles
    .flatMap(({ expenses, incomes }) => [...expenses, ...incomes])
    .filter((entry) => isOpen(entry) && !entry.statement && isOf(entry))
    .map((entry): Unsettled => {
      const isIncome = !isExpense(entry);
      const settle: Unsettled['settle'] = (at) =>
        putEntry(
          entry,
          isIncome ? { received: true, received_at: at } : { paid: true, paid_at: at },
        );
      return { ...entry, name: entry.description, date: dateOf(entry), isIncome, settle };
    });
  const cards = statements
    .filter((each) => isDue(each) && isOf(each))
    .map((each): Unsettled => {
      const { payment_method: card, closing_date: date, due_date } = each;
      const settle: Unsettled['settle'] = (at) => putStatement(each, { paid: true, paid_at: at });
      return {
        ...each,
        id: card.id + date,
        name: card.name,
        date: due_date,
        isIncome: false,
        settle,
      };
    });
  return [...entries, ...cards].sort((a, b) => a.date.localeCompare(b.date));
}

/** Refused if it was changed since it was read. */
export const putMethod = (method: Method, body: Schemas['UpdatePaymentMethodDto']) =>
  queries.send('PUT', '/payment-methods/{id}', {
    params: { path: { id: method.id } },
    ifMatch: tagOf(method),
    body,
  });

interface Money {
  amount: string;
  currency: Currency;
}

/** The sum of amounts, each converted by itself at a rate in dollars for a peso. */
export const totalPesos = (rate: string, ...amounts: Money[]): string =>
  addAmounts(
    ...amounts.map(({ amount, currency }) => (currency === 'MXN' ? amount : toPesos(amount, rate))),
  );

/** `rate` is in dollars for a peso, with six decimals. */
export function toPesos(usd: string, rate: string): string {
  if (isNegative(usd)) return `-${toPesos(usd.slice(1), rate)}`;
  const millionths = BigInt(rate.replace('.', ''));
  return fromCents((toCents(usd) * 2_000_000n + millionths) / (millionths * 2n));
}

/** A rate as people say it: `18.35`. */
export const pesosPerDollar = (rate: string, locale: string): string =>
  formatNumber(toPesos('1.00', rate), locale);

/** What entries bring, and take below zero. `rate` is that of an account in pesos. */
export function totalOf(entries: Unsettled[], currency: Currency, rate = '1.000000'): string {
  const changes = entries.map((entry): Money => {
    const own = entry.currency === currency;
    const amount = own ? entry.amount : entry.amount_usd;
    const signed = entry.isIncome ? amount : `-${amount}`;
    return { amount: signed, currency: own ? currency : 'USD' };
  });
  if (currency === 'MXN') return totalPesos(rate, ...changes);
  return addAmounts(...changes.map(({ amount }) => amount));
}

/** An amount in the other currency or in its own, at a rate in dollars for a peso. */
export function converted(
  amount: string,
  { from, to, rate }: { from: Currency; to: Currency; rate: string },
): string {
  if (from === to) return amount;
  if (to === 'MXN') return toPesos(amount, rate);
  const dollars = convertToUsd(amount.replace('-', ''), rate);
  return isNegative(amount) ? `-${dollars}` : dollars;
}

/** Noon of a day that is over; undefined: now. */
export const noonOf = (
  day: string,
  { today, time_zone: zone }: { today: string; time_zone: string },
): string | undefined => (day && day < today ? instantOf(day, '12:00:00', zone) : undefined);

/** An instant of a day in a time zone. `time` is `HH:mm:ss`. */
export function instantOf(date: string, time: string, timeZone: string): string {
  const utc = Date.parse(`${date}T${time}Z`);
  // Swedish writes `2026-11-25 18:00:00`.
  const local = new Date(utc).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T');
  return new Date(utc - (Date.parse(`${local}Z`) - utc)).toISOString();
}
