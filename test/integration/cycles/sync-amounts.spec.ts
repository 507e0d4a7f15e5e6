import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { SyncResponse } from '../../../src/cycles/dto/sync.dto.js';
import type { ExpenseResponse } from '../../../src/expenses/dto/expense.dto.js';
import type { Client } from '../../support/client.js';
import { expectIntegrity } from '../../support/integrity.js';
import { useService } from '../../support/service.js';

const service = useService();

const NOTHING: SyncResponse = { add: [], change: [], remove: [], protected: [] };

/** 12 instalments until July 2026; the cycle has the 7th and, before its last days, the 8th. */
const PURCHASE = {
  ...{ currency: 'MXN', base_amount: '1291.58', recurrence_config: { day_of_month: 5 } },
  ...{ starts_on: '2025-08-01', ends_on: '2026-07-31' },
};

describe('the synchronization with amounts, skipped dates and instalments', () => {
  let user: Client;
  let template: string;
  let cycle: CycleResponse;
  let february: ExpenseResponse;
  let march: ExpenseResponse;

  const inTemplate = (body: object) => user.put(`/expense-templates/${template}`, body).expect(200);
  const pathOf = ({ id }: ExpenseResponse): string => `/cycles/${cycle.id}/expenses/${id}`;

  async function synchronize(): Promise<SyncResponse> {
    const announced = await user.read<SyncResponse>(`/cycles/${cycle.id}/sync`);
    const done = (await user.post(`/cycles/${cycle.id}/sync`).expect(200)).body as SyncResponse;
    expect(done).toEqual(announced);
    const left = { ...NOTHING, protected: done.protected };
    expect(await user.read(`/cycles/${cycle.id}/sync`)).toEqual(left);
    return done;
  }

  const expenses = async (): Promise<ExpenseResponse[]> => (await user.expenses(cycle.id)).expenses;

  beforeEach(async () => {
    await service.query(`DELETE FROM exchange_rates WHERE rate_date > '2025-01-01'`);
    user = await service.signUp();
    ({ id: template } = await user.createTemplate(PURCHASE));
    cycle = await user.createCycle({ start_date: '2026-02-01', end_date: '2026-03-10' });
    [february, march] = (await expenses()) as [ExpenseResponse, ExpenseResponse];
  });

  it('changes the amount of the occurrences that get another one', async () => {
    await inTemplate({ amount_changes: [{ from: '2026-03-05', amount: '2000.00' }] });
    const changes = {
      amount: { from: '1291.58', to: '2000.00' },
      amount_usd: { from: '64.58', to: '100.00' },
    };
    expect(await synchronize()).toEqual({
      ...NOTHING,
      change: [{ id: march.id, entity_type: 'cycle_expense', changes }],
    });
    const [first, second] = await expenses();
    expect(first).toEqual(february);
    expect(second).toMatchObject({ amount: '2000.00', planned_amount: '2000.00' });
    await expectIntegrity(service.dataSource);
  });

  it('removes an untouched entry of a skipped date, and adds it again', async () => {
    await inTemplate({ skipped_dates: ['2026-02-05', '2026-02-06', '2026-03-05'] });
    await user.put(pathOf(march), { amount: '1.00' }).expect(200);
    const { id, description, due_date } = february;
    expect(await synchronize()).toEqual({
      ...NOTHING,
      remove: [{ id, entity_type: 'cycle_expense', description, due_date }],
      protected: [{ id: march.id, entity_type: 'cycle_expense', reason: 'edited' }],
    });
    expect(await expenses()).toMatchObject([{ id: march.id, amount: '1.00' }]);
    await inTemplate({ skipped_dates: [] });
    expect(await synchronize()).toMatchObject({
      add: [{ due_date: '2026-02-05', instalment: { number: 7, count: 12 } }],
    });
    await expectIntegrity(service.dataSource);
  });

  it('does not name an entry whose numbers alone would change', async () => {
    await inTemplate({ ends_on: '2026-08-31' });
    expect(await synchronize()).toEqual(NOTHING);
    expect(await expenses()).toEqual([february, march]);
    const preview = await user.post('/cycles/preview', {
      ...{ start_date: '2026-02-01', end_date: '2026-03-10', income_amount: '0' },
    });
    expect(preview.body).toMatchObject({
      expenses: [{ instalment: { number: 7, count: 13 } }, {}],
    });
    // One that changes anyway gets its numbers, too.
    await inTemplate({ amount_changes: [{ from: '2026-03-05', amount: '2000.00' }] });
    expect(await synchronize()).toMatchObject({
      change: [
        {
          id: march.id,
          changes: { instalment: { from: { number: 8, count: 12 }, to: { number: 8, count: 13 } } },
        },
      ],
    });
    expect(await expenses()).toMatchObject([
      { instalment: { number: 7, count: 12 } },
      { instalment: { number: 8, count: 13 } },
    ]);
  });

  it('is undone with the instalments of before, and then counts as edited', async () => {
    await inTemplate({ ends_on: '2026-08-31', base_amount: '1300.00' });
    const done = await user.post(`/cycles/${cycle.id}/sync`).expect(200);
    await user.undoOperation(done);
    expect(await expenses()).toMatchObject([
      { amount: '1291.58', instalment: { number: 7, count: 12 } },
      { amount: '1291.58', instalment: { number: 8, count: 12 } },
    ]);
    const reasons = (await synchronize()).protected.map(({ reason }) => reason);
    expect(reasons).toEqual(['edited', 'edited']);
    await expectIntegrity(service.dataSource);
  });

  it('counts as edited, too, once its mere conversion is undone together with an instalment', async () => {
    await inTemplate({ ends_on: '2026-08-31' });
    await service.query(`INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
      VALUES ('MXN', 'USD', 0.06, '2026-01-01')`);
    expect((await synchronize()).change).toHaveLength(2);
    await user.undo(['cycle_expense', february.id]);
    const [first] = await expenses();
    expect(first).toMatchObject({ amount_usd: '64.58', instalment: { number: 7, count: 12 } });
    expect(await synchronize()).toEqual({
      ...NOTHING,
      protected: [{ id: february.id, entity_type: 'cycle_expense', reason: 'edited' }],
    });
  });

  it('keeps the instalment of an entry that is edited', async () => {
    await user.put(pathOf(february), { amount: '5.00', due_date: '2026-02-20' }).expect(200);
    await inTemplate({ ends_on: '2026-08-31', base_amount: '1.00' });
    await synchronize();
    const edited = (await expenses()).find(({ id }) => id === february.id);
    expect(edited).toMatchObject({ amount: '5.00', instalment: { number: 7, count: 12 } });
  });
});
