import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { CashFlowResponse } from '../../src/cycles/dto/cash-flow.dto.js';
import type { PreviewResponse } from '../../src/cycles/dto/preview.dto.js';
import { cents, money, type Cents } from '../model/cents.js';
import { databaseState } from '../support/rejected-requests.js';
import { longRuns } from '../support/repetitions.js';
import { useService } from '../support/service.js';
import {
  anyDate,
  anyTemplate,
  asPending,
  createTemplates,
  dateAfter,
  planned,
  storeRate,
} from './random-plans.js';

// Random sequences of many requests: on a busy machine they take longer than the default.
jest.setTimeout(600_000);

const service = useService();

const anyCycle = fc
  .record({
    start_date: anyDate,
    days: fc.integer({ min: 1, max: 45 }),
    income_amount: fc.constantFrom('0.00', '5000.00', '123.45'),
    generate_from_templates: fc.constantFrom(true, true, true, false, null),
  })
  .map(({ days, ...cycle }) => ({ ...cycle, end_date: dateAfter(cycle.start_date, days) }));

describe('a preview', () => {
  it('a preview equals the created cycle in every field, and writes nothing', async () => {
    await storeRate(service, 0.048765, '2026-01-25');
    await storeRate(service, 0.061234, '2026-02-20');
    const inputs = fc.tuple(fc.array(anyTemplate, { maxLength: 6 }), anyCycle);
    await fc.assert(
      fc.asyncProperty(inputs, async ([templates, cycle]) => {
        const user = await service.signUp();
        await createTemplates(user, templates);
        const before = await databaseState(service);
        const response = await user.post('/cycles/preview', cycle).expect(200);
        expect(await databaseState(service)).toEqual(before);
        const preview = response.body as PreviewResponse;
        const created = await user.createCycle(cycle);
        const { expenses } = await user.expenses(created.id);
        const { incomes } = await user.incomes(created.id);
        expect(preview).toEqual({
          cycle: { ...planned(created), name: null },
          expenses: expenses.map((expense) => asPending(planned(expense))),
          incomes: incomes.map((income) => planned(income)),
          cash_flow: await user.read(`/cycles/${created.id}/cash-flow`),
          warnings: expect.any(Array) as unknown,
        });
      }),
      longRuns(200),
    );
  });
});

describe('the cash flow of a cycle', () => {
  /** The expected cash flow, computed day by day from all entries. */
  function expectedCashFlow(
    cycle: { start_date: string; end_date: string; income_amount: string },
    entries: readonly { date: string; usd: Cents }[],
  ): CashFlowResponse {
    const days: CashFlowResponse['days'] = [];
    let balance = cents(cycle.income_amount);
    for (let date = cycle.start_date; date <= cycle.end_date; date = dateAfter(date, 1)) {
      const isCountedOn = (entry: { date: string }): boolean =>
        entry.date === date ||
        (date === cycle.start_date && entry.date < date) ||
        (date === cycle.end_date && entry.date > date);
      const amounts = entries.filter(isCountedOn).map(({ usd }) => usd);
      const sum = (isIncluded: (amount: Cents) => boolean): Cents =>
        amounts.filter(isIncluded).reduce((total, amount) => total + amount, 0n);
      const [incomes, expenses] = [sum((usd) => usd > 0n), -sum((usd) => usd < 0n)];
      balance += incomes - expenses;
      days.push({
        date,
        incomes_usd: money(incomes),
        expenses_usd: money(expenses),
        balance_usd: money(balance),
      });
    }
    const [lowest] = [...days].sort((a, b) => Number(cents(a.balance_usd) - cents(b.balance_usd)));
    return {
      opening_balance: cycle.income_amount,
      days,
      lowest: { date: lowest?.date ?? '', balance_usd: lowest?.balance_usd ?? '' },
      closing_balance: money(balance),
    };
  }

  it('the cash flow of a cycle equals a computation day by day, and ends with the remaining balance', async () => {
    const user = await service.signUp();
    const { id: payment_method_id } = await user.createPaymentMethod();
    const anyEntry = fc.record({
      kind: fc.constantFrom('expense', 'cancelled', 'income'),
      date: anyDate,
      amount: fc.integer({ min: 1, max: 300_000 }).map((value) => money(BigInt(value))),
    });
    const inputs = fc.tuple(anyCycle, fc.array(anyEntry, { maxLength: 12 }));
    await fc.assert(
      fc.asyncProperty(inputs, async ([fields, entries]) => {
        const cycle = await user.createCycle({ ...fields, generate_from_templates: false });
        const counted: { date: string; usd: Cents }[] = [];
        for (const { kind, date, amount } of entries) {
          if (kind === 'income') {
            await user.createIncome(cycle.id, { amount, income_date: date });
            counted.push({ date, usd: cents(amount) });
            continue;
          }
          const body = { amount, due_date: date, payment_method_id };
          const { id } = await user.createExpense(cycle.id, body);
          if (kind === 'expense') counted.push({ date, usd: -cents(amount) });
          else {
            const path = `/cycles/${cycle.id}/expenses/${id}`;
            await user.put(path, { status: 'cancelled' }).expect(200);
          }
        }
        const cashFlow = await user.read<CashFlowResponse>(`/cycles/${cycle.id}/cash-flow`);
        expect(cashFlow).toEqual(expectedCashFlow(cycle, counted));
        const { remaining_balance } = await user.cycle(cycle.id);
        expect(cashFlow.closing_balance).toBe(remaining_balance);
      }),
      longRuns(60),
    );
  });
});
