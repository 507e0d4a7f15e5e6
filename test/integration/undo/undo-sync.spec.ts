import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { ExpenseResponse } from '../../../src/expenses/dto/expense.dto.js';
import type { Client } from '../../support/client.js';
import { exportText, importText } from '../../support/data-document.js';
import { expectError } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { useService } from '../../support/service.js';

const service = useService();

const NOTHING = { add: [], change: [], remove: [], protected: [] };

describe('the undo of what a synchronization did', () => {
  let user: Client;
  let template: string;
  let cycle: CycleResponse;

  const inTemplate = (body: object): Promise<unknown> =>
    user.put(`/expense-templates/${template}`, body).expect(200);

  /** What a synchronization does, after the comparison that announces it. */
  async function synchronize(): Promise<object> {
    const path = `/cycles/${cycle.id}/sync`;
    const announced = await user.read<object>(path);
    expect((await user.post(path).expect(200)).body).toEqual(announced);
    return announced;
  }

  async function expenses(): Promise<ExpenseResponse[]> {
    return (await user.expenses(cycle.id)).expenses;
  }

  /** The only expense of the cycle. */
  async function expense(): Promise<ExpenseResponse> {
    const [first, ...others] = await expenses();
    expect(others).toEqual([]);
    if (!first) throw new Error('The cycle has no expense');
    return first;
  }

  const protectedAs = (reason: string, { id }: { id: string }): object => ({
    ...NOTHING,
    protected: [{ id, entity_type: 'cycle_expense', reason }],
  });

  beforeEach(async () => {
    await service.query(`DELETE FROM exchange_rates WHERE rate_date > '2025-01-01'`);
    user = await service.signUp();
    const recurrence_config = { day_of_month: 10 };
    ({ id: template } = await user.createTemplate({ currency: 'MXN', recurrence_config }));
    cycle = await user.createCycle();
  });

  it('the undo of what a synchronization did leaves an entry that it changed as before: it counts as edited', async () => {
    const before = await expense();
    await inTemplate({ base_amount: '1300.00', description: 'Flat' });
    await synchronize();
    await user.undo(['cycle_expense', before.id]);
    expect(await expense()).toMatchObject({ amount: '1200.00', amount_usd: '60.00' });
    expect(await synchronize()).toEqual(protectedAs('edited', before));
    await user.undo(['cycle_expense', before.id]);
    expect(await synchronize()).toEqual(NOTHING);
    await inTemplate({ base_amount: '1400.00' });
    expect(await synchronize()).toMatchObject({ change: [{ id: before.id }] });
    await expectIntegrity(service.dataSource);
  });

  it('the undo of what a synchronization did leaves an entry that it only converted as before: it counts as edited', async () => {
    const before = await expense();
    await service.query(`INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
      VALUES ('MXN', 'USD', 0.06, '2026-01-01')`);
    expect(await synchronize()).toMatchObject({ change: [{ id: before.id }] });
    await user.undo(['cycle_expense', before.id]);
    expect(await expense()).toMatchObject({ amount_usd: before.amount_usd });
    expect(await synchronize()).toEqual(protectedAs('edited', before));
    await user.put(`/cycles/${cycle.id}/expenses/${before.id}`, { paid: true }).expect(200);
    expect(await synchronize()).toEqual(protectedAs('paid', before));
  });

  it('the undo of what a synchronization did leaves an entry that it removed in the cycle: it counts as edited', async () => {
    const before = await expense();
    await inTemplate({ active: false });
    expect(await synchronize()).toMatchObject({ remove: [{ id: before.id }] });
    await user.undo(['cycle_expense', before.id]);
    expect((await expense()).id).toBe(before.id);
    expect(await synchronize()).toEqual(protectedAs('edited', before));
    await inTemplate({ active: true });
    expect(await synchronize()).toEqual(NOTHING);
    await inTemplate({ base_amount: '1300.00' });
    expect(await synchronize()).toEqual(protectedAs('edited', before));
    await expectIntegrity(service.dataSource);
  });

  it('the undo of a synchronization is refused where another entry has the occurrence meanwhile', async () => {
    const before = await expense();
    await inTemplate({ active: false });
    await synchronize();
    const removal = await user.lastRecord('cycle_expense', before.id);
    await inTemplate({ active: true });
    await synchronize();
    const after = await expense();
    expect(after.id).not.toBe(before.id);
    const response = await user.post(`/activity/${removal.id}/undo`);
    expectError(response, 409, 'RESOURCE_CONFLICT', { resource: 'cycle_expense' });
    await user.delete(`/cycles/${cycle.id}/expenses/${after.id}`).expect(204);
    await user.undo(removal);
    expect((await expense()).id).toBe(before.id);
    const deletion = await user.lastRecord('cycle_expense', after.id);
    expect((await user.post(`/activity/${deletion.id}/undo`)).status).toBe(409);
    expect(await synchronize()).toEqual(NOTHING);
  });

  it('the undo of what a synchronization did deletes an entry that it added, which is not added again', async () => {
    const { id: other } = await user.createTemplate({ recurrence_config: { day_of_month: 12 } });
    await synchronize();
    const added = (await expenses()).find(({ template_id }) => template_id === other);
    await user.undo(['cycle_expense', added?.id ?? '']);
    const deleted = { ...NOTHING, protected: [expect.objectContaining({ reason: 'deleted' })] };
    expect(await synchronize()).toEqual(deleted);
    await user.undo(['cycle_expense', added?.id ?? '']);
    expect(await synchronize()).toEqual(NOTHING);
    await inTemplate({ base_amount: '1.00' });
    await synchronize();
    await user.put(`/expense-templates/${other}`, { base_amount: '2.00' }).expect(200);
    expect(await synchronize()).toMatchObject({ change: [{ id: added?.id }] });
  });

  it('the undo of a synchronized income is the same', async () => {
    const { id: pay } = await user.createIncomeTemplate({
      ...{ recurrence_type: 'monthly', recurrence_config: { day_of_month: 15 } },
    });
    await synchronize();
    const [income] = (await user.incomes(cycle.id)).incomes;
    await user.put(`/income-templates/${pay}`, { active: false }).expect(200);
    await synchronize();
    await user.undo(['cycle_income', income?.id ?? '']);
    const kept = { id: income?.id, entity_type: 'cycle_income', reason: 'edited' };
    expect(await synchronize()).toEqual({ ...NOTHING, protected: [kept] });
  });

  it('the undo of what a synchronization did survives an export and an import', async () => {
    await inTemplate({ active: false });
    await synchronize();
    const removal = (await user.activity(`cycle_id=${cycle.id}`)).at(-1);
    await user.undo({ id: removal?.id ?? '' });
    const copy = await service.signUp();
    await importText(copy, await exportText(user)).expect(200);
    const copyOfCopy = await service.signUp();
    await importText(copyOfCopy, await exportText(copy)).expect(200);
    for (const owner of [copy, copyOfCopy]) {
      const { cycles } = await owner.read<{ cycles: CycleResponse[] }>('/cycles');
      expect(await owner.read(`/cycles/${cycles[0]?.id ?? ''}/sync`)).toMatchObject({
        ...NOTHING,
        protected: [{ reason: 'edited' }],
      });
    }
  });
});

