import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { CycleResponse } from '../../src/cycles/dto/cycle.dto.js';
import type { ExpenseResponse } from '../../src/expenses/dto/expense.dto.js';
import type { IncomeResponse } from '../../src/incomes/dto/income.dto.js';
import type { ExpenseTemplateResponse } from '../../src/templates/dto/expense-template.dto.js';
import { cents, halfUp, money, sumOf, type Cents } from '../model/cents.js';
import { without } from '../model/views.js';
import type { Client } from '../support/client.js';
import { dayNumber } from '../support/due-days.js';
import { longRuns } from '../support/repetitions.js';
import { useService } from '../support/service.js';
import { anyDate, anyTemplate, createTemplates } from './random-plans.js';

// Random sequences of many requests: on a busy machine they take longer than the default.
jest.setTimeout(600_000);

const service = useService();

const PERIODS = [
  { start_date: '2026-01-19', end_date: '2026-03-01' },
  { start_date: '2026-03-02', end_date: '2026-04-12' },
];

const anyAmount = fc.integer({ min: 100, max: 200 }).map((value) => money(BigInt(value)));

const anySettling = fc
  .tuple(anyDate, fc.constantFrom('T00:00:00.000Z', 'T12:00:00.000Z', 'T23:59:59.999Z'))
  .map(([day, time]) => ({ settled_at: day + time }));

