/** What a payment method has, and what is still open there. */
import { addAmounts, fromCents, isNegative, toCents, type Schemas } from 'expense-service-client';
import type { Currency } from '../api';
import { isExpense, type Entry } from '../entries/entry';

type Holdings = Schemas['CurrentBalancesResponse'];
export type Holding = Holdings['payment_methods'][number];

const MAIN_FIRST = ['debit', 'transfer', 'cash', 'credit'];

/** Whether an entry counts with a payment method, as the service decides it. */
export function countsWith(
  { payment_method: method }: Pick<Entry, 'payment_method'>,
  id: string,
  { payment_methods: holdings }: Holdings,
): boolean {
  const rank = (each: Holding) => MAIN_FIRST.indexOf(each.payment_method.method_type);
  // The oldest of its type is the first one.
  const [main] = holdings.toSorted((a, b) => rank(a) - rank(b));
  const isStated = holdings.some((each) => each.payment_method.id === method?.id);
  return method?.id === id || (!isStated && main?.payment_method.id === id);
}

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

/** What entries bring, and take below zero. `rate` is that of an account in pesos. */
export function totalOf(entries: Entry[], currency: Currency, rate = '1.000000'): string {
  const changes = entries.map((entry): Money => {
    const own = entry.currency === currency;
    const amount = own ? entry.amount : entry.amount_usd;
    const signed = isExpense(entry) ? `-${amount}` : amount;
    return { amount: signed, currency: own ? currency : 'USD' };
  });
  if (currency === 'MXN') return totalPesos(rate, ...changes);
  return addAmounts(...changes.map(({ amount }) => amount));
}

/** An instant of a day in a time zone. `time` is `HH:mm:ss`. */
export function instantOf(date: string, time: string, timeZone: string): string {
  const utc = Date.parse(`${date}T${time}Z`);
  // Swedish writes `2026-11-25 18:00:00`.
  const local = new Date(utc).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T');
  return new Date(utc - (Date.parse(`${local}Z`) - utc)).toISOString();
}
