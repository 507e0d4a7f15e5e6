import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ExpenseResponse } from '../../../src/expenses/dto/expense.dto.js';
import { copyRow } from '../../support/copied-rows.js';
import { expectIntegrity } from '../../support/integrity.js';
import { useService } from '../../support/service.js';
import { describeOnOneServer } from '../../support/test-database.js';

const service = useService();

const INITIAL_RATE = { rate: '0.050000', rate_date: '2025-01-01' };

beforeEach(() => service.query(`DELETE FROM exchange_rates WHERE rate_date > '2025-01-01'`));

const addRate = (rate: string, date: string, pair = ['MXN', 'USD']): Promise<unknown> =>
  service.query(
    `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
     VALUES ($1, $2, $3, $4)`,
    [...pair, rate, date],
  );

describe('the exchange rate of an expense or income', () => {
  it('the exchange rate of an expense or income is the rate that converted it, and does not change when rates are added', async () => {
    const user = await service.signUp();
    const { id: cycle } = await user.createCycle();
    const expense = await user.createExpense(cycle, { currency: 'MXN', due_date: '2026-02-01' });
    const income = await user.createIncome(cycle, { currency: 'MXN' });
    expect([expense.exchange_rate, income.exchange_rate]).toEqual([INITIAL_RATE, INITIAL_RATE]);
    await addRate('0.0600', '2026-01-31');
    await user.put(`/cycles/${cycle}/expenses/${expense.id}`, { comments: 'Note' }).expect(200);
    const { expenses } = await user.expenses(cycle);
    const { incomes } = await user.incomes(cycle);
    expect(expenses[0]).toMatchObject({ amount_usd: '5.00', exchange_rate: INITIAL_RATE });
    expect(incomes[0]).toMatchObject({ amount_usd: '5.00', exchange_rate: INITIAL_RATE });
  });

  it('the exchange rate of an expense or income is null for USD', async () => {
    const user = await service.signUp();
    const { id: cycle } = await user.createCycle();
    expect((await user.createExpense(cycle)).exchange_rate).toBeNull();
    expect((await user.createIncome(cycle)).exchange_rate).toBeNull();
  });

  it('changes with amount, currency or date, and is recorded', async () => {
    await addRate('0.061234', '2026-01-31');
    const user = await service.signUp();
    const { id: cycle } = await user.createCycle();
    const { id } = await user.createExpense(cycle, { currency: 'MXN', due_date: '2026-01-30' });
    const change = async (body: object) => {
      const response = await user.put(`/cycles/${cycle}/expenses/${id}`, body).expect(200);
      return (response.body as ExpenseResponse).exchange_rate;
    };
    const newRate = { rate: '0.061234', rate_date: '2026-01-31' };
    expect(await change({ due_date: '2026-02-15' })).toEqual(newRate);
    expect(await change({ currency: 'USD' })).toBeNull();
    const records = await user.activityOf('cycle_expense', id);
    expect(records.map(({ changes }) => changes.exchange_rate)).toEqual([
      { from: null, to: INITIAL_RATE },
      { from: INITIAL_RATE, to: newRate },
      { from: newRate, to: null },
    ]);
    await expectIntegrity(service.dataSource);
  });

  it('the exchange rate of an expense or income is the inverse, with 6 decimals, where only the reversed pair is stored', async () => {
    await service.query('DELETE FROM exchange_rates');
    await addRate('17', '2026-01-02', ['USD', 'MXN']);
    const user = await service.signUp();
    const { id: cycle } = await user.createCycle();
    const expense = await user.createExpense(cycle, { currency: 'MXN', amount: '1700.00' });
    expect(expense).toMatchObject({
      amount_usd: '100.00',
      exchange_rate: { rate: '0.058824', rate_date: '2026-01-02' },
    });
    await service.query('DELETE FROM exchange_rates');
    await addRate('0.05', '2025-01-01');
  });
});

