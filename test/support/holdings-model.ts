/**
 * A reference implementation of what there is in payment methods, which shares no code with the
 * service: entry by entry from what is stored, without regard to time.
 */
import { cents, sumOf, type Cents } from '../model/cents.js';
import { isOfStatement, paymentsOf } from './cards-model.js';
import { converted, valueIn } from './conversion-model.js';
import {
  followingIncomeAmounts,
  incomeAmountsOf,
  plannedOpeningOf,
  type Opening,
  type OpeningQuery,
} from './opening-model.js';
import {
  dayOf,
  type Currency,
  type Household,
  type Method,
  type StoredEntry,
} from './stored-household.js';

/** A balance that is not deleted. */
export interface StoredBalance {
  id: string;
  payment_method_id: string;
  currency: Currency;
  amount: string;
  /** Milliseconds. */
  stated_at: number;
}

export interface SettledEntry extends StoredEntry {
  /** When it was paid or received, in milliseconds; null: it is open. */
  settled_at: number | null;
}

export interface HoldingsHousehold extends Household {
  entries: readonly SettledEntry[];
  /** In the order of their creation. */
  balances: readonly StoredBalance[];
}

/** What a payment method has, in its currency. */
export interface Holding {
  method: Method;
  currency: Currency;
  stated: Cents;
  statedAt: number;
  received: Cents;
  paid: Cents;
  amount: Cents;
}

/** The latest balance until an instant, of equal ones the one created later. */
function latestBalance(
  { balances }: HoldingsHousehold,
  methodId: string,
  until = Number.POSITIVE_INFINITY,
): StoredBalance | undefined {
  let latest: StoredBalance | undefined;
  for (const one of balances) {
    if (one.payment_method_id !== methodId || one.stated_at > until) continue;
    if (!latest || one.stated_at >= latest.stated_at) latest = one;
  }
  return latest;
}

/** Whether it ever had a balance that is not deleted, and is no card with statements. */
const hasBalance = (household: HoldingsHousehold, { id, closing_day }: Method): boolean =>
  closing_day === null && latestBalance(household, id) !== undefined;

const counts = (household: HoldingsHousehold, method: Method): boolean =>
  method.active && hasBalance(household, method);

/** The one with which everything counts that has no balance of its own. */
export function mainMethod(household: HoldingsHousehold): Method | undefined {
  const counting = household.methods.filter((method) => counts(household, method));
  for (const type of ['debit', 'transfer', 'cash', 'credit']) {
    const oldest = counting.find(({ method_type }) => method_type === type);
    if (oldest) return oldest;
  }
  return undefined;
}

/** The id of the payment method with whose balance something counts that has this one. */
function holderOf(household: HoldingsHousehold, methodId: string | null): string | undefined {
  const { methods } = household;
  const own = methods.find(({ id }) => id === methodId);
  if (own && hasBalance(household, own)) return own.id;
  const source = methods.find(({ id }) => id === own?.paid_from_id);
  if (source && counts(household, source)) return source.id;
  return mainMethod(household)?.id;
}

/** What was received and paid with a payment method after a balance of it. */
function settledSince(
  household: HoldingsHousehold,
  method: Method,
  balance: StoredBalance,
  isUntil: { instant: (settledAt: number) => boolean; day: (date: string) => boolean },
): { received: Cents; paid: Cents } {
  const { currency, stated_at } = balance;
  const settled = household.entries.filter(
    (entry) =>
      entry.settled_at !== null &&
      entry.settled_at > stated_at &&
      isUntil.instant(entry.settled_at) &&
      !isOfStatement(household, entry) &&
      holderOf(household, entry.payment_method_id) === method.id,
  );
  const valuesOf = (type: string): Cents[] =>
    settled
      .filter(({ entity_type }) => entity_type === type)
      .map(({ amount, amount_usd, ...entry }) => {
        const inCents = { ...entry, amount: cents(amount), amount_usd: cents(amount_usd) };
        return valueIn(household.rates, currency, inCents);
      });
  const statedOn = dayOf(stated_at, household.timeZone);
  const ofCards = paymentsOf(household)
    .filter(({ card }) => holderOf(household, card.paid_from_id) === method.id)
    .filter(({ at, on }) =>
      at === null ? on > statedOn && isUntil.day(on) : at > stated_at && isUntil.instant(at),
    )
    .map(({ currency: from, amount, on: date }) =>
      converted(household.rates, { amount, from, to: currency, date }),
    );
  const isMain = mainMethod(household)?.id === method.id;
  const ofMain = isMain
    ? [...incomeAmountsOf(household.cycles), ...followingIncomeAmounts(household)]
    : [];
  const ofCycles = ofMain
    .filter(({ date }) => date > statedOn && isUntil.day(date))
    .map(({ date, amount }) =>
      converted(household.rates, { amount, from: 'USD', to: currency, date }),
    );
  return {
    received: sumOf([...valuesOf('cycle_income'), ...ofCycles]),
    paid: sumOf([...valuesOf('cycle_expense'), ...ofCards]),
  };
}

