import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Response, Test } from 'supertest';
import { operationOf, type Client } from '../../support/client.js';
import { expectLimitReached } from '../../support/errors.js';
import { databaseState } from '../../support/rejected-requests.js';
import { useService } from '../../support/service.js';

const service = useService();

const MAX_STORED_BYTES = 20_000_000;
/** As JSON, a character takes six bytes. */
const LONG_NOTES = '\u0001'.repeat(1000);

describe('the stored responses of requests with an Idempotency-Key', () => {
  let user: Client;
  let cycle: string;

  beforeEach(async () => {
    user = await service.signUp();
    cycle = (await user.createCycle({ generate_from_templates: false })).id;
  });

  const post = (path: string, body?: object, key: string = randomUUID()): Test =>
    user.post(path, body).set('Idempotency-Key', key);

  const undoPath = (response: Response): string =>
    `/activity/operations/${operationOf(response) ?? ''}/undo`;

  async function storedBytes(): Promise<number> {
    const [row] = await service.query<{ bytes: string }>(
      `SELECT coalesce(sum(octet_length(body)), 0) AS bytes FROM idempotency_keys
       WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
      [user.email],
    );
    return Number(row?.bytes);
  }

  /** Stores a response of another request, so that so many bytes are left. */
  async function leaveBytes(left: number): Promise<void> {
    await service.query(
      `INSERT INTO idempotency_keys (household_id, user_id, key, request_hash, status, body, expires_at)
       SELECT household_id, id, 'large', '', 200, repeat('x', $2), now() + interval '1 day'
       FROM users WHERE email = $1`,
      [user.email, MAX_STORED_BYTES - left],
    );
  }

  /** Adds expenses with as much text as they can have. */
  async function createLongExpenses(count: number): Promise<{ id: string }[]> {
    const { name } = await user.createPaymentMethod();
    const row = `2026-02-01,Long,fixed,USD,1.00,${name}`;
    const header = 'due_date,description,category,currency,amount,payment_method';
    await user
      .post(`/cycles/${cycle}/expenses/import`)
      .type('text/csv')
      .send([header, ...Array<string>(count).fill(row)].join('\n'))
      .expect(200);
    const { expenses } = await user.expenses(cycle);
    for (let at = 0; at < expenses.length; at += 10) {
      const elements = expenses.slice(at, at + 10).map(({ id }) => ({
        ...{ id, comments: LONG_NOTES, autopay_info: LONG_NOTES },
      }));
      await user.patch(`/cycles/${cycle}/expenses`, { expenses: elements }).expect(200);
    }
    return expenses;
  }

  it('take at most 20 MB of a user; a request beyond that changes nothing, and works without a key', async () => {
    const elements = (await createLongExpenses(100)).map(({ id }) => ({ id, amount: '2.00' }));
    const change = await user.patch(`/cycles/${cycle}/expenses`, { expenses: elements });
    await leaveBytes(5_000_000);
    const [first, key] = [undoPath(change), randomUUID()];
    const undone = await post(first, undefined, key).expect(200);
    const redone = await post(undoPath(undone)).expect(200);
    const last = await post(undoPath(redone)).expect(200);
    const state = await databaseState(service);
    expectLimitReached(await post(undoPath(last)), 'account', MAX_STORED_BYTES);
    expect(await databaseState(service)).toEqual(state);
    expect(await storedBytes()).toBeLessThanOrEqual(MAX_STORED_BYTES);
    await user.post(undoPath(last)).expect(200);
    const again = await post(first, undefined, key).expect(200);
    expect(again.get('Idempotent-Replayed')).toBe('true');
    expect(again.text).toBe(undone.text);
  });

  it('count of every request whose response can be much longer, and of no other', async () => {
    const { id: to_cycle_id } = await user.createCycle({ generate_from_templates: false });
    await service.query(`INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
      VALUES ('MXN', 'USD', 0.0812, '2026-02-01') ON CONFLICT DO NOTHING`);
    const autopay_info = LONG_NOTES;
    await user.createTemplate({ autopay_info, recurrence_config: { day_of_month: 20 } });
    const expenses = await createLongExpenses(1);
    const element = { id: expenses[0]?.id, description: 'Changed' };
    const change = await user.patch(`/cycles/${cycle}/expenses`, { expenses: [element] });
    const { id: record } = await user.lastRecord('cycle_expense', expenses[0]?.id ?? '');
    const { id: mexican } = await user.createCycle({ generate_from_templates: false });
    for (let n = 0; n < 25; n += 1) {
      await user.createExpense(mexican, { currency: 'MXN', due_date: '2026-01-20' });
    }
    await service.query(`UPDATE cycle_expenses SET exchange_rate = 0.9, amount_usd = amount * 0.9
      WHERE cycle_id = '${mexican}'`);
    const requests: [path: string, body?: object][] = [
      [`/activity/${record}/undo`],
      [undoPath(change)],
      [`/cycles/${cycle}/carry-over`, { to_cycle_id }],
      [`/cycles/${cycle}/sync`],
      [`/cycles/${mexican}/reprice`, {}],
      [`/cycles/${cycle}/close`, { to_cycle_id }],
    ];
    await leaveBytes(4000);
    const state = await databaseState(service);
    for (const [path, body] of requests) {
      const response = await post(path, body);
      expect({ path, status: response.status }).toEqual({ path, status: 409 });
      expectLimitReached(response, 'account', MAX_STORED_BYTES);
    }
    expect(await databaseState(service)).toEqual(state);
    // Short responses, those that are as long as their request, and those to other users.
    await post(`/cycles/${to_cycle_id}/reprice`, {}).expect(200);
    const comment = { entity_type: 'cycle', entity_id: cycle, body: LONG_NOTES.repeat(10) };
    await post('/comments', comment).expect(201);
    const owner = user;
    user = await service.signUp();
    await user.createTemplate({ autopay_info, recurrence_config: { day_of_month: 20 } });
    const { id: own } = await user.createCycle({ generate_from_templates: false });
    await post(`/cycles/${own}/sync`).expect(200);
    user = owner;
    // They end after a day.
    await service.query(`UPDATE idempotency_keys SET expires_at = now() WHERE key = 'large'`);
    for (const [path, body] of requests.slice(1)) await post(path, body).expect(200);
  });
});
