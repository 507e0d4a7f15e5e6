import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PreviewResponse } from '../../src/planning/dto/preview.dto.js';
import type { CashFlowResponse } from '../../src/planning/dto/cash-flow.dto.js';
import { cents, money, type Cents } from '../model/cents.js';
import type { Client } from '../support/client.js';
import { dayAt, dayNumber } from '../support/due-days.js';
import { databaseState } from '../support/rejected-requests.js';
import { repetitions } from '../support/repetitions.js';
import { useService } from '../support/service.js';

const service = useService();

const anyDate = fc.integer({ min: -20, max: 60 }).map((day) => dateAfter('2026-01-19', day));

const dateAfter = (date: string, days: number): string => dayAt(dayNumber(date) + days).date;

const anyRule = fc.oneof(
  fc.record({
    recurrence_type: fc.constant('weekly'),
    recurrence_config: fc.record({ day_of_week: fc.integer({ min: 0, max: 6 }) }),
  }),
  fc.record({
    recurrence_type: fc.constant('bi_weekly'),
    recurrence_config: fc.record({ interval_days: fc.integer({ min: 1, max: 30 }) }),
  }),
  fc.record({
    recurrence_type: fc.constant('monthly'),
    recurrence_config: fc.record({
      day_of_month: fc.integer({ min: 1, max: 31 }),
      handle_month_end: fc.boolean(),
    }),
  }),
  fc.record({
    recurrence_type: fc.constant('custom'),
    recurrence_config: fc.record({
      interval: fc.integer({ min: 1, max: 9 }),
      unit: fc.constantFrom('days', 'weeks', 'months'),
    }),
  }),
);

const anyTemplate = fc
  .record({
    kind: fc.constantFrom('expense', 'expense', 'income'),
    rule: anyRule,
    fields: fc.record({
      description: fc.constantFrom('Rent', 'Luz', 'Súper', 'Pay'),
      currency: fc.constantFrom('USD', 'MXN'),
      base_amount: fc.integer({ min: 100, max: 5_000_000 }).map((value) => money(BigInt(value))),
      reference_date: anyDate,
      starts_on: fc.option(anyDate, { nil: null, freq: 4 }),
      weekend_rule: fc.constantFrom('keep', 'before', 'after'),
    }),
    category: fc.constantFrom('fixed', 'variable'),
  })
  .map(({ rule, fields, ...template }) => ({ ...template, fields: { ...fields, ...rule } }));

const anyCycle = fc
  .record({
    start_date: anyDate,
    days: fc.integer({ min: 1, max: 45 }),
    income_amount: fc.constantFrom('0.00', '5000.00', '123.45'),
    generate_from_templates: fc.constantFrom(true, true, true, false, null),
  })
  .map(({ days, ...cycle }) => ({ ...cycle, end_date: dateAfter(cycle.start_date, days) }));

type Template = typeof anyTemplate extends fc.Arbitrary<infer Value> ? Value : never;

async function createTemplates(user: Client, templates: readonly Template[]): Promise<void> {
  const { id: payment_method_id } = await user.createPaymentMethod();
  for (const { kind, fields, category } of templates) {
    if (kind === 'expense') {
      await user.createTemplate({ ...fields, category, payment_method_id });
    } else {
      await user.createIncomeTemplate({ ...fields, payment_method_id });
    }
  }
}

interface Stored {
  id: string;
  created_at: string;
  updated_at: string;
}

/** Without what only stored records have. */
const planned = ({
  id: _id,
  created_at: _created,
  updated_at: _updated,
  ...fields
}: Stored): object => fields;

/** A pending expense of the past is read as overdue. */
const asPending = (expense: object): object =>
  'status' in expense && expense.status === 'overdue' ? { ...expense, status: 'pending' } : expense;

describe('a preview', () => {
  it('is what creation gives, field by field, and writes and locks nothing', async () => {
    for (const [rate, date] of [
      [0.048765, '2026-01-25'],
      [0.061234, '2026-02-20'],
    ]) {
      await service.query(
        `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
         VALUES ('MXN', 'USD', $1, $2)`,
        [rate, date],
      );
    }
    const user = await service.signUp();
    const given = fc.tuple(fc.array(anyTemplate, { maxLength: 6 }), anyCycle);
    await fc.assert(
      fc.asyncProperty(given, async ([templates, cycle]) => {
        await service.query('UPDATE expense_templates SET active = false');
        await service.query('UPDATE income_templates SET active = false');
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
      { numRuns: repetitions(200) },
    );
  });
});

describe('the cash flow of a cycle', () => {
  /** Computed by walking the days, with all entries of each day. */
  function walk(
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
      const sum = (isMeant: (amount: Cents) => boolean): Cents =>
        amounts.filter(isMeant).reduce((total, amount) => total + amount, 0n);
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

  it('is that of walking its days, and closes with the remaining balance', async () => {
    const user = await service.signUp();
    const { id: payment_method_id } = await user.createPaymentMethod();
    const anyEntry = fc.record({
      kind: fc.constantFrom('expense', 'cancelled', 'income'),
      date: anyDate,
      amount: fc.integer({ min: 1, max: 300_000 }).map((value) => money(BigInt(value))),
    });
    const given = fc.tuple(anyCycle, fc.array(anyEntry, { maxLength: 12 }));
    await fc.assert(
      fc.asyncProperty(given, async ([fields, entries]) => {
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
        expect(cashFlow).toEqual(walk(cycle, counted));
        const { remaining_balance } = await user.cycle(cycle.id);
        expect(cashFlow.closing_balance).toBe(remaining_balance);
      }),
      { numRuns: repetitions(60) },
    );
  });
});
