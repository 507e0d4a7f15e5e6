/** Responses that are compared with the model after every step. */
import fc from 'fast-check';
import {
  checkResponse,
  expectedAccount,
  expectedBudget,
  expectedBudgets,
  expectedCashFlow,
  expectedCycle,
  expectedCycles,
  expectedExpense,
  expectedExpenses,
  expectedHousehold,
  expectedIncome,
  expectedIncomes,
  expectedInvitations,
  expectedMethod,
  expectedMethods,
  expectedTemplate,
  expectedTemplates,
  type ExpectedResponse,
} from './expected-responses.js';
import { expectedActivity, expectedComments, type FeedScope } from './feeds.js';
import type {
  Budget,
  Cycle,
  Entity,
  Expense,
  Income,
  Method,
  Template,
  User,
  Model,
} from './model.js';
import {
  expectedBudgetReport,
  expectedComparison,
  expectedSummary,
  METRIC_NAMES,
} from './reports.js';
import { anyCategory, anyCurrency, anyCycleStatus, anyExpenseStatus, maybe } from './values.js';

const OPTIONAL_CHECKS = [
  ...(['methods', 'budgets', 'templates', 'incomeTemplates', 'cycles'] as const),
  ...(['comparison', 'budgetReport', 'reader', 'activity', 'comments'] as const),
];

/** A random reader, additional responses to compare, and filters of lists. */
export const stepCheckPlan = fc.record({
  reader: fc.nat(9),
  cycle: fc.nat(9),
  compared: fc.array(fc.nat(9), { minLength: 1, maxLength: 3 }),
  metrics: maybe(fc.subarray(METRIC_NAMES, { minLength: 1 })),
  method: maybe(fc.nat(9)),
  budget: maybe(fc.oneof(fc.nat(9), fc.constant('none' as const))),
  active: maybe(fc.boolean()),
  category: maybe(anyCategory),
  currency: maybe(anyCurrency),
  status: maybe(anyExpenseStatus),
  received: maybe(fc.boolean()),
  cycleStatus: maybe(anyCycleStatus),
  page: fc.constantFrom(1, 1, 2),
  perPage: fc.constantFrom(1, 2, 20, 100),
  scope: fc.constantFrom('entity', 'cycle', 'both', 'incomplete'),
  limit: fc.constantFrom(1, 5, 200),
  optionalChecks: fc.subarray(OPTIONAL_CHECKS, { minLength: 1, maxLength: 2 }),
});

export type StepCheckPlan = typeof stepCheckPlan extends fc.Arbitrary<infer Plan> ? Plan : never;

export async function checkAfterStep(
  model: Model,
  { actor = model.users.at(-1), focus }: { actor?: User; focus?: Entity },
  plan: StepCheckPlan,
): Promise<void> {
  if (!actor) return;
  const owner = focus?.owner ?? actor;
  const reader = model.pick(model.users, plan.reader) ?? actor;
  if (focus) {
    await checkEntity(model, owner, focus);
  } else {
    await checkUsers(model, actor);
  }
  const cycle =
    model.cycles.find(({ id }) => id === focus?.cycleId) ??
    model.pick(model.cyclesOf(owner), plan.cycle);
  if (cycle) await checkEntityDetails(model, cycle, plan);
  const target = focus ?? cycle;
  if (!target) return;
  // Any limit includes the newest record.
  await checkResponse(expectedActivity(model, owner, scopeOf(target, 'entity'), plan.limit));
  for (const optionalCheck of plan.optionalChecks) {
    const response = optionalResponse(optionalCheck, { model, owner, reader, target }, plan);
    if (response) await checkResponse(response);
  }
}

/** Compares one entity, and copies generated values that earlier responses did not contain. */
export async function checkEntity(model: Model, reader: User, entity: Entity): Promise<void> {
  const body = (await checkResponse(responseOf(model, reader, entity))) as
    { updated_at: string } | undefined;
  if (body) entity.updatedAt = body.updated_at;
}

