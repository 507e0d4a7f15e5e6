import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import type { Test } from 'supertest';
import type { ExpenseResponse } from '../../src/expenses/dto/expense.dto.js';
import type { UpdatedExpensesResponse } from '../../src/expenses/dto/update-expenses.dto.js';
import type { Client } from '../support/client.js';
import { race, repeat, useReplicas } from '../support/races.js';
import { repetitions } from '../support/repetitions.js';
import { countOutcomes, refusalsOf } from '../support/response-counts.js';

const ROUNDS = repetitions(8);
const EXPENSES = 6;

describe('concurrent bulk updates at two processes', () => {
  const replicas = useReplicas();
  let retries: number;
  let user: Client;
  let method: string;
  let cycle: string;
  let expenses: ExpenseResponse[];

  beforeEach(async () => {
    retries = await replicas.retries();
    user = await replicas.signUp();
    ({ id: method } = await user.createPaymentMethod());
  });

  afterEach(async () => {
    await replicas.expectIntegrity();
    // A deadlock would be one.
    expect(await replicas.retries()).toBe(retries);
  });

  /** A new cycle with its expenses. */
  async function prepare(): Promise<void> {
    ({ id: cycle } = await user.createCycle({ generate_from_templates: false }));
    for (let n = 0; n < EXPENSES; n += 1) {
      await user.createExpense(cycle, { payment_method_id: method });
    }
    ({ expenses } = await user.expenses(cycle));
  }

  const pathOf = ({ id }: ExpenseResponse): string => `/cycles/${cycle}/expenses/${id}`;

  const update = (
    chosen: readonly ExpenseResponse[],
    change: (expense: ExpenseResponse, index: number) => object,
  ): Test =>
    user.patch(`/cycles/${cycle}/expenses`, {
      expenses: chosen.map((expense, index) => ({ id: expense.id, ...change(expense, index) })),
    });

  /** The values that a field had one after another. */
  async function valuesOf(field: string, { id }: ExpenseResponse): Promise<unknown[]> {
    const records = await user.activityOf('cycle_expense', id);
    return records.flatMap(({ changes }) => changes[field]?.to ?? []);
  }

  async function expectBalance(): Promise<void> {
    const { income_amount, remaining_balance } = await user.cycle(cycle);
    const { total_amount_usd } = (await user.expenses(cycle)).summary;
    expect(remaining_balance).toBe(new Big(income_amount).minus(total_amount_usd).toFixed(2));
  }

  it('concurrent bulk updates in opposite orders all succeed, one as a whole after the other', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await prepare();
      const reversed = [...expenses].reverse();
      const responses = await race(
        repeat(8, (n) => update(n % 2 ? expenses : reversed, () => ({ amount: `${n + 1}.00` }))),
      );
      expect(countOutcomes(responses)).toEqual({ '200': 8 });
      for (const { body } of responses) {
        const updated = body as UpdatedExpensesResponse;
        const amounts = new Set(updated.expenses.map(({ amount }) => amount));
        expect(amounts.size).toBe(1);
        const total = new Big([...amounts][0] ?? 0).times(EXPENSES);
        expect(updated.remaining_balance).toBe(new Big(5000).minus(total).toFixed(2));
      }
      const histories = await Promise.all(expenses.map((one) => valuesOf('amount', one)));
      expect(histories[0]).toHaveLength(1 + responses.length);
      expect(histories).toEqual(histories.map(() => histories[0]));
      await expectBalance();
    }
  });

  it('one of several concurrent bulk updates with the same conditions takes effect', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await prepare();
      const reversed = [...expenses].reverse();
      const responses = await race(
        repeat(6, (n) =>
          update(n % 2 ? expenses : reversed, ({ updated_at }) => ({
            ...{ if_match: updated_at, amount: `${n + 1}.00` },
          })),
        ),
      );
      expect(countOutcomes(responses)).toEqual({ '200': 1, '412 PRECONDITION_FAILED': 5 });
      await expectBalance();
    }
  });

  it('bulk updates beside single updates and deletions of the same expenses take effect as a whole or not at all', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await prepare();
      const [a, b, c, d, e, f] = expenses as [
        ...[ExpenseResponse, ExpenseResponse, ExpenseResponse],
        ...[ExpenseResponse, ExpenseResponse, ExpenseResponse],
      ];
      const chosen = [
        [a, b, c, d],
        [f, e, d, c],
        [d, a, f],
        [e, b, a],
      ];
      const bulk = chosen.map((some, n) =>
        update(some, () => ({ description: `Bulk ${n}`, amount: `${n + 1}.00` })),
      );
      const others = [
        user.put(pathOf(a), { paid: true }),
        user.put(pathOf(f), { amount: '812.35', currency: 'MXN' }),
        user.delete(pathOf(c)),
        update([f, d], () => ({ active: false })),
        user.post(`/cycles/${cycle}/reprice`),
      ];
      const responses = await race([...bulk, ...others]);
      const refused = refusalsOf(responses);
      expect(refused).toEqual(refused.map(() => '404 RESOURCE_NOT_FOUND'));
      expect(responses[bulk.length]?.status).toBe(200);
      expect(responses[bulk.length + 2]?.status).toBe(204);
      expect(responses[bulk.length + 3]?.status).toBe(200);

      const descriptions = await Promise.all(expenses.map((one) => valuesOf('description', one)));
      for (const [n, some] of chosen.entries()) {
        const changed = expenses.filter((_, index) => descriptions[index]?.includes(`Bulk ${n}`));
        expect(new Set(changed)).toEqual(new Set(responses[n]?.status === 200 ? some : []));
      }
      const left = (await user.expenses(cycle)).expenses.map(({ id }) => id);
      expect(left.sort()).toEqual([a, b, e].map(({ id }) => id).sort());
      await expectBalance();
    }
  });

  it('bulk updates that choose payment methods in opposite orders choose none that is deactivated', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await prepare();
      const methods = [
        (await user.createPaymentMethod()).id,
        (await user.createPaymentMethod()).id,
      ];
      const reversed = [...expenses].reverse();
      const [first, second, ...updates] = await race([
        ...methods.map((id) => user.delete(`/payment-methods/${id}`)),
        ...repeat(6, (n) =>
          update(n % 2 ? expenses : reversed, (_, index) => ({
            payment_method_id: methods[(n + index) % 2],
          })),
        ),
      ]);
      expect([first?.status, second?.status]).toEqual([204, 204]);
      const refused = refusalsOf(updates);
      expect(refused).toEqual(refused.map(() => '422 VALIDATION_ERROR'));
      const lateChoices = await replicas.query(
        `SELECT 1 FROM activity_log AS ended JOIN activity_log AS chosen
           ON chosen.household_id = ended.household_id AND chosen.changes #>> '{payment_method_id,to}' = ended.entity_id::text
         WHERE ended.entity_id IN ('${methods.join("', '")}') AND ended.action = 'deactivated' AND chosen.seq > ended.seq`,
      );
      expect(lateChoices).toEqual([]);
    }
  });

  it('bulk updates beside the completion of their cycle, carry-over and undo change nothing after it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await prepare();
      const { id: next } = await user.createCycle({ generate_from_templates: false });
      const [last] = await user.activity(`cycle_id=${cycle}`).then((records) => records.slice(-1));
      const responses = await race([
        update(expenses, () => ({ paid: true })),
        user.put(`/cycles/${cycle}`, { status: 'completed' }),
        user.post(`/cycles/${cycle}/carry-over`, { to_cycle_id: next }),
        user.post(`/activity/${last?.id ?? ''}/undo`),
        update([...expenses].reverse(), () => ({ amount: '7.00' })),
      ]);
      const allowed = [
        '404 RESOURCE_NOT_FOUND',
        '409 CYCLE_ALREADY_COMPLETED',
        '409 RESOURCE_CONFLICT',
      ];
      expect(refusalsOf(responses).filter((one) => !allowed.includes(one))).toEqual([]);
      expect(responses[1]?.status).toBe(200);
      expect((await user.activity(`cycle_id=${cycle}`)).at(-1)?.action).toBe('completed');
      await expectBalance();
    }
  });
});
