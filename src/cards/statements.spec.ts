import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import { dueDateOf } from '../payment-methods/statement-dates.js';
import { formatMoney } from '../platform/values/money.js';
import { toCard, type CardFields, type StoredStatement } from './card.js';
import { paymentsOf, statementsWith, type Statement } from './statements.js';

const TIME_ZONE = 'America/Mexico_City';
const RULES = { closingDay: 12, dueDay: 2, dueDaysAfter: null, dueWeekendRule: 'keep' } as const;

/** A stored statement; amounts as texts. */
interface Given {
  stated?: string;
  /** What it was when it was paid, and what was paid. */
  paid?: [amount: string, paidAmount: string];
}

function stored(closingDate: string, { stated, paid }: Given): StoredStatement {
  return {
    ...{ id: closingDate, firstDate: '2026-01-01', closingDate },
    dueDate: dueDateOf(closingDate, RULES),
    statedAmount: stated === undefined ? null : new Big(stated),
    amount: paid ? new Big(paid[0]) : null,
    paid: Boolean(paid),
    paidAt: paid ? new Date('2026-03-01T18:00:00Z') : null,
    paidAmount: paid ? new Big(paid[1]) : null,
    createdAt: new Date(0),
    updatedAt: new Date(0),
  };
}

/** The statements from 12 February on, of which the first three have these purchases. */
function statementsOf(
  today: string,
  purchases: readonly (string | undefined)[],
  { given = {}, ...fields }: Partial<CardFields> & { given?: Record<string, Given> } = {},
): Statement[] {
  const closings = ['2026-02-12', '2026-03-12', '2026-04-12'];
  const card = toCard(
    {
      ...{ id: 'card', name: 'Visa', methodType: 'credit', active: true, currency: 'MXN' },
      ...{ rules: RULES, firstClosingDate: '2026-02-12', autopay: false, paidFromId: 'bank' },
      stored: Object.entries(given).map(([closing, one]) => stored(closing, one)),
      ...fields,
    },
    '2026-04-12',
  );
  const sums = closings.flatMap((closing, index) => {
    const total = purchases[index];
    return total === undefined
      ? []
      : [[closing, { total: new Big(total), expenseCount: 1 }] as const];
  });
  return statementsWith(card, new Map(sums), { today, timeZone: TIME_ZONE });
}

/** Total, carried, amount and status, and what was paid. */
const shown = (statements: readonly Statement[]): string[] =>
  statements.map(({ total, carried, amount, status, paidAmount }) =>
    [
      ...[total, carried, amount].map(formatMoney),
      status,
      ...(paidAmount ? [formatMoney(paidAmount)] : []),
    ].join(' '),
  );

describe('the status of a statement', () => {
  it.each([
    ['2026-02-12', 'open'],
    ['2026-02-13', 'closed'],
    ['2026-03-02', 'closed'],
    ['2026-03-03', 'overdue'],
  ])('is on %s %s', (today, status) => {
    expect(statementsOf(today, ['5'])[0]).toMatchObject({ status, paid: false, paidAt: null });
  });

  it.each([
    ['2026-02-13', '0'],
    ['2026-03-03', '-5'],
  ])('is paid by itself where it has closed by %s with %s', (today, total) => {
    const [first] = statementsOf(today, [total]);
    expect(first).toMatchObject({ status: 'paid', paid: true, paidAt: null });
    expect(first?.paidAmount?.toFixed(2)).toBe('0.00');
    expect(statementsOf('2026-02-12', [total])[0]).toMatchObject({ status: 'open', paid: false });
  });

  it('is paid once that is stored, whatever was bought', () => {
    const given = { '2026-02-12': { paid: ['5', '5'] } } satisfies Record<string, Given>;
    const [first] = statementsOf('2026-03-03', ['9'], { given });
    expect(first).toMatchObject({ status: 'paid', paidAt: new Date('2026-03-01T18:00:00Z') });
  });

  it('is paid with autopay from the beginning of its due date on, once that has passed', () => {
    const card = { autopay: true };
    expect(shown(statementsOf('2026-03-02', ['5'], card))[0]).toBe('5.00 0.00 5.00 closed');
    const [first, second] = statementsOf('2026-03-03', ['5', '7'], card);
    expect(first).toMatchObject({ status: 'paid', paidAt: new Date('2026-03-02T06:00:00Z') });
    expect(shown([first, second].filter((one) => one !== undefined))).toEqual([
      '5.00 0.00 5.00 paid 5.00',
      '7.00 0.00 7.00 open',
    ]);
    const given = { '2026-02-12': { stated: '6' } };
    expect(shown(statementsOf('2026-03-03', ['5'], { ...card, given }))[0]).toBe(
      '5.00 0.00 6.00 paid 6.00',
    );
  });
});

