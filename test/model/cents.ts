/** Money in whole cents, computed independently of the service's decimal arithmetic. */
export type Cents = bigint;

/** Parses an amount of a request or a response: `7`, `"7.5"`, `"-12.50"`. */
export function cents(amount: string | number): Cents {
  const [whole = '0', fraction = ''] = String(amount).split('.');
  return BigInt(whole + fraction.padEnd(2, '0'));
}

/** Formats cents with two decimals. */
export function money(amount: Cents): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The response's form of an amount of a request. */
export const plain = (amount: string | number): string => money(cents(amount));

export const sumOf = (amounts: readonly Cents[]): Cents =>
  amounts.reduce((sum, amount) => sum + amount, 0n);

/** For values that are not negative. */
export const halfUp = (dividend: bigint, divisor: bigint): bigint =>
  (2n * dividend + divisor) / (2n * divisor);

/** USD for 1 MXN in millionths, from a date on. A new database has the first rate. */
export const RATES = [
  { from: '2025-01-01', millionths: 50_000n },
  { from: '2025-02-10', millionths: 48_765n },
  { from: '2100-02-01', millionths: 61_234n },
] as const;

const rateOn = (day: string): (typeof RATES)[number] =>
  RATES.findLast(({ from }) => from <= day) ?? RATES[0];

/** The rate of a conversion as responses have it. */
export function usedRate(
  currency: string,
  day: string,
): { rate: string; rate_date: string } | null {
  if (currency === 'USD') return null;
  const { from, millionths } = rateOn(day);
  return { rate: `0.${String(millionths).padStart(6, '0')}`, rate_date: from };
}

/** What dollars are worth in pesos at the rate of the date. */
export const toPesos = (amountUsd: Cents, day: string): Cents =>
  halfUp(amountUsd * 1_000_000n, rateOn(day).millionths);

/** Converts by the latest rate on or before the date, otherwise by the earliest. */
export function toUsd(amount: Cents, currency: string, day: string): Cents {
  if (currency === 'USD') return amount;
  return halfUp(amount * rateOn(day).millionths, 1_000_000n);
}
