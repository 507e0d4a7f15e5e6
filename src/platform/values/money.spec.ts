import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import { divideMoney, formatMoney, multiplyMoney, parseMoney, sumMoney } from './money.js';

describe('parseMoney', () => {
  it.each([
    ['0', '0.00'],
    ['5000', '5000.00'],
    ['0.1', '0.10'],
    ['999999999.99', '999999999.99'],
    ['007.50', '7.50'],
    ['.5', '0.50'],
    ['.05', '0.05'],
    ['.0', '0.00'],
    [12, '12.00'],
    [0.29, '0.29'],
    [999999999.99, '999999999.99'],
  ])('parseMoney reads %p as %p', (value, expected) => {
    const amount = parseMoney(value);
    expect(amount && formatMoney(amount)).toBe(expected);
  });

  it.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '-1',
    '1.',
    '.',
    '1.234',
    '.005',
    '+.5',
    '-.5',
    '.5e1',
    ' .5',
    '..5',
    '1e3',
    '1,000.00',
    '1000000000',
    '999999999.991',
    'Infinity',
    'NaN',
    '0x10',
    '١٢',
    -1,
    1.234,
    1e21,
    1e-7,
    NaN,
    Infinity,
    null,
    undefined,
    true,
    {},
    ['1'],
  ])('parseMoney refuses %p', (value) => {
    expect(parseMoney(value)).toBeUndefined();
  });
});

describe('formatMoney', () => {
  it('formatMoney always prints two decimals, and the sign of a negative balance', () => {
    expect(['5', '5000.5', '-12.5', '0'].map((text) => formatMoney(new Big(text)))).toEqual([
      '5.00',
      '5000.50',
      '-12.50',
      '0.00',
    ]);
  });
});

describe('multiplyMoney', () => {
  it.each([
    ['812.35', '0.05', '40.62'], // 40.6175
    ['649.50', '0.05', '32.48'], // 32.475: half goes up
    ['0.10', '0.05', '0.01'], // 0.005
    ['0.09', '0.05', '0.00'], // 0.0045
    ['999999999.99', '0.058823', '58823000.00'],
  ])('multiplyMoney gives %p x %p in cents: %p', (amount, factor, expected) => {
    expect(formatMoney(multiplyMoney(new Big(amount), new Big(factor)))).toBe(expected);
  });
});

describe('divideMoney', () => {
  it.each([
    ['100.00', '17.5', '5.71'],
    ['1.00', '3', '0.33'],
    ['2.00', '3', '0.67'],
    ['0.05', '10', '0.01'], // 0.005: half goes up
    ['0.049999', '10', '0.00'], // rounded once, from the exact quotient
  ])('divideMoney gives %p / %p in cents: %p', (amount, divisor, expected) => {
    expect(formatMoney(divideMoney(new Big(amount), new Big(divisor)))).toBe(expected);
  });
});

it('sumMoney sums exact amounts, none to zero', () => {
  expect(formatMoney(sumMoney([]))).toBe('0.00');
  expect(formatMoney(sumMoney(['0.10', '0.20', '-5.00'].map((amount) => new Big(amount))))).toBe(
    '-4.70',
  );
});
