import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response, Test } from 'supertest';
import type { CarryOverResponse } from '../../src/cycles/dto/carry-over.dto.js';
import type { Client } from '../support/client.js';
import { race, repeat, useReplicas } from '../support/races.js';
import { repetitions } from '../support/repetitions.js';
import { countOutcomes, isSuccess } from '../support/response-counts.js';

const ROUNDS = repetitions(8);
const EXPENSES = 6;

describe('concurrent requests to two processes that carry expenses over', () => {
  const replicas = useReplicas();
  let retries: number;
  let user: Client;
  let method: string;
  let a: string;
  let b: string;

  beforeEach(async () => {
    retries = await replicas.retries();
    user = await replicas.signUp();
    ({ id: method } = await user.createPaymentMethod());
    ({ id: a } = await user.createCycle({ generate_from_templates: false }));
    ({ id: b } = await user.createCycle({ generate_from_templates: false }));
  });

  afterEach(async () => {
    await replicas.expectIntegrity();
    // A deadlock would be one.
    expect(await replicas.retries()).toBe(retries);
  });

  /** Gives both cycles expenses whose descriptions are unique. */
  async function addExpenses(round: number): Promise<string[]> {
    const added = repeat(2 * EXPENSES, (n) => {
      const description = `Expense ${round}.${n}`;
      return user.post(`/cycles/${n % 2 ? a : b}/expenses`, {
        ...{ description, currency: 'USD', amount: '1.00', category: 'fixed' },
        ...{ due_date: '2026-02-01', payment_method_id: method },
      });
    });
    return (await race(added)).map((response) => {
      expect(response.status).toBe(201);
      return (response.body as { description: string }).description;
    });
  }

  const carryOver = (from: string, to: string, ids?: string[]): Test =>
    user.post(`/cycles/${from}/carry-over`, { to_cycle_id: to, expense_ids: ids });

  const expensesOf = async (cycle: string): Promise<{ id: string; description: string }[]> =>
    (await user.expenses(cycle)).expenses;

  const movedBy = (response: Response): number => (response.body as CarryOverResponse).moved.length;

  it('concurrent carry-overs in opposite directions: no expense is lost, doubled or refused', async () => {
    let expected: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      expected = [...expected, ...(await addExpenses(round))];
      const responses = await race(repeat(8, (n) => (n % 2 ? carryOver(a, b) : carryOver(b, a))));
      expect(countOutcomes(responses)).toEqual({ '200': 8 });
      expect(Math.max(...responses.map(movedBy))).toBeGreaterThan(0);
      const left = [...(await expensesOf(a)), ...(await expensesOf(b))];
      expect(left.map(({ description }) => description).sort()).toEqual([...expected].sort());
    }
  });

  it('concurrent carry-overs of the same expenses move each expense once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await addExpenses(round);
      const before = await expensesOf(a);
      const ids = before.map(({ id }) => id);
      const inOtherCycle = (await expensesOf(b)).length;
      const responses = await race(
        repeat(6, (n) => carryOver(a, b, n % 2 ? ids : [...ids].reverse())),
      );
      expect(countOutcomes(responses)).toEqual({ '200': 1, '404 RESOURCE_NOT_FOUND': 5 });
      expect(await expensesOf(a)).toEqual([]);
      expect(await expensesOf(b)).toHaveLength(inOtherCycle + ids.length);
    }
  });

  it('concurrent carry-overs beside payments, deletions and the completion of the other cycle: no expense is in both cycles or in none', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const expected = await addExpenses(round);
      const [paid, removed] = await expensesOf(a);
      const responses = await race([
        carryOver(a, b),
        carryOver(b, a),
        user.put(`/cycles/${a}/expenses/${paid?.id ?? ''}`, { paid: true }),
        user.delete(`/cycles/${a}/expenses/${removed?.id ?? ''}`),
        user.put(`/cycles/${b}`, { status: 'completed' }),
        carryOver(a, b),
      ]);
      const left = [...(await expensesOf(a)), ...(await expensesOf(b))];
      const deletion = responses[3];
      const remaining = expected.filter(
        (description) => !(deletion && isSuccess(deletion)) || description !== removed?.description,
      );
      expect(left.map(({ description }) => description).sort()).toEqual(remaining.sort());
      ({ id: a } = await user.createCycle({ generate_from_templates: false }));
      ({ id: b } = await user.createCycle({ generate_from_templates: false }));
    }
  });

  it('concurrent closings in both directions beside payments: one succeeds, and no expense or payment is lost', async () => {
    const close = (from: string, to: string): Test =>
      user.post(`/cycles/${from}/close`, { to_cycle_id: to });
    for (let round = 0; round < ROUNDS; round += 1) {
      const expected = await addExpenses(round);
      const chosen = [
        { cycle: a, expense: (await expensesOf(a))[0] },
        { cycle: b, expense: (await expensesOf(b))[0] },
      ];
      const [closings, payments] = await Promise.all([
        race([close(a, b), close(b, a), close(a, b)]),
        race(
          chosen.map(({ cycle, expense }) =>
            user.put(`/cycles/${cycle}/expenses/${expense?.id ?? ''}`, { paid: true }),
          ),
        ),
      ]);
      expect(countOutcomes(closings)).toEqual({ '200': 1, '409 CYCLE_ALREADY_COMPLETED': 2 });
      const left = [...(await user.expenses(a)).expenses, ...(await user.expenses(b)).expenses];
      expect(left.map(({ description }) => description).sort()).toEqual([...expected].sort());
      payments.forEach((payment, n) => {
        const { description } = chosen[n]?.expense ?? {};
        expect(left.find((expense) => expense.description === description)?.paid).toBe(
          isSuccess(payment),
        );
      });
      ({ id: a } = await user.createCycle({ generate_from_templates: false }));
      ({ id: b } = await user.createCycle({ generate_from_templates: false }));
    }
  });
});
