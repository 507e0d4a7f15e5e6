import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ChangesResponse } from '../../../src/changes/dto/changes.dto.js';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { PreviewResponse } from '../../../src/cycles/dto/preview.dto.js';
import type { SyncResponse } from '../../../src/cycles/dto/sync.dto.js';
import type { ExpenseResponse } from '../../../src/expenses/dto/expense.dto.js';
import type { Client } from '../../support/client.js';
import { exportText, importText } from '../../support/data-document.js';
import { useService } from '../../support/service.js';
import { itOnOneServer } from '../../support/test-database.js';

const service = useService();

const AMOUNTS = { amount: '1200.00', planned_amount: '1200.00' };

describe('planned_amount', () => {
  let user: Client;
  let template: string;
  let cycle: CycleResponse;

  const inTemplate = (body: object, id = template): Promise<unknown> =>
    user.put(`/expense-templates/${id}`, body).expect(200);

  const synchronize = (): Promise<unknown> => user.post(`/cycles/${cycle.id}/sync`).expect(200);

  /** As earlier versions, which do not store which request wrote what. Triggers need one server. */
  async function forgetOperations(): Promise<void> {
    await service.query('ALTER TABLE activity_log DISABLE TRIGGER USER');
    await service.query('UPDATE activity_log SET operation_id = NULL');
    await service.query('ALTER TABLE activity_log ENABLE TRIGGER USER');
    await service.query('UPDATE cycle_expenses SET generated_operation_id = NULL');
    await service.query('UPDATE cycle_incomes SET generated_operation_id = NULL');
  }

  async function expenses(): Promise<ExpenseResponse[]> {
    return (await user.expenses(cycle.id)).expenses;
  }

  async function expense(): Promise<ExpenseResponse> {
    const [first] = await expenses();
    if (!first) throw new Error('The cycle has no expense');
    return first;
  }

  const pathOf = ({ id }: { id: string }, of = cycle): string => `/cycles/${of.id}/expenses/${id}`;

  beforeEach(async () => {
    await service.query(`DELETE FROM exchange_rates WHERE rate_date > '2025-01-01'`);
    user = await service.signUp();
    const recurrence_config = { day_of_month: 10 };
    ({ id: template } = await user.createTemplate({ currency: 'MXN', recurrence_config }));
    cycle = await user.createCycle();
  });

  it('planned_amount is what was generated, wherever an expense is read', async () => {
    const generated = await expense();
    expect(generated).toMatchObject(AMOUNTS);
    const changed = await user.put(pathOf(generated), { amount: '1300.00' }).expect(200);
    const planned = { ...AMOUNTS, amount: '1300.00' };
    expect(changed.body).toMatchObject(planned);
    const read = await user.get(pathOf(generated)).expect(200);
    expect(read.body).toEqual(changed.body);
    expect(read.get('ETag')).toBe(changed.get('ETag'));
    expect(await user.read(`/expenses?template_id=${template}`)).toMatchObject({
      expenses: [planned],
    });
    const { changes } = await user.read<ChangesResponse>('/changes');
    expect(changes).toContainEqual(
      expect.objectContaining({ representation: expect.objectContaining(planned) as unknown }),
    );
    const elements = [{ id: generated.id, paid: true }];
    const bulk = await user
      .patch(`/cycles/${cycle.id}/expenses`, { expenses: elements })
      .expect(200);
    expect(bulk.body).toMatchObject({ expenses: [{ ...planned, paid: true }] });
  });

  it('planned_amount is what was generated of an income too', async () => {
    await user.createIncomeTemplate({ currency: 'MXN', base_amount: '900.00' });
    const { id } = await user.createCycle();
    const { incomes } = await user.incomes(id);
    const [income] = incomes;
    expect(income).toMatchObject({ amount: '900.00', planned_amount: '900.00' });
    const path = `/cycles/${id}/incomes/${income?.id ?? ''}`;
    const changed = await user.put(path, { amount: '950.00', received: true }).expect(200);
    expect(changed.body).toMatchObject({ amount: '950.00', planned_amount: '900.00' });
    const read = await user.get(path);
    expect(read.body).toEqual(changed.body);
    expect(read.get('ETag')).toBe(changed.get('ETag'));
  });

  it('planned_amount is in no activity record and in no file', async () => {
    await user.put(pathOf(await expense()), { amount: '1300.00' }).expect(200);
    await inTemplate({ base_amount: '1250.00' });
    await synchronize();
    expect(JSON.stringify(await user.activity(`cycle_id=${cycle.id}`))).not.toContain('plan');
    const csv = await user.get(`/cycles/${cycle.id}/expenses.csv`).expect(200);
    expect(csv.text).not.toContain('plan');
    const file = JSON.parse(await exportText(user)) as { expenses: { generated: object }[] };
    expect(file.expenses).toHaveLength(1);
    expect(Object.keys(file.expenses[0] ?? {})).not.toContain('planned_amount');
    expect(Object.keys(file.expenses[0]?.generated ?? {}).sort()).toEqual(
      ['amount', 'autopay_info', 'category', 'currency', 'description'].concat([
        'due_date',
        'payment_method_id',
      ]),
    );
  });

  it('planned_amount is null for manual and carried-over expenses', async () => {
    expect(await user.createExpense(cycle.id)).toMatchObject({ planned_amount: null });
    const { id: to_cycle_id } = await user.createCycle({ generate_from_templates: false });
    const carried = await user
      .post(`/cycles/${cycle.id}/carry-over`, { to_cycle_id, expense_ids: [(await expense()).id] })
      .expect(200);
    expect(carried.body).toMatchObject({ moved: [{ expense: { planned_amount: null } }] });
    const [moved] = (await user.expenses(to_cycle_id)).expenses;
    expect(moved).toMatchObject({ amount: '1200.00', planned_amount: null });
  });

  it('planned_amount is null while the expense has another currency than planned', async () => {
    const path = pathOf(await expense());
    const inDollars = await user.put(path, { currency: 'USD' }).expect(200);
    expect(inDollars.body).toMatchObject({ planned_amount: null });
    expect((await user.get(path)).get('ETag')).toBe(inDollars.get('ETag'));
    await user.put(path, { currency: 'MXN', amount: '80.00' }).expect(200);
    expect(await expense()).toMatchObject({ amount: '80.00', planned_amount: '1200.00' });
  });

  it('planned_amount equals amount in the preview of a cycle and in what a synchronization adds', async () => {
    await user.createIncomeTemplate();
    const preview = await user
      .post('/cycles/preview', {
        ...{ start_date: '2026-03-02', end_date: '2026-04-12', income_amount: '0.00' },
      })
      .expect(200);
    const { expenses: planned, incomes } = preview.body as PreviewResponse;
    expect(planned).toMatchObject([
      { ...AMOUNTS, due_date: '2026-03-10' },
      { ...AMOUNTS, due_date: '2026-04-10' },
    ]);
    expect(incomes[0]).toMatchObject({ amount: '2000.00', planned_amount: '2000.00' });
    const { add } = await user.read<SyncResponse>(`/cycles/${cycle.id}/sync`);
    expect(add).not.toEqual([]);
    for (const one of add) expect(one.planned_amount).toBe(one.amount);
  });

  it('planned_amount is what the last synchronization set', async () => {
    await inTemplate({ base_amount: '1250.00' });
    await synchronize();
    expect(await expense()).toMatchObject({ amount: '1250.00', planned_amount: '1250.00' });
    await inTemplate({ base_amount: '70.00', currency: 'USD' });
    await synchronize();
    await user.put(pathOf(await expense()), { amount: '71.00' }).expect(200);
    expect(await expense()).toMatchObject({ amount: '71.00', planned_amount: '70.00' });
  });

  it('planned_amount stays after the undo of an edit, a deletion and a conversion', async () => {
    const { id } = await expense();
    await user.put(pathOf({ id }), { amount: '1300.00' }).expect(200);
    await user.put(pathOf({ id }), { amount: '1200.00' }).expect(200);
    for (const amount of ['1300.00', '1200.00', '1300.00']) {
      const { representation } = await user.undo(['cycle_expense', id]);
      expect(representation).toMatchObject({ amount, planned_amount: '1200.00' });
    }
    await user.undo(['cycle_expense', id]);
    await user.delete(pathOf({ id })).expect(204);
    await user.undo(['cycle_expense', id]);
    expect(await expense()).toMatchObject(AMOUNTS);
    await service.query(`INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
      VALUES ('MXN', 'USD', 0.06, '2026-01-01')`);
    await user.post(`/cycles/${cycle.id}/reprice`).expect(200);
    await user.undo(['cycle_expense', id]);
    expect(await expense()).toMatchObject({ ...AMOUNTS, amount_usd: '60.00' });
  });

  it('planned_amount is null after the undo of a synchronization and the undo of that, until the next one', async () => {
    await inTemplate({ base_amount: '1250.00' });
    const { id: other } = await user.createTemplate({ recurrence_config: { day_of_month: 12 } });
    await synchronize();
    const [changed, added] = (await expenses()).map(({ id }) => id);
    for (const id of [changed, added]) await user.undo(['cycle_expense', id ?? '']);
    expect(await expenses()).toMatchObject([{ amount: '1200.00', planned_amount: null }]);
    for (const id of [changed, added]) await user.undo(['cycle_expense', id ?? '']);
    expect(await expenses()).toMatchObject([
      { amount: '1250.00', planned_amount: null },
      { amount: '1200.00', planned_amount: null },
    ]);
    await inTemplate({ base_amount: '1260.00' });
    await inTemplate({ base_amount: '1210.00' }, other);
    await synchronize();
    expect(await expenses()).toMatchObject([
      { amount: '1260.00', planned_amount: '1260.00' },
      { amount: '1210.00', planned_amount: '1210.00' },
    ]);
  });

  itOnOneServer(
    'planned_amount is null after the undo of what an earlier version may have synchronized',
    async () => {
      await user.put(pathOf(await expense()), { comments: 'Note' }).expect(200);
      await forgetOperations();
      const { id } = await expense();
      const commented = await user.undo(['cycle_expense', id]);
      expect(commented.representation).toMatchObject({ comments: null, ...AMOUNTS });
      await inTemplate({ base_amount: '1250.00' });
      await synchronize();
      await forgetOperations();
      expect(await expense()).toMatchObject({ amount: '1250.00', planned_amount: '1250.00' });
      const { representation } = await user.undo(['cycle_expense', id]);
      expect(representation).toMatchObject({ amount: '1200.00', planned_amount: null });
      await inTemplate({ base_amount: '70.00', currency: 'USD' });
      const next = await user.createCycle();
      cycle = next;
      await inTemplate({ base_amount: '70.00', currency: 'MXN' });
      await synchronize();
      await forgetOperations();
      expect(await expense()).toMatchObject({ currency: 'MXN', planned_amount: '70.00' });
      await user.undo(['cycle_expense', (await expense()).id]);
      expect(await expense()).toMatchObject({ currency: 'USD', planned_amount: null });
    },
  );

  itOnOneServer(
    'planned_amount is null for what a synchronization by an earlier version added, once that was undone twice',
    async () => {
      await user.createIncomeTemplate({ base_amount: '900.00' });
      await synchronize();
      await forgetOperations();
      const [income] = (await user.incomes(cycle.id)).incomes;
      expect(income).toMatchObject({ amount: '900.00', planned_amount: '900.00' });
      await user.undo(['cycle_income', income?.id ?? '']);
      await user.undo(['cycle_income', income?.id ?? '']);
      const [added] = (await user.incomes(cycle.id)).incomes;
      expect(added).toMatchObject({ id: income?.id, amount: '900.00', planned_amount: null });
    },
  );

  it('planned_amount is null for what a synchronization removed or converted and an undo brought back', async () => {
    const { id } = await expense();
    await inTemplate({ active: false });
    await synchronize();
    const { representation } = await user.undo(['cycle_expense', id]);
    expect(representation).toMatchObject({ amount: '1200.00', planned_amount: null });
    await inTemplate({ active: true });
    const { id: second } = await user.createCycle();
    cycle = await user.cycle(second);
    await service.query(`INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
      VALUES ('MXN', 'USD', 0.06, '2026-01-01')`);
    await synchronize();
    expect(await expense()).toMatchObject({ ...AMOUNTS, amount_usd: '72.00' });
    await user.undo(['cycle_expense', (await expense()).id]);
    expect(await expense()).toMatchObject({ amount_usd: '60.00', planned_amount: null });
  });

  it('planned_amount is null after an import, until a synchronization changes the expense', async () => {
    await user.put(pathOf(await expense()), { comments: 'Note' }).expect(200);
    const copy = await service.signUp();
    const document = await exportText(user);
    await importText(copy, document).expect(200);
    const { cycles } = await copy.read<{ cycles: CycleResponse[] }>('/cycles');
    cycle = cycles[0] ?? cycle;
    user = copy;
    const imported = await expense();
    expect(imported).toMatchObject({ amount: '1200.00', planned_amount: null });
    await inTemplate({ base_amount: '1250.00' }, imported.template_id ?? '');
    await synchronize();
    expect(await expense()).toMatchObject({ amount: '1250.00', planned_amount: '1250.00' });
  });
});
