/** What there is in payment methods: pure functions of what was stated and settled. */
import { Big } from 'big.js';
import { noRateToPesos } from '../exchange-rates/conversion.js';
import type { DatedAmount, UsdConverter } from '../exchange-rates/exchange-rates.service.js';
import type { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import { moneyOf, sumMoney, type Cents, type Money } from '../platform/values/money.js';
import type { StatedRow } from './holdings.queries.js';

/** What there is in a payment method, in the currency of its latest balance. */
export interface Holding {
  paymentMethod: Pick<PaymentMethod, 'id' | 'name' | 'methodType'>;
  /** false: the payment method is inactive, so that its balance does not count. */
  counts: boolean;
  currency: CurrencyCode;
  stated: Money;
  statedAt: string;
  /** What was received since, with the `income_amount` of cycles. */
  received: Money;
  /** What was paid since. */
  paid: Money;
  amount: Money;
}

/** An `income_amount`, in USD, on the first day of its cycle. */
export interface IncomeAmount {
  date: CalendarDate;
  amount: Money;
}

/** The `income_amount`s of cycles that begin after a day and until another one. */
export const incomeAmountsOf = (
  cycles: readonly { startDate: CalendarDate; incomeAmount: Cents }[],
  { after, until }: { after: CalendarDate; until: CalendarDate },
): IncomeAmount[] =>
  cycles
    .filter(({ startDate }) => startDate > after && startDate <= until)
    .map(({ startDate: date, incomeAmount }) => ({ date, amount: moneyOf(incomeAmount) }));

/**
 * What there is, oldest payment method first.
 *
 * @param incomeAmounts what the main payment method has received since its balance
 * @param converter with the rates of {@link datesOfPesos}
 * @throws DomainError CURRENCY_CONVERSION_ERROR where no rate is stored
 */
export const holdingsOf = (
  rows: readonly StatedRow[],
  incomeAmounts: readonly IncomeAmount[],
  converter: UsdConverter,
): Holding[] =>
  rows.map((row): Holding => {
    const { id, name, methodType, active: counts, currency, statedAt } = row;
    if (row.lacksRate) throw noRateToPesos();
    const incomes = row.isMain ? incomeAmounts.map(inUsd) : [];
    const [stated, paid] = [new Big(row.stated), new Big(row.paid)];
    const received = sumMoney([
      new Big(row.received),
      ...incomes.map((income) => converter.exchange(income, currency)),
    ]);
    const amount = stated.plus(received).minus(paid);
    const paymentMethod = { id, name, methodType };
    return { paymentMethod, counts, currency, stated, statedAt, received, paid, amount };
  });

const inUsd = ({ date, amount }: IncomeAmount): DatedAmount => ({ date, amount, currency: 'USD' });

/** What a converter needs for {@link sumOf} on a day. */
export const pesosToConvert = (
  rows: readonly { currency: CurrencyCode }[],
  today: CalendarDate,
): Pick<DatedAmount, 'currency' | 'date'>[] =>
  rows.some(({ currency }) => currency === 'MXN') ? [{ currency: 'MXN', date: today }] : [];

/** The dates of `income_amount`s that are received in pesos, for a converter. */
export const datesOfPesos = (
  rows: readonly StatedRow[],
  incomeAmounts: readonly IncomeAmount[],
): CalendarDate[] =>
  rows.some(({ isMain, currency }) => isMain && currency === 'MXN')
    ? incomeAmounts.map(({ date }) => date)
    : [];

/** The sum of holdings in a currency, what is in the other one converted once. */
export function sumOf(
  holdings: readonly Holding[],
  {
    currency: to,
    today,
    converter,
  }: {
    currency: CurrencyCode;
    today: CalendarDate;
    converter: UsdConverter;
  },
): Money {
  const sums = (['USD', 'MXN'] as const).map((currency) => {
    const own = holdings.filter((holding) => holding.currency === currency);
    const amount = sumMoney(own.map((holding) => holding.amount));
    return amount.eq(0) ? amount : converter.exchange({ amount, currency, date: today }, to);
  });
  return sumMoney(sums);
}