describe('the undo of an edit by hand', () => {
  it('an entry whose deletion was undone is no longer deleted for the synchronization', async () => {
    const user = await service.signUp();
    await user.createTemplate();
    const { id } = await user.createCycle();
    const [expense] = (await user.expenses(id)).expenses;
    await user.delete(`/cycles/${id}/expenses/${expense?.id ?? ''}`).expect(204);
    expect(await user.read(`/cycles/${id}/sync`)).toMatchObject({
      protected: [{ reason: 'deleted' }],
    });
    await user.undo(['cycle_expense', expense?.id ?? '']);
    expect(await user.read(`/cycles/${id}/sync`)).toEqual(NOTHING);
  });

  it('the undo of an edit by hand makes an entry one that the synchronization changes again', async () => {
    const user = await service.signUp();
    const { id: template } = await user.createTemplate();
    const { id } = await user.createCycle();
    const [expense] = (await user.expenses(id)).expenses;
    const path = `/cycles/${id}/expenses/${expense?.id ?? ''}`;
    await user.put(path, { amount: '1.00' }).expect(200);
    await user.undo(['cycle_expense', expense?.id ?? '']);
    await user.put(`/expense-templates/${template}`, { base_amount: '1300.00' }).expect(200);
    expect(await user.read(`/cycles/${id}/sync`)).toMatchObject({ protected: [] });
  });
});