describe('the occurrence date', () => {
  it('the occurrence date is the date before the weekend rule, and unique in a cycle', async () => {
    const user = await service.signUp();
    const rule = { recurrence_config: { day_of_month: 31 }, weekend_rule: 'before' };
    await user.createTemplate(rule);
    await user.createIncomeTemplate({ recurrence_type: 'monthly', ...rule });
    const { id } = await user.createCycle();
    const { expenses } = await user.expenses(id);
    const { incomes } = await user.incomes(id);
    expect(expenses).toMatchObject([{ due_date: '2026-01-30', occurrence_date: '2026-01-31' }]);
    expect(incomes).toMatchObject([{ income_date: '2026-01-30', occurrence_date: '2026-01-31' }]);
    for (const [table, entry] of [
      ['cycle_expenses', expenses[0]?.id ?? ''],
      ['cycle_incomes', incomes[0]?.id ?? ''],
    ] as const) {
      const copy = (active: boolean): Promise<void> =>
        copyRow(service, table, entry, { copies: 1, changes: `, 'seq', -1, 'active', ${active}` });
      await expect(copy(true)).rejects.toThrow(`uq_${table}_occurrence`);
      await copy(false);
    }
  });
});

describeOnOneServer('the migration that adds rate and occurrence date', () => {
  async function migrateAgain(prepare: () => Promise<unknown>): Promise<void> {
    const isDone = async (): Promise<boolean> => {
      const rows = await service.query(`SELECT 1 FROM migrations WHERE name LIKE 'Provenance%'`);
      return rows.length > 0;
    };
    while (await isDone()) await service.dataSource.undoLastMigration();
    await prepare();
    await service.dataSource.runMigrations();
  }

  it('the migration that adds rate and occurrence date fills the rate if exactly one results in the stored amount', async () => {
    await addRate('0.060000', '2026-02-01');
    await addRate('0.060001', '2026-02-10');
    await addRate('0.070000', '2026-03-01');
    const user = await service.signUp();
    const { id: cycle } = await user.createCycle();
    const create = (amount: string, due_date: string, currency = 'MXN') =>
      user.createExpense(cycle, { amount, due_date, currency });
    const created = [
      await create('100.00', '2026-01-31'),
      await create('100.00', '2026-02-15'),
      await create('100000.00', '2026-02-15'),
      await create('100.00', '2026-02-15', 'USD'),
      await create('1000.00', '2024-06-01'),
      await create('300.00', '2026-02-20'),
    ];
    await migrateAgain(() =>
      service.query('UPDATE cycle_expenses SET amount_usd = 16.00 WHERE id = $1', [created[5]?.id]),
    );
    const rates = new Map(
      (await user.expenses(cycle)).expenses.map(({ id, exchange_rate }) => [id, exchange_rate]),
    );
    expect(created.map(({ id }) => rates.get(id))).toEqual([
      INITIAL_RATE,
      // Two rates result in the same cents.
      null,
      { rate: '0.060001', rate_date: '2026-02-10' },
      null,
      INITIAL_RATE,
      // No rate results in this amount.
      null,
    ]);
  });

  it('the migration that adds rate and occurrence date fills the occurrence date from the creation record, regardless of later edits', async () => {
    const user = await service.signUp();
    await user.createTemplate({ recurrence_config: { day_of_month: 10 } });
    await user.createIncomeTemplate();
    const { id: cycle } = await user.createCycle();
    await user.createExpense(cycle);
    const [generated] = (await user.expenses(cycle)).expenses;
    const path = `/cycles/${cycle}/expenses/${generated?.id ?? ''}`;
    await user.put(path, { due_date: '2026-02-20', description: 'Edited' }).expect(200);
    const state = () =>
      service.query('SELECT id, occurrence_date, generated FROM cycle_expenses ORDER BY seq');
    const incomes = () =>
      service.query('SELECT id, occurrence_date, generated FROM cycle_incomes ORDER BY seq');
    const before = [await state(), await incomes()];
    await migrateAgain(() => Promise.resolve());
    expect([await state(), await incomes()]).toEqual(before);
  });
});
