import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import type { ActivityResponse } from '../../../src/activity/dto/activity.dto.js';
import type { CommentResponse } from '../../../src/comments/dto/comment.dto.js';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import { without } from '../../model/views.js';
import { ChangesCopy } from '../../support/changes-copy.js';
import type { Client } from '../../support/client.js';
import { expectError } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { databaseState } from '../../support/rejected-requests.js';
import { useService } from '../../support/service.js';

const service = useService();

describe('POST /activity/{id}/undo', () => {
  let user: Client;
  let cycle: CycleResponse;

  beforeEach(async () => {
    user = await service.signUp();
    cycle = await user.createCycle({ name: 'January' });
  });

  const undo = (record: { id: string } | undefined): Test =>
    user.post(`/activity/${record?.id ?? ''}/undo`);

  const pathOf = (): string => `/cycles/${cycle.id}`;

  /** What the cycle shows, without the time of the last change. */
  async function contents(): Promise<unknown> {
    const shown = without(await user.cycle(cycle.id), 'updated_at');
    const { expenses } = await user.expenses(cycle.id);
    const { incomes } = await user.incomes(cycle.id);
    const entries = [...expenses, ...incomes].map((entry) => without(entry, 'updated_at'));
    return { shown, entries };
  }

  const recordsOfCycle = (): Promise<ActivityResponse[]> => user.activity(`cycle_id=${cycle.id}`);

  describe('of the deletion of a cycle', () => {
    it('POST /activity/{id}/undo of the deletion of a cycle brings back the cycle with the entries that were deleted with it, and no others', async () => {
      const kept = await user.createExpense(cycle.id, { currency: 'MXN' });
      const early = await user.createExpense(cycle.id);
      const income = await user.createIncome(cycle.id);
      const earlyIncome = await user.createIncome(cycle.id);
      await user.put(`${pathOf()}/expenses/${kept.id}`, { paid: true }).expect(200);
      await user.delete(`${pathOf()}/expenses/${early.id}`).expect(204);
      await user.delete(`${pathOf()}/incomes/${earlyIncome.id}`).expect(204);
      const before = await contents();
      await user.delete(pathOf()).expect(204);
      const deletion = await user.lastRecord('cycle', cycle.id);
      const { activity_id, representation } = await user.undo(deletion);
      expect(representation).toEqual(await user.cycle(cycle.id));
      expect(await contents()).toEqual(before);
      const deletionOf = async (type: string, id: string): Promise<string | undefined> =>
        (await user.activityOf(type, id)).at(-2)?.id;
      expect((await recordsOfCycle()).slice(-3)).toMatchObject([
        { entity_id: cycle.id, action: 'reactivated', id: activity_id, undoes: deletion.id },
        {
          entity_id: kept.id,
          action: 'reactivated',
          undoes: await deletionOf('cycle_expense', kept.id),
          changes: { active: { from: false, to: true } },
        },
        {
          entity_id: income.id,
          action: 'reactivated',
          undoes: await deletionOf('cycle_income', income.id),
        },
      ]);
      await expectIntegrity(service.dataSource);
    });

    it('POST /activity/{id}/undo of the deletion of a cycle brings them back as often as it is deleted, also by an earlier record of a deletion', async () => {
      const { id } = await user.createExpense(cycle.id);
      await user.delete(pathOf()).expect(204);
      const first = await user.lastRecord('cycle', cycle.id);
      await user.undo(first);
      const { id: second } = await user.createExpense(cycle.id);
      await user.delete(`${pathOf()}/expenses/${id}`).expect(204);
      const before = await contents();
      await user.delete(pathOf()).expect(204);
      await user.undo(first);
      expect(await contents()).toEqual(before);
      expect((await user.expenses(cycle.id)).expenses.map((one) => one.id)).toEqual([second]);
      await expectIntegrity(service.dataSource);
    });

    it('GET /changes reports the undo of the deletion of a cycle, with the entries and the comments on all of them', async () => {
      const { id } = await user.createExpense(cycle.id);
      const comments: CommentResponse[] = [];
      for (const target of [
        { entity_type: 'cycle', entity_id: cycle.id },
        { entity_type: 'cycle_expense', entity_id: id },
      ]) {
        const response = await user.post('/comments', { ...target, body: 'Why?' }).expect(201);
        comments.push(response.body as CommentResponse);
      }
      const copy = new ChangesCopy(user);
      await copy.update();
      await user.delete(pathOf()).expect(204);
      await copy.update();
      expect(copy.entities.get(`comment ${comments[1]?.id ?? ''}`)).toBeUndefined();
      await user.undo(['cycle', cycle.id]);
      await copy.update();
      for (const comment of comments) {
        expect(copy.entities.get(`comment ${comment.id}`)).toEqual(comment);
      }
      expect(copy.entities.get(`cycle_expense ${id}`)).toEqual(
        await user.read(`${pathOf()}/expenses/${id}`),
      );
      expect(copy.entities.get(`cycle ${cycle.id}`)).toEqual(await user.cycle(cycle.id));
    });

    it('the undo of the deletion of a cycle is refused where its name is taken meanwhile', async () => {
      await user.delete(pathOf()).expect(204);
      const deletion = await user.lastRecord('cycle', cycle.id);
      await user.createCycle({ name: 'January' });
      expectError(await undo(deletion), 409, 'CYCLE_NAME_EXISTS');
    });
  });

  it('the undo of the creation of a cycle deletes it with its entries, and can be undone', async () => {
    await user.createTemplate();
    cycle = await user.createCycle();
    const manual = await user.createIncome(cycle.id);
    const before = await contents();
    const [creation] = await user.activityOf('cycle', cycle.id);
    await undo(creation).expect(200);
    expectError(await user.get(pathOf()), 404, 'CYCLE_NOT_FOUND');
    const [deletion, ...entries] = (await recordsOfCycle()).slice(-4);
    expect(deletion).toMatchObject({ action: 'deactivated', undoes: creation?.id });
    expect(entries.map(({ action, undoes }) => ({ action, undoes }))).toEqual(
      entries.map(() => ({ action: 'deactivated', undoes: null })),
    );
    expect(entries.at(-1)).toMatchObject({ entity_id: manual.id });
    await undo(deletion).expect(200);
    expect(await contents()).toEqual(before);
    const restoration = await user.lastRecord('cycle', cycle.id);
    expect((await user.undo(restoration)).representation).toBeNull();
    expect((await recordsOfCycle()).slice(-4)).toMatchObject([
      { action: 'deactivated', undoes: restoration.id },
      ...entries.map(() => ({ action: 'deactivated', undoes: null })),
    ]);
    await expectIntegrity(service.dataSource);
  });

  it('the undo of records of a deleted cycle or of its entries is refused, but for its deletion', async () => {
    const expense = await user.createExpense(cycle.id);
    const path = `${pathOf()}/expenses/${expense.id}`;
    await user.put(path, { comments: 'Note' }).expect(200);
    await user.delete(path).expect(204);
    const other = await user.createExpense(cycle.id);
    await user.put(pathOf(), { income_amount: '1.00' }).expect(200);
    await user.delete(pathOf()).expect(204);
    const state = await databaseState(service);
    const records = await recordsOfCycle();
    const deletion = await user.lastRecord('cycle', cycle.id);
    for (const record of records.filter(({ id }) => id !== deletion.id)) {
      const response = await undo(record);
      expectError(response, 409, 'RESOURCE_CONFLICT');
      expect(response.body).toMatchObject({
        error: {
          details: { resource: record.entity_type, fields: { active: [expect.any(String)] } },
        },
      });
    }
    expect(records).toHaveLength(8);
    expect(records.at(-1)).toMatchObject({ entity_id: other.id, action: 'deactivated' });
    expect(await databaseState(service)).toEqual(state);
    await undo(deletion).expect(200);
    // The record of the deletion with the cycle: the entry is there again.
    expectError(await undo(records.at(-1)), 409, 'RESOURCE_CONFLICT');
    await undo(records.at(4)).expect(200);
  });

  it('the undo of any record of a completed cycle or its entries is refused, before other conflicts', async () => {
    const expense = await user.createExpense(cycle.id);
    const income = await user.createIncome(cycle.id);
    await user.put(`${pathOf()}/expenses/${expense.id}`, { paid: true }).expect(200);
    await user.delete(`${pathOf()}/incomes/${income.id}`).expect(204);
    await user.post('/comments', { entity_type: 'cycle', entity_id: cycle.id, body: 'Done?' });
    await user.put(pathOf(), { name: 'Last', status: 'completed' }).expect(200);
    const state = await databaseState(service);
    const records = await recordsOfCycle();
    expect(records.map(({ action }) => action)).toEqual([
      ...['created', 'created', 'created', 'marked_paid', 'deactivated', 'commented', 'completed'],
    ]);
    for (const record of records) {
      expectError(await undo(record), 409, 'CYCLE_ALREADY_COMPLETED', {});
    }
    expect(await databaseState(service)).toEqual(state);
  });

  it('the undo of a deletion keeps the payment method, active or not', async () => {
    const { id: payment_method_id } = await user.createPaymentMethod();
    const { id } = await user.createExpense(cycle.id, { payment_method_id });
    await user.delete(`${pathOf()}/expenses/${id}`).expect(204);
    await user.delete(`/payment-methods/${payment_method_id}`).expect(204);
    expect((await user.undo(['cycle_expense', id])).representation).toMatchObject({
      payment_method: { id: payment_method_id },
    });
    await user.delete(pathOf()).expect(204);
    await user.undo(['cycle', cycle.id]);
    expect((await user.expenses(cycle.id)).expenses).toMatchObject([
      { payment_method: { id: payment_method_id } },
    ]);
  });

  it('the undo of a payment gives paid_at back, and shows an expense of the past as overdue', async () => {
    const { id } = await user.createExpense(cycle.id, { due_date: '2026-02-01' });
    const path = `${pathOf()}/expenses/${id}`;
    await user.put(path, { paid: true, paid_at: '2026-02-01T10:00:00.123Z' }).expect(200);
    await user.put(path, { paid_at: '2026-02-02T10:00:00.456Z' }).expect(200);
    expect((await user.undo(['cycle_expense', id])).representation).toMatchObject({
      paid_at: '2026-02-01T10:00:00.123Z',
    });
    const [, payment] = await user.activityOf('cycle_expense', id);
    expect((await undo(payment).expect(200)).body).toMatchObject({
      representation: { status: 'overdue', paid: false, paid_at: null },
    });
    expect(await user.lastRecord('cycle_expense', id)).toMatchObject({
      action: 'marked_unpaid',
      changes: { status: { from: 'paid', to: 'pending' } },
    });
    expect((await user.undo(['cycle_expense', id])).representation).toMatchObject({
      status: 'paid',
      paid_at: '2026-02-01T10:00:00.123Z',
    });
    expect(await user.lastRecord('cycle_expense', id)).toMatchObject({ action: 'marked_paid' });
    await expectIntegrity(service.dataSource);
  });
});
