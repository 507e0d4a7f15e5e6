import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { CycleResponse } from '../../src/cycles/dto/cycle.dto.js';
import type { Client } from '../support/client.js';
import { exportText, importText, withoutIdsAndTimes } from '../support/data-document.js';
import { expectIntegrity } from '../support/integrity.js';
import { longRuns } from '../support/repetitions.js';
import { useService } from '../support/service.js';
import { anyCardWrite, createCards, writeCard } from './random-card-writes.js';
import { anyDate, anyTemplate, createTemplates, storeRate } from './random-plans.js';
import { Account, anyWrite } from './random-writes.js';

jest.setTimeout(600_000);

const service = useService();

/** Text with all that has a meaning in JSON or in its encodings. */
const anyText = fc
  .array(
    fc.constantFrom('"', '\\', '\\u0041', '\n', '{', ']', 'ñ', '😀', '\uFEFF', '\u2028', 'Luz'),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => `x${parts.join('')}x`);

const anyEdit = fc.constantFrom(
  'delete',
  { paid: true, paid_at: '2026-02-01T10:00:00.001Z' },
  { status: 'cancelled' },
  { status: 'overdue' },
  { received: true },
  { amount: '77.77' },
  { currency: 'MXN' },
  { comments: '\uFEFFNote "1"\\' },
);

/** The number of a budget; above the last one: none. */
const anyBudgetIndex = fc.nat({ max: 3 });

const anyLimit = fc.option(fc.constantFrom('0.01', '100.00', '5000.00'), { nil: null });

const anyPlan = fc.record({
  budgets: fc.array(fc.record({ name: anyText, limit: anyLimit, isDeleted: fc.boolean() }), {
    maxLength: 3,
  }),
  templates: fc.array(anyTemplate, { minLength: 1, maxLength: 4 }),
  /** Of templates and then entries, in turn. */
  chosenBudgets: fc.array(anyBudgetIndex, { minLength: 1, maxLength: 5 }),
  /** Of the first cycle, by budget; undefined: as it has taken them. */
  limits: fc.option(fc.array(anyLimit, { maxLength: 3 }), { nil: undefined }),
  endedTemplate: fc.boolean(),
  cycles: fc.array(fc.tuple(fc.constantFrom('2026-01-19', '2026-03-02'), anyText), {
    minLength: 1,
    maxLength: 2,
  }),
  manual: fc.array(fc.tuple(fc.boolean(), anyText, anyDate, fc.constantFrom('USD', 'MXN')), {
    maxLength: 3,
  }),
  edits: fc.array(fc.tuple(fc.nat(), anyEdit), { maxLength: 6 }),
  comments: fc.array(fc.tuple(fc.nat(), anyText), { maxLength: 3 }),
  completed: fc.boolean(),
});

type Plan = typeof anyPlan extends fc.Arbitrary<infer Value> ? Value : never;

/** Deletes some budgets, which others may have. */
async function createPlan(user: Client, plan: Plan): Promise<void> {
  const budgets: string[] = [];
  for (const { name, limit } of plan.budgets) {
    budgets.push((await user.createBudget({ name: `${budgets.length}${name}`, limit })).id);
  }
  let number = 0;
  const nextBudget = (): string | null =>
    budgets[plan.chosenBudgets[number++ % plan.chosenBudgets.length] ?? 0] ?? null;
  const paths = await createTemplates(user, plan.templates);
  for (const path of paths.filter((one) => one.startsWith('/expense-templates'))) {
    await user.put(path, { budget_id: nextBudget() }).expect(200);
  }
  const { id: payment_method_id } = await user.createPaymentMethod();
  const cycles: string[] = [];
  for (const [start_date, name] of plan.cycles) {
    const end_date = start_date === '2026-01-19' ? '2026-03-01' : '2026-04-12';
    const body = { name: `${cycles.length}${name}`, start_date, end_date };
    cycles.push((await user.createCycle(body)).id);
  }
  if (plan.limits) {
    const budget_limits = plan.limits.flatMap((limit, index) =>
      limit === null || !budgets[index] ? [] : [{ budget_id: budgets[index], limit }],
    );
    await user.put(`/cycles/${cycles[0] ?? ''}`, { budget_limits }).expect(200);
  }
  for (const [isExpense, description, date, currency] of plan.manual) {
    const entry = { description, currency, payment_method_id };
    const cycle = cycles[0] ?? '';
    const budget_id = nextBudget();
    if (isExpense) await user.createExpense(cycle, { ...entry, due_date: date, budget_id });
    else await user.createIncome(cycle, { ...entry, income_date: date });
  }
  const entries: { path: string; type: string; id: string }[] = [];
  for (const cycle of cycles) {
    for (const { id } of (await user.expenses(cycle)).expenses) {
      entries.push({ path: `/cycles/${cycle}/expenses/${id}`, type: 'cycle_expense', id });
    }
    for (const { id } of (await user.incomes(cycle)).incomes) {
      entries.push({ path: `/cycles/${cycle}/incomes/${id}`, type: 'cycle_income', id });
    }
  }
  for (const [number, body] of plan.comments) {
    const entry = entries[number % entries.length];
    const target = { entity_type: entry?.type ?? 'cycle', entity_id: entry?.id ?? cycles[0] };
    await user.post('/comments', { ...target, body }).expect(201);
  }
  for (const [number, edit] of plan.edits) {
    const path = entries[number % entries.length]?.path;
    if (path === undefined) continue;
    // Edits of the other kind of entry, and of deleted entries, are refused.
    await (edit === 'delete' ? user.delete(path) : user.put(path, edit));
  }
  if (plan.endedTemplate) await user.delete(paths[0] ?? '').expect(204);
  await user.delete(`/payment-methods/${payment_method_id}`).expect(204);
  if (plan.completed) {
    await user.put(`/cycles/${cycles[0] ?? ''}`, { status: 'completed' }).expect(200);
  }
  for (const [index, id] of budgets.entries()) {
    if (plan.budgets[index]?.isDeleted) await user.delete(`/budgets/${id}`).expect(204);
  }
}