function responseOf(model: Model, reader: User, entity: Entity): ExpectedResponse {
  switch (entity.type) {
    case 'payment_method':
      return expectedMethod(reader, entity as Method);
    case 'budget':
      return expectedBudget(reader, entity as Budget);
    case 'recurrent_expense':
    case 'recurrent_income':
      return expectedTemplate(model, reader, entity as Template);
    case 'cycle':
      return expectedCycle(model, reader, entity as Cycle);
    case 'cycle_expense':
      return expectedExpense(model, reader, entity as Expense);
    case 'cycle_income':
      return expectedIncome(model, reader, entity as Income);
  }
}

export async function checkUsers(model: Model, reader: User): Promise<void> {
  const body = (await checkResponse(expectedAccount(reader))) as { updated_at: string };
  reader.updatedAt = body.updated_at;
  await checkResponse(expectedHousehold(model, reader));
  await checkResponse(expectedInvitations(model, reader));
}

interface CheckContext {
  model: Model;
  owner: User;
  reader: User;
  target: Entity;
}

function optionalResponse(
  optionalCheck: (typeof OPTIONAL_CHECKS)[number],
  { model, owner, reader, target }: CheckContext,
  plan: StepCheckPlan,
): ExpectedResponse | undefined {
  const { active, category, currency, cycleStatus: status, page, perPage: per_page } = plan;
  const ofTemplates = { active, category, currency, budget_id: budgetFilter(model, plan) };
  switch (optionalCheck) {
    case 'methods':
      return expectedMethods(model, owner, { active, currency });
    case 'budgets':
      return expectedBudgets(model, owner, { active });
    case 'templates':
      return expectedTemplates(model, 'recurrent_expense', owner, ofTemplates);
    case 'incomeTemplates':
      return expectedTemplates(model, 'recurrent_income', owner, ofTemplates);
    case 'cycles':
      return expectedCycles(model, owner, { status, page, per_page });
    case 'comparison':
    case 'budgetReport': {
      const cycles = plan.compared.flatMap((number) => model.pick(model.cycles, number) ?? []);
      if (cycles.length === 0) return undefined;
      return optionalCheck === 'comparison'
        ? expectedComparison(model, owner, cycles, plan.metrics)
        : expectedBudgetReport(model, owner, cycles);
    }
    case 'reader':
      return responseOf(model, reader, target);
    case 'activity':
      return expectedActivity(model, reader, scopeOf(target, plan.scope), plan.limit);
    case 'comments':
      return expectedComments(model, reader, scopeOf(target, plan.scope), plan.limit);
  }
}

/** The id of a budget, or `none`. */
const budgetFilter = (model: Model, { budget }: StepCheckPlan): string | undefined =>
  typeof budget === 'number' ? model.pick(model.budgets, budget)?.id : budget;

async function checkEntityDetails(model: Model, cycle: Cycle, plan: StepCheckPlan): Promise<void> {
  const { status, category, currency, received } = plan;
  const method = plan.method === undefined ? undefined : model.pick(model.methods, plan.method);
  const budget_id = budgetFilter(model, plan);
  const filter = { status, category, currency, payment_method_id: method?.id, budget_id };
  await checkResponse(expectedCycle(model, cycle.owner, cycle));
  await checkResponse(expectedCashFlow(model, cycle.owner, cycle));
  await checkResponse(expectedExpenses(model, cycle.owner, cycle, {}));
  await checkResponse(expectedExpenses(model, cycle.owner, cycle, filter));
  await checkResponse(expectedIncomes(model, cycle.owner, cycle, {}));
  await checkResponse(
    expectedIncomes(model, cycle.owner, cycle, {
      currency,
      received,
      payment_method_id: method?.id,
      budget_id,
    }),
  );
  await checkResponse(expectedSummary(model, cycle.owner, cycle));
}

function scopeOf({ type, id, cycleId }: Entity, scope: StepCheckPlan['scope']): FeedScope {
  const entity = { entity_type: type, entity_id: id };
  const cycle = { cycle_id: cycleId ?? undefined };
  switch (scope) {
    case 'entity':
      return entity;
    case 'cycle':
      return cycle.cycle_id === undefined ? entity : cycle;
    case 'both':
      return { ...entity, ...cycle };
    case 'incomplete':
      return { entity_id: id };
  }
}
