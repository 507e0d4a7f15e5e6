import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { RepriceResponse } from '../../../src/cycles/dto/reprice.dto.js';
import type { SyncResponse } from '../../../src/cycles/dto/sync.dto.js';
import type { ExpenseTemplateResponse } from '../../../src/templates/dto/expense-template.dto.js';
import type { Client } from '../../support/client.js';
import { expectError } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { expectRefused, databaseState } from '../../support/rejected-requests.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const service = useService();

const NOTHING: SyncResponse = { add: [], change: [], remove: [], protected: [] };

const STARTING_RATE = { rate: '0.050000', rate_date: '2025-01-01' };

const compare = (user: Client, { id }: CycleResponse): Promise<SyncResponse> =>
  user.read(`/cycles/${id}/sync`);

/**
 * Synchronizes after checking that the comparison announces what is done, and that nothing is left
 * to do.
 */
async function synchronize(user: Client, cycle: CycleResponse): Promise<SyncResponse> {
  const announced = await compare(user, cycle);
  const done = (await user.post(`/cycles/${cycle.id}/sync`).expect(200)).body as SyncResponse;
  expect(done).toEqual(announced);
  const left = { ...NOTHING, protected: done.protected };
  expect(await compare(user, cycle)).toEqual(left);
  const state = await databaseState(service);
  expect((await user.post(`/cycles/${cycle.id}/sync`).expect(200)).body).toEqual(left);
  expect(await databaseState(service)).toEqual(state);
  return done;
}

