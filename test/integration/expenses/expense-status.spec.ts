import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import sql from 'sql-template-tag';
import type { ExpenseResponse } from '../../../src/expenses/dto/expense.dto.js';
import {
  EXPENSE_STATUSES,
  displayedStatus,
  displayedStatusSql,
  type ExpenseStatus,
} from '../../../src/ledger/entities/expense-status.js';
import type { CycleSummaryResponse } from '../../../src/reports/dto/cycle-summary.dto.js';
import type { Client } from '../../support/client.js';
import { setTime } from '../../support/clock.js';
import { expectInvalid } from '../../support/errors.js';
import { useService } from '../../support/service.js';

const NOW = '2026-02-10T12:00:00.000Z';
const STORED_PAID_AT = '2026-02-05T09:30:00.000Z';
const SENT_PAID_AT = '2026-02-07T18:45:00.500Z';

interface PaymentState {
  status: ExpenseStatus;
  paid: boolean;
  paid_at: string | null;
}

const unpaid = (status: ExpenseStatus): PaymentState => ({ status, paid: false, paid_at: null });
const paidAt = (paid_at: string): PaymentState => ({ status: 'paid', paid: true, paid_at });

const STATES = {
  pending: unpaid('pending'),
  paid: paidAt(STORED_PAID_AT),
  cancelled: unpaid('cancelled'),
  overdue: unpaid('overdue'),
};

/** The recorded action and the new state; null if nothing changes. */
type Outcome = { action: string; to: PaymentState } | null;

const unchanged = null;
const payNow: Outcome = { action: 'marked_paid', to: paidAt(NOW) };
const payAtSentTime: Outcome = { action: 'marked_paid', to: paidAt(SENT_PAID_AT) };
const changePaidAt: Outcome = { action: 'updated', to: paidAt(SENT_PAID_AT) };
const unpay = (status: ExpenseStatus): Outcome => ({
  action: 'marked_unpaid',
  to: unpaid(status),
});
const change = (status: ExpenseStatus): Outcome => ({
  action: 'status_changed',
  to: unpaid(status),
});

/** A body, and its outcomes for a pending, a paid, a cancelled and an overdue expense. */
const OUTCOMES: [body: object, ...outcomes: Outcome[]][] = [
  [{}, unchanged, unchanged, unchanged, unchanged],
  [{ paid: true }, payNow, unchanged, payNow, payNow],
  [{ status: 'paid' }, payNow, unchanged, payNow, payNow],
  [{ paid: true, status: 'paid' }, payNow, unchanged, payNow, payNow],
  [
    { paid: true, paid_at: SENT_PAID_AT },
    payAtSentTime,
    changePaidAt,
    payAtSentTime,
    payAtSentTime,
  ],
  [
    { status: 'paid', paid_at: SENT_PAID_AT },
    payAtSentTime,
    changePaidAt,
    payAtSentTime,
    payAtSentTime,
  ],
  [
    { paid: true, status: 'paid', paid_at: SENT_PAID_AT },
    payAtSentTime,
    changePaidAt,
    payAtSentTime,
    payAtSentTime,
  ],
  [{ paid: false }, unchanged, unpay('pending'), unchanged, unchanged],
  [{ status: 'pending' }, unchanged, unpay('pending'), change('pending'), change('pending')],
  [
    { status: 'pending', paid: false },
    ...[unchanged, unpay('pending'), change('pending'), change('pending')],
  ],
  [
    { status: 'cancelled' },
    change('cancelled'),
    change('cancelled'),
    unchanged,
    change('cancelled'),
  ],
  [
    { status: 'cancelled', paid: false },
    ...[change('cancelled'), change('cancelled'), unchanged, change('cancelled')],
  ],
  [{ status: 'overdue' }, change('overdue'), unpay('overdue'), change('overdue'), unchanged],
  [
    { status: 'overdue', paid: false },
    ...[change('overdue'), unpay('overdue'), change('overdue'), unchanged],
  ],
];

/** Bodies that are refused in every state, and the fields that the error names. */
const CONTRADICTIONS: [body: object, ...fields: string[]][] = [
  [{ paid: true, status: 'pending' }, 'paid', 'status'],
  [{ paid: true, status: 'cancelled' }, 'paid', 'status'],
  [{ paid: true, status: 'overdue', paid_at: SENT_PAID_AT }, 'paid', 'status'],
  [{ paid: false, status: 'paid' }, 'paid', 'status'],
  [{ paid: false, paid_at: SENT_PAID_AT }, 'paid_at'],
  [{ status: 'pending', paid_at: SENT_PAID_AT }, 'paid_at'],
  [{ status: 'cancelled', paid_at: SENT_PAID_AT }, 'paid_at'],
  [{ status: 'overdue', paid_at: SENT_PAID_AT }, 'paid_at'],
  [{ paid_at: null }, 'paid_at'],
  [{ paid: true, paid_at: null }, 'paid_at'],
  [{ paid: null, status: null }, 'paid', 'status'],
  [{ paid: 'true' }, 'paid'],
  [{ status: 'skipped' }, 'status'],
];