function holdingOf(household: HoldingsHousehold, method: Method): Holding | undefined {
  const balance = latestBalance(household, method.id);
  if (!balance) return undefined;
  const { received, paid } = settledSince(household, method, balance, {
    instant: () => true,
    day: (date) => date < household.today,
  });
  const stated = cents(balance.amount);
  return {
    ...{ method, currency: balance.currency, stated, statedAt: balance.stated_at },
    ...{ received, paid, amount: stated + received - paid },
  };
}

/** Of the payment methods whose balance counts, oldest first. */
export function holdingsOf(household: HoldingsHousehold): Holding[] {
  return household.methods
    .filter((method) => counts(household, method))
    .flatMap((method) => holdingOf(household, method) ?? []);
}

/** Of the inactive ones that have something, oldest first. */
export function inactiveHoldings(household: HoldingsHousehold): Holding[] {
  return household.methods
    .filter(({ active }) => !active)
    .flatMap((method) => holdingOf(household, method) ?? [])
    .filter(({ amount }) => amount !== 0n);
}

/** The sum in USD: pesos at today's rate, converted once. */
export function totalUsd(household: HoldingsHousehold, holdings: readonly Holding[]): Cents {
  const sumIn = (currency: Currency): Cents =>
    sumOf(holdings.filter((one) => one.currency === currency).map(({ amount }) => amount));
  const { rates, today: date } = household;
  return sumIn('USD') + converted(rates, { amount: sumIn('MXN'), from: 'MXN', to: 'USD', date });
}

/** What the service expects to be there when a balance is stated; null: it cannot know. */
export function expectedAt(
  household: HoldingsHousehold,
  methodId: string,
  statedAt: number,
): Cents | null {
  const method = household.methods.find(({ id }) => id === methodId);
  const before = latestBalance(household, methodId, statedAt);
  if (!method || before?.currency !== method.default_currency) return null;
  const until = dayOf(statedAt, household.timeZone);
  const { received, paid } = settledSince(household, method, before, {
    instant: (settledAt) => settledAt <= statedAt,
    day: (date) => date <= until,
  });
  return cents(before.amount) + received - paid;
}

/** With what a forecast begins. */
export function openingOf(household: HoldingsHousehold, query: OpeningQuery): Opening {
  const { opening_balance, currency, payment_method_id } = query;
  const main = mainMethod(household);
  const mainId = main?.id ?? null;
  const planned = { ...plannedOpeningOf(household, query), mainId };
  if (opening_balance !== undefined) return planned;
  const ofMain = main && latestBalance(household, main.id);
  const containedUntil = ofMain ? dayOf(ofMain.stated_at, household.timeZone) : null;
  const holdings = holdingsOf(household).filter(
    (holding) =>
      (currency === undefined || holding.currency === currency) &&
      (payment_method_id === undefined || holding.method.id === payment_method_id),
  );
  if (holdings.length > 0) {
    const balance =
      currency === undefined
        ? totalUsd(household, holdings)
        : sumOf(holdings.map(({ amount }) => amount));
    const statedAt = Math.max(...holdings.map((holding) => holding.statedAt));
    return { source: 'stated', balance, statedAt, containedUntil, mainId };
  }
  return { ...planned, containedUntil };
}