/** What the API shows of a user's data. */
async function shown(user: Client): Promise<unknown> {
  const { cycles } = await user.read<{ cycles: CycleResponse[] }>('/cycles');
  const methods = await user.read<{ id: string }[]>('/payment-methods');
  const paths = [
    ...['/payment-methods', '/budgets', '/expense-templates', '/income-templates', '/cycles'],
    ...['/expenses', '/incomes', '/card-statements'],
    ...methods.map(({ id }) => `/payment-methods/${id}/statements`),
    ...cycles.flatMap(({ id }) => [
      ...[`/cycles/${id}/expenses`, `/cycles/${id}/incomes`, `/cycles/${id}/summary`],
      ...[`/cycles/${id}/cash-flow`],
    ]),
  ];
  const bodies = [];
  for (const path of paths) bodies.push(await user.read(path));
  return JSON.parse(withoutIdsAndTimes(JSON.stringify(bodies)));
}

/** An import does not make a plan. */
const withoutPlans = (bodies: unknown): unknown =>
  JSON.parse(
    JSON.stringify(bodies, (name, value: unknown) => (name === 'planned_amount' ? null : value)),
  );

/** Expects that the data of an account can be imported into another one, which shows the same. */
async function expectImportable(user: Client): Promise<void> {
  const text = await exportText(user);
  const other = await service.signUp();
  await importText(other, text).expect(200);
  expect(withoutIdsAndTimes(await exportText(other))).toBe(withoutIdsAndTimes(text));
  expect(await shown(other)).toEqual(withoutPlans(await shown(user)));
}

describe('an exported document', () => {
  beforeAll(async () => {
    await storeRate(service, 0.048765, '2026-01-25');
  });

  it('imports as the same records with the same sums', async () => {
    await fc.assert(
      fc.asyncProperty(anyPlan, async (plan) => {
        const user = await service.signUp();
        await createPlan(user, plan);
        await expectImportable(user);
      }),
      longRuns(12),
    );
    await expectIntegrity(service.dataSource);
  });

  it('can be imported whatever requests and undos have made of the data', async () => {
    const sequence = fc.array(anyWrite, { minLength: 1, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(sequence, fc.nat({ max: 3 }), async (writes, undone) => {
        const user = await service.signUp();
        const account = new Account(service, user);
        await account.write({ kind: 'createMethod' });
        for (const write of writes) await account.write(write);
        const operations = (await account.records()).map((record) => record.operation_id ?? '');
        const last = [...new Set(operations)].toReversed().slice(0, undone);
        for (const operation of last) await account.undoOperation(operation);
        await expectImportable(user);
      }),
      longRuns(12),
    );
    await expectIntegrity(service.dataSource);
  });

  it('can be imported whatever requests have made of cards', async () => {
    const sequence = fc.array(anyCardWrite, { minLength: 4, maxLength: 20, size: 'max' });
    await fc.assert(
      fc.asyncProperty(sequence, async (writes) => {
        const user = await service.signUp();
        await createCards(user);
        for (const write of writes) await writeCard(user, write);
        await expectImportable(user);
      }),
      longRuns(12),
    );
    await expectIntegrity(service.dataSource);
  });
});
