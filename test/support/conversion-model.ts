/** Conversion in both directions, without the service's decimal arithmetic. */
import { halfUp, type Cents } from '../model/cents.js';
import type { Currency, StoredRate } from './stored-household.js';

/** Half away from zero, so that what is owed is worth as much as what is had. */
const rounded = (dividend: bigint, divisor: bigint): Cents =>
  dividend < 0n ? -halfUp(-dividend, divisor) : halfUp(dividend, divisor);

/**
 * The rate in force on a date: of both directions together the latest one until then, else the
 * earliest after it. Of one date that of the wanted direction counts.
 */
export function rateInForce(
  rates: readonly StoredRate[],
  { from, date }: { from: Currency; date: string },
): StoredRate {
  const own = ({ from_currency }: StoredRate): number => (from_currency === from ? 1 : 0);
  const sorted = [...rates].sort((a, b) =>
    a.rate_date === b.rate_date ? own(a) - own(b) : a.rate_date < b.rate_date ? -1 : 1,
  );
  const earliest = sorted.findLast(({ rate_date }) => rate_date === sorted[0]?.rate_date);
  const used = sorted.findLast(({ rate_date }) => rate_date <= date) ?? earliest;
  if (!used) throw new Error('There is no rate');
  return used;
}

/** An amount that is not negative, of a date. */
export interface DatedAmount {
  currency: Currency;
  amount: Cents;
  amount_usd: Cents;
  date: string;
}

/** In another currency by the rate of the amount's own date; in USD what is stored. */
export function valueIn(
  rates: readonly StoredRate[],
  currency: Currency,
  { currency: from, amount, amount_usd, date }: DatedAmount,
): Cents {
  if (from === currency) return amount;
  if (currency === 'USD') return amount_usd;
  return converted(rates, { amount, from, to: currency, date });
}

/** An amount, which may be negative, in another currency by the rate in force on a date. */
export function converted(
  rates: readonly StoredRate[],
  { amount, from, to, date }: { amount: Cents; from: Currency; to: Currency; date: string },
): Cents {
  if (from === to) return amount;
  const used = rateInForce(rates, { from, date });
  const [whole = '0', fraction = ''] = used.rate.split('.');
  const value = BigInt(whole + fraction);
  const unit = 10n ** BigInt(fraction.length);
  return used.from_currency === from
    ? rounded(amount * value, unit)
    : rounded(amount * unit, value);
}
