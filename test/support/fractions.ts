/**
 * Exact fractions of bigints: a reference for amounts, independent of the service's decimal
 * library.
 */

export interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

/** Parses a decimal without an exponent. */
export function fraction(text: string): Fraction {
  const [integer = '', decimals = ''] = text.split('.');
  return { numerator: BigInt(integer + decimals), denominator: 10n ** BigInt(decimals.length) };
}

export const multiply = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
});

/** `a / b`; `b` is greater than 0. */
export const divide = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.denominator,
  denominator: a.denominator * b.numerator,
});

/** Negative, 0 or positive, as a comparator of `sort` returns it. */
export function compare(a: Fraction, b: Fraction): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Rounds a number that is not negative to whole cents, half up. */
export const cents = ({ numerator, denominator }: Fraction): bigint =>
  (numerator * 200n + denominator) / (denominator * 2n);

/** Cents as the API sends them: `"12.05"`. */
export function centsText(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
