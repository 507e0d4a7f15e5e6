import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Response, Test } from 'supertest';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import { operationOf, type Client } from '../../support/client.js';
import { copyRow } from '../../support/copied-rows.js';
import { expectError, expectLimitReached } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { race } from '../../support/races.js';
import { databaseState } from '../../support/rejected-requests.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const service = useService();

describe('limits and errors of POST /activity/operations/{operation_id}/undo', () => {
  let user: Client;

  beforeEach(async () => {
    user = await service.signUp();
  });

  const undo = (operation: Response | string, as = user): Test => {
    const id = typeof operation === 'string' ? operation : (operationOf(operation) ?? 'none');
    return as.post(`/activity/operations/${id}/undo`);
  };

  const recordsOf = (
    response: Response,
  ): Promise<{ id: string; action: string; entity_id: string }[]> =>
    user.activity(`operation_id=${operationOf(response) ?? ''}`);

  /** Adds a record of an unknown entity to an operation, and returns its id. */
  async function addRecord(operation: Response, type: string, action: string): Promise<string> {
    const id = randomUUID();
    await service.query(
      `INSERT INTO activity_log (id, household_id, entity_type, entity_id, actor_user_id, action, operation_id)
       SELECT $1, household_id, $2, gen_random_uuid(), id, $3, $4 FROM users WHERE email = $5`,
      [id, type, action, operationOf(operation), user.email],
    );
    return id;
  }

  it('changes nothing where one record cannot be taken back, and names it', async () => {
    const { id: cycle } = await user.createCycle();
    const first = await user.createExpense(cycle);
    const second = await user.createExpense(cycle);
    const change = await user.patch(`/cycles/${cycle}/expenses`, {
      expenses: [first, second].map(({ id }) => ({ id, amount: '7.00' })),
    });
    await user.put(`/cycles/${cycle}/expenses/${first.id}`, { amount: '8.00' }).expect(200);
    const [record] = await recordsOf(change);
    let state = await databaseState(service);
    const response = await undo(change);
    expectError(response, 409, 'RESOURCE_CONFLICT', {
      resource: 'cycle_expense',
      activity_id: record?.id,
      fields: {
        amount: ['amount has changed since'],
        amount_usd: ['amount_usd has changed since'],
      },
    });
    expect(operationOf(response)).toBeUndefined();
    expect(await databaseState(service)).toEqual(state);
    await user.put(`/cycles/${cycle}`, { status: 'completed' }).expect(200);
    const [, last] = await recordsOf(change);
    state = await databaseState(service);
    expectError(await undo(change), 409, 'CYCLE_ALREADY_COMPLETED', { activity_id: last?.id });
    expect(await databaseState(service)).toEqual(state);
  });

  it('names the record whose name, occurrence or payment method is no longer possible', async () => {
    const { id: template } = await user.createTemplate();
    const created = await user.post('/cycles', {
      ...{ name: 'January', start_date: '2026-01-19', end_date: '2026-03-01', income_amount: '1' },
    });
    const { id: cycle } = created.body as CycleResponse;
    const { id: other } = await user.createExpense(cycle);
    const [generated] = (await user.expenses(cycle)).expenses;
    const removal = await user.patch(`/cycles/${cycle}/expenses`, {
      expenses: [
        { id: other, active: false },
        { id: generated?.id, active: false },
        { id: (await user.createExpense(cycle)).id, active: false },
      ],
    });
    const [, removed] = await recordsOf(removal);
    await user.put(`/expense-templates/${template}`, { active: false }).expect(200);
    await user.post(`/cycles/${cycle}/sync`).expect(200);
    await service.query(
      `UPDATE cycle_expenses SET generated = NULL WHERE id = '${generated?.id ?? ''}'`,
    );
    await user.put(`/expense-templates/${template}`, { active: true }).expect(200);
    await user.post(`/cycles/${cycle}/sync`).expect(200);
    const conflict = { resource: 'cycle_expense', activity_id: removed?.id };
    expectError(await undo(removal), 409, 'RESOURCE_CONFLICT', conflict);

    const deletion = await user.delete(`/cycles/${cycle}`).expect(204);
    const [record] = await recordsOf(deletion);
    await user.createCycle({ name: 'January' });
    const named = { activity_id: record?.id };
    expectError(await undo(deletion), 409, 'CYCLE_NAME_EXISTS', named);

    const { id: open } = await user.createCycle();
    const expense = await user.createExpense(open);
    const { id: payment_method_id } = await user.createPaymentMethod();
    const change = await user.patch(`/cycles/${open}/expenses`, {
      expenses: [{ id: expense.id, payment_method_id }],
    });
    await user.delete(`/payment-methods/${expense.payment_method.id}`).expect(204);
    const [chosen] = await recordsOf(change);
    const response = await undo(change);
    expectError(response, 422, 'VALIDATION_ERROR', {
      fields: { payment_method_id: [expect.any(String)] },
      reasons: { payment_method_id: ['inactive'] },
      activity_id: chosen?.id,
    });
  });

  it('names the record that cannot be taken back among others of the same cycle', async () => {
    const { id: cycle } = await user.createCycle();
    const { id: payment_method_id } = await user.createPaymentMethod();
    const [incomes, expenses] = [
      [await user.createIncome(cycle), await user.createIncome(cycle)],
      [
        await user.createExpense(cycle),
        await user.createExpense(cycle),
        await user.createExpense(cycle),
      ],
    ];
    const change = await user.patch(`/cycles/${cycle}/expenses`, {
      expenses: expenses.map(({ id }) => ({ id, payment_method_id })),
    });
    const middle = expenses[1]?.payment_method.id ?? '';
    await user.delete(`/payment-methods/${middle}`).expect(204);
    const inactive = (await recordsOf(change)).find(
      ({ entity_id }) => entity_id === expenses[1]?.id,
    );
    const state = await databaseState(service);
    expectError(await undo(change), 422, 'VALIDATION_ERROR', {
      fields: { payment_method_id: [expect.any(String)] },
      reasons: { payment_method_id: ['inactive'] },
      activity_id: inactive?.id,
    });
    expect(await databaseState(service)).toEqual(state);
    await user.put(`/payment-methods/${middle}`, { active: true }).expect(200);
    expect((await user.undoOperation(change)).records).toHaveLength(3);

    const received = await user.patch(`/cycles/${cycle}/incomes`, {
      incomes: incomes.map(({ id }) => ({ id, received: true })),
    });
    const path = `/cycles/${cycle}/incomes/${incomes[0]?.id ?? ''}`;
    await user.put(path, { received: false }).expect(200);
    const withdrawn = (await recordsOf(received)).find(
      ({ entity_id }) => entity_id === incomes[0]?.id,
    );
    expectError(await undo(received), 409, 'RESOURCE_CONFLICT', {
      resource: 'cycle_income',
      fields: expect.objectContaining({ received: ['received has changed since'] }),
      activity_id: withdrawn?.id,
    });
  });

  it('passes over comments beside other records, and refuses an operation of comments alone', async () => {
    const member = await service.signUpMember(user);
    const method = await user.createPaymentMethod();
    const comment = { entity_type: 'payment_method', entity_id: method.id, body: 'Hello' };
    const own = await user.post('/comments', comment).expect(201);
    const [record] = await recordsOf(own);
    const conflict = { resource: 'comment', activity_id: record?.id };
    expectError(await undo(own), 409, 'RESOURCE_CONFLICT', conflict);
    const theirs = await member.post('/comments', comment).expect(201);
    expectError(await undo(theirs), 409, 'RESOURCE_CONFLICT');
    expectError(await undo(theirs, member), 404, 'RESOURCE_NOT_FOUND', {
      resource: 'activity_record',
    });
  });

  it('is a 404 for an unknown operation and for one of another user', async () => {
    const member = await service.signUpMember(user);
    const stranger = await service.signUp();
    const created = await user.post('/payment-methods', {
      ...{ name: 'Card', method_type: 'debit', default_currency: 'USD' },
    });
    const missing = { resource: 'activity_record' };
    for (const other of [member, stranger]) {
      expectError(await undo(created, other), 404, 'RESOURCE_NOT_FOUND', missing);
    }
    for (const id of [UNKNOWN_UUID, randomUUID()]) {
      expectError(await undo(id), 404, 'RESOURCE_NOT_FOUND', missing);
    }
    expect(await member.activity(`operation_id=${operationOf(created) ?? ''}`)).toHaveLength(1);
    expect(await stranger.activity(`operation_id=${operationOf(created) ?? ''}`)).toEqual([]);
    await undo((operationOf(created) ?? '').toUpperCase()).expect(200);
  });

  it('takes back 400 records, and refuses more', async () => {
    const { id: cycle } = await user.createCycle();
    const { name } = await user.createPaymentMethod();
    const header = 'due_date,description,category,currency,amount,payment_method';
    const importRows = (count: number): Test =>
      user
        .post(`/cycles/${cycle}/expenses/import`)
        .type('text/csv')
        .send(
          [header, ...Array<string>(count).fill(`2026-02-01,Row,fixed,USD,1,${name}`)].join('\n'),
        );
    const many = await importRows(401).expect(200);
    expectLimitReached(await undo(many), 'activity_record', 400);
    const enough = await importRows(400).expect(200);
    expect((await user.undoOperation(enough)).records).toHaveLength(400);
    expect((await user.expenses(cycle)).expenses).toHaveLength(401);
    await expectIntegrity(service.dataSource);
  });

  it('one of two undos at once takes back, and the other is a conflict', async () => {
    const { id: cycle } = await user.createCycle();
    const expenses: object[] = [];
    for (let n = 0; n < 5; n += 1) {
      expenses.push({ id: (await user.createExpense(cycle)).id, amount: '7.00' });
    }
    const change = await user.patch(`/cycles/${cycle}/expenses`, { expenses }).expect(200);
    const responses = await race([undo(change), undo(change)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    await expectIntegrity(service.dataSource);
  });

  it('a write at the same time as the undo either comes before it, or after', async () => {
    const { id: cycle } = await user.createCycle();
    for (let round = 0; round < 5; round += 1) {
      const { id } = await user.createExpense(cycle);
      const other = await user.createExpense(cycle);
      const change = await user.patch(`/cycles/${cycle}/expenses`, {
        expenses: [id, other.id].map((one) => ({ id: one, amount: '7.00' })),
      });
      const path = `/cycles/${cycle}/expenses/${id}`;
      const [undone, written] = await race([undo(change), user.put(path, { amount: '8.00' })]);
      expect(written?.status).toBe(200);
      expect([200, 409]).toContain(undone?.status);
      const shown = await user.read(`/cycles/${cycle}/expenses/${other.id}`);
      expect(shown).toMatchObject({ amount: undone?.status === 200 ? '100.00' : '7.00' });
      expect(await user.read(path)).toMatchObject({ amount: '8.00' });
    }
    await expectIntegrity(service.dataSource);
  });

  it('is a 404 where a record is of a type that this version does not know, but not of a comment on it', async () => {
    const { id } = await user.createPaymentMethod({ name: 'Card' });
    const path = `/payment-methods/${id}`;
    const change = await user.put(path, { name: 'Other' }).expect(200);
    await addRecord(change, 'a_later_type', 'commented');
    const again = await undo(change).expect(200);
    expect(await user.read(path)).toMatchObject({ name: 'Card' });
    await addRecord(again, 'a_later_type', 'updated');
    const state = await databaseState(service);
    const missing = { resource: 'activity_record' };
    expectError(await undo(again), 404, 'RESOURCE_NOT_FOUND', missing);
    expect(await databaseState(service)).toEqual(state);
  });

  it('names the record of an entity that does not exist', async () => {
    const { id } = await user.createPaymentMethod();
    const change = await user.put(`/payment-methods/${id}`, { name: 'Other' }).expect(200);
    const activity_id = await addRecord(change, 'payment_method', 'updated');
    const state = await databaseState(service);
    const missing = { resource: 'activity_record', activity_id };
    expectError(await undo(change), 404, 'RESOURCE_NOT_FOUND', missing);
    expect(await databaseState(service)).toEqual(state);
  });

  it('keeps to the limit of entries after the whole: additions go and removals come back', async () => {
    const { id: left } = await user.createTemplate({ recurrence_config: { day_of_month: 10 } });
    const { id: cycle } = await user.createCycle();
    const { id: manual } = await user.createExpense(cycle);
    await copyRow(service, 'cycle_expenses', manual, { copies: 1998 });
    await user.put(`/expense-templates/${left}`, { active: false }).expect(200);
    await user.createTemplate({ recurrence_config: { day_of_month: 12 } });
    const sync = await user.post(`/cycles/${cycle}/sync`).expect(200);
    expect((await recordsOf(sync)).map(({ action }) => action).sort()).toEqual([
      ...['created', 'deactivated'],
    ]);
    expect((await user.undoOperation(sync)).records).toHaveLength(2);
    expect((await user.expenses(cycle)).expenses).toHaveLength(2000);

    const removal = await user.patch(`/cycles/${cycle}/expenses`, {
      expenses: [{ id: manual, active: false }],
    });
    await user.createExpense(cycle);
    const [record] = await recordsOf(removal);
    expectError(await undo(removal), 409, 'RESOURCE_CONFLICT', {
      ...{ resource: 'cycle_expense', limit: 2000, activity_id: record?.id },
    });
    expect((await user.expenses(cycle)).expenses).toHaveLength(2000);
  });
});
