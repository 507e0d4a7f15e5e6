import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Response, Test } from 'supertest';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import { without } from '../../model/views.js';
import { operationOf, type Client } from '../../support/client.js';
import { exportText, importText } from '../../support/data-document.js';
import { expectError } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { useService } from '../../support/service.js';

const service = useService();

const LISTS = ['/payment-methods', '/expense-templates', '/income-templates'];

describe('POST /activity/operations/{operation_id}/undo', () => {
  let user: Client;

  beforeEach(async () => {
    await service.query(`DELETE FROM exchange_rates WHERE rate_date > '2025-01-01'`);
    user = await service.signUp();
  });

  const undo = (operation: Response | string, as = user): Test => {
    const id = typeof operation === 'string' ? operation : (operationOf(operation) ?? 'none');
    return as.post(`/activity/operations/${id}/undo`);
  };

  const recordsOf = (response: Response): Promise<{ id: string; action: string }[]> =>
    user.activity(`operation_id=${operationOf(response) ?? ''}`);

  /** All that the user sees, without the times of changes, and plans, which are not recorded. */
  async function contents(): Promise<unknown> {
    const lists: unknown[] = [];
    for (const path of LISTS) lists.push(await user.read(path));
    const { cycles } = await user.read<{ cycles: CycleResponse[] }>('/cycles');
    for (const cycle of cycles) {
      lists.push(cycle, (await user.expenses(cycle.id)).expenses);
      lists.push((await user.incomes(cycle.id)).incomes);
    }
    return lists.flat().map((shown) => {
      const fields = shown as { updated_at: string; planned_amount?: string | null };
      return without({ ...fields, planned_amount: null }, 'updated_at');
    });
  }

  /** Undoes a request, then the undo, then that. */
  async function expectUndone(send: () => Test): Promise<void> {
    const before = await contents();
    const response = await send();
    expect(response.status).toBeLessThan(300);
    const after = await contents();
    expect(after).not.toEqual(before);
    const undone = await user.undoOperation(response);
    expect(await contents()).toEqual(before);
    const redone = await user.undoOperation(undone.operation_id ?? '');
    expect(await contents()).toEqual(after);
    await user.undoOperation(redone.operation_id ?? '');
    expect(await contents()).toEqual(before);
    await expectIntegrity(service.dataSource);
  }

  it('takes a bulk update back, the latest record first, and shows the state after the whole', async () => {
    const { id: cycle } = await user.createCycle();
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await user.createExpense(cycle)).id);
    const before = await contents();
    const change = await user.patch(`/cycles/${cycle}/expenses`, {
      expenses: [
        { id: ids[0], amount: '7.00' },
        { id: ids[1], active: false },
        { id: ids[2], paid: true },
      ],
    });
    const records = await recordsOf(change);
    expect(records.map(({ action }) => action)).toEqual([
      ...['updated', 'deactivated', 'marked_paid'],
    ]);
    const response = await undo(change).expect(200);
    const operation_id = operationOf(response);
    const written = await recordsOf(response);
    expect(written).toMatchObject(
      records.toReversed().map(({ id }) => ({ undoes: id, operation_id })),
    );
    expect(response.body).toEqual({
      operation_id,
      undoes: operationOf(change),
      records: await Promise.all(
        [ids[2], ids[1], ids[0]].map(async (id, n) => ({
          activity_id: written[n]?.id,
          entity_type: 'cycle_expense',
          entity_id: id,
          representation: await user.read(`/cycles/${cycle}/expenses/${id ?? ''}`),
        })),
      ),
    });
    expect(await contents()).toEqual(before);
    expectError(await undo(change), 409, 'RESOURCE_CONFLICT');
    await expectIntegrity(service.dataSource);
  });

  it('takes back a generated cycle, a synchronization, a carry-over and a reprice', async () => {
    await user.createTemplate({ currency: 'MXN' });
    const { id: pay } = await user.createIncomeTemplate();
    const dates = { start_date: '2026-03-02', end_date: '2026-04-12', income_amount: '1.00' };
    const { id: cycle } = await user.createCycle();
    await expectUndone(() => user.post('/cycles', { name: 'Next', ...dates }));
    await user.createTemplate({ recurrence_config: { day_of_month: 20 } });
    await user.put(`/income-templates/${pay}`, { base_amount: '3.00' }).expect(200);
    await expectUndone(() => user.post(`/cycles/${cycle}/sync`));
    const { id: to_cycle_id } = await user.createCycle({ ...dates });
    await user.createExpense(cycle);
    await user.createExpense(cycle, { currency: 'MXN', due_date: '2026-02-27' });
    await expectUndone(() => user.post(`/cycles/${cycle}/carry-over`, { to_cycle_id }));
    const generated = (await user.incomes(cycle)).incomes[0]?.id;
    const { id: added } = await user.createIncome(cycle, { currency: 'MXN' });
    const income_ids = [generated, added];
    await expectUndone(() => user.post(`/cycles/${cycle}/carry-over`, { to_cycle_id, income_ids }));
    await service.query(`INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
      VALUES ('MXN', 'USD', 0.0812, '2026-02-26')`);
    await expectUndone(() => user.post(`/cycles/${cycle}/reprice`));
    await expectUndone(() => user.delete(`/cycles/${cycle}`));
  });

  it('takes back an import of CSV, and one of a document', async () => {
    const { id: cycle } = await user.createCycle();
    await user.createPaymentMethod({ name: 'Cash' });
    const csv = [
      'due_date,description,category,currency,amount,payment_method',
      '2026-02-01,Dinner,fixed,USD,100,Cash',
      '2026-02-02,Lunch,fixed,USD,50,Cash',
    ].join('\n');
    await expectUndone(() =>
      user.post(`/cycles/${cycle}/expenses/import`).type('text/csv').send(csv),
    );
    await user.createTemplate();
    await user.createExpense(cycle);
    const comment = { entity_type: 'cycle', entity_id: cycle, body: 'Hello' };
    await user.post('/comments', comment).expect(201);
    const copy = await service.signUp();
    const imported = await importText(copy, await exportText(user)).expect(200);
    const { records } = await copy.undoOperation(imported);
    expect(records.map(({ entity_type: type }) => type)).toEqual([
      ...['cycle', 'recurrent_expense', 'payment_method', 'payment_method', 'payment_method'],
    ]);
    expect(await copy.read('/cycles')).toMatchObject({ cycles: [] });
    expect(await copy.read('/payment-methods?active=true')).toEqual([]);
    await expectIntegrity(service.dataSource);
  });

  it('takes back changes of a payment method and of a template', async () => {
    const { id: method } = await user.createPaymentMethod();
    const { id: template } = await user.createTemplate();
    await expectUndone(() => user.put(`/payment-methods/${method}`, { name: 'Changed' }));
    await expectUndone(() => user.delete(`/payment-methods/${method}`));
    await expectUndone(() => user.put(`/expense-templates/${template}`, { base_amount: '1.00' }));
  });

  it('a created cycle takes its entries along, whatever changed in them since', async () => {
    await user.createTemplate();
    const created = await user.post('/cycles', {
      ...{ name: 'January', start_date: '2026-01-19', end_date: '2026-03-01', income_amount: '1' },
    });
    const { id } = created.body as CycleResponse;
    const [expense] = (await user.expenses(id)).expenses;
    await user.put(`/cycles/${id}/expenses/${expense?.id ?? ''}`, { paid: true }).expect(200);
    const manual = await user.createExpense(id);
    expect(await user.undoOperation(created)).toMatchObject({
      records: [{ entity_type: 'cycle', entity_id: id, representation: null }],
    });
    expect((await user.lastRecord('cycle_expense', manual.id)).action).toBe('deactivated');
    await expectIntegrity(service.dataSource);
  });

  it('takes an empty body or {}, no other, an Idempotency-Key, and tokens that write', async () => {
    const { id } = await user.createPaymentMethod({ name: 'Card' });
    const change = await user.put(`/payment-methods/${id}`, { name: 'Other' }).expect(200);
    expect((await undo(change).send({ active: true })).status).toBe(422);
    expectError(await undo(change, await user.script({ access: 'read' })), 403, 'FORBIDDEN');
    const key = randomUUID();
    const first = await undo(change)
      .send({})
      .set({ 'Idempotency-Key': key, 'If-Match': '"wrong"' })
      .expect(200);
    expect(first.headers).not.toHaveProperty('etag');
    const again = await undo(change).send({}).set('Idempotency-Key', key).expect(200);
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true' });
    expect(again.body).toEqual(first.body);
    expect(operationOf(again)).toBe(operationOf(first));
    await undo(first, await user.script()).expect(200);
    expect(await user.read(`/payment-methods/${id}`)).toMatchObject({ name: 'Other' });
  });
});
