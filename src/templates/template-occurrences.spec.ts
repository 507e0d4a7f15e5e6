import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import {
  amountInForce,
  templateOccurrences,
  templateSchedule,
  type OccurrenceColumns,
} from './template-occurrences.js';

const PLAN: OccurrenceColumns = {
  baseAmount: new Big('1291.58'),
  amountChanges: [],
  lastAmount: null,
  recurrenceType: 'monthly',
  recurrenceConfig: { day_of_month: 31, handle_month_end: true },
  referenceDate: '2025-08-31',
  startsOn: '2025-08-01',
  endsOn: '2026-07-31',
  skippedDates: [],
  weekendRule: 'keep',
};

const ALWAYS = { start: '1900-01-01', end: '2999-12-31' };

const amounts = (columns: Partial<OccurrenceColumns>, period = ALWAYS): string[] =>
  templateOccurrences({ ...PLAN, ...columns }, period).map(({ amount }) => amount.toFixed(2));

describe('templateOccurrences', () => {
  it('gives the rest of 15,499.00 in 12 instalments to the last one', () => {
    const lastAmount = new Big('1291.62');
    const found = amounts({ lastAmount });
    expect(found).toEqual([...Array<string>(11).fill('1291.58'), '1291.62']);
    const total = found.reduce((sum, amount) => sum.plus(amount), new Big(0));
    expect(total.toFixed(2)).toBe('15499.00');
  });

  it('changes the amount from a date before the weekend rule on', () => {
    const amountChanges = [
      { from: '2025-08-31', amount: '10.00' },
      { from: '2025-11-01', amount: '20.00' },
      { from: '2026-02-28', amount: '30.00' },
    ];
    // 2025-11-30 and 2026-01-31 are moved to Friday, 2026-02-28 to 2026-02-27.
    expect(amounts({ amountChanges, weekendRule: 'before', endsOn: '2026-03-31' })).toEqual([
      ...['10.00', '10.00', '10.00'],
      ...['20.00', '20.00', '20.00'],
      ...['30.00', '30.00'],
    ]);
    const later = amountChanges.slice(1);
    expect(amounts({ amountChanges: later, endsOn: '2025-11-30' })).toEqual([
      ...['1291.58', '1291.58', '1291.58', '20.00'],
    ]);
  });

  it('gives the last amount to the last occurrence that is not skipped, whatever changes', () => {
    const columns = {
      lastAmount: new Big('5.00'),
      amountChanges: [{ from: '2026-06-30', amount: '20.00' }],
      skippedDates: ['2026-07-31'],
    };
    const period = { start: '2026-05-01', end: '2026-12-31' };
    expect(amounts(columns, period)).toEqual(['1291.58', '5.00']);
    expect(amounts({ ...columns, skippedDates: [] }, period)).toEqual(['1291.58', '20.00', '5.00']);
  });

  it('knows the last occurrence of a period that does not have it', () => {
    const period = { start: '2025-08-01', end: '2025-09-30' };
    expect(amounts({ lastAmount: new Big('5.00') }, period)).toEqual(['1291.58', '1291.58']);
  });
});

describe('templateSchedule', () => {
  it('has no amount where the template has none', () => {
    const columns = {
      ...PLAN,
      baseAmount: null,
      amountChanges: [{ from: '2026-06-01', amount: '7.50' }],
      lastAmount: new Big('9.00'),
    };
    const { occurrences } = templateSchedule(columns, { start: '2026-05-01', end: '2026-07-31' });
    expect(occurrences.map(({ amount }) => amount?.toFixed(2))).toEqual([
      ...[undefined, '7.50', '9.00'],
    ]);
  });
});

describe('amountInForce', () => {
  const changes = [
    { from: '2026-02-01', amount: '2.00' },
    { from: '2026-03-01', amount: '3.00' },
  ];

  it.each([
    ['2026-01-31', '1.00'],
    ['2026-02-01', '2.00'],
    ['2026-02-28', '2.00'],
    ['2026-03-01', '3.00'],
    ['2999-12-31', '3.00'],
  ])('on %s is %s', (date, amount) => {
    expect(amountInForce('1.00', changes, date)).toBe(amount);
  });
});
