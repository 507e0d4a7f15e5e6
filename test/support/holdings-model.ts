/**
 * A reference implementation of what there is in payment methods, which shares no code with the
 * service: entry by entry from what is stored, without regard to time.
 */
import { cents, sumOf, type Cents } from '../model/cents.js';
import { converted } from './conversion-model.js';
import { cyclesThatFollow } from './forecast-periods.js';
import { isOpenCycle, type Household, type StoredEntry } from './forecast-plan.js';

export type Currency = 'USD' | 'MXN';

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

export interface HoldingsHousehold extends Omit<Household, 'entries' | 'methods'> {
  timeZone: string;
  nextIncomeAmount: 'same' | 'zero';
  /** Oldest first. */
  methods: readonly (Household['methods'][number] & { default_currency: Currency })[];
  entries: readonly SettledEntry[];
  /** In the order of their creation. */
  balances: readonly StoredBalance[];
}

type Method = HoldingsHousehold['methods'][number];

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

/** The calendar day of an instant in a zone. */
export function dayOf(instant: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(instant));
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

const counts = (household: HoldingsHousehold, { id, active }: Method): boolean =>
  active && latestBalance(household, id) !== undefined;

/** The one with which everything counts that has no balance of its own. */
export function mainMethod(household: HoldingsHousehold): Method | undefined {
  const counting = household.methods.filter((method) => counts(household, method));
  for (const type of ['debit', 'transfer', 'cash', 'credit']) {
    const oldest = counting.find(({ method_type }) => method_type === type);
    if (oldest) return oldest;
  }
  return undefined;
}

/** The id of the payment method with whose balance an entry counts. */
function holderOf(household: HoldingsHousehold, entry: SettledEntry): string | undefined {
  const { payment_method_id: id } = entry;
  const hasOwn = id !== null && latestBalance(household, id) !== undefined;
  return hasOwn ? id : mainMethod(household)?.id;
}

/** In another currency by the rate of the entry's own date; in USD what is stored. */
function valueIn(
  { rates }: HoldingsHousehold,
  currency: Currency,
  entry: { currency: Currency; amount: string; amount_usd: string; date: string },
): Cents {
  if (entry.currency === currency) return cents(entry.amount);
  if (currency === 'USD') return cents(entry.amount_usd);
  const { currency: from, date } = entry;
  return converted(rates, { amount: cents(entry.amount), from, to: currency, date });
}

interface IncomeAmount {
  date: string;
  amount: Cents;
}

const incomeAmountsOf = (cycles: Household['cycles']): IncomeAmount[] =>
  cycles.map(({ start_date, income_amount }) => ({
    date: start_date,
    amount: cents(income_amount),
  }));

/** Of the cycles that would follow and begin by today. */
function followingIncomeAmounts(household: HoldingsHousehold): IncomeAmount[] {
  const { today, cycleMaxDays, nextIncomeAmount } = household;
  const cycles = household.cycles.filter((cycle) => !('side' in cycle && cycle.side));
  return cyclesThatFollow({ today, cycleMaxDays, cycles }, today).map((cycle) => ({
    date: cycle.start_date,
    amount: nextIncomeAmount === 'zero' ? 0n : cycle.income_amount,
  }));
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
      holderOf(household, entry) === method.id,
  );
  const valuesOf = (type: string): Cents[] =>
    settled
      .filter(({ entity_type }) => entity_type === type)
      .map((entry) => valueIn(household, currency, entry));
  const statedOn = dayOf(stated_at, household.timeZone);
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
    paid: sumOf(valuesOf('cycle_expense')),
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

export interface Opening {
  source: 'given' | 'stated' | 'plan' | 'none';
  balance: Cents;
  /** Milliseconds. */
  statedAt: number | null;
}

/** With what a forecast begins. */
export function openingOf(
  household: HoldingsHousehold,
  {
    opening_balance,
    currency,
    payment_method_id,
  }: { opening_balance?: string; currency?: Currency; payment_method_id?: string },
): Opening {
  if (opening_balance !== undefined) {
    return { source: 'given', balance: cents(opening_balance), statedAt: null };
  }
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
    return { source: 'stated', balance, statedAt };
  }
  if (currency !== undefined || payment_method_id !== undefined) {
    return { source: 'none', balance: 0n, statedAt: null };
  }
  return { source: 'plan', balance: plannedOpening(household), statedAt: null };
}

/** What the plan says has happened in draft and active cycles. */
function plannedOpening(household: HoldingsHousehold): Cents {
  const { today, entries } = household;
  const open = household.cycles.filter(isOpenCycle);
  const settled = entries.filter(
    ({ settled_at, cycle_id }) => settled_at !== null && open.some(({ id }) => id === cycle_id),
  );
  const effects = settled.map(({ entity_type, amount_usd }) =>
    entity_type === 'cycle_income' ? cents(amount_usd) : -cents(amount_usd),
  );
  const begun = [...incomeAmountsOf(open), ...followingIncomeAmounts(household)].filter(
    ({ date }) => date < today,
  );
  return sumOf([...effects, ...begun.map(({ amount }) => amount)]);
}
