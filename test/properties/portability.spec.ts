import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { Response } from 'supertest';
import type { CycleResponse } from '../../src/cycles/dto/cycle.dto.js';
import type { Client } from '../support/client.js';
import {
  exportText,
  importText,
  withoutIdsAndTimes,
  type Document,
} from '../support/data-document.js';
import { expectError } from '../support/errors.js';
import { expectIntegrity } from '../support/integrity.js';
import { longRuns } from '../support/repetitions.js';
import { useService } from '../support/service.js';
import { anyDate, anyTemplate, createTemplates, storeRate } from './random-plans.js';

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

/** @returns the paths of deleted budgets, some of which are used */
async function createPlan(user: Client, plan: Plan): Promise<string[]> {
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
  const deleted = budgets
    .filter((_, index) => plan.budgets[index]?.isDeleted)
    .map((id) => `/budgets/${id}`);
  for (const path of deleted) await user.delete(path).expect(204);
  return deleted;
}

/** The ids of budgets that records of a document refer to. */
function usedBudgets(document: Document): Set<unknown> {
  const { expense_templates, expenses, cycles } = document;
  const limits = cycles.flatMap(({ budget_limits }) => budget_limits as { budget_id: string }[]);
  return new Set([...expense_templates, ...expenses, ...limits].map(({ budget_id }) => budget_id));
}

/**
 * An inactive budget that records refer to cannot be chosen by them again: brings those back.
 *
 * @returns whether there were any
 */
async function restoreUsedBudgets(user: Client, deleted: readonly string[]): Promise<boolean> {
  const used = usedBudgets(JSON.parse(await exportText(user)) as Document);
  const paths = deleted.filter((path) => used.has(path.replace('/budgets/', '')));
  for (const path of paths) await user.put(path, { active: true }).expect(200);
  return paths.length > 0;
}

/** What the API shows of a user's data. */
async function shown(user: Client): Promise<unknown> {
  const { cycles } = await user.read<{ cycles: CycleResponse[] }>('/cycles');
  const paths = [
    ...['/payment-methods', '/budgets', '/expense-templates', '/income-templates', '/cycles'],
    '/expenses',
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

/** Expects that every problem of the document has this reason. */
function expectInvalidReason(response: Response, reason: string): void {
  expectError(response, 422, 'VALIDATION_ERROR');
  const { error } = response.body as { error: { details: { reasons: object } } };
  expect(new Set(Object.values(error.details.reasons).flat())).toEqual(new Set([reason]));
}

describe('an exported document', () => {
  it('imports as the same records with the same sums', async () => {
    await storeRate(service, 0.048765, '2026-01-25');
    await fc.assert(
      fc.asyncProperty(anyPlan, async (plan) => {
        const user = await service.signUp();
        const deleted = await createPlan(user, plan);
        const first = await exportText(user);
        const isRefused = await restoreUsedBudgets(user, deleted);
        const text = await exportText(user);

        const other = await service.signUp();
        if (isRefused) expectInvalidReason(await importText(other, first), 'inactive');
        await importText(other, text).expect(200);

        expect(withoutIdsAndTimes(await exportText(other))).toBe(withoutIdsAndTimes(text));
        expect(await shown(other)).toEqual(withoutPlans(await shown(user)));
      }),
      longRuns(12),
    );
    await expectIntegrity(service.dataSource);
  });
});
