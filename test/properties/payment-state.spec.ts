import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  applyPayment,
  costs,
  EXPENSE_STATUSES,
  type ExpenseStatus,
  type PaymentState,
} from '../../src/cycles/expense-status.js';
import { ValidationFailedError } from '../../src/common/errors/domain-error.js';
import { repetitions } from '../support/effort.js';

const NOW = new Date('2026-02-10T12:00:00.000Z');
const LATER = new Date('2026-02-11T12:00:00.000Z');

const runs = { numRuns: repetitions(500) };
const anyInstant = fc.date({ noInvalidDate: true });
const anyStatus = fc.constantFrom(...EXPENSE_STATUSES);

/** As expenses are stored: the three fields agree. */
const anyState = fc.tuple(anyStatus, anyInstant).map(([status, paidAt]): PaymentState => {
  const paid = status === 'paid';
  return { status, paid, paidAt: paid ? paidAt : null };
});

interface Asked {
  status?: ExpenseStatus;
  paid?: boolean;
  paidAt?: Date;
}

/** Any of the three fields, left out or not. */
const anyAsked: fc.Arbitrary<Asked> = fc.record(
  { status: anyStatus, paid: fc.boolean(), paidAt: anyInstant },
  { requiredKeys: [] },
);

/** Of the statuses that fit all that is asked, the present one, or else the one that waits. */
function expectedStatus(current: PaymentState, asked: Asked): ExpenseStatus | 'refused' {
  const isAsked = asked.status !== undefined || asked.paid !== undefined;
  const fitting = (isAsked ? EXPENSE_STATUSES : [current.status]).filter(
    (status) =>
      (asked.status === undefined || asked.status === status) &&
      (asked.paid === undefined || asked.paid === (status === 'paid')) &&
      (asked.paidAt === undefined || status === 'paid'),
  );
  const preferred = [current.status, 'pending' as const].find((one) => fitting.includes(one));
  return preferred ?? fitting[0] ?? 'refused';
}

function outcome(current: PaymentState, asked: Asked): PaymentState | 'refused' {
  try {
    return applyPayment(current, asked, NOW);
  } catch (error) {
    if (error instanceof ValidationFailedError) return 'refused';
    throw error;
  }
}

/** Whatever is asked that is not refused. */
function check(property: (current: PaymentState, asked: Asked, next: PaymentState) => void): void {
  fc.assert(
    fc.property(anyState, anyAsked, (current, asked) => {
      const next = outcome(current, asked);
      if (next !== 'refused') property(current, asked, next);
    }),
    runs,
  );
}

describe('what is asked of an expense', () => {
  it('is refused where the fields contradict each other, and else gives the status they name', () => {
    fc.assert(
      fc.property(anyState, anyAsked, (current, asked) => {
        const next = outcome(current, asked);
        expect(next === 'refused' ? next : next.status).toBe(expectedStatus(current, asked));
      }),
      runs,
    );
  });

  it('leaves paid, the status paid and paid_at in agreement', () => {
    check((_current, _asked, { status, paid, paidAt }) => {
      expect(paid).toBe(status === 'paid');
      expect(paidAt !== null).toBe(paid);
    });
  });

  it('is met in every field that is given', () => {
    check((_current, asked, next) => {
      expect(next).toEqual({ ...next, ...asked });
    });
  });

  it('changes nothing when it is asked again, however much later', () => {
    check((_current, asked, next) => {
      expect(applyPayment(next, asked, LATER)).toEqual(next);
    });
  });

  it('keeps the time of a payment until another is given or it is taken back', () => {
    check((current, asked, { paid, paidAt }) => {
      if (paid) expect(paidAt).toEqual(asked.paidAt ?? current.paidAt ?? NOW);
    });
  });

  it('changes nothing when it is nothing', () => {
    fc.assert(
      fc.property(anyState, (current) => {
        expect(applyPayment(current, {}, NOW)).toEqual(current);
      }),
      runs,
    );
  });

  it('pays and takes back with the same result, whichever field says so', () => {
    fc.assert(
      fc.property(anyState, (current) => {
        expect(outcome(current, { paid: true })).toEqual(outcome(current, { status: 'paid' }));
        const paid = applyPayment(current, { paid: true }, NOW);
        expect(outcome(paid, { paid: false })).toEqual(outcome(paid, { status: 'pending' }));
        expect(outcome(paid, { paid: false })).toEqual({
          status: 'pending',
          paid: false,
          paidAt: null,
        });
      }),
      runs,
    );
  });
});

describe('a refusal', () => {
  function refusal(asked: Asked): unknown {
    try {
      applyPayment({ status: 'pending', paid: false, paidAt: null }, asked, NOW);
    } catch (error) {
      return error;
    }
    return undefined;
  }

  it('names both fields that contradict each other', () => {
    const message = 'paid false contradicts status paid';
    expect(refusal({ status: 'paid', paid: false })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { paid: [message], status: [message] } },
    });
    expect(refusal({ status: 'cancelled', paid: true })).toMatchObject({
      details: { fields: { paid: ['paid true contradicts status cancelled'] } },
    });
  });

  it('names paid_at where nothing is paid', () => {
    expect(refusal({ paidAt: NOW })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { paid_at: ['paid_at is only for an expense that is paid'] } },
    });
  });
});

describe('an expense', () => {
  it.each(EXPENSE_STATUSES)('that is %s costs something, unless that is cancelled', (status) => {
    expect(costs({ status })).toBe(status !== 'cancelled');
  });
});
