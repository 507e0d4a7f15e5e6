import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import { editable, fieldsIn, instant, money, recordFields, snapshotOf } from './record-fields.js';

class Invoice {
  type = 'invoice';
  description = 'Rent';
  amount = new Big('12.5');
  paidAt: Date | null = null;
  internal = 0;
}

const FIELDS = recordFields<Invoice>()(
  {
    description: editable('description'),
    amount: editable(money('amount')),
    paid_at: instant('paidAt'),
  },
  ['internal'],
);

describe('the declaration of the fields of a record', () => {
  it('does not compile without a property that is not internal', () => {
    expect(
      // @ts-expect-error -- `amount`, `paidAt` and `internal` are missing
      recordFields<Invoice>()({ description: 'description' }),
    ).toBeDefined();
  });

  it('does not compile with an instant that has no conversion', () => {
    expect(
      recordFields<Invoice>()(
        // @ts-expect-error -- a Date is no JSON
        { description: 'description', amount: money('amount'), paid_at: 'paidAt' },
        ['internal'],
      ),
    ).toBeDefined();
  });

  it('does not compile with an amount that is a text', () => {
    expect(
      recordFields<Invoice>()(
        // @ts-expect-error -- a text is no amount
        { description: money('description'), amount: money('amount'), paid_at: instant('paidAt') },
        ['internal'],
      ),
    ).toBeDefined();
  });
});

describe('the fields of a record', () => {
  it('are written with the names of the API', () => {
    expect(snapshotOf(FIELDS, new Invoice())).toEqual({
      description: 'Rent',
      amount: '12.50',
      paid_at: null,
    });
  });

  it('are set by a body where they are editable; the rest of it is left out', () => {
    const body = { description: 'Luz', paid_at: new Date(0), if_match: '"x"', constructor: 1 };
    expect(fieldsIn(FIELDS, body)).toEqual({ description: 'Luz' });
  });

  it('do not have other names', () => {
    expect(() => snapshotOf(FIELDS, new Invoice(), ['internal'])).toThrow(
      'internal is not a field',
    );
  });
});