describe('/cycles/{id}/sync', () => {
  let user: Client;
  let rent: ExpenseTemplateResponse;
  let cycle: CycleResponse;

  const expensesPath = (id: string): string => `/cycles/${cycle.id}/expenses/${id}`;

  /** The ids of the rent of February and March. */
  async function rentIds(): Promise<[string, string]> {
    const { expenses } = await user.expenses(cycle.id);
    const ids = expenses.filter(({ template_id }) => template_id === rent.id).map(({ id }) => id);
    return ids as [string, string];
  }

  beforeEach(async () => {
    user = await service.signUp();
    rent = await user.createTemplate();
    cycle = await user.createCycle();
  });

  it('a synchronization has nothing to do after generation', async () => {
    await user.createExpense(cycle.id);
    await user.createIncome(cycle.id);
    expect(await synchronize(user, cycle)).toEqual(NOTHING);
  });

  it('a synchronization adds entries of new templates as the preview shows them', async () => {
    const template = await user.createTemplate({ description: 'Gym', currency: 'MXN' });
    const pay = await user.createIncomeTemplate({ reference_date: '2026-01-23' });
    const { add } = await synchronize(user, cycle);
    expect(add).toMatchObject([
      {
        ...{ entity_type: 'cycle_expense', template_id: template.id, description: 'Gym' },
        ...{ due_date: '2026-02-01', occurrence_date: '2026-02-01', amount_usd: '60.00' },
        ...{ status: 'pending', exchange_rate: STARTING_RATE },
      },
      { template_id: template.id, due_date: '2026-03-01' },
      { entity_type: 'cycle_income', template_id: pay.id, income_date: '2026-01-23' },
      { income_date: '2026-02-06' },
      { income_date: '2026-02-20' },
    ]);
    const { start_date, end_date, income_amount } = cycle;
    const preview = await user.post('/cycles/preview', { start_date, end_date, income_amount });
    const { expenses } = preview.body as { expenses: object[] };
    const added = add.map(({ entity_type: _type, ...row }) => row);
    expect(expenses).toEqual(expect.arrayContaining(added.slice(0, 2)));
    const { remaining_balance, summary } = await user.cycle(cycle.id);
    expect(remaining_balance).toBe('8480.00');
    expect(summary).toMatchObject({ expense_count: 4, income_count: 3 });
    await expectIntegrity(service.dataSource);
  });

  it('a synchronization changes entries of a changed template, and records it', async () => {
    const gym = await user.createTemplate({ description: 'Gym', base_amount: '30.00' });
    await synchronize(user, cycle);
    const [february, march] = await rentIds();
    const body = { base_amount: '1300.00', category: 'variable', autopay_info: 'Card 1' };
    await user.put(`/expense-templates/${rent.id}`, body).expect(200);
    const changes = {
      amount: { from: '1200.00', to: '1300.00' },
      amount_usd: { from: '1200.00', to: '1300.00' },
      category: { from: 'fixed', to: 'variable' },
      autopay_info: { from: null, to: 'Card 1' },
    };
    const { change, ...others } = await synchronize(user, cycle);
    expect(others).toEqual({ add: [], remove: [], protected: [] });
    expect(change).toEqual([
      { id: february, entity_type: 'cycle_expense', changes },
      { id: march, entity_type: 'cycle_expense', changes },
    ]);
    const records = await user.activityOf('cycle_expense', february);
    expect(records.at(-1)).toMatchObject({ action: 'updated', changes });
    const { expenses } = await user.expenses(cycle.id);
    expect(expenses.map(({ amount }) => amount).sort()).toEqual([
      ...['1300.00', '1300.00', '30.00', '30.00'],
    ]);
    expect(expenses.some(({ template_id }) => template_id === gym.id)).toBe(true);
    expect((await user.cycle(cycle.id)).remaining_balance).toBe('2340.00');
    await expectIntegrity(service.dataSource);
  });

  it('a synchronization removes entries of an inactive template, and adds them when it is active again', async () => {
    const [february, march] = await rentIds();
    await user.delete(`/expense-templates/${rent.id}`).expect(204);
    const { remove } = await synchronize(user, cycle);
    const removed = { entity_type: 'cycle_expense', description: 'Rent' };
    expect(remove).toEqual([
      { id: february, ...removed, due_date: '2026-02-01' },
      { id: march, ...removed, due_date: '2026-03-01' },
    ]);
    const records = await user.activityOf('cycle_expense', february);
    expect(records.at(-1)).toMatchObject({ action: 'deactivated' });
    expect((await user.cycle(cycle.id)).remaining_balance).toBe('5000.00');
    await user.put(`/expense-templates/${rent.id}`, { active: true }).expect(200);
    expect((await synchronize(user, cycle)).add).toHaveLength(2);
    expect(await rentIds()).toHaveLength(2);
    await expectIntegrity(service.dataSource);
  });

  it('a synchronization removes and adds entries when the dates of the cycle change', async () => {
    const dates = { start_date: '2026-02-20', end_date: '2026-04-05' };
    await user.put(`/cycles/${cycle.id}`, dates).expect(200);
    const { add, remove } = await synchronize(user, cycle);
    expect(remove).toMatchObject([{ due_date: '2026-02-01' }]);
    expect(add).toMatchObject([{ due_date: '2026-04-01' }]);
  });

  it('a synchronization replaces an entry when its occurrence moves, and keeps it when the weekend rule moves its date', async () => {
    const [february] = await rentIds();
    // 2026-02-01 and 2026-03-01 are Sundays.
    await user.put(`/expense-templates/${rent.id}`, { weekend_rule: 'after' }).expect(200);
    const moved = await synchronize(user, cycle);
    expect(moved.change).toMatchObject([
      { id: february, changes: { due_date: { from: '2026-02-01', to: '2026-02-02' } } },
    ]);
    expect(moved.remove).toMatchObject([{ due_date: '2026-03-01' }]);
    const config = { recurrence_config: { day_of_month: 5 }, weekend_rule: 'keep' };
    await user.put(`/expense-templates/${rent.id}`, config).expect(200);
    const { add, remove } = await synchronize(user, cycle);
    expect(add).toMatchObject([{ due_date: '2026-02-05' }]);
    expect(remove).toMatchObject([{ id: february, due_date: '2026-02-02' }]);
  });

  it('a synchronization converts by the rates stored now', async () => {
    const template = await user.createTemplate({ description: 'Luz', currency: 'MXN' });
    await synchronize(user, cycle);
    await service.query(
      `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
       VALUES ('MXN', 'USD', 0.06, '2026-01-20')`,
    );
    const newRate = { rate: '0.060000', rate_date: '2026-01-20' };
    try {
      const changes = {
        amount_usd: { from: '60.00', to: '72.00' },
        exchange_rate: { from: STARTING_RATE, to: newRate },
      };
      const { change } = await synchronize(user, cycle);
      expect(change.map((entry) => entry.changes)).toEqual([changes, changes]);
      await service.query(`DELETE FROM exchange_rates`);
      const { id, description } = template;
      const response = await user.get(`/cycles/${cycle.id}/sync`);
      expectError(response, 422, 'CYCLE_GENERATION_ERROR', {
        template: { id, description },
        due_date: '2026-02-01',
        cause: expect.objectContaining({ code: 'CURRENCY_CONVERSION_ERROR' }),
      });
      const applied = await user.post(`/cycles/${cycle.id}/sync`);
      expect([applied.status, applied.text]).toEqual([response.status, response.text]);
    } finally {
      await service.query(
        `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
         VALUES ('MXN', 'USD', 0.05, '2025-01-01') ON CONFLICT DO NOTHING`,
      );
      await service.query(`DELETE FROM exchange_rates WHERE rate_date > '2025-01-01'`);
    }
  });

  describe('protects', () => {
    const raiseRent = () =>
      user.put(`/expense-templates/${rent.id}`, { base_amount: '1300.00' }).expect(200);

    it.each([
      ['paid', { paid: true }],
      ['paid', { paid: true, description: 'Rent of February' }],
      ['cancelled', { status: 'cancelled' }],
      ['cancelled', { status: 'cancelled', amount: '1.00' }],
      ['edited', { description: 'Rent of February' }],
      ['edited', { currency: 'MXN' }],
      ['edited', { amount: '1250.00' }],
      ['edited', { due_date: '2026-02-03' }],
      ['edited', { category: 'variable' }],
      ['edited', { autopay_info: 'Card 1' }],
    ])('a synchronization protects an expense as %s after %j', async (reason, body) => {
      const [february, march] = await rentIds();
      await user.put(expensesPath(february), body).expect(200);
      const before = await user.read(expensesPath(february));
      await raiseRent();
      const done = await synchronize(user, cycle);
      expect(done.protected).toEqual([{ id: february, entity_type: 'cycle_expense', reason }]);
      expect(done.change).toMatchObject([{ id: march }]);
      expect(await user.read(expensesPath(february))).toEqual(before);
      await user.delete(`/expense-templates/${rent.id}`).expect(204);
      const next = await synchronize(user, cycle);
      expect(next.protected).toEqual(done.protected);
      expect(next.remove).toMatchObject([{ id: march }]);
      expect(await user.read(expensesPath(february))).toEqual(before);
    });

    it('a synchronization protects an expense with another payment method', async () => {
      const [february] = await rentIds();
      const { id } = await user.createPaymentMethod();
      await user.put(expensesPath(february), { payment_method_id: id }).expect(200);
      expect((await synchronize(user, cycle)).protected).toMatchObject([{ reason: 'edited' }]);
    });

    it('a synchronization protects no expense for its comments, or for an edit that was undone or that the template follows', async () => {
      const [february, march] = await rentIds();
      await user.put(expensesPath(february), { comments: 'Note', amount: '1.00' }).expect(200);
      await user.put(expensesPath(february), { amount: '1200.00' }).expect(200);
      await user.put(expensesPath(march), { amount: '1300.00' }).expect(200);
      expect((await compare(user, cycle)).protected).toHaveLength(1);
      await raiseRent();
      const { change, ...others } = await synchronize(user, cycle);
      expect(change).toMatchObject([{ id: february }]);
      expect(others).toEqual({ add: [], remove: [], protected: [] });
      expect(await user.read(expensesPath(february))).toMatchObject({ comments: 'Note' });
    });

    it('a synchronization protects the occurrence of a deleted entry', async () => {
      const [february] = await rentIds();
      await user.delete(expensesPath(february)).expect(204);
      await raiseRent();
      expect((await synchronize(user, cycle)).protected).toEqual([
        {
          ...{ entity_type: 'cycle_expense', reason: 'deleted' },
          ...{ template_id: rent.id, occurrence_date: '2026-02-01' },
        },
      ]);
      expect(await rentIds()).toHaveLength(1);
    });

    it('a synchronization protects a received or edited income', async () => {
      const template = await user.createIncomeTemplate({ reference_date: '2026-01-23' });
      await synchronize(user, cycle);
      const { incomes } = await user.incomes(cycle.id);
      const [first, second, third] = incomes.map(({ id }) => id);
      const path = (id: unknown): string => `/cycles/${cycle.id}/incomes/${String(id)}`;
      await user.put(path(first), { received: true }).expect(200);
      await user.put(path(second), { income_date: '2026-02-09' }).expect(200);
      await user.put(`/income-templates/${template.id}`, { base_amount: '2100.00' }).expect(200);
      const { change, protected: kept } = await synchronize(user, cycle);
      expect(kept).toEqual([
        { id: first, entity_type: 'cycle_income', reason: 'received' },
        { id: second, entity_type: 'cycle_income', reason: 'edited' },
      ]);
      expect(change).toMatchObject([{ id: third, entity_type: 'cycle_income' }]);
      const { remaining_balance } = await user.cycle(cycle.id);
      expect(remaining_balance).toBe('8700.00');
    });
  });

  it('POST /cycles/{id}/sync takes no body or an empty object', async () => {
    await user.post(`/cycles/${cycle.id}/sync`, {}).expect(200);
    await user.post(`/cycles/${cycle.id}/sync`).expect(200);
  });

  it('a synchronization is refused for a completed cycle and for one of another user', async () => {
    const other = await service.signUp();
    await user.put(`/cycles/${cycle.id}`, { status: 'completed' }).expect(200);
    for (const path of ['sync', 'reprice']) {
      for (const id of [UNKNOWN_UUID, cycle.id]) {
        expectError(await other.post(`/cycles/${id}/${path}`, {}), 404, 'CYCLE_NOT_FOUND', {});
      }
      const response = await user.post(`/cycles/${cycle.id}/${path}`, {});
      expectError(response, 409, 'CYCLE_ALREADY_COMPLETED', {});
    }
    expectError(await other.get(`/cycles/${cycle.id}/sync`), 404, 'CYCLE_NOT_FOUND', {});
    expectError(await user.get(`/cycles/${cycle.id}/sync`), 409, 'CYCLE_ALREADY_COMPLETED', {});
  });
});

