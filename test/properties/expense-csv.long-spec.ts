import { describe, expect, it, jest } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { BudgetResponse } from '../../src/budgets/dto/budget.dto.js';
import type { ImportExpensesResponse } from '../../src/expenses/dto/expense-import.dto.js';
import type { ExpenseResponse } from '../../src/expenses/dto/expense.dto.js';
import { isBlank } from '../../src/platform/values/text.js';
import { money } from '../model/cents.js';
import { without } from '../model/views.js';
import type { Client } from '../support/client.js';
import { expectIntegrity } from '../support/integrity.js';
import { longRuns } from '../support/repetitions.js';
import { useService } from '../support/service.js';
import { anyDate, storeRate } from './random-plans.js';

jest.setTimeout(600_000);

const COLUMNS = [
  ...['due_date', 'description', 'category', 'currency', 'amount', 'amount_usd'],
  ...['payment_method', 'status', 'paid_at', 'comments', 'autopay_info', 'budget'],
];

/** Text with all that has a meaning in CSV or in a spreadsheet. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom('=', '+', '-', '@', "'", "''", '"', ',', ';', '\n', '\r\n', '\r', '\t'),
      fc.constantFrom('Luz', 'ñ', '😀', ' ', '＝', '\uFEFF', '1', '=1+1', '\u0085', '\u2028'),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''))
  .filter((text) => !isBlank(text));

const anyExpense = fc.record({
  description: anyText,
  currency: fc.constantFrom('USD', 'MXN'),
  amount: fc.integer({ min: 100, max: 90_000 }).map((value) => money(BigInt(value))),
  due_date: anyDate,
  category: fc.constantFrom('fixed', 'variable'),
  comments: fc.option(anyText, { nil: null }),
  autopay_info: fc.option(anyText, { nil: null }),
  paid_at: fc.option(fc.constantFrom('2026-02-01T10:00:00.001Z'), { nil: undefined }),
  method: fc.nat({ max: 1 }),
  /** Above the last one: none. */
  budget: fc.nat({ max: 2 }),
});

/** What an export preserves. */
const valuesOf = ({ expenses }: { expenses: ExpenseResponse[] }): object[] =>
  expenses.map((expense) =>
    without({ ...expense }, 'id', 'created_at', 'updated_at', 'template_id', 'occurrence_date'),
  );

const service = useService();

async function exported(user: Client, cycleId: string): Promise<string> {
  return (await user.get(`/cycles/${cycleId}/expenses.csv`).expect(200)).text;
}

describe('an exported file', () => {
  it('imports into another cycle as the same expenses with the same sums', async () => {
    await storeRate(service, 0.048765, '2026-01-25');
    const anyNames = fc.tuple(anyText, anyText);
    const plan = fc.tuple(fc.array(anyExpense, { maxLength: 6 }), anyNames, anyNames);
    await fc.assert(
      fc.asyncProperty(plan, async ([expenses, names, budgetNames]) => {
        const user = await service.signUp();
        const methods = [];
        for (const [index, name] of names.entries()) {
          methods.push(await user.createPaymentMethod({ name: `${name}${index}` }));
        }
        const budgets: BudgetResponse[] = [];
        for (const [index, name] of budgetNames.entries()) {
          budgets.push(await user.createBudget({ name: `${name}${index}` }));
        }
        const from = await user.createCycle();
        const to = await user.createCycle();
        for (const { paid_at, method, budget, ...fields } of expenses) {
          const body = { ...fields, budget_id: budgets[budget]?.id ?? null };
          const payment_method_id = methods[method]?.id;
          const { id } = await user.createExpense(from.id, { ...body, payment_method_id });
          if (paid_at === undefined) continue;
          await user.put(`/cycles/${from.id}/expenses/${id}`, { paid: true, paid_at }).expect(200);
        }
        const file = await exported(user, from.id);
        const [header, ...rows] = parse(file, { record_delimiter: '\r\n' });
        expect(header).toEqual(COLUMNS);
        for (const cell of rows.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝]/);

        const path = `/cycles/${to.id}/expenses/import`;
        const send = (query = ''): PromiseLike<{ body: unknown }> =>
          user
            .post(path + query)
            .type('text/csv')
            .send(file)
            .expect(200);
        const tried = (await send('?dry_run=true')).body;
        expect((await user.expenses(to.id)).expenses).toEqual([]);
        const done = (await send()).body as ImportExpensesResponse;
        expect(tried).toEqual(done);

        const source = await user.expenses(from.id);
        const copy = await user.expenses(to.id);
        expect(valuesOf(copy)).toEqual(valuesOf(source));
        expect(copy.summary).toEqual(source.summary);
        const { remaining_balance } = await user.cycle(to.id);
        expect(done).toEqual({
          imported: expenses.length,
          total_amount_usd: source.summary.total_amount_usd,
          remaining_balance,
        });
        expect((await user.cycle(from.id)).remaining_balance).toBe(remaining_balance);
        expect(await exported(user, to.id)).toBe(file);
      }),
      longRuns(25),
    );
    await expectIntegrity(service.dataSource);
  });
});
