import { describe, expect, it } from '@jest/globals';
import type { SyncResponse } from '../../src/cycles/dto/sync.dto.js';
import type { ExpenseResponse } from '../../src/expenses/dto/expense.dto.js';
import type { IncomeResponse } from '../../src/incomes/dto/income.dto.js';
import { cents, money, sumOf } from '../model/cents.js';
import type { Client } from '../support/client.js';
import { race, repeat, useReplicas } from '../support/races.js';
import { repetitions } from '../support/repetitions.js';
import { isSuccess, refusalsOf } from '../support/response-counts.js';

const ROUNDS = repetitions(200);

describe('concurrent requests to two processes about a cycle that follows its templates', () => {
  const replicas = useReplicas();

  type Entry = ExpenseResponse | IncomeResponse;

  /** Expects each occurrence at most once and the balance to be the sum of what is listed. */
  async function expectConsistentCycle(user: Client, id: string): Promise<Entry[]> {
    const { expenses } = await user.expenses(id);
    const { incomes } = await user.incomes(id);
    const occurrences = [...expenses, ...incomes]
      .filter(({ template_id }) => template_id !== null)
      .map(({ template_id, occurrence_date }) => `${template_id} ${occurrence_date}`);
    expect(new Set(occurrences).size).toBe(occurrences.length);
    const usd = (entries: readonly Entry[]): bigint =>
      sumOf(entries.map(({ amount_usd }) => cents(amount_usd)));
    const { income_amount, remaining_balance } = await user.cycle(id);
    const balance = cents(income_amount) + usd(incomes) - usd(expenses);
    expect(remaining_balance).toBe(money(balance));
    return [...expenses, ...incomes];
  }

  it('concurrent changes of a cycle and its templates lose no update and double no occurrence', async () => {
    const user = await replicas.signUp();
    const retries = await replicas.retries();
    const weekly = { recurrence_type: 'weekly', recurrence_config: { day_of_week: 1 } };
    const { id: payment_method_id } = await user.createPaymentMethod();
    const templates = [
      `/expense-templates/${(await user.createTemplate({ ...weekly, payment_method_id })).id}`,
      `/income-templates/${(await user.createIncomeTemplate(weekly)).id}`,
    ];
    const { id } = await user.createCycle();
    for (let round = 0; round < ROUNDS; round += 1) {
      const entries = await expectConsistentCycle(user, id);
      const open = entries.filter((entry) =>
        'due_date' in entry ? !entry.paid && entry.template_id !== null : !entry.received,
      );
      const settlements = [open.at(round % 4), open.at(-1)]
        .filter((entry) => entry !== undefined)
        .map((entry) => ({
          path: `/cycles/${id}/${'due_date' in entry ? 'expenses' : 'incomes'}/${entry.id}`,
          body: { ...('due_date' in entry ? { paid: true } : { received: true }) },
        }));
      const settled = race(settlements.map(({ path, body }) => user.put(path, body)));
      const others = await race([
        ...repeat(3, () => user.post(`/cycles/${id}/sync`)),
        ...templates.flatMap((path) => [
          user.put(path, { base_amount: `${100 + round}.00` }),
          user.put(path, { active: round % 5 !== 4, reference_date: '2025-01-01' }),
        ]),
        user.post(`/cycles/${id}/reprice`, {}),
        user.post(`/cycles/${id}/incomes`, {
          ...{ description: 'Refund', currency: 'MXN', amount: '7.77', income_date: '2026-02-01' },
        }),
      ]);
      expect(refusalsOf(others)).toEqual([]);
      const responses = await settled;
      // The entry may have been removed before.
      expect(refusalsOf(responses).filter((code) => code !== '404 RESOURCE_NOT_FOUND')).toEqual([]);
      for (const [number, response] of responses.entries()) {
        const { path } = settlements[number] ?? { path: '' };
        if (isSuccess(response)) expect(await user.read(path)).toEqual(response.body);
      }
      if (round % 10 === 9) {
        // Reopens the entries, so that later rounds have some to settle.
        for (const entry of await expectConsistentCycle(user, id)) {
          const kind = 'due_date' in entry ? 'expenses' : 'incomes';
          const path = `/cycles/${id}/${kind}/${entry.id}`;
          const isOpen = 'due_date' in entry ? { paid: false } : { received: false };
          await user.put(path, isOpen).expect(200);
        }
      }
    }
    const { protected: kept } = (await user.post(`/cycles/${id}/sync`).expect(200))
      .body as SyncResponse;
    const nothing = { add: [], change: [], remove: [] };
    expect(await user.read(`/cycles/${id}/sync`)).toEqual({ ...nothing, protected: kept });
    await expectConsistentCycle(user, id);
    await replicas.expectIntegrity();
    expect(await replicas.retries()).toBe(retries);
  }, 600_000);
});
