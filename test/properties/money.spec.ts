import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import fc from 'fast-check';
import { convert, ConversionError } from '../../src/exchange-rates/conversion.js';
import {
  divideMoney,
  formatMoney,
  multiplyMoney,
  parseMoney,
} from '../../src/platform/values/money.js';
import { trendOf, type Trend } from '../../src/reports/trend.js';
import {
  cents,
  centsText,
  compare,
  divide,
  fraction,
  multiply,
  type Fraction,
} from '../support/fractions.js';
import { repetitions } from '../support/repetitions.js';

const MAX_CENTS = 99_999_999_999n;

/** Small and large values, and both limits. */
function bigintUpTo(max: bigint): fc.Arbitrary<bigint> {
  return fc.oneof(
    fc.bigInt({ min: 0n, max }),
    fc.bigInt({ min: 0n, max: 1000n }),
    fc.bigInt({ min: max - 1000n, max }),
  );
}

const anyCents = bigintUpTo(MAX_CENTS);
const anyAmount = anyCents.map(centsText);

/** The range of stored rates: positive, 12 digits before the point and 6 after it. */
const anyRate = fc
  .oneof(
    fc.bigInt({ min: 1n, max: 100_000_000n }),
    fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }),
    fc.constantFrom(1n, 10n ** 6n, 10n ** 18n - 1n),
  )
  .map((millionths) => decimalText(millionths, 6));

function decimalText(digits: bigint, decimals: number): string {
  const text = digits.toString().padStart(decimals + 1, '0');
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

const runs = { numRuns: repetitions(500) };

describe('an amount that is read', () => {
  it('an amount that is read is printed as the same value, in any notation', () => {
    fc.assert(
      fc.property(anyCents, fc.nat({ max: 5 }), fc.boolean(), (amount, zeros, isShort) => {
        const written = centsText(amount);
        const short = written.replace(/\.?0{1,2}$/, '');
        const text = '0'.repeat(zeros) + (isShort && !short.includes('.') ? short : written);
        expect(printed(text)).toBe(written);
        expect(printed(text.replace(/^0+(?=\.)/, ''))).toBe(written);
        expect(printed(Number(written))).toBe(written);
      }),
      runs,
    );
  });

  it('an amount that is read is valid with at most two decimals and up to the maximum', () => {
    const nearAmount = fc.string({
      unit: fc.constantFrom(...'0123456789...,+-eE \n٣'),
      maxLength: 14,
    });
    fc.assert(
      fc.property(fc.oneof(fc.string(), nearAmount, anyAmount), (text) => {
        expect(printed(text)).toBe(parseExpected(text));
      }),
      runs,
    );
  });

  it('an amount that is read is valid as a JSON number of whole cents, and as no other number', () => {
    const nearAmount = anyCents.map((amount) => Number(amount) / 100 + 2 ** -30);
    const number = fc.oneof(fc.double(), fc.integer(), nearAmount, anyAmount.map(Number));
    fc.assert(
      fc.property(number, (value) => {
        const amount = Math.round(value * 100);
        const isAmount = amount / 100 === value && amount >= 0 && amount <= Number(MAX_CENTS);
        expect(printed(value)).toBe(isAmount ? centsText(BigInt(amount)) : undefined);
      }),
      runs,
    );
  });

  it('an amount that is read is a string or a number', () => {
    const other = fc.anything().filter((value) => !['string', 'number'].includes(typeof value));
    fc.assert(
      fc.property(other, (value) => {
        expect(parseMoney(value)).toBeUndefined();
      }),
      runs,
    );
  });
});

function printed(value: unknown): string | undefined {
  const amount = parseMoney(value);
  return amount && formatMoney(amount);
}

/** The expected result, or undefined for an invalid amount. */
function parseExpected(text: string): string | undefined {
  const [whole = '', decimals, ...more] = text.split('.');
  const isDigits = (part: string): boolean =>
    part !== '' && [...part].every((character) => '0123456789'.includes(character));
  const isIntegerOmitted = whole === '' && decimals !== undefined;
  if (more.length > 0 || !(isDigits(whole) || isIntegerOmitted)) return undefined;
  if (decimals !== undefined && (!isDigits(decimals) || decimals.length > 2)) return undefined;
  const amount = BigInt(whole) * 100n + BigInt((decimals ?? '').padEnd(2, '0'));
  return amount <= MAX_CENTS ? centsText(amount) : undefined;
}

describe('calculations with amounts', () => {
  it('calculations with amounts print exact cents, negative ones too', () => {
    const balance = fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n }).map(centsText);
    fc.assert(
      fc.property(balance, (text) => {
        expect(formatMoney(new Big(text))).toBe(text);
      }),
      runs,
    );
  });

  it('calculations with amounts multiply to the nearest cent, half up', () => {
    fc.assert(
      fc.property(anyAmount, anyRate, (amount, rate) => {
        expect(multiplyMoney(new Big(amount), new Big(rate)).toFixed()).toBe(
          new Big(centsText(cents(multiply(fraction(amount), fraction(rate))))).toFixed(),
        );
      }),
      runs,
    );
  });

  it('calculations with amounts divide to the nearest cent, half up', () => {
    fc.assert(
      fc.property(anyAmount, anyRate, (amount, divisor) => {
        expect(divideMoney(new Big(amount), new Big(divisor)).toFixed()).toBe(
          new Big(centsText(cents(divide(fraction(amount), fraction(divisor))))).toFixed(),
        );
      }),
      runs,
    );
  });

  it('calculations with amounts round once, from the exact value: just below half a cent is rounded down', () => {
    fc.assert(
      fc.property(anyCents, anyRate, fc.constantFrom(-1n, 0n, 1n), (quotient, rate, off) => {
        // The quotient and half a cent, times the divisor: the exact half, and the values just
        // below and above it.
        const half = multiply(fraction(decimalText(quotient * 10n + 5n, 3)), fraction(rate));
        const amount = decimalText(half.numerator * 1000n + off, 12);
        const expected = off < 0n ? quotient : quotient + 1n;
        expect(formatMoney(divideMoney(new Big(amount), new Big(rate)))).toBe(centsText(expected));
      }),
      runs,
    );
  });

  it('calculations with amounts have exact sums and means of any number of amounts', () => {
    fc.assert(
      fc.property(fc.array(anyCents, { minLength: 1, maxLength: 50 }), (amounts) => {
        const sum = amounts.reduce((subtotal, amount) => subtotal + amount, 0n);
        const total = amounts
          .map((amount) => new Big(centsText(amount)))
          .reduce((subtotal, amount) => subtotal.plus(amount), new Big(0));
        expect(formatMoney(total)).toBe(centsText(sum));
        const mean = cents({ numerator: sum, denominator: 100n * BigInt(amounts.length) });
        expect(formatMoney(divideMoney(total, new Big(amounts.length)))).toBe(centsText(mean));
      }),
      runs,
    );
  });
});