type StateName = keyof typeof STATES;
const STATE_NAMES = Object.keys(STATES) as StateName[];

const TRANSITIONS = OUTCOMES.flatMap(([body, ...outcomes]) =>
  STATE_NAMES.map((from, index) => {
    const outcome = outcomes[index] ?? unchanged;
    const does = outcome ? `is ${outcome.action}, ${outcome.to.status}` : 'stays as it is';
    return [from, body, does, outcome] as const;
  }),
);

describe('the status of an expense', () => {
  const service = useService();
  let user: Client;

  beforeAll(async () => {
    setTime(NOW);
    user = await service.signUp();
  });

  afterAll(() => {
    jest.useRealTimers();
  });

  const read = async (path: string): Promise<ExpenseResponse> =>
    (await user.get(path).expect(200)).body as ExpenseResponse;

  async function createExpenseInState(state: StateName): Promise<{ id: string; path: string }> {
    const { id: cycleId } = await user.createCycle();
    const { id } = await user.createExpense(cycleId);
    const path = `/cycles/${cycleId}/expenses/${id}`;
    const { status, paid_at } = STATES[state];
    const response = await user.put(path, { status, ...(paid_at && { paid_at }) }).expect(200);
    expect(response.body).toMatchObject(STATES[state]);
    return { id, path };
  }

  const latestRecord = async (id: string): Promise<unknown> =>
    (await user.activityOf('cycle_expense', id)).at(-1);

  describe('in a PUT', () => {
    it.each(TRANSITIONS)(
      'the status of an expense after a PUT from %s with %j: %s',
      async (from, body, _does, outcome) => {
        const { id, path } = await createExpenseInState(from);
        const before = await read(path);
        const record = await latestRecord(id);
        const response = await user.put(path, body).expect(200);
        expect(await read(path)).toEqual(response.body);

        if (!outcome) {
          expect(response.body).toEqual(before);
          expect(await latestRecord(id)).toEqual(record);
          return;
        }
        const { updated_at } = response.body as ExpenseResponse;
        expect(response.body).toEqual({ ...before, ...outcome.to, updated_at });
        const fields = ['status', 'paid', 'paid_at'] as const;
        const changed = fields.filter((field) => STATES[from][field] !== outcome.to[field]);
        expect(await latestRecord(id)).toMatchObject({ action: outcome.action });
        expect(await latestRecord(id)).toHaveProperty(
          'changes',
          Object.fromEntries(
            changed.map((field) => [field, { from: STATES[from][field], to: outcome.to[field] }]),
          ),
        );
      },
    );

    it.each(
      CONTRADICTIONS.flatMap(([body, ...fields]) =>
        STATE_NAMES.map((from) => [from, body, fields] as const),
      ),
    )('a PUT of an expense from %s refuses %j', async (from, body, fields) => {
      const { id, path } = await createExpenseInState(from);
      const before = await read(path);
      const record = await latestRecord(id);
      expectInvalid(await user.put(path, { ...body, description: 'Lunch' }), ...fields);
      expect(await read(path)).toEqual(before);
      expect(await latestRecord(id)).toEqual(record);
    });

    it.each(['pending', 'cancelled', 'overdue'] as const)(
      'a PUT of an expense that is %s refuses paid_at alone',
      async (from) => {
        const { path } = await createExpenseInState(from);
        expectInvalid(await user.put(path, { paid_at: SENT_PAID_AT }), 'paid_at');
      },
    );

    it('a PUT of a paid expense accepts another paid_at alone, and treats the same one as no change', async () => {
      const { id, path } = await createExpenseInState('paid');
      await user.put(path, { paid_at: SENT_PAID_AT }).expect(200);
      const record = await latestRecord(id);
      expect(record).toMatchObject({
        action: 'updated',
        changes: { paid_at: { from: STORED_PAID_AT, to: SENT_PAID_AT } },
      });
      const afterChange = await read(path);
      const repeated = await user.put(path, { paid_at: SENT_PAID_AT, paid: true, status: 'paid' });
      expect(repeated.body).toEqual(afterChange);
      expect(await latestRecord(id)).toEqual(record);
    });

    it('the status of an expense is recorded with all changes of a PUT, under the most specific action', async () => {
      const { id, path } = await createExpenseInState('pending');
      await user.put(path, { paid: true, description: 'Lunch', amount: '7' }).expect(200);
      expect(await latestRecord(id)).toHaveProperty('action', 'marked_paid');
      expect(await latestRecord(id)).toHaveProperty('changes', {
        status: { from: 'pending', to: 'paid' },
        paid: { from: false, to: true },
        paid_at: { from: null, to: NOW },
        description: { from: 'Dinner', to: 'Lunch' },
        amount: { from: '100.00', to: '7.00' },
        amount_usd: { from: '100.00', to: '7.00' },
      });
      await user.put(path, { status: 'cancelled', category: 'fixed' }).expect(200);
      expect(await latestRecord(id)).toMatchObject({
        action: 'status_changed',
        changes: { category: { from: 'variable', to: 'fixed' } },
      });
    });
  });

  it('an expense becomes paid once for many concurrent requests', async () => {
    const { id, path } = await createExpenseInState('cancelled');
    const before = await user.activityOf('cycle_expense', id);
    const requests = Array.from({ length: 6 }, () => user.put(path, { paid: true }));
    const bodies = (await Promise.all(requests)).map(({ body }) => body as ExpenseResponse);
    expect(bodies).toEqual(bodies.map(() => ({ ...bodies[0], ...paidAt(NOW) })));
    const records = await user.activityOf('cycle_expense', id);
    expect(records.slice(before.length).map(({ action }) => action)).toEqual(['marked_paid']);
  });

  describe('paid_at', () => {
    it.each([
      ['2026-02-05T09:30:00Z', '2026-02-05T09:30:00.000Z'],
      ['2026-02-05T09:30:00.5-06:00', '2026-02-05T15:30:00.500Z'],
      ['2026-01-01T00:30:00.123+02:00', '2025-12-31T22:30:00.123Z'],
      ['2026-02-05T09:30:00.123456Z', '2026-02-05T09:30:00.123Z'],
    ])('the paid_at sent as %s is returned as %s', async (paid_at, expected) => {
      const { path } = await createExpenseInState('pending');
      const response = await user.put(path, { paid: true, paid_at }).expect(200);
      expect(response.body).toMatchObject(paidAt(expected));
      expect(await read(path)).toMatchObject(paidAt(expected));
    });

    it.each([
      '2026-02-05',
      '2026-02-05T09:30:00',
      '2026-02-05 09:30:00Z',
      '2026-02-30T09:30:00Z',
      '2026-02-05T24:00:00Z',
      '2026-02-05T09:60:00Z',
      '2026-02-05T09:30:00+25:00',
      'yesterday',
      '',
      1_770_284_000_000,
      true,
      [STORED_PAID_AT],
      {},
    ])('paid_at is refused as %j', async (paid_at) => {
      const { path } = await createExpenseInState('paid');
      expectInvalid(await user.put(path, { paid_at }), 'paid_at');
      expect(await read(path)).toMatchObject(STATES.paid);
    });
  });

  describe('displayed as overdue', () => {
    /**
     * A cycle with pending expenses due yesterday, today and tomorrow; each described by its due
     * date.
     */
    async function cycleWithDueDates(): Promise<{ cycleId: string; ids: string[] }> {
      const { id: cycleId } = await user.createCycle();
      const ids: string[] = [];
      for (const due_date of ['2026-02-09', '2026-02-10', '2026-02-11']) {
        const expense = await user.createExpense(cycleId, { due_date, description: due_date });
        expect(expense.status).toBe('pending');
        ids.push(expense.id);
      }
      return { cycleId, ids };
    }

    const statuses = async (cycleId: string): Promise<ExpenseStatus[]> =>
      (await user.expenses(cycleId)).expenses.map(({ status }) => status);

    it('a pending expense is displayed as overdue from the day after its due date', async () => {
      const { cycleId, ids } = await cycleWithDueDates();
      const expected = ['overdue', 'pending', 'pending'];
      expect(await statuses(cycleId)).toEqual(expected);
      for (const [index, id] of ids.entries()) {
        const expense = await read(`/cycles/${cycleId}/expenses/${id}`);
        expect(expense).toMatchObject({ status: expected[index], paid: false, paid_at: null });
      }
    });

    it('the displayed status overdue begins at midnight UTC', async () => {
      const { cycleId } = await cycleWithDueDates();
      try {
        jest.setSystemTime(new Date('2026-02-10T23:59:59.999Z'));
        user = await service.signIn(user.email);
        expect(await statuses(cycleId)).toEqual(['overdue', 'pending', 'pending']);
        jest.setSystemTime(new Date('2026-02-11T00:00:00.000Z'));
        expect(await statuses(cycleId)).toEqual(['overdue', 'overdue', 'pending']);
      } finally {
        jest.setSystemTime(new Date(NOW));
        user = await service.signIn(user.email);
      }
    });

    it('the displayed status overdue is used by the filters, and not by sums and counts', async () => {
      const { cycleId } = await cycleWithDueDates();
      const late = await user.expenses(cycleId, '?status=overdue');
      expect(late.expenses.map(({ description }) => description)).toEqual(['2026-02-09']);
      expect(late.summary).toMatchObject({ pending_amount: '100.00', total_count: 1 });
      const rest = await user.expenses(cycleId, '?status=pending');
      expect(rest.expenses.map(({ description }) => description)).toEqual([
        '2026-02-10',
        '2026-02-11',
      ]);
      expect(rest.summary).toMatchObject({ pending_amount: '200.00', total_count: 2 });
      expect((await user.cycle(cycleId)).summary).toMatchObject({ pending_count: 3 });
    });

    it('neither a paid nor a cancelled expense is displayed as overdue', async () => {
      const { cycleId, ids } = await cycleWithDueDates();
      await user.put(`/cycles/${cycleId}/expenses/${ids[0] ?? ''}`, { paid: true }).expect(200);
      expect(await statuses(cycleId)).toEqual(['paid', 'pending', 'pending']);
      const cancel = { status: 'cancelled' };
      await user.put(`/cycles/${cycleId}/expenses/${ids[0] ?? ''}`, cancel).expect(200);
      expect(await statuses(cycleId)).toEqual(['cancelled', 'pending', 'pending']);
    });

    it.each(['draft', 'active', 'completed'])(
      'the displayed status overdue is the same in a %s cycle: in representations, filters and counts',
      async (status) => {
        const { cycleId, ids } = await cycleWithDueDates();
        await user.put(`/cycles/${cycleId}`, { status }).expect(200);
        expect(await statuses(cycleId)).toEqual(['overdue', 'pending', 'pending']);
        expect(await read(`/cycles/${cycleId}/expenses/${ids[0] ?? ''}`)).toMatchObject({
          status: 'overdue',
        });
        expect((await user.expenses(cycleId, '?status=overdue')).summary.total_count).toBe(1);
        expect((await user.expenses(cycleId, '?status=pending')).summary.total_count).toBe(2);
        const report = await user.read<CycleSummaryResponse>(`/cycles/${cycleId}/summary`);
        expect(report.status_breakdown).toEqual({ pending: 2, paid: 0, overdue: 1, cancelled: 0 });
      },
    );

    it('the displayed status overdue is derived identically in SQL and in TypeScript', async () => {
      const days = ['2026-02-09', '2026-02-10', '2026-02-11'];
      const cases = EXPENSE_STATUSES.flatMap((status) =>
        days.map((dueDate) => ({ status, dueDate })),
      );
      const expenses = cases.map(({ status, dueDate }) => ({ status, due_date: dueDate }));
      const { text, values } = sql`
        SELECT ${displayedStatusSql('2026-02-10')} AS status
        FROM ROWS FROM (
          jsonb_to_recordset(${JSON.stringify(expenses)}) AS (status expense_status, due_date date)
        ) WITH ORDINALITY AS e
        ORDER BY e.ordinality`;
      const rows = await service.query<{ status: ExpenseStatus }>(text, values);
      expect(rows.map(({ status }) => status)).toEqual(
        cases.map((expense) => displayedStatus(expense, '2026-02-10')),
      );
    });

    it('the displayed status overdue is not stored: changes start from pending, and a PUT returns what a GET would', async () => {
      const { cycleId, ids } = await cycleWithDueDates();
      const [id = ''] = ids;
      const path = `/cycles/${cycleId}/expenses/${id}`;
      const response = await user.put(path, { description: 'Rent' }).expect(200);
      expect(response.body).toMatchObject({ description: 'Rent', status: 'overdue' });
      expect(await latestRecord(id)).toHaveProperty('changes', {
        description: { from: '2026-02-09', to: 'Rent' },
      });
      const repeated = await user.put(path, { status: 'pending' }).expect(200);
      expect(repeated.body).toEqual(response.body);
      await user.put(path, { status: 'overdue' }).expect(200);
      expect(await latestRecord(id)).toMatchObject({
        action: 'status_changed',
        changes: { status: { from: 'pending', to: 'overdue' } },
      });
      await user.put(path, { due_date: '2026-02-11' }).expect(200);
      expect(await read(path)).toMatchObject({ status: 'overdue' });
    });
  });
});
