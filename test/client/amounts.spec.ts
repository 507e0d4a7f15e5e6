import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addAmounts,
  compareAmounts,
  formatMoney,
  formatNumber,
  fromCents,
  isNegative,
  parseAmount,
  subtractAmounts,
  toCents,
} from '../../clients/typescript/src/index.js';

const anyCents = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n });
const anyLocale = fc.constantFrom('en', 'es-MX', 'es-ES', 'de-CH', 'fr', 'en-IN', 'ar-EG');

describe('amounts of the TypeScript client', () => {
  it.each([
    ['0.00', 0n],
    ['-0.05', -5n],
    ['1234.50', 123450n],
    // Beyond the integers that a floating-point number has.
    ['90071992547409931.37', 9007199254740993137n],
  ])('the amount %s of the TypeScript client is %s cents, and back', (amount, cents) => {
    expect(toCents(amount)).toBe(cents);
    expect(fromCents(cents)).toBe(amount);
  });

  it.each(['', '1', '1.5', '1.505', '.50', '1,50', '+1.00', '1e2', ' 1.00', '1.00\n', 'NaN'])(
    'the TypeScript client refuses %j, which is no amount of the API',
    (text) => {
      expect(() => toCents(text)).toThrow(RangeError);
    },
  );

  it('amounts of the TypeScript client are added, subtracted and compared to the cent', () => {
    expect(addAmounts()).toBe('0.00');
    expect(addAmounts('0.10', '0.20', '-0.30')).toBe('0.00');
    expect(subtractAmounts('0.30', '0.10')).toBe('0.20');
    expect(subtractAmounts('1.00', '1.01')).toBe('-0.01');
    const sorted = ['10.00', '-2.00', '9.99', '-10.00'].sort(compareAmounts);
    expect(sorted).toEqual(['-10.00', '-2.00', '9.99', '10.00']);
    expect(compareAmounts('-0.00', '0.00')).toBe(0);
    expect(['-0.01', '-0.00', '0.00', '5.00'].map(isNegative)).toEqual([true, false, false, false]);
  });

  it.each([
    ['1234.50', 'USD', 'en', '$1,234.50'],
    ['1234.50', 'USD', 'es-MX', 'US$1,234.50'],
    ['12345.50', 'USD', 'es-ES', 'US$12.345,50'],
    ['1234.50', 'MXN', 'en', '1,234.50 MXN'],
    ['1234.50', 'MXN', 'es-MX', '1,234.50 MXN'],
    // Spanish of Spain does not group four digits.
    ['1234.50', 'MXN', 'es-ES', '1234,50 MXN'],
    ['-12.00', 'USD', 'en', '\u2212$12.00'],
    ['-12.00', 'MXN', 'es-MX', '\u221212.00 MXN'],
    ['-0.05', 'USD', 'en', '\u2212$0.05'],
    ['-0.00', 'USD', 'en', '$0.00'],
    ['90071992547409931.37', 'USD', 'en', '$90,071,992,547,409,931.37'],
  ] as const)(
    'the TypeScript client shows %s %s in the locale %s as %s',
    (amount, currency, locale, text) => {
      expect(formatMoney(amount, currency, locale)).toBe(text);
    },
  );

  it('the TypeScript client shows the sign of each amount but zero where it is asked to', () => {
    const shown = ['5.00', '-5.00', '0.00'].map((amount) =>
      formatMoney(amount, 'USD', 'en', { sign: 'always' }),
    );
    expect(shown).toEqual(['+$5.00', '\u2212$5.00', '$0.00']);
    expect(formatMoney('5.00', 'MXN', 'es-MX', { sign: 'always' })).toBe('+5.00 MXN');
  });

  it('the TypeScript client shows numbers without a currency', () => {
    expect(formatNumber('1234567.89', 'en-IN')).toBe('12,34,567.89');
    expect(formatNumber('-1234.50', 'es-MX')).toBe('\u22121,234.50');
    expect(formatNumber('1234.56', 'ar-EG')).toBe('١٬٢٣٤٫٥٦');
  });

  it('the TypeScript client refuses to show what is no amount, or in no locale', () => {
    expect(() => formatMoney('12.5', 'USD', 'en')).toThrow(RangeError);
    expect(() => formatNumber('12.50', 'no locale')).toThrow(RangeError);
  });
});

