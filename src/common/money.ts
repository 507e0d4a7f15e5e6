import { Big } from 'big.js';

/** A money amount in some currency: exact decimal, never a binary float. */
export type Money = Big;

/** The largest amount a client may send or a conversion may give. */
export const MAX_AMOUNT = new Big('999999999.99');

const MONEY_TEXT = /^\d+(\.\d{1,2})?$/;

/** Division in cents, rounded half up; a constructor of its own so that `Big`'s defaults stay. */
const Cents = Big();
Cents.DP = 2;
Cents.RM = Big.roundHalfUp;

/**
 * Reads an amount as clients write it: a string or number in plain decimal notation, at most two
 * decimals, 0 to 999,999,999.99.
 *
 * @returns undefined where the value is anything else
 */
export function parseMoney(value: unknown): Money | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value);
  if (!MONEY_TEXT.test(text)) return undefined;
  const amount = new Big(text);
  return amount.gt(MAX_AMOUNT) ? undefined : amount;
}

/** The wire form: always two decimals, `"5000.00"`, `"-12.50"`. */
export function formatMoney(amount: Money): string {
  return amount.toFixed(2);
}

/** `amount * factor` in cents, rounded half up. */
export function multiplyMoney(amount: Money, factor: Big): Money {
  return amount.times(factor).round(2, Big.roundHalfUp);
}

/** `amount / divisor` in cents, rounded half up once, from the exact quotient. */
export function divideMoney(amount: Money, divisor: Big): Money {
  return new Big(new Cents(amount).div(divisor));
}
