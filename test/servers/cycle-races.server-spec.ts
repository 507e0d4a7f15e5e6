import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response, Test } from 'supertest';
import type { ActivityResponse } from '../../src/activity/dto/activity.dto.js';
import type { ExpenseResponse } from '../../src/expenses/dto/expense.dto.js';
import type { PaymentMethodResponse } from '../../src/payment-methods/dto/payment-method.dto.js';
import type { Client } from '../support/client.js';
import { race, repeat, useReplicas } from '../support/races.js';
import { repetitions } from '../support/repetitions.js';
import { isSuccess, refusalsOf, countOutcomes } from '../support/response-counts.js';

const ROUNDS = repetitions(5);

describe('concurrent requests to two processes about a cycle', () => {
  const replicas = useReplicas();
  let retries: number;
  let user: Client;
  let method: PaymentMethodResponse;

  beforeEach(async () => {
    retries = await replicas.retries();
    user = await replicas.signUp();
    method = await user.createPaymentMethod();
  });

  afterEach(async () => {
    await replicas.expectIntegrity();
    expect(await replicas.retries()).toBe(retries);
  });

  interface CycleEntities {
    cycle: string;
    expense: string;
    cyclePath: string;
    expensePath: string;
  }

  /** A cycle with an expense of 100.00, an income of 5000.00 and nothing else. */
  async function prepare(): Promise<CycleEntities> {
    const { id: cycle } = await user.createCycle({ generate_from_templates: false });
    const { id: expense } = await user.createExpense(cycle, { payment_method_id: method.id });
    const cyclePath = `/cycles/${cycle}`;
    return { cycle, expense, cyclePath, expensePath: `${cyclePath}/expenses/${expense}` };
  }

  const add = ({ cyclePath }: CycleEntities, body: object = {}): Test =>
    user.post(`${cyclePath}/expenses`, {
      description: 'Added',
      currency: 'USD',
      payment_method_id: method.id,
      amount: '10.00',
      due_date: '2026-02-01',
      category: 'fixed',
      ...body,
    });

  /** All activity records of the cycle, oldest first. */
  const recordsOf = (cycleId: string): Promise<ActivityResponse[]> =>
    user.activity(`cycle_id=${cycleId}`);

  /** Expects every response to be a success or this refusal, and as many records as successes. */
  async function expectRecorded(
    { cycle }: CycleEntities,
    responses: readonly Response[],
    refusals: readonly string[] = [],
  ): Promise<ActivityResponse[]> {
    const refused = refusalsOf(responses);
    expect(refused.filter((outcome) => !refusals.includes(outcome))).toEqual([]);
    const records = await recordsOf(cycle);
    const before = 2;
    expect(records).toHaveLength(before + responses.filter(isSuccess).length);
    return records;
  }

  async function expectBalance({ cycle }: CycleEntities): Promise<void> {
    const [row] = await replicas.query<{ stored: string; computed: string }>(
      `SELECT remaining_balance AS stored, income_amount - (
         SELECT coalesce(sum(amount_usd), 0) FROM cycle_expenses e
         WHERE e.household_id = c.household_id AND cycle_id = c.id AND active
           AND status <> 'cancelled') AS computed
       FROM cycles c WHERE id = '${cycle}'`,
    );
    expect(row?.stored).toBe(row?.computed);
  }

  it('concurrent requests to two processes about a cycle never give a cycle more than 2000 expenses', async () => {
    const entities = await prepare();
    const row = `2026-02-01,Dinner,fixed,USD,1.00,${method.name}`;
    const header = 'due_date,description,category,currency,amount,payment_method';
    const importOf = (rows: number): Test =>
      user
        .post(`${entities.cyclePath}/expenses/import`)
        .type('text/csv')
        .send([header, ...Array.from({ length: rows }, () => row), ''].join('\n'));
    await importOf(1990).expect(200);
    const responses = await race(repeat(20, () => add(entities)));
    expect(responses.filter(isSuccess)).toHaveLength(9);
    const refused = responses.filter((response) => !isSuccess(response));
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 409));
    expect((await user.expenses(entities.cycle)).expenses).toHaveLength(2000);
  });

  it('concurrent requests to two processes about a cycle change different fields of an expense, and no change is lost', async () => {
    const other = await user.createPaymentMethod();
    const changes = {
      description: 'Changed',
      amount: '33.00',
      category: 'fixed',
      due_date: '2026-02-20',
      comments: 'changed',
      autopay_info: 'changed',
      currency: 'MXN',
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      const entities = await prepare();
      const bodies: object[] = Object.entries(changes).map(([field, value]) => ({
        [field]: value,
      }));
      bodies.push({ payment_method_id: other.id }, { paid: true, paid_at: '2026-02-02T00:00:00Z' });
      const responses = await race([
        ...bodies.map((body) => user.put(entities.expensePath, body)),
        user.put(entities.cyclePath, { income_amount: '7000.00' }),
        user.put(entities.cyclePath, { status: 'active' }),
      ]);
      await expectRecorded(entities, responses);
      expect(await user.read(entities.expensePath)).toMatchObject({
        ...changes,
        amount_usd: '1.65',
        payment_method: { id: other.id },
        status: 'paid',
        paid_at: '2026-02-02T00:00:00.000Z',
      });
      expect(await user.cycle(entities.cycle)).toMatchObject({
        income_amount: '7000.00',
        remaining_balance: '6998.35',
        status: 'active',
      });
    }
  });

  it('concurrent requests to two processes about a cycle add expenses, and each is counted once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const entities = await prepare();
      const responses = await race(repeat(10, (n) => add(entities, { amount: `${n + 1}.01` })));
      await expectRecorded(entities, responses);
      expect(await user.cycle(entities.cycle)).toMatchObject({
        remaining_balance: '4844.90',
        summary: { expense_count: 11, total_expenses: '155.10' },
      });
    }
  });

  it('pay, cancel, change and delete an expense: it is deleted once, and nothing is recorded after that', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const entities = await prepare();
      const [first, second, ...changes] = await race([
        user.delete(entities.expensePath),
        user.delete(entities.expensePath),
        user.put(entities.expensePath, { paid: true }),
        user.put(entities.expensePath, { status: 'cancelled' }),
        user.put(entities.expensePath, { amount: `${round + 1}.55` }),
        user.put(entities.expensePath, { description: 'Changed' }),
      ]);
      const deletions = [first, second].filter((response) => response !== undefined);
      expect(countOutcomes(deletions)).toEqual({ '204': 1, '404 RESOURCE_NOT_FOUND': 1 });
      const records = await expectRecorded(
        entities,
        [...deletions, ...changes],
        ['404 RESOURCE_NOT_FOUND'],
      );
      expect(records.at(-1)?.action).toBe('deactivated');
      expect(await user.cycle(entities.cycle)).toMatchObject({
        remaining_balance: '5000.00',
        summary: { expense_count: 0 },
      });
    }
  });

  it('pay and unpay, cancel and restore an expense: its state is the last one recorded', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const entities = await prepare();
      const bodies = [
        { paid: true },
        { paid: false },
        { status: 'cancelled' },
        { status: 'pending' },
        { status: 'overdue' },
        { status: 'paid' },
      ];
      const responses = await race(bodies.map((body) => user.put(entities.expensePath, body)));
      expect(countOutcomes(responses)).toEqual({ '200': bodies.length });
      const records = await recordsOf(entities.cycle);
      const last = records.at(-1)?.changes as { status?: { to: string } } | undefined;
      const { status, paid } = await user.read<ExpenseResponse>(entities.expensePath);
      expect({ status, paid }).toEqual({ status: last?.status?.to, paid: status === 'paid' });
      await expectBalance(entities);
    }
  });

  it('concurrent requests to two processes about a cycle complete a cycle and change it: only changes before the completion succeed', async () => {
    const CLOSED = '409 CYCLE_ALREADY_COMPLETED';
    for (let round = 0; round < ROUNDS; round += 1) {
      const entities = await prepare();
      const [first, second, ...changes] = await race([
        user.put(entities.cyclePath, { status: 'completed' }),
        user.put(entities.cyclePath, { status: 'completed' }),
        user.put(entities.cyclePath, { income_amount: '6000.00' }),
        user.put(entities.expensePath, { paid: true }),
        user.put(entities.expensePath, { amount: '55.00' }),
        ...repeat(4, () => add(entities)),
      ]);
      const completions = [first, second].filter((response) => response !== undefined);
      expect(countOutcomes(completions)).toEqual({ '200': 1, [CLOSED]: 1 });
      const records = await expectRecorded(entities, [...completions, ...changes], [CLOSED]);
      expect(records.at(-1)?.action).toBe('completed');
      const added = changes.filter(({ status }) => status === 201).length;
      const { summary } = await user.cycle(entities.cycle);
      expect(summary.expense_count).toBe(1 + added);
      await expectBalance(entities);
    }
  });

  it('concurrent requests to two processes about a cycle complete or delete a cycle, never both', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const entities = await prepare();
      const responses = await race([
        user.put(entities.cyclePath, { status: 'completed' }),
        user.delete(entities.cyclePath),
        user.delete(entities.cyclePath),
      ]);
      const isCompleted = responses[0]?.status === 200;
      expect(countOutcomes(responses)).toEqual(
        isCompleted
          ? { '200': 1, '409 CYCLE_ALREADY_COMPLETED': 2 }
          : { '204': 1, '404 CYCLE_NOT_FOUND': 2 },
      );
      expect((await user.get(entities.cyclePath)).status).toBe(isCompleted ? 200 : 404);
    }
  });

  it('concurrent requests to two processes about a cycle delete a cycle and change it: all entries are deleted, and nothing is recorded after that', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const entities = await prepare();
      const [deletion, ...changes] = await race([
        user.delete(entities.cyclePath),
        user.put(entities.cyclePath, { income_amount: '6000.00' }),
        user.put(entities.expensePath, { paid: true }),
        user.put(entities.expensePath, { amount: '55.00' }),
        user.delete(entities.expensePath),
        ...repeat(4, () => add(entities)),
      ]);
      expect(deletion?.status).toBe(204);
      const refused = refusalsOf(changes);
      const NOT_FOUND = ['404 CYCLE_NOT_FOUND', '404 RESOURCE_NOT_FOUND'];
      expect(refused.filter((outcome) => !NOT_FOUND.includes(outcome))).toEqual([]);
      const records = await recordsOf(entities.cycle);
      const createdIds = records
        .filter(({ action }) => action === 'created')
        .map((one) => one.entity_id);
      const deactivations = records.filter(({ action }) => action === 'deactivated');
      expect(deactivations.map(({ entity_id }) => entity_id).sort()).toEqual(createdIds.sort());
      const end = records.findIndex(
        ({ action, entity_type }) => action === 'deactivated' && entity_type === 'cycle',
      );
      expect(new Set(records.slice(end).map(({ action }) => action))).toEqual(
        new Set(['deactivated']),
      );
    }
  });
});
