import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../support/client.js';
import { copyRow } from '../support/copied-rows.js';
import { expectError } from '../support/errors.js';
import { useService } from '../support/service.js';

const service = useService();

const DAILY = { recurrence_type: 'custom', recurrence_config: { interval: 1, unit: 'days' } };
const TWENTY_DAYS = { start_date: '2026-01-01', end_date: '2026-01-20', income_amount: '1.00' };

describe('what generation gives one cycle', () => {
  const limit = { limit: 1000 };
  let user: Client;

  /** Templates that give 20 rows each in {@link TWENTY_DAYS}. */
  async function createTemplates(expenses: number, incomes: number): Promise<void> {
    const { id: expense } = await user.createTemplate(DAILY);
    const { id: income } = await user.createIncomeTemplate(DAILY);
    await copyRow(service, 'expense_templates', expense, { copies: expenses - 1 });
    await copyRow(service, 'income_templates', income, { copies: incomes - 1 });
  }

  beforeAll(async () => {
    user = await service.signUp();
    await createTemplates(30, 20);
  });

  it('may be 1000 expenses and incomes', async () => {
    const preview = await user.post('/cycles/preview', TWENTY_DAYS).expect(200);
    expect(preview.body).toMatchObject({ expenses: { length: 600 }, incomes: { length: 400 } });
    const cycle = await user.createCycle(TWENTY_DAYS);
    expect(cycle.summary).toMatchObject({ expense_count: 600, income_count: 400 });
  });

  it('is refused beyond them, whatever reads it', async () => {
    const cycle = await user.createCycle({ ...TWENTY_DAYS, generate_from_templates: false });
    const recurrence_config = { interval: 20, unit: 'days' };
    const reference_date = '2026-01-20';
    await user.createIncomeTemplate({ ...DAILY, recurrence_config, reference_date });
    const before = await user.read('/cycles');
    for (const sent of [
      user.post('/cycles', { ...TWENTY_DAYS, name: 'Too many' }),
      user.post('/cycles/preview', TWENTY_DAYS),
      user.get(`/cycles/${cycle.id}/sync`),
      user.post(`/cycles/${cycle.id}/sync`),
    ]) {
      expectError(await sent, 422, 'CYCLE_GENERATION_ERROR', limit);
    }
    expect(await user.read('/cycles')).toEqual(before);
    await user.post('/cycles/preview', { ...TWENTY_DAYS, end_date: '2026-01-19' }).expect(200);
    const empty = { ...TWENTY_DAYS, generate_from_templates: false };
    await user.post('/cycles/preview', empty).expect(200);
  });

  it('is counted with little memory for 30,000 templates, and exactly', async () => {
    user = await service.signUp();
    await createTemplates(1, 1);
    const { id } = await user.createTemplate({ ...DAILY, starts_on: '2026-02-01' });
    await copyRow(service, 'expense_templates', id, { copies: 30_000 });
    const preview = await user.post('/cycles/preview', TWENTY_DAYS).expect(200);
    expect(preview.body).toMatchObject({ expenses: { length: 20 }, incomes: { length: 20 } });
    const before = process.memoryUsage().rss;
    const all = { ...TWENTY_DAYS, start_date: '2026-02-01', end_date: '2026-03-10' };
    expectError(await user.post('/cycles/preview', all), 422, 'CYCLE_GENERATION_ERROR', limit);
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
  });
});
