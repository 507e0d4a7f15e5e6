/**
 * Exact decimals as whole numbers of any size, apart from the library the service reckons with: what
 * its amounts are held against.
 */

/** The number `over / under`. */
export interface Fraction {
  over: bigint;
  under: bigint;
}

/** The number that a plain decimal text stands for. */
export function fraction(text: string): Fraction {
  const [whole = '', decimals = ''] = text.split('.');
  return { over: BigInt(whole + decimals), under: 10n ** BigInt(decimals.length) };
}

export const times = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.over,
  under: a.under * b.under,
});

/** `a / b`; `b` is greater than 0. */
export const dividedBy = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under,
  under: a.under * b.over,
});

/** Less than 0, 0 or more than 0, as `a` is less than, equal to or more than `b`. */
export function compare(a: Fraction, b: Fraction): number {
  const difference = a.over * b.under - b.over * a.under;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The nearest whole cents of a number that is not negative; of two as near, the larger. */
export const cents = ({ over, under }: Fraction): bigint => (over * 200n + under) / (under * 2n);

/** Cents as the wire has them: `"12.05"`. */
export function centsText(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
