import { describe, expect, it } from '@jest/globals';
import {
  daysOfStatements,
  isOfStatement,
  statementOf,
  toCard,
  type Card,
  type CardFields,
  type StoredStatement,
} from './card.js';

const RULES = { closingDay: 12, dueDay: 2, dueDaysAfter: null, dueWeekendRule: 'keep' } as const;

const stored = (closingDate: string, fields: Partial<StoredStatement> = {}): StoredStatement => ({
  id: closingDate,
  firstDate: closingDate,
  closingDate,
  dueDate: closingDate,
  statedAmount: null,
  amount: null,
  paid: false,
  paidAt: null,
  paidAmount: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...fields,
});

const card = (fields: Partial<CardFields>, until = '2026-06-30'): Card =>
  toCard(
    {
      ...{ id: 'card', name: 'Visa', methodType: 'credit', active: true, currency: 'MXN' },
      ...{ rules: RULES, firstClosingDate: '2026-05-12', autopay: false, paidFromId: null },
      stored: [],
      ...fields,
    },
    until,
  );

/** The days of each statement, and when it is due. */
const datesOf = ({ statements }: Card): string[] =>
  statements.map(({ from, closingDate, dueDate, stored: own }) =>
    [from, closingDate, dueDate, ...(own ? ['stored'] : [])].join(' '),
  );

describe('the statements of a card', () => {
  it('begin with the first closing, and go on until a day has its statement', () => {
    expect(datesOf(card({}, '2026-07-12'))).toEqual([
      '2026-04-13 2026-05-12 2026-06-02',
      '2026-05-13 2026-06-12 2026-07-02',
      '2026-06-13 2026-07-12 2026-08-02',
    ]);
    expect(datesOf(card({}, '2026-07-13'))).toHaveLength(4);
    expect(datesOf(card({}, '2026-01-01'))).toEqual(['2026-04-13 2026-05-12 2026-06-02']);
  });

  it('are those of short months, too', () => {
    const rules = {
      closingDay: 31,
      dueDay: null,
      dueDaysAfter: 20,
      dueWeekendRule: 'keep',
    } as const;
    expect(datesOf(card({ rules, firstClosingDate: '2028-01-31' }, '2028-03-01'))).toEqual([
      '2028-01-01 2028-01-31 2028-02-20',
      '2028-02-01 2028-02-29 2028-03-20',
      '2028-03-01 2028-03-31 2028-04-20',
    ]);
  });

  it('have the due dates that are stored', () => {
    const own = stored('2026-06-12', { firstDate: '2026-01-01', dueDate: '2026-07-20' });
    expect(datesOf(card({ stored: [own] }, '2026-06-12'))).toEqual([
      '2026-04-13 2026-05-12 2026-06-02',
      // It begins after the one before, whatever was stored.
      '2026-05-13 2026-06-12 2026-07-20 stored',
    ]);
  });

  it('of before a change of the days come first, and the next one begins after them', () => {
    const before = [
      stored('2026-03-12', { firstDate: '2026-02-13', dueDate: '2026-04-02' }),
      stored('2026-04-12', { firstDate: '2026-03-13', dueDate: '2026-05-02' }),
      stored('2026-05-12', { firstDate: '2026-04-13', dueDate: '2026-06-02' }),
    ];
    const rules = {
      closingDay: 25,
      dueDay: 14,
      dueDaysAfter: null,
      dueWeekendRule: 'keep',
    } as const;
    const changed = card({ rules, firstClosingDate: '2026-05-25', stored: before }, '2026-06-25');
    expect(datesOf(changed)).toEqual([
      '2026-02-13 2026-03-12 2026-04-02 stored',
      '2026-03-13 2026-04-12 2026-05-02 stored',
      '2026-04-13 2026-05-12 2026-06-02 stored',
      '2026-05-13 2026-05-25 2026-06-14',
      '2026-05-26 2026-06-25 2026-07-14',
    ]);
    expect(daysOfStatements(changed)).toEqual([
      { cardId: 'card', first: '2026-02-13', last: '2999-12-31' },
    ]);
  });

  it('follow one another without a gap, whenever the first one by the days closes', () => {
    const moved = card({
      stored: [stored('2026-01-12', { firstDate: '2025-12-13' })],
      firstClosingDate: '2026-05-12',
    });
    expect(datesOf(moved).slice(0, 2)).toEqual([
      '2025-12-13 2026-01-12 2026-01-12 stored',
      '2026-01-13 2026-05-12 2026-06-02',
    ]);
    expect(daysOfStatements(moved)).toEqual([
      { cardId: 'card', first: '2025-12-13', last: '2999-12-31' },
    ]);
  });

  it('that are stored stay when there are no further ones', () => {
    const before = [
      stored('2026-03-12', { firstDate: '2026-02-13' }),
      stored('2026-05-12', { firstDate: '2026-04-13' }),
    ];
    const without = card({ rules: null, firstClosingDate: null, stored: before });
    expect(datesOf(without)).toEqual([
      '2026-02-13 2026-03-12 2026-03-12 stored',
      '2026-03-13 2026-05-12 2026-05-12 stored',
    ]);
    expect(daysOfStatements(without)).toEqual([
      { cardId: 'card', first: '2026-02-13', last: '2026-05-12' },
    ]);
  });

  it('are none without days and stored ones', () => {
    const without = card({ rules: null, firstClosingDate: null });
    expect(without.statements).toEqual([]);
    expect(daysOfStatements(without)).toEqual([]);
    expect(statementOf(without, '2026-05-12')).toBeUndefined();
  });
});

describe('the statement of a day', () => {
  const visa = card({
    stored: [stored('2026-01-12', { firstDate: '2025-12-13' })],
    firstClosingDate: '2026-02-12',
  });

  it.each([
    ['2025-12-12', undefined],
    ['2025-12-13', '2026-01-12'],
    ['2026-01-12', '2026-01-12'],
    ['2026-01-13', '2026-02-12'],
    ['2026-02-12', '2026-02-12'],
    ['2026-02-13', '2026-03-12'],
  ])('%s is the one that closes on %s', (day, closing) => {
    expect(statementOf(visa, day)?.closingDate).toBe(closing);
    const days = daysOfStatements(visa);
    expect(isOfStatement({ paymentMethodId: 'card', date: day }, days)).toBe(closing !== undefined);
    expect(isOfStatement({ paymentMethodId: 'other', date: day }, days)).toBe(false);
    expect(isOfStatement({ paymentMethodId: null, date: day }, days)).toBe(false);
  });

  it('is there on every later day, also long after those that are listed', () => {
    expect(daysOfStatements(visa)).toEqual([
      { cardId: 'card', first: '2025-12-13', last: '2999-12-31' },
    ]);
  });
});
