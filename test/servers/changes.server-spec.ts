import { afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ChangesCopy } from '../support/changes-copy.js';
import { uniqueName, type Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { race, useReplicas } from '../support/races.js';
import { repetitions } from '../support/repetitions.js';
import { refusalsOf } from '../support/response-counts.js';

const ROUNDS = repetitions(40);

describe('GET /changes of two processes', () => {
  const replicas = useReplicas();
  const clients: pg.Client[] = [];

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end();
  });

  /** Everything that the lists show, by type and id. */
  async function listed(user: Client): Promise<Map<string, unknown>> {
    const entities = new Map<string, unknown>();
    const add = (type: string, list: readonly { id: string }[]): void => {
      for (const entity of list) entities.set(`${type} ${entity.id}`, entity);
    };
    add('payment_method', await user.read('/payment-methods'));
    add('recurrent_expense', await user.read('/expense-templates'));
    add('recurrent_income', await user.read('/income-templates'));
    const cycles: { id: string }[] = [];
    for (let page = 1; cycles.length === (page - 1) * 100; page += 1) {
      const path = `/cycles?per_page=100&page=${page}`;
      cycles.push(...(await user.read<{ cycles: { id: string }[] }>(path)).cycles);
    }
    add('cycle', cycles);
    for (const { id } of cycles) {
      add('cycle_expense', (await user.expenses(id)).expenses);
      add('cycle_income', (await user.incomes(id)).incomes);
      add('comment', await user.read(`/comments?cycle_id=${id}&limit=200`));
    }
    return entities;
  }

  it('GET /changes of two processes rebuilds exactly what the lists show from small pages read during parallel writes', async () => {
    const user = await replicas.signUp();
    const { id: payment_method_id } = await user.createPaymentMethod();
    await user.createTemplate({
      ...{ payment_method_id, recurrence_type: 'weekly', recurrence_config: { day_of_week: 1 } },
    });
    const early = new ChangesCopy(user, 3);
    const writing = { isOver: false };
    const reading = (async () => {
      while (!writing.isOver) await early.update();
    })();
    // Reads the first pages later, in the middle of the writes.
    const late = new ChangesCopy(user, 5);

    /** Changes a cycle of its own. */
    async function write(_: unknown, writer: number): Promise<void> {
      for (let round = 0; round < ROUNDS; round += 1) {
        const cycle = await user.createCycle({ name: uniqueName('Cycle') });
        const expense = await user.createExpense(cycle.id, { payment_method_id });
        const income = await user.createIncome(cycle.id);
        const path = `/cycles/${cycle.id}`;
        const target = { entity_type: 'cycle_income', entity_id: income.id };
        const responses = await race([
          user.put(`${path}/expenses/${expense.id}`, { paid: true }),
          user.put(`${path}/incomes/${income.id}`, { received: true }),
          user.put(path, { income_amount: `${round}.00` }),
          user.post('/comments', { ...target, body: 'Hello' }),
          user.post(`${path}/sync`),
        ]);
        expect(refusalsOf(responses)).toEqual([]);
        if (round % 4 === 1) await user.delete(path).expect(204);
        else if (round % 4 === 2) await user.delete(`${path}/incomes/${income.id}`).expect(204);
        if (writer === 0 && round === ROUNDS / 2) await late.update();
      }
    }
    await Promise.all(Array.from({ length: 3 }, write));
    writing.isOver = true;
    await reading;
    const expected = await listed(user);
    for (const copy of [early, late]) {
      await copy.update();
      expect(copy.entities).toEqual(expected);
      expect(copy.pages).toBeGreaterThan(expected.size / 5);
    }
  });

  it('GET /changes of two processes does not miss a transaction that commits after a later one', async () => {
    const user = await replicas.signUp();
    const { id } = await user.createPaymentMethod();
    const copy = new ChangesCopy(user);
    await copy.update();
    const client = new pg.Client(replicas.url);
    clients.push(client);
    await client.connect();
    // This transaction has a lower id than the one of the request, and commits after it.
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO activity_log (household_id, entity_type, entity_id, actor_user_id, action)
       SELECT household_id, 'payment_method', $1, id, 'updated' FROM users WHERE email = $2`,
      [id, user.email],
    );
    const later = await user.createPaymentMethod();
    const idsOf = async (): Promise<string[]> =>
      (await copy.update()).map(({ entity_id }) => entity_id);
    await eventually('the later change is read', async () => (await idsOf()).includes(later.id));
    expect(await idsOf()).toEqual([]);
    await client.query('COMMIT');
    expect(await idsOf()).toEqual([id]);
    expect(await idsOf()).toEqual([]);
  });
});