describe('what a person types as an amount for the TypeScript client', () => {
  it.each([
    ['1,234.5', 'en', '1234.50'],
    ['1234.5', 'en', '1234.50'],
    ['1,234', 'es-MX', '1234.00'],
    ['1.234,5', 'es-ES', '1234.50'],
    ['1234,5', 'es-ES', '1234.50'],
    ['1.234', 'es-ES', '1234.00'],
    ['1 234,50', 'fr', '1234.50'],
    ["1'234.50", 'de-CH', '1234.50'],
    ['12,34,567', 'en-IN', '1234567.00'],
    ['  7 ', 'en', '7.00'],
    ['007.10', 'en', '7.10'],
    ['.5', 'en', '0.50'],
    ['5.', 'en', '5.00'],
    ['-12.00', 'en', '-12.00'],
    ['\u221212.00', 'en', '-12.00'],
    ['+12', 'en', '12.00'],
    ['-0', 'en', '0.00'],
    ['١٬٢٣٤٫٥', 'ar-EG', '1234.50'],
    ['1234.5', 'en-US', '1234.50'],
  ])('%j in the locale %s is the amount %s of the TypeScript client', (text, locale, amount) => {
    expect(parseAmount(text, locale)).toBe(amount);
  });

  it.each([
    // Decimals of another locale, or a group that lacks a digit.
    ['12,50', 'en'],
    ['12.50', 'es-ES'],
    ['1,5', 'es-MX'],
    ['0,50', 'en'],
    // More decimals than an amount has, or a group of another locale.
    ['1.234', 'en'],
    ['1,234', 'es-ES'],
    ['12.500', 'es-MX'],
    ['1.234.567', 'en'],
    // Wrong groups.
    ['1,2345', 'en'],
    ['12,34', 'en'],
    ['1,,234', 'en'],
    [',234', 'en'],
    ['0,123', 'en'],
    ['1234,567', 'en'],
    ['1,234,56', 'en'],
    ['1.23,4', 'en'],
    ['1 234', 'en'],
    // No numbers.
    ['', 'en'],
    ['   ', 'en'],
    ['-', 'en'],
    ['.', 'en'],
    ['--1', 'en'],
    ['- 1', 'en'],
    ['1-', 'en'],
    ['1e3', 'en'],
    ['0x10', 'en'],
    ['Infinity', 'en'],
    ['$5', 'en'],
    ['5 MXN', 'en'],
    ['1.2.3', 'en'],
    ['1.\n5', 'en'],
  ])('%j in the locale %s is no amount of the TypeScript client', (text, locale) => {
    expect(parseAmount(text, locale)).toBeUndefined();
  });

  it('the TypeScript client reads each number that it shows, in each locale', () => {
    fc.assert(
      fc.property(anyCents, anyLocale, (cents, locale) => {
        const amount = fromCents(cents);
        expect(parseAmount(formatNumber(amount, locale), locale)).toBe(amount);
      }),
    );
  });

  it('the TypeScript client reads no text as another amount than its digits', () => {
    const typed = fc.string({ unit: fc.constantFrom('0', '1', '5', ',', '.', ' '), maxLength: 12 });
    fc.assert(
      fc.property(typed, fc.constantFrom('en', 'es-MX', 'es-ES'), (text, locale) => {
        const amount = parseAmount(text, locale);
        if (amount === undefined) return;
        const decimal = locale === 'es-ES' ? ',' : '.';
        const group = locale === 'es-ES' ? '.' : ',';
        const plain = text.trim().replaceAll(group, '').replace(decimal, '.');
        expect(Number(amount)).toBe(Number(plain));
      }),
    );
  });
});
