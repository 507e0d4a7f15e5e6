import { Big } from 'big.js';

/** An amount of money as an exact decimal, never a binary float. */
export type Money = Big;

/** The largest amount in a request or as the result of a conversion. */
export const MAX_AMOUNT = new Big('999999999.99');

const MONEY_TEXT = /^(\d+(\.\d{1,2})?|\.\d{1,2})$/;

/**
 * Divides with 2 decimals, rounded half up; a separate constructor leaves the defaults of `Big`
 * unchanged.
 */
const Hundredths = Big();
Hundredths.DP = 2;
Hundredths.RM = Big.roundHalfUp;

/**
 * Parses an amount in a request: a string or number in plain decimal notation with at most two
 * decimals, from 0 to 999,999,999.99. The zero before the decimal point may be omitted: `.5`.
 *
 * @returns undefined for any other value
 */
export function parseMoney(value: unknown): Money | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value);
  if (!MONEY_TEXT.test(text)) return undefined;
  const amount = new Big(text);
  return amount.gt(MAX_AMOUNT) ? undefined : amount;
}

/** The amount of {@link parseMoney}, which may be below 0. */
export function parseSignedMoney(value: unknown): Money | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value);
  if (!text.startsWith('-')) return parseMoney(text);
  const amount = parseMoney(text.slice(1));
  return amount && new Big(0).minus(amount);
}

/** The amount in a response, with exactly two decimals: `"5000.00"`, `"-12.50"`. */
export function formatMoney(amount: Money): string {
  return amount.toFixed(2);
}

export const sumMoney = (amounts: readonly Money[]): Money =>
  amounts.reduce((sum, amount) => sum.plus(amount), new Big(0));

/** `amount * factor`, rounded half up to cents. */
export function multiplyMoney(amount: Money, factor: Big): Money {
  return amount.times(factor).round(2, Big.roundHalfUp);
}

/** `amount / divisor`, rounded half up to cents from the exact quotient. */
export function divideMoney(amount: Money, divisor: Big): Money {
  return new Big(new Hundredths(amount).div(divisor));
}

/** Cents, for sums of thousands of amounts: exact like {@link Money}, in a tenth of the time. */
export type Cents = bigint;

/** The cents of an amount; a text has exactly two decimals: -1250 of `"-12.50"`. */
export const centsOf = (amount: Money | string): Cents =>
  BigInt((typeof amount === 'string' ? amount : formatMoney(amount)).replace('.', ''));

export const moneyOf = (cents: Cents): Money => new Big(formatCents(cents));

/** The amount in a response: `"-12.50"` of -1250. */
export function formatCents(cents: Cents): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
