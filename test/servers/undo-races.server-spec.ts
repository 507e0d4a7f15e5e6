import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response, Test } from 'supertest';
import type { ActivityResponse } from '../../src/activity/dto/activity.dto.js';
import { cents, money, sumOf } from '../model/cents.js';
import type { Client } from '../support/client.js';
import { race, repeat, useReplicas } from '../support/races.js';
import { repetitions } from '../support/repetitions.js';
import { countOutcomes, isSuccess, refusalsOf } from '../support/response-counts.js';

const ROUNDS = repetitions(5);
const CONFLICT = '409 RESOURCE_CONFLICT';

describe('concurrent undos on two processes', () => {
  const replicas = useReplicas();
  let retries: number;
  let user: Client;
  let method: string;

  beforeEach(async () => {
    retries = await replicas.retries();
    user = await replicas.signUp();
    method = (await user.createPaymentMethod()).id;
  });

  afterEach(async () => {
    await replicas.expectIntegrity();
    expect(await replicas.retries()).toBe(retries);
  });

  const undo = (record: { id: string } | undefined): Test =>
    user.post(`/activity/${record?.id ?? ''}/undo`);

  /** A cycle with an expense and an income, whose amounts were changed. */
  async function prepare(): Promise<{ cycle: string; path: string; expense: string }> {
    const { id: cycle } = await user.createCycle({ generate_from_templates: false });
    const { id: expense } = await user.createExpense(cycle, { payment_method_id: method });
    await user.createIncome(cycle);
    const path = `/cycles/${cycle}/expenses/${expense}`;
    await user.put(path, { amount: '200.00' }).expect(200);
    return { cycle, path, expense };
  }

  async function expectBalance(cycle: string): Promise<void> {
    const { expenses } = await user.expenses(cycle);
    const { incomes } = await user.incomes(cycle);
    const { income_amount, remaining_balance } = await user.cycle(cycle);
    const usd = (entries: readonly { amount_usd: string }[]): bigint =>
      sumOf(entries.map(({ amount_usd }) => cents(amount_usd)));
    expect(remaining_balance).toBe(money(cents(income_amount) + usd(incomes) - usd(expenses)));
  }

  /** As many records as there were, and one for each success. */
  async function expectRecords(
    cycle: string,
    before: readonly ActivityResponse[],
    responses: readonly Response[],
  ): Promise<ActivityResponse[]> {
    const records = await user.activity(`cycle_id=${cycle}`);
    expect(records).toHaveLength(before.length + responses.filter(isSuccess).length);
    return records;
  }

  it('concurrent undos of one record have one effect', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { cycle, path, expense } = await prepare();
      const before = await user.activity(`cycle_id=${cycle}`);
      const record = await user.lastRecord('cycle_expense', expense);
      const responses = await race(repeat(6, () => undo(record)));
      expect(countOutcomes(responses)).toEqual({ '200': 1, [CONFLICT]: 5 });
      await expectRecords(cycle, before, responses);
      expect(await user.read(path)).toMatchObject({ amount: '100.00' });
      await expectBalance(cycle);
    }
  });

  it('concurrent undos and updates of the same field: one of them is first, and no change is lost', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { cycle, path, expense } = await prepare();
      const before = await user.activity(`cycle_id=${cycle}`);
      const record = await user.lastRecord('cycle_expense', expense);
      const [undone, ...updates] = await race([
        undo(record),
        user.put(path, { amount: '300.00' }),
        user.put(path, { description: 'Changed' }),
        user.put(path, { paid: true }),
      ]);
      expect(refusalsOf(updates)).toEqual([]);
      expect([200, 409]).toContain(undone?.status);
      const records = await expectRecords(cycle, before, [...updates, ...(undone ? [undone] : [])]);
      const amounts = records.flatMap(({ changes }) => changes.amount ?? []);
      const shown = await user.read<{ amount: string }>(path);
      expect(shown).toMatchObject({ amount: '300.00', description: 'Changed', paid: true });
      expect(amounts.at(-1)?.to).toBe(shown.amount);
      await expectBalance(cycle);
    }
  });

  it('concurrent undos and deletions of an entry and its cycle: what is deleted last is deleted', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { cycle, path, expense } = await prepare();
      const record = await user.lastRecord('cycle_expense', expense);
      const responses = await race([
        undo(record),
        user.delete(path),
        user.delete(`/cycles/${cycle}`),
        user.post('/comments', { entity_type: 'cycle_expense', entity_id: expense, body: 'Hm' }),
      ]);
      const allowed = [CONFLICT, '404 RESOURCE_NOT_FOUND', '404 CYCLE_NOT_FOUND'];
      expect(refusalsOf(responses).filter((one) => !allowed.includes(one))).toEqual([]);
      expect(responses[2]?.status).toBe(204);
      expect((await user.get(path)).status).toBe(404);
      await undo(await user.lastRecord('cycle', cycle)).expect(200);
      const isDeleted = responses[1]?.status === 204;
      expect((await user.get(path)).status).toBe(isDeleted ? 404 : 200);
      await expectBalance(cycle);
    }
  });

  it('concurrent undos of the deletion of a cycle bring it back once, with all its entries', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { cycle, path } = await prepare();
      await user.delete(`/cycles/${cycle}`).expect(204);
      const deletion = await user.lastRecord('cycle', cycle);
      const entryDeletion = (await user.activity(`cycle_id=${cycle}`)).at(-1);
      const [first, second, ...others] = await race([
        undo(deletion),
        undo(deletion),
        undo(entryDeletion),
        user.put(path, { amount: '50.00' }),
        user.delete(`/cycles/${cycle}`),
        user.post(`/cycles/${cycle}/incomes`, {
          ...{ description: 'Refund', currency: 'USD', amount: '7.77', income_date: '2026-02-01' },
        }),
      ]);
      const undos = [first, second].filter((response) => response !== undefined);
      const deleted = others[2]?.status === 204;
      expect(undos.filter(isSuccess).length).toBeGreaterThanOrEqual(1);
      if (!deleted) expect(countOutcomes(undos)).toEqual({ '200': 1, [CONFLICT]: 1 });
      expect(others[0]?.status).toBe(409);
      if ((await user.get(`/cycles/${cycle}`)).status === 404) {
        await undo(await user.lastRecord('cycle', cycle)).expect(200);
      }
      const isAdded = others[3]?.status === 201;
      expect((await user.incomes(cycle)).incomes).toHaveLength(isAdded ? 2 : 1);
      expect((await user.expenses(cycle)).expenses).toHaveLength(1);
      await expectBalance(cycle);
    }
  });

  it('concurrent undos and the completion of a cycle: nothing is undone after it', async () => {
    const CLOSED = '409 CYCLE_ALREADY_COMPLETED';
    for (let round = 0; round < ROUNDS; round += 1) {
      const { cycle } = await prepare();
      const before = await user.activity(`cycle_id=${cycle}`);
      const [completion, ...undos] = await race([
        user.put(`/cycles/${cycle}`, { status: 'completed' }),
        ...[...before].reverse().map((record) => undo(record)),
      ]);
      const refused = refusalsOf(undos);
      const allowed = [CLOSED, CONFLICT];
      expect(refused.filter((one) => !allowed.includes(one))).toEqual([]);
      // The creation of the cycle may have been undone before.
      expect([200, 404]).toContain(completion?.status);
      const records = await user.activity(`cycle_id=${cycle}`);
      if (completion?.status === 200) expect(records.at(-1)?.action).toBe('completed');
    }
  });

  it('concurrent undos and writes of payment methods and templates: a name is taken once, and the newest choice stays', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, name } = await user.createPaymentMethod();
      await user.put(`/payment-methods/${id}`, { name: `${name} renamed` }).expect(200);
      const renaming = await user.lastRecord('payment_method', id);
      const card = { name, method_type: 'cash', default_currency: 'USD' };
      const names = await race([undo(renaming), user.post('/payment-methods', card)]);
      expect(names.filter(isSuccess)).toHaveLength(1);
      expect(refusalsOf(names)).toEqual([CONFLICT]);

      const other = (await user.createPaymentMethod()).id;
      const template = await user.createTemplate({ payment_method_id: other });
      const path = `/expense-templates/${template.id}`;
      await user.put(path, { payment_method_id: method }).expect(200);
      const choice = await user.lastRecord('recurrent_expense', template.id);
      const [undone, deletion] = await race([
        undo(choice),
        user.delete(`/payment-methods/${other}`),
      ]);
      expect(deletion?.status).toBe(204);
      expect([200, 422]).toContain(undone?.status);
      expect(await user.read(path)).toMatchObject({
        payment_method: { id: undone?.status === 200 ? other : method },
      });
    }
  });

  it('concurrent undos and synchronizations: no occurrence is doubled', async () => {
    const { id: template } = await user.createTemplate({ payment_method_id: method });
    const { id: cycle } = await user.createCycle();
    const path = `/expense-templates/${template}`;
    for (let round = 0; round < ROUNDS; round += 1) {
      await user.put(path, { active: false }).expect(200);
      await user.post(`/cycles/${cycle}/sync`).expect(200);
      const removals = (await user.activity(`cycle_id=${cycle}`))
        .filter(({ action, entity_type: type }) => action === 'deactivated' && type !== 'cycle')
        .slice(-2);
      await user.put(path, { active: true }).expect(200);
      const responses = await race([
        ...repeat(2, () => user.post(`/cycles/${cycle}/sync`)),
        ...removals.map((removal) => undo(removal)),
      ]);
      expect(refusalsOf(responses).filter((one) => one !== CONFLICT)).toEqual([]);
      const { expenses } = await user.expenses(cycle);
      const occurrences = expenses.map(({ occurrence_date }) => occurrence_date);
      expect(occurrences).toEqual(['2026-02-01', '2026-03-01']);
      for (const { id } of expenses) {
        await user.delete(`/cycles/${cycle}/expenses/${id}`).expect(204);
      }
      await expectBalance(cycle);
      await user.delete(`/cycles/${cycle}`).expect(204);
      await undo(await user.lastRecord('cycle', cycle)).expect(200);
    }
  });
});