describe('convert', () => {
  it('convert returns the exact product or quotient in cents, or refuses 0.00 and more than the maximum', () => {
    fc.assert(
      fc.property(anyAmount, anyRate, fc.boolean(), (amount, rate, inverse) => {
        const exact = (inverse ? divide : multiply)(fraction(amount), fraction(rate));
        expect(converted(amount, rate, inverse)).toEqual(expectedConversion(amount, exact));
      }),
      runs,
    );
  });

  it('convert is correct at the limits: half a cent, and half a cent over the maximum', () => {
    const nearLimit = fc.constantFrom('0.004999', '0.005000', '0.005001').chain((threshold) =>
      fc.record({
        amount: fc.constantFrom('1.00', '999999999.99', '1000000.00'),
        rate: fc.constantFrom(
          threshold,
          '0.999999',
          '1.000000',
          '1.000001',
          '999.999999',
          '1000.000000',
        ),
        inverse: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(nearLimit, ({ amount, rate, inverse }) => {
        const exact = (inverse ? divide : multiply)(fraction(amount), fraction(rate));
        expect(converted(amount, rate, inverse)).toEqual(expectedConversion(amount, exact));
      }),
      runs,
    );
  });
});

function converted(amount: string, rate: string, inverse: boolean): unknown {
  try {
    return formatMoney(convert(new Big(amount), { rate: new Big(rate), isInverse: inverse }));
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    return { code: error.code, message: error.message, details: error.details };
  }
}

function expectedConversion(amount: string, exact: Fraction): unknown {
  const rounded = cents(exact);
  if (rounded > 0n && rounded <= MAX_CENTS) return centsText(rounded);
  const message =
    rounded === 0n ? 'The converted amount rounds to 0.00' : 'The converted amount is too large';
  const details = { amount, fields: { amount: [message] } };
  return { code: 'CURRENCY_CONVERSION_ERROR', message, details };
}

describe('trendOf', () => {
  it('trendOf is a change of more than 5 % of the earliest value', () => {
    const pair = fc.oneof(
      fc.tuple(anyCents, anyCents),
      // Values around 5 % more and less.
      fc
        .tuple(anyCents, fc.constantFrom(19n, 21n), fc.bigInt({ min: -2n, max: 2n }))
        .map(([amount, twentieths, off]) => [amount, (amount * twentieths) / 20n + off] as const)
        .filter(([, latest]) => latest >= 0n),
    );
    fc.assert(
      fc.property(pair, ([earliest, latest]) => {
        const amounts = {
          earliest: new Big(centsText(earliest)),
          latest: new Big(centsText(latest)),
        };
        expect(trendOf(amounts)).toBe(expectedTrend(earliest, latest));
      }),
      runs,
    );
  });
});

function expectedTrend(earliest: bigint, latest: bigint): Trend {
  const change = { numerator: latest - earliest, denominator: 1n };
  const limit = { numerator: earliest, denominator: 20n };
  if (compare(change, limit) > 0) return 'increasing';
  return compare({ ...change, numerator: -change.numerator }, limit) > 0 ? 'decreasing' : 'stable';
}