describe('POST /cycles/{id}/reprice', () => {
  let user: Client;
  let cycle: CycleResponse;

  beforeEach(async () => {
    await service.query(`DELETE FROM exchange_rates WHERE rate_date > '2025-01-01'`);
    user = await service.signUp();
    cycle = await user.createCycle();
  });

  const addRate = (rate: string): Promise<unknown> =>
    service.query(
      `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
       VALUES ('MXN', 'USD', $1, '2026-01-31')`,
      [rate],
    );

  const reprice = async (body?: object): Promise<RepriceResponse> =>
    (await user.post(`/cycles/${cycle.id}/reprice`, body).expect(200)).body as RepriceResponse;

  it('POST /cycles/{id}/reprice converts open entries by the rates stored now, and no others', async () => {
    const mxn = { currency: 'MXN', due_date: '2026-02-01' };
    const open = await user.createExpense(cycle.id, mxn);
    const edits = [{ paid: true }, { status: 'cancelled' }];
    for (const edit of edits) {
      const { id } = await user.createExpense(cycle.id, mxn);
      await user.put(`/cycles/${cycle.id}/expenses/${id}`, edit).expect(200);
    }
    await user.createExpense(cycle.id);
    const expected = await user.createIncome(cycle.id, { currency: 'MXN', amount: '1000.00' });
    const received = await user.createIncome(cycle.id, { currency: 'MXN' });
    const path = `/cycles/${cycle.id}/incomes/${received.id}`;
    await user.put(path, { received: true }).expect(200);
    expect(await reprice()).toEqual({
      changed: [],
      remaining_balance: { from: '4945.00', to: '4945.00' },
    });

    await addRate('0.061234');
    const exchange_rate = {
      from: STARTING_RATE,
      to: { rate: '0.061234', rate_date: '2026-01-31' },
    };
    const changes = [
      { amount_usd: { from: '5.00', to: '6.12' }, exchange_rate },
      { amount_usd: { from: '50.00', to: '61.23' }, exchange_rate },
    ];
    const result = {
      changed: [
        { id: open.id, entity_type: 'cycle_expense', ...changes[0] },
        { id: expected.id, entity_type: 'cycle_income', ...changes[1] },
      ],
      remaining_balance: { from: '4945.00', to: '4955.11' },
    };
    const before = await databaseState(service);
    const list = await user.expenses(cycle.id);
    expect(await reprice({ dry_run: true })).toEqual(result);
    expect(await databaseState(service)).toEqual(before);
    expect(await user.expenses(cycle.id)).toEqual(list);
    expect(await reprice({ dry_run: null })).toEqual(result);
    expect((await user.cycle(cycle.id)).remaining_balance).toBe('4955.11');
    const { expenses } = await user.expenses(cycle.id);
    expect(expenses.slice(1)).toEqual(list.expenses.slice(1));
    expect(expenses[0]).toMatchObject({ amount_usd: '6.12', exchange_rate: exchange_rate.to });
    const records = await user.activityOf('cycle_expense', open.id);
    expect(records.at(-1)).toMatchObject({ action: 'updated', changes: changes[0] });
    expect(await reprice({})).toEqual({
      changed: [],
      remaining_balance: { from: '4955.11', to: '4955.11' },
    });
    await expectIntegrity(service.dataSource);
  });

  it('POST /cycles/{id}/reprice does not make a generated entry an edited one', async () => {
    await user.createTemplate({ currency: 'MXN' });
    await synchronize(user, cycle);
    await addRate('0.06');
    expect((await reprice()).changed).toHaveLength(2);
    expect(await synchronize(user, cycle)).toEqual(NOTHING);
  });

  it('POST /cycles/{id}/reprice changes nothing if an amount cannot be converted', async () => {
    await user.createExpense(cycle.id, { currency: 'MXN', amount: '0.10', due_date: '2026-02-01' });
    await user.createExpense(cycle.id, { currency: 'MXN', due_date: '2026-02-01' });
    await addRate('0.000001');
    const before = await databaseState(service);
    const response = await user.post(`/cycles/${cycle.id}/reprice`, {});
    const fields = { amount: ['The converted amount rounds to 0.00'] };
    expectError(response, 422, 'CURRENCY_CONVERSION_ERROR', { amount: '0.10', fields });
    expect(await databaseState(service)).toEqual(before);
  });

  it('POST /cycles/{id}/reprice refuses a dry_run that is not a boolean', async () => {
    const values = ['true', 1, [], {}];
    await expectRefused(
      service,
      values.map((value) => ({
        field: 'dry_run',
        value: JSON.stringify(value),
        send: () => user.post(`/cycles/${cycle.id}/reprice`, { dry_run: value }),
      })),
    );
  });
});
