import { languageOf } from './catalogue.js';
import { memoize } from './memoize.js';

/** U+2212, as wide as `+`; screen readers read it as "minus". */
const MINUS = '\u2212';

/** How a locale writes numbers. */
interface NumberFormat {
  /** An integer with the digits and groups of the locale. */
  integer: Intl.NumberFormat;
  /** The same, but also four digits are grouped, which Spanish leaves together. */
  groupedInteger: Intl.NumberFormat;
  /** The two digits of the cents. */
  cents: Intl.NumberFormat;
  decimalSeparator: string;
  groupSeparator: string;
  /** The digits 0 to 9. */
  digits: string[];
  isSpanish: boolean;
}

const formatOf = memoize((locale: string): NumberFormat => {
  const twoDecimals = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 });
  const groupedInteger = new Intl.NumberFormat(locale, { useGrouping: true });
  const plain = new Intl.NumberFormat(locale, { useGrouping: false });
  const part = (parts: Intl.NumberFormatPart[], type: string): string =>
    parts.find((each) => each.type === type)?.value ?? '';
  return {
    integer: new Intl.NumberFormat(locale),
    groupedInteger,
    cents: new Intl.NumberFormat(locale, { minimumIntegerDigits: 2 }),
    decimalSeparator: part(twoDecimals.formatToParts(0n), 'decimal'),
    groupSeparator: part(groupedInteger.formatToParts(1_000_000n), 'group'),
    digits: Array.from({ length: 10 }, (_, digit) => plain.format(BigInt(digit))),
    isSpanish: languageOf(locale) === 'es',
  };
});

/**
 * The cents of an amount of the API, for sums and comparisons without rounding errors.
 *
 * @param amount a decimal string with two decimals, such as `"-12.50"`
 * @throws RangeError for other text
 */
export function toCents(amount: string): bigint {
  if (!/^-?\d+\.\d{2}$/.test(amount)) {
    throw new RangeError(`Not a decimal string with two decimals: ${amount}`);
  }
  return BigInt(amount.replace('.', ''));
}

/** The amount as the API writes it: `fromCents(-5n)` is `"-0.05"`. */
export function fromCents(cents: bigint): string {
  const digits = String(absolute(cents)).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The sum of amounts in one currency; `"0.00"` for none. */
export function addAmounts(...amounts: string[]): string {
  return fromCents(amounts.reduce((sum, amount) => sum + toCents(amount), 0n));
}

/** `from` minus `amount`, both in one currency. */
export function subtractAmounts(from: string, amount: string): string {
  return fromCents(toCents(from) - toCents(amount));
}

/** Negative if `a` is less than `b`, 0 if they are equal, otherwise positive: to sort amounts. */
export function compareAmounts(a: string, b: string): number {
  const difference = toCents(a) - toCents(b);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** Whether the amount is less than zero. */
export function isNegative(amount: string): boolean {
  return toCents(amount) < 0n;
}

/**
 * An amount with its currency: `$1,234.50`, in Spanish `US$1,234.50`, because `$` is the sign of
 * the peso, too; `1,234.50 MXN`. A negative amount begins with U+2212.
 *
 * @param locale whose digits and separators are used, for example `es-MX`
 * @param options `sign: 'always'` puts a `+` before an amount above zero
 */
export function formatMoney(
  amount: string,
  currency: 'USD' | 'MXN',
  locale: string,
  options: { sign?: 'always' } = {},
): string {
  const cents = toCents(amount);
  const number = formatAbsolute(cents, locale);
  const dollar = formatOf(locale).isSpanish ? 'US$' : '$';
  const text = currency === 'USD' ? `${dollar}${number}` : `${number} ${currency}`;
  return signOf(cents, options.sign === 'always') + text;
}

/** An amount without a currency: `1,234.50`; a negative one begins with U+2212. */
export function formatNumber(amount: string, locale: string): string {
  const cents = toCents(amount);
  return signOf(cents, false) + formatAbsolute(cents, locale);
}

/**
 * What a person has typed, as the API writes it: `"1,234.5"` is `"1234.50"` in `en`, and so is
 * `"1.234,5"` in `es-ES`; `undefined` if it is not an amount.
 *
 * Only the separators of the locale are accepted, groups only where the locale has them, and at
 * most two decimals. `"12,50"` in `en` and `"12.50"` in `es-ES` are `undefined`: they may be
 * decimals of another locale or an unfinished group, which differ by a factor of 1000.
 */
export function parseAmount(text: string, locale: string): string | undefined {
  const format = formatOf(locale);
  const normalized = withPlainDigits(text.trim(), format.digits);
  const [, sign = '', rest = ''] = /^([-+\u2212]?)(.*)$/s.exec(normalized) ?? [];
  const [integer = '', decimals = '', ...more] = rest.split(format.decimalSeparator);
  if (more.length > 0 || !/^\d{0,2}$/.test(decimals) || integer + decimals === '') return undefined;
  const digits = withoutGroups(integer, format);
  if (digits === undefined) return undefined;
  const cents = BigInt(digits + decimals.padEnd(2, '0'));
  return fromCents(sign === '-' || sign === MINUS ? -cents : cents);
}

function absolute(cents: bigint): bigint {
  return cents < 0n ? -cents : cents;
}

function signOf(cents: bigint, isPlusShown: boolean): string {
  if (cents < 0n) return MINUS;
  return isPlusShown && cents > 0n ? '+' : '';
}

function formatAbsolute(cents: bigint, locale: string): string {
  const { integer, decimalSeparator, cents: twoDigits } = formatOf(locale);
  const value = absolute(cents);
  return integer.format(value / 100n) + decimalSeparator + twoDigits.format(value % 100n);
}

/** The text with 0 to 9 in place of the digits of a locale, such as Arabic ones. */
function withPlainDigits(text: string, digits: string[]): string {
  return Array.from(text, (character) => {
    const digit = digits.indexOf(character);
    return digit < 0 ? character : String(digit);
  }).join('');
}

/**
 * The digits of an integer, or `undefined` if it is none, or has groups where the locale has none.
 */
function withoutGroups(
  integer: string,
  { groupedInteger, groupSeparator, digits }: NumberFormat,
): string | undefined {
  if (/^\d*$/.test(integer)) return integer;
  // A space that is typed is not the narrow or no-break one of the locale; nor is an apostrophe.
  const typed = (value: string): string => value.replace(/\s/g, ' ').replaceAll('\u2019', "'");
  const plain = typed(integer).split(typed(groupSeparator)).join('');
  if (!/^\d+$/.test(plain)) return undefined;
  const grouped = withPlainDigits(groupedInteger.format(BigInt(plain)), digits);
  return typed(grouped) === typed(integer) ? plain : undefined;
}
