import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isCounted } from '../../src/ledger/entities/balance.js';
import {
  applyPayment,
  EXPENSE_STATUSES,
  paymentContradictions,
  type ExpenseStatus,
  type PaymentState,
} from '../../src/ledger/entities/expense-status.js';
import { ValidationFailedError } from '../../src/platform/errors/domain-error.js';
import { repetitions } from '../support/repetitions.js';

const NOW = new Date('2026-02-10T12:00:00.000Z');
const LATER = new Date('2026-02-11T12:00:00.000Z');

const runs = { numRuns: repetitions(500) };
const anyInstant = fc.date({ noInvalidDate: true });
const anyStatus = fc.constantFrom(...EXPENSE_STATUSES);

/** A stored state: the three fields agree. */
const anyState = fc.tuple(anyStatus, anyInstant).map(([status, paidAt]): PaymentState => {
  const paid = status === 'paid';
  return { status, paid, paidAt: paid ? paidAt : null };
});

interface PaymentRequest {
  status?: ExpenseStatus;
  paid?: boolean;
  paidAt?: Date;
}

/** Any values of the three fields, each optional. */
const anyRequest: fc.Arbitrary<PaymentRequest> = fc.record(
  { status: anyStatus, paid: fc.boolean(), paidAt: anyInstant },
  { requiredKeys: [] },
);

/** Of the statuses that match the request, the current one, otherwise `pending`. */
function expectedStatus(
  current: PaymentState,
  requested: PaymentRequest,
): ExpenseStatus | 'refused' {
  const isRequested = requested.status !== undefined || requested.paid !== undefined;
  const matching = (isRequested ? EXPENSE_STATUSES : [current.status]).filter(
    (status) =>
      (requested.status === undefined || requested.status === status) &&
      (requested.paid === undefined || requested.paid === (status === 'paid')) &&
      (requested.paidAt === undefined || status === 'paid'),
  );
  const preferred = [current.status, 'pending' as const].find((one) => matching.includes(one));
  return preferred ?? matching[0] ?? 'refused';
}

function outcome(current: PaymentState, requested: PaymentRequest): PaymentState | 'refused' {
  try {
    return applyPayment(current, requested, NOW);
  } catch (error) {
    if (error instanceof ValidationFailedError) return 'refused';
    throw error;
  }
}

/** Checks a property of all requests that are not refused. */
function check(
  property: (current: PaymentState, requested: PaymentRequest, next: PaymentState) => void,
): void {
  fc.assert(
    fc.property(anyState, anyRequest, (current, requested) => {
      const next = outcome(current, requested);
      if (next !== 'refused') property(current, requested, next);
    }),
    runs,
  );
}

describe('a requested payment state', () => {
  it('a requested payment state is refused if the fields contradict each other, and otherwise determines the status', () => {
    fc.assert(
      fc.property(anyState, anyRequest, (current, requested) => {
        const next = outcome(current, requested);
        expect(next === 'refused' ? next : next.status).toBe(expectedStatus(current, requested));
      }),
      runs,
    );
  });

  it('a requested payment state is inconsistent exactly if every state refuses it', () => {
    const states = EXPENSE_STATUSES.map((status): PaymentState => {
      const paid = status === 'paid';
      return { status, paid, paidAt: paid ? NOW : null };
    });
    fc.assert(
      fc.property(anyRequest, (requested) => {
        const isRefused = states.every((state) => outcome(state, requested) === 'refused');
        const fields = Object.keys(paymentContradictions(requested));
        expect(fields.length > 0).toBe(isRefused);
      }),
      runs,
    );
  });

  it('a requested payment state keeps paid, the status paid and paid_at consistent', () => {
    check((_current, _asked, { status, paid, paidAt }) => {
      expect(paid).toBe(status === 'paid');
      expect(paidAt !== null).toBe(paid);
    });
  });

  it('a requested payment state is applied in every given field', () => {
    check((_current, requested, next) => {
      expect(next).toEqual({ ...next, ...requested });
    });
  });

  it('a requested payment state is idempotent at any later time', () => {
    check((_current, requested, next) => {
      expect(applyPayment(next, requested, LATER)).toEqual(next);
    });
  });

  it('a requested payment state keeps the time of a payment until it is changed or the payment is reverted', () => {
    check((current, requested, { paid, paidAt }) => {
      if (paid) expect(paidAt).toEqual(requested.paidAt ?? current.paidAt ?? NOW);
    });
  });

  it('changes nothing when it is empty', () => {
    fc.assert(
      fc.property(anyState, (current) => {
        expect(applyPayment(current, {}, NOW)).toEqual(current);
      }),
      runs,
    );
  });

  it('a requested payment state pays and reverts with the same result by either field', () => {
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
  function refusal(requested: PaymentRequest): unknown {
    try {
      applyPayment({ status: 'pending', paid: false, paidAt: null }, requested, NOW);
    } catch (error) {
      return error;
    }
    return undefined;
  }

  it('a refusal names both fields that contradict each other', () => {
    expect(refusal({ status: 'paid', paid: false })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: {
        fields: {
          paid: ['paid false contradicts status paid'],
          status: ['status paid contradicts paid false'],
        },
      },
    });
    expect(refusal({ status: 'cancelled', paid: true })).toMatchObject({
      details: { fields: { paid: ['paid true contradicts status cancelled'] } },
    });
  });

  it('a refusal names paid_at if the expense is not paid', () => {
    expect(refusal({ paidAt: NOW })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { paid_at: ['paid_at is only for an expense that is paid'] } },
    });
  });
});

describe('an expense', () => {
  it.each(EXPENSE_STATUSES)(
    'an expense that is %s counts towards totals, unless that is cancelled',
    (status) => {
      expect(isCounted({ status, active: true })).toBe(status !== 'cancelled');
    },
  );
});