describe('the amount of a statement', () => {
  it('carries what was paid too little, or too much', () => {
    const short = { '2026-02-12': { paid: ['100', '60'] } } satisfies Record<string, Given>;
    expect(shown(statementsOf('2026-04-05', ['100', '20', '5'], { given: short }))).toEqual([
      '100.00 0.00 100.00 paid 60.00',
      '20.00 40.00 60.00 overdue',
      '5.00 0.00 5.00 open',
    ]);
    const over = { '2026-02-12': { paid: ['100', '130'] } } satisfies Record<string, Given>;
    expect(shown(statementsOf('2026-04-01', ['100', '20', '5'], { given: over }))).toEqual([
      '100.00 0.00 100.00 paid 130.00',
      '20.00 -30.00 -10.00 paid 0.00',
      '5.00 -10.00 -5.00 open',
    ]);
  });

  it('carries nothing of one that is not paid', () => {
    expect(shown(statementsOf('2026-04-05', ['100', '20']))).toEqual([
      '100.00 0.00 100.00 overdue',
      '20.00 0.00 20.00 overdue',
      '0.00 0.00 0.00 open',
    ]);
  });

  it('is what the bank says, instead of both', () => {
    const given = {
      '2026-02-12': { paid: ['100', '60'] },
      '2026-03-12': { stated: '70.5' },
    } satisfies Record<string, Given>;
    expect(shown(statementsOf('2026-03-20', ['100', '20'], { given }))).toEqual([
      '100.00 0.00 100.00 paid 60.00',
      '20.00 40.00 70.50 closed',
      '0.00 0.00 0.00 open',
    ]);
    const nothing = { '2026-02-12': { stated: '0' } };
    expect(shown(statementsOf('2026-03-20', ['100'], { given: nothing }))[0]).toBe(
      '100.00 0.00 0.00 paid 0.00',
    );
  });

  it('of a paid one stays what it was, also where the bank says another one', () => {
    const given = { '2026-02-12': { paid: ['100', '100'], stated: '90' } } satisfies Record<
      string,
      Given
    >;
    expect(shown(statementsOf('2026-03-05', ['130', '20'], { given })).slice(0, 2)).toEqual([
      '130.00 0.00 100.00 paid 100.00',
      '20.00 0.00 20.00 open',
    ]);
  });

  it('that is left unpaid for good is paid with 0.00, and carried', () => {
    const given = { '2026-02-12': { paid: ['100', '0'] } } satisfies Record<string, Given>;
    expect(shown(statementsOf('2026-03-05', ['100', '20'], { given })).slice(0, 2)).toEqual([
      '100.00 0.00 100.00 paid 0.00',
      '20.00 100.00 120.00 open',
    ]);
  });
});

describe('the payments of statements', () => {
  it("have left other payment methods on the owner's day, but for those of 0.00", () => {
    const given = {
      '2026-02-12': { paid: ['100', '60'] },
      '2026-03-12': { paid: ['60', '0'] },
    } satisfies Record<string, Given>;
    const statements = statementsOf('2026-03-20', ['100', '20'], { given });
    expect(paymentsOf(statements, { timeZone: TIME_ZONE })).toEqual([
      {
        paidFromId: 'bank',
        paidAt: new Date('2026-03-01T18:00:00Z'),
        date: '2026-03-01',
        amount: new Big('60'),
        currency: 'MXN',
      },
    ]);
    const [payment] = paymentsOf(statements, { timeZone: 'Pacific/Auckland' });
    expect(payment?.date).toBe('2026-03-02');
  });

  it('with autopay are those of due dates that have passed', () => {
    const statements = statementsOf('2026-04-05', ['100', '-5', '20'], { autopay: true });
    const payments = paymentsOf(statements, { timeZone: TIME_ZONE });
    expect(payments.map(({ date, amount }) => [date, formatMoney(amount)])).toEqual([
      ['2026-03-02', '100.00'],
    ]);
  });
});
