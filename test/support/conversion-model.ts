/** Conversion in both directions, without the service's decimal arithmetic. */
import { halfUp, type Cents } from '../model/cents.js';
import type { StoredRate } from './forecast-plan.js';

type Currency = 'USD' | 'MXN';

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