/** Changes of entries: most are settled. */
const anyChange = fc.oneof(
  { weight: 5, arbitrary: anySettling },
  {
    weight: 4,
    arbitrary: fc.tuple(anySettling, anyAmount).map(([at, amount]) => ({ ...at, amount })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<object>(
      ...[{}, { active: false }, { status: 'cancelled' }, { currency: 'USD' }, { amount: '1.50' }],
    ),
  },
);

interface Entry {
  template_id: string | null;
  amount: string;
  amount_usd: string;
  planned_amount: string | null;
  currency: string;
  date: string;
  settledAt: string | null;
}

const ofExpense = (expense: ExpenseResponse): Entry => ({
  ...expense,
  date: expense.due_date,
  settledAt: expense.paid_at,
});

const ofIncome = (income: IncomeResponse): Entry => ({
  ...income,
  date: income.income_date,
  settledAt: income.received_at,
});

type Template = Pick<
  ExpenseTemplateResponse,
  'id' | 'description' | 'currency' | 'base_amount' | 'amount_changes' | 'active'
>;

const byNumber = (a: Cents, b: Cents): number => Number(a - b);

/** By date, then creation: the sort is stable, and lists have entries of the same date so. */
const latestFirst = (entries: readonly Entry[]): Entry[] =>
  entries.toSorted((a, b) => a.date.localeCompare(b.date)).reverse();

function suggestionOf(template: Template, comparable: readonly Entry[]): object | null {
  const amounts = latestFirst(comparable)
    .slice(0, 12)
    .map(({ amount }) => cents(amount))
    .sort(byNumber);
  const { length } = amounts;
  const middle = amounts.slice(Math.ceil(length / 2) - 1, Math.floor(length / 2) + 1);
  const amount = length === 0 ? '' : money(halfUp(sumOf(middle), BigInt(middle.length)));
  const today = new Date().toISOString().slice(0, 10);
  const [current = template.base_amount] = template.amount_changes
    .filter(({ from }) => from <= today)
    .map((change) => change.amount)
    .reverse();
  const isNone = length < 3 || !template.active || amount === current;
  return isNone ? null : { amount, based_on: length };
}

/** Half away from zero, in tenths. */
function mean(days: readonly number[]): number | null {
  if (days.length === 0) return null;
  const sum = days.reduce((total, one) => total + one, 0);
  const tenths = halfUp(BigInt(Math.abs(sum)) * 10n, BigInt(days.length));
  return tenths === 0n ? 0 : (Math.sign(sum) * Number(tenths)) / 10;
}

function expectedTemplate(entity_type: string, template: Template, all: Entry[]): object[] {
  const { id, description, currency, base_amount, active } = template;
  const entries = all.filter(({ template_id }) => template_id === id);
  const settled = entries.filter(({ settledAt }) => settledAt !== null);
  const comparable = settled.filter((entry) => entry.currency === currency);
  const planned = comparable.filter(({ planned_amount }) => planned_amount !== null);
  const sumPlanned = sumOf(planned.map(({ planned_amount }) => cents(planned_amount ?? '0')));
  const sumActual = sumOf(planned.map(({ amount }) => cents(amount)));
  if (entries.length === 0) return [];
  return [
    {
      template: { id, entity_type, description, currency, base_amount, active },
      occurrences: entries.length,
      settled: settled.length,
      planned: money(sumPlanned),
      actual: money(sumActual),
      difference: money(sumActual - sumPlanned),
      mean_days_late: mean(
        settled.map(
          ({ date, settledAt }) => dayNumber(settledAt?.slice(0, 10) ?? '') - dayNumber(date),
        ),
      ),
      suggestion: suggestionOf(template, comparable),
    },
  ];
}

/** The report that the lists give. */
async function expectedReport(user: Client, cycles: readonly CycleResponse[]): Promise<object> {
  const expenses: Entry[] = [];
  const incomes: Entry[] = [];
  for (const { id } of cycles) {
    const listed = await user.expenses(id);
    expenses.push(...listed.expenses.filter(({ status }) => status !== 'cancelled').map(ofExpense));
    incomes.push(...(await user.incomes(id)).incomes.map(ofIncome));
  }
  const oldestFirst = async (path: string): Promise<Template[]> =>
    (await user.read<Template[]>(path)).reverse();
  const manual = (entries: readonly Entry[]): Entry[] =>
    entries.filter(({ template_id }) => template_id === null);
  const usd = (entries: readonly Entry[]): string =>
    money(sumOf(entries.map(({ amount_usd }) => cents(amount_usd))));
  return {
    cycles: cycles.map(({ id, name, start_date, end_date }) => ({
      ...{ id, name, start_date, end_date },
    })),
    templates: [
      ...(await oldestFirst('/expense-templates')).flatMap((template) =>
        expectedTemplate('recurrent_expense', template, expenses),
      ),
      ...(await oldestFirst('/income-templates')).flatMap((template) =>
        expectedTemplate('recurrent_income', template, incomes),
      ),
    ],
    unplanned: {
      expense_count: manual(expenses).length,
      expenses_usd: usd(manual(expenses)),
      income_count: manual(incomes).length,
      incomes_usd: usd(manual(incomes)),
    },
  };
}

/** Changes the entries of a cycle, each one by the next of the changes. */
async function changeEntries(
  user: Client,
  { id }: CycleResponse,
  changes: readonly object[],
): Promise<void> {
  const next = (n: number): Record<string, unknown> => ({ ...changes[n % changes.length] });
  const { expenses } = await user.expenses(id);
  const { incomes } = await user.incomes(id);
  const ofExpenses = expenses.map((expense, n) => {
    const { settled_at: paid_at, ...fields } = next(n);
    return { id: expense.id, ...fields, ...(paid_at !== undefined && { paid: true, paid_at }) };
  });
  const ofIncomes = incomes.map((income, n) => {
    const { settled_at: received_at, ...fields } = next(n);
    const receipt = received_at !== undefined && { received: true, received_at };
    return { id: income.id, ...without(fields, 'status'), ...receipt };
  });
  if (expenses.length > 0) {
    await user.patch(`/cycles/${id}/expenses`, { expenses: ofExpenses }).expect(200);
  }
  if (incomes.length > 0) {
    await user.patch(`/cycles/${id}/incomes`, { incomes: ofIncomes }).expect(200);
  }
}

describe('GET /reports/variance', () => {
  it('GET /reports/variance is what the entries of the cycles give', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyTemplate, { minLength: 1, maxLength: 4 }),
        fc.array(anyChange, { minLength: 1, maxLength: 9 }),
        fc.option(anyAmount, { nil: undefined }),
        fc.array(anyAmount, { maxLength: 2 }),
        async (templates, changes, raised, amounts) => {
          const user = await service.signUp();
          const paths = await createTemplates(user, templates);
          const cycles: CycleResponse[] = [];
          for (const period of PERIODS) cycles.push(await user.createCycle(period));
          for (const cycle of cycles) await changeEntries(user, cycle, changes);
          for (const amount of amounts) {
            await user.createExpense(cycles[0]?.id ?? '', { amount });
            await user.createIncome(cycles[1]?.id ?? '', { amount });
          }
          if (raised !== undefined && paths[0] !== undefined) {
            await user.put(paths[0], { base_amount: raised, currency: 'USD' }).expect(200);
            await user.post(`/cycles/${cycles[0]?.id ?? ''}/sync`).expect(200);
          }
          const query = `?cycle_ids=${cycles.map(({ id }) => id).join(',')}`;
          const response = await user.get(`/reports/variance${query}`).expect(200);
          expect(response.body).toEqual(await expectedReport(user, cycles));
        },
      ),
      longRuns(8),
    );
  });
});
