/** Money in whole cents: exact, and by another arithmetic than the service's. */
export type Cents = bigint;

/** Of an amount as it is sent or answered: `7`, `"7.5"`, `"-12.50"`. */
export function cents(amount: string | number): Cents {
  const [whole = '0', fraction = ''] = String(amount).split('.');
  return BigInt(whole + fraction.padEnd(2, '0'));
}

/** With two decimals. */
export function money(amount: Cents): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** As it is answered, however it was sent. */
export const plain = (amount: string | number): string => money(cents(amount));

export const sumOf = (amounts: readonly Cents[]): Cents =>
  amounts.reduce((sum, amount) => sum + amount, 0n);

/** Of what is not negative. */
export const halfUp = (dividend: bigint, divisor: bigint): bigint =>
  (2n * dividend + divisor) / (2n * divisor);

/** USD for 1 MXN in millionths, from a day on. A new database has the first. */
export const RATES = [
  { from: '2025-01-01', millionths: 50_000n },
  { from: '2025-02-10', millionths: 48_765n },
  { from: '2100-02-01', millionths: 61_234n },
] as const;

/** By the latest rate on or before the day, or else the earliest. */
export function toUsd(amount: Cents, currency: string, day: string): Cents {
  if (currency === 'USD') return amount;
  const rate = RATES.findLast(({ from }) => from <= day) ?? RATES[0];
  return halfUp(amount * rate.millionths, 1_000_000n);
}
