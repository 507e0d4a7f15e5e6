import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Test } from 'supertest';
import type { ActivityResponse } from '../../../src/activity/dto/activity.dto.js';
import type { CommentResponse } from '../../../src/comments/dto/comment.dto.js';
import { ChangesCopy } from '../../support/changes-copy.js';
import type { Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { databaseState } from '../../support/rejected-requests.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const service = useService();

/** @param record undefined if there is none, which is a 404 */
const undo = (user: Client, record: { id: string } | undefined): Test =>
  user.post(`/activity/${record?.id ?? UNKNOWN_UUID}/undo`);

/**
 * An entity of each type, a change of it, and whether it can still be read when its creation is
 * undone.
 */
const TYPES = [
  ['payment_method', '/payment-methods/{}', { name: 'Changed', description: 'Blue' }, true],
  ['budget', '/budgets/{}', { name: 'Changed', limit: '7.00' }, true],
  [
    'recurrent_expense',
    '/expense-templates/{}',
    { base_amount: '1.50', category: 'variable' },
    true,
  ],
  [
    'recurrent_income',
    '/income-templates/{}',
    { base_amount: '1.50', ends_on: '2027-01-01' },
    true,
  ],
  ['cycle', '/cycles/{}', { name: 'Changed', end_date: '2026-02-20', status: 'active' }, false],
  ['cycle_expense', '/cycles/{cycle}/expenses/{}', { amount: '7.00', paid: true }, false],
  ['cycle_income', '/cycles/{cycle}/incomes/{}', { amount: '7.00', received: true }, false],
] as const;

describe('POST /activity/{id}/undo', () => {
  let user: Client;
  let cycle: string;

  beforeEach(async () => {
    user = await service.signUp();
    ({ id: cycle } = await user.createCycle());
  });

  async function create(type: (typeof TYPES)[number][0]): Promise<string> {
    switch (type) {
      case 'payment_method':
        return (await user.createPaymentMethod()).id;
      case 'budget':
        return (await user.createBudget()).id;
      case 'recurrent_expense':
        return (await user.createTemplate()).id;
      case 'recurrent_income':
        return (await user.createIncomeTemplate()).id;
      case 'cycle':
        return (await user.createCycle()).id;
      case 'cycle_expense':
        return (await user.createExpense(cycle)).id;
      case 'cycle_income':
        return (await user.createIncome(cycle)).id;
    }
  }

  const withoutUpdate = (body: object): object => ({ ...body, updated_at: expect.any(String) });

  describe.each(TYPES)('of a %s', (type, template, change, isInactive) => {
    let id: string;
    let path: string;
    let before: object;

    beforeEach(async () => {
      id = await create(type);
      path = template.replace('{}', id).replace('{cycle}', cycle);
      before = await user.read(path);
    });

    it('an undo gives the fields of a change their values again, and can be undone itself', async () => {
      const changed = (await user.put(path, change).expect(200)).body as object;
      const record = await user.lastRecord(type, id);
      const undone = await user.undo(record);
      const representation = await user.read<object>(path);
      expect(representation).toEqual(withoutUpdate(before));
      const written = await user.lastRecord(type, id);
      expect(undone).toEqual({
        activity_id: written.id,
        entity_type: type,
        entity_id: id,
        representation,
      });
      const reversed = Object.entries(record.changes).map(
        ([field, { from, to }]) => [field, { from: to, to: from }] as const,
      );
      expect(written).toMatchObject({
        undoes: record.id,
        cycle_id: record.cycle_id,
        changes: Object.fromEntries(reversed),
      });
      expect((await user.undo(written)).representation).toEqual(withoutUpdate(changed));
      expect(await user.lastRecord(type, id)).toMatchObject({
        undoes: written.id,
        action: record.action,
        changes: record.changes,
      });
      await expectIntegrity(service.dataSource);
    });

    it('an undo deletes what was created, and the undo of that brings it back', async () => {
      const { representation } = await user.undo([type, id]);
      const inactive = { ...before, active: false, updated_at: expect.any(String) };
      expect(representation).toEqual(isInactive ? inactive : null);
      expect((await user.get(path)).status).toBe(isInactive ? 200 : 404);
      const changes = { active: { from: true, to: false } };
      expect(await user.lastRecord(type, id)).toMatchObject({ action: 'deactivated', changes });
      expect((await user.undo([type, id])).representation).toEqual(withoutUpdate(before));
      expect(await user.lastRecord(type, id)).toMatchObject({ action: 'reactivated' });
      expect((await user.undo([type, id])).representation).toEqual(isInactive ? inactive : null);
      await expectIntegrity(service.dataSource);
    });

    it('an undo brings back what was deleted', async () => {
      await user.delete(path).expect(204);
      const deletion = await user.lastRecord(type, id);
      expect((await user.undo(deletion)).representation).toEqual(withoutUpdate(before));
      expect(await user.read(path)).toEqual(withoutUpdate(before));
      expect(await user.lastRecord(type, id)).toMatchObject({
        action: 'reactivated',
        undoes: deletion.id,
        changes: { active: { from: false, to: true } },
      });
      await expectIntegrity(service.dataSource);
    });

    it('an undo is refused, with the fields that have changed since, and changes nothing', async () => {
      const creation = await user.lastRecord(type, id);
      await user.put(path, change).expect(200);
      const record = await user.lastRecord(type, id);
      const fields = Object.fromEntries(
        Object.keys(record.changes).map((field) => [field, [expect.any(String)]]),
      );
      const state = await databaseState(service);
      expectError(await undo(user, creation), 409, 'RESOURCE_CONFLICT', { resource: type, fields });
      expect(await databaseState(service)).toEqual(state);
      await user.undo(record);
      expectError(await undo(user, record), 409, 'RESOURCE_CONFLICT', { resource: type, fields });
    });

    it("an undo is a 404 for another user, as for a record that does not exist, also a member's", async () => {
      const { id: record } = await user.lastRecord(type, id);
      const member = await service.signUpMember(user);
      for (const other of [member, await service.signUp()]) {
        const details = { resource: 'activity_record' } as const;
        expectError(await undo(other, { id: record }), 404, 'RESOURCE_NOT_FOUND', details);
        expectError(await undo(other, { id: UNKNOWN_UUID }), 404, 'RESOURCE_NOT_FOUND', details);
      }
      expect(await user.lastRecord(type, id)).toMatchObject({ id: record });
    });

    if (type === 'budget') return; // It has no comments.

    it('an undo is refused for the record of a comment: 409 for the owner, 404 for its author', async () => {
      const member = await service.signUpMember(user);
      const target = { entity_type: type, entity_id: id };
      const comment = await member.post('/comments', { ...target, body: 'Why?' }).expect(201);
      const path = `/comments/${(comment.body as { id: string }).id}`;
      const records = [await user.lastRecord(type, id)];
      await member.patch(path, { body: 'Because' }).expect(200);
      records.push(await user.lastRecord(type, id));
      await member.delete(path).expect(204);
      records.push(await user.lastRecord(type, id));
      expect(new Set(records.map(({ action }) => action)).size).toBe(3);
      for (const record of records) {
        expectError(await undo(user, record), 409, 'RESOURCE_CONFLICT', { resource: 'comment' });
        expectError(await undo(member, record), 404, 'RESOURCE_NOT_FOUND');
      }
    });

    it('an undo tells the entity and its comments again in GET /changes when its deletion is undone', async () => {
      const target = { entity_type: type, entity_id: id };
      const comment = (await user.post('/comments', { ...target, body: 'Why?' }).expect(201))
        .body as CommentResponse;
      const copy = new ChangesCopy(user);
      await copy.update();
      await user.delete(path).expect(204);
      await copy.update();
      await user.undo([type, id]);
      await copy.update();
      expect(copy.entities.get(`${type} ${id}`)).toEqual(await user.read(path));
      expect(copy.entities.get(`comment ${comment.id}`)).toEqual(comment);
      const anew = new ChangesCopy(user);
      await anew.update();
      expect(new Map([...copy.entities].sort())).toEqual(new Map([...anew.entities].sort()));
    });
  });

  it('POST /activity/{id}/undo takes changes back one after another, the latest first', async () => {
    const { id } = await user.createExpense(cycle, { currency: 'MXN', due_date: '2999-01-01' });
    const path = `/cycles/${cycle}/expenses/${id}`;
    const states = [await user.read<object>(path)];
    for (const body of [
      { amount: '200.00' },
      { amount: '300.00', description: 'More' },
      { currency: 'USD' },
      { status: 'cancelled' },
      { paid: true, paid_at: '2026-01-02T03:04:05.678Z', amount: '1.00' },
    ]) {
      states.push((await user.put(path, body).expect(200)).body as object);
    }
    const [, ...records] = await user.activityOf('cycle_expense', id);
    expectError(await undo(user, records[0]), 409, 'RESOURCE_CONFLICT');
    for (const [number, record] of [...records.entries()].reverse()) {
      const { representation } = await user.undo(record);
      expect(representation).toEqual(withoutUpdate(states[number] ?? {}));
    }
    expect(await user.cycle(cycle)).toMatchObject({ remaining_balance: '4995.00' });
    await expectIntegrity(service.dataSource);
  });

  it('POST /activity/{id}/undo takes a field back while others have changed since', async () => {
    const { id } = await user.createExpense(cycle);
    const path = `/cycles/${cycle}/expenses/${id}`;
    await user.put(path, { description: 'Lunch' }).expect(200);
    const record = await user.lastRecord('cycle_expense', id);
    await user.put(path, { amount: '5.00' }).expect(200);
    expect((await user.undo(record)).representation).toMatchObject({
      description: 'Dinner',
      amount: '5.00',
    });
  });

  it('the undo of an earlier change of an inactive payment method, budget or template leaves it inactive', async () => {
    const method = await user.createPaymentMethod({ name: 'First' });
    const budget = await user.createBudget({ name: 'First' });
    const template = await user.createTemplate({ payment_method_id: method.id });
    for (const [type, path, change, before] of [
      ['payment_method', `/payment-methods/${method.id}`, { name: 'Second' }, { name: 'First' }],
      ['budget', `/budgets/${budget.id}`, { name: 'Second' }, { name: 'First' }],
      [
        'recurrent_expense',
        `/expense-templates/${template.id}`,
        { description: 'Second' },
        { description: 'Rent' },
      ],
    ] as const) {
      const id = path.split('/').at(-1) ?? '';
      const [creation] = await user.activityOf(type, id);
      await user.put(path, change).expect(200);
      const record = await user.lastRecord(type, id);
      await user.delete(path).expect(204);
      expect((await user.undo(record)).representation).toMatchObject({ ...before, active: false });
      expectError(await undo(user, creation), 409, 'RESOURCE_CONFLICT', {
        resource: type,
        fields: { active: [expect.any(String)] },
      });
    }
  });

  it('the undo of a restoration with other changes takes all of them back', async () => {
    const { id } = await user.createTemplate();
    const path = `/expense-templates/${id}`;
    await user.delete(path).expect(204);
    await user.put(path, { active: true, description: 'Flat' }).expect(200);
    const { representation } = await user.undo(['recurrent_expense', id]);
    expect(representation).toMatchObject({ active: false, description: 'Rent' });
  });

  it('POST /activity/{id}/undo takes an empty body or {}, no other, and has no ETag and ignores If-Match', async () => {
    const { id } = await user.createPaymentMethod();
    const response = await undo(user, await user.lastRecord('payment_method', id))
      .set('If-Match', '"other"')
      .expect(200);
    expect(response.get('ETag')).toBeUndefined();
    const record = await user.lastRecord('payment_method', id);
    expectInvalid(await user.post(`/activity/${record.id}/undo`, { id }), 'id');
    await user.post(`/activity/${record.id}/undo`, {}).expect(200);
    expectInvalid(await user.post('/activity/1/undo'), 'id');
  });

  it('POST /activity/{id}/undo takes an Idempotency-Key', async () => {
    const { id } = await user.createPaymentMethod();
    const record = await user.lastRecord('payment_method', id);
    const key = randomUUID();
    const first = await undo(user, record).set('Idempotency-Key', key).expect(200);
    const again = await undo(user, record).set('Idempotency-Key', key).expect(200);
    expect(again.get('Idempotent-Replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(await user.activityOf('payment_method', id)).toHaveLength(2);
  });

  it('the undo of a new name is refused where the earlier one is taken meanwhile', async () => {
    const method = await user.createPaymentMethod({ name: 'First' });
    await user.put(`/payment-methods/${method.id}`, { name: 'Second' }).expect(200);
    const other = await user.createPaymentMethod({ name: 'First' });
    expectError(
      await undo(user, await user.lastRecord('payment_method', method.id)),
      409,
      'RESOURCE_CONFLICT',
      { resource: 'payment_method', id: other.id, active: true },
    );
  });

  it('the undo of the replacement of a payment method that is inactive now is refused', async () => {
    const [method, next] = [await user.createPaymentMethod(), await user.createPaymentMethod()];
    const body = { payment_method_id: method.id };
    const entities = [
      ['recurrent_expense', `/expense-templates/${(await user.createTemplate(body)).id}`],
      ['recurrent_income', `/income-templates/${(await user.createIncomeTemplate(body)).id}`],
      ['cycle_expense', `/cycles/${cycle}/expenses/${(await user.createExpense(cycle, body)).id}`],
      ['cycle_income', `/cycles/${cycle}/incomes/${(await user.createIncome(cycle, body)).id}`],
    ] as const;
    const records: ActivityResponse[] = [];
    for (const [type, path] of entities) {
      await user.put(path, { payment_method_id: next.id }).expect(200);
      records.push(await user.lastRecord(type, path.split('/').at(-1) ?? ''));
    }
    await user.delete(`/payment-methods/${method.id}`).expect(204);
    for (const record of records) expectInvalid(await undo(user, record), 'payment_method_id');
    await user.put(`/payment-methods/${method.id}`, { active: true }).expect(200);
    for (const record of records) {
      expect((await user.undo(record)).representation).toMatchObject({
        payment_method: { id: method.id },
      });
    }
  });

  it('the undo of the first choice of a payment method of an income removes it', async () => {
    const { id } = await user.createIncome(cycle);
    const { id: payment_method_id } = await user.createPaymentMethod();
    await user.put(`/cycles/${cycle}/incomes/${id}`, { payment_method_id }).expect(200);
    const { representation } = await user.undo(['cycle_income', id]);
    expect(representation).toMatchObject({ payment_method: null });
  });

  it('an undo is refused where the values contradict what has changed since', async () => {
    const { id } = await user.createTemplate({ starts_on: '2026-05-01' });
    const path = `/expense-templates/${id}`;
    await user.put(path, { starts_on: null }).expect(200);
    const record = await user.lastRecord('recurrent_expense', id);
    await user.put(path, { ends_on: '2026-03-01' }).expect(200);
    expectInvalid(await undo(user, record), 'ends_on');
    await user.put(`/cycles/${cycle}`, { end_date: '2026-02-01' }).expect(200);
    const shorter = await user.lastRecord('cycle', cycle);
    await user.put(`/cycles/${cycle}`, { start_date: '2026-01-01' }).expect(200);
    expectError(await undo(user, shorter), 422, 'INVALID_CYCLE_DATES');
  });
});

describe('the undo of a conversion', () => {
  let user: Client;

  const storeRate = (rate: number, date: string): Promise<unknown> =>
    service.query(
      `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
       VALUES ('MXN', 'USD', $1, $2)`,
      [rate, date],
    );

  beforeAll(async () => {
    user = await service.signUp();
  });

  beforeEach(() => service.query(`DELETE FROM exchange_rates WHERE rate_date > '2025-01-01'`));

  it('the undo of a conversion returns to what it was, and does not convert anew', async () => {
    const { id: cycle } = await user.createCycle();
    const expense = await user.createExpense(cycle, { currency: 'MXN', due_date: '2026-02-01' });
    const path = `/cycles/${cycle}/expenses/${expense.id}`;
    await user.put(path, { amount: '200.00' }).expect(200);
    await storeRate(0.06, '2026-01-01');
    const { representation } = await user.undo(['cycle_expense', expense.id]);
    expect(representation).toMatchObject({
      amount: '100.00',
      amount_usd: '5.00',
      exchange_rate: { rate: '0.050000', rate_date: '2025-01-01' },
    });
    await user.post(`/cycles/${cycle}/reprice`, {}).expect(200);
    await user.put(path, { paid: true }).expect(200);
    const [, , , repriced] = await user.activityOf('cycle_expense', expense.id);
    expect((await undo(user, repriced).expect(200)).body).toMatchObject({
      representation: { amount_usd: '5.00', paid: true },
    });
    expect(await user.cycle(cycle)).toMatchObject({ remaining_balance: '4995.00' });
  });

  it('the undo of a conversion keeps the amount in USD in agreement with the amount and the rate', async () => {
    const { id: cycle } = await user.createCycle();
    const body = { currency: 'MXN', due_date: '2026-02-01' };
    const expense = await user.createExpense(cycle, body);
    const path = `/cycles/${cycle}/expenses/${expense.id}`;
    await user.put(path, { amount: '100.09' }).expect(200);
    const record = await user.lastRecord('cycle_expense', expense.id);
    expect(Object.keys(record.changes)).toEqual(['amount']);
    await storeRate(0.1, '2026-01-01');
    await user.post(`/cycles/${cycle}/reprice`, {}).expect(200);
    expect(await user.read(path)).toMatchObject({ amount_usd: '10.01' });
    expect((await user.undo(record)).representation).toMatchObject({
      amount: '100.00',
      amount_usd: '10.00',
    });
  });
});
