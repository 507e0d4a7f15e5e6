/** What is read back after every step, and compared with the world. */
import fc from 'fast-check';
import { askActivity, askComments, type FeedScope } from './feeds.js';
import {
  ask,
  askAccount,
  askCycle,
  askCycles,
  askExpense,
  askExpenses,
  askHousehold,
  askInvitations,
  askMethod,
  askMethods,
  askTemplate,
  askTemplates,
  type Question,
} from './questions.js';
import { askComparison, askSummary, METRIC_NAMES } from './reports.js';
import { anyCategory, anyCurrency, anyCycleStatus, anyExpenseStatus, maybe } from './values.js';
import type { Cycle, Entity, Expense, Method, Template, User, World } from './world.js';

const SIGHTS = [
  ...(['methods', 'templates', 'cycles', 'comparison'] as const),
  ...(['reader', 'activity', 'comments'] as const),
];

/** Who looks besides the owner, at what besides what was touched, and how lists are narrowed. */
export const lookPlan = fc.record({
  reader: fc.nat(9),
  cycle: fc.nat(9),
  compared: fc.array(fc.nat(9), { minLength: 1, maxLength: 3 }),
  metrics: maybe(fc.subarray(METRIC_NAMES, { minLength: 1 })),
  method: maybe(fc.nat(9)),
  active: maybe(fc.boolean()),
  category: maybe(anyCategory),
  currency: maybe(anyCurrency),
  status: maybe(anyExpenseStatus),
  cycleStatus: maybe(anyCycleStatus),
  page: fc.constantFrom(1, 1, 2),
  perPage: fc.constantFrom(1, 2, 20, 100),
  scope: fc.constantFrom('entity', 'cycle', 'both', 'half'),
  limit: fc.constantFrom(1, 5, 200),
  sights: fc.subarray(SIGHTS, { minLength: 1, maxLength: 2 }),
});

export type LookPlan = typeof lookPlan extends fc.Arbitrary<infer Plan> ? Plan : never;

export async function look(
  world: World,
  { actor = world.users.at(-1), focus }: { actor?: User; focus?: Entity },
  plan: LookPlan,
): Promise<void> {
  if (!actor) return;
  const owner = focus?.owner ?? actor;
  const reader = world.pick(world.users, plan.reader) ?? actor;
  if (focus) {
    await lookAt(world, owner, focus);
  } else {
    await lookAtPeople(world, actor);
  }
  const cycle =
    world.cycles.find(({ id }) => id === focus?.cycleId) ??
    world.pick(world.cyclesOf(owner), plan.cycle);
  if (cycle) await lookInto(world, cycle, plan);
  const target = focus ?? cycle;
  if (!target) return;
  // The newest record is in it, however short it is.
  await ask(askActivity(world, owner, scopeOf(target, 'entity'), plan.limit));
  for (const sight of plan.sights) {
    const question = questionAbout(sight, { world, owner, reader, target }, plan);
    if (question) await ask(question);
  }
}

/** One entity; what the service did not tell of it before is taken over. */
export async function lookAt(world: World, reader: User, entity: Entity): Promise<void> {
  const seen = (await ask(questionOf(world, reader, entity))) as { updated_at: string } | undefined;
  if (seen) entity.updatedAt = seen.updated_at;
}

function questionOf(world: World, reader: User, entity: Entity): Question {
  switch (entity.type) {
    case 'payment_method':
      return askMethod(reader, entity as Method);
    case 'recurrent_expense':
      return askTemplate(world, reader, entity as Template);
    case 'cycle':
      return askCycle(world, reader, entity as Cycle);
    case 'cycle_expense':
      return askExpense(world, reader, entity as Expense);
  }
}

export async function lookAtPeople(world: World, reader: User): Promise<void> {
  const seen = (await ask(askAccount(reader))) as { updated_at: string };
  reader.updatedAt = seen.updated_at;
  await ask(askHousehold(world, reader));
  await ask(askInvitations(world, reader));
}

interface Scene {
  world: World;
  owner: User;
  reader: User;
  target: Entity;
}

function questionAbout(
  sight: (typeof SIGHTS)[number],
  { world, owner, reader, target }: Scene,
  plan: LookPlan,
): Question | undefined {
  const { active, category, currency, cycleStatus: status, page, perPage: per_page } = plan;
  switch (sight) {
    case 'methods':
      return askMethods(world, owner, { active, currency });
    case 'templates':
      return askTemplates(world, owner, { active, category, currency });
    case 'cycles':
      return askCycles(world, owner, { status, page, per_page });
    case 'comparison': {
      const cycles = plan.compared.flatMap((number) => world.pick(world.cycles, number) ?? []);
      return cycles.length > 0 ? askComparison(world, owner, cycles, plan.metrics) : undefined;
    }
    case 'reader':
      return questionOf(world, reader, target);
    case 'activity':
      return askActivity(world, reader, scopeOf(target, plan.scope), plan.limit);
    case 'comments':
      return askComments(world, reader, scopeOf(target, plan.scope), plan.limit);
  }
}

async function lookInto(world: World, cycle: Cycle, plan: LookPlan): Promise<void> {
  const { status, category, currency } = plan;
  const method = plan.method === undefined ? undefined : world.pick(world.methods, plan.method);
  const filter = { status, category, currency, payment_method_id: method?.id };
  await ask(askCycle(world, cycle.owner, cycle));
  await ask(askExpenses(world, cycle.owner, cycle, {}));
  await ask(askExpenses(world, cycle.owner, cycle, filter));
  await ask(askSummary(world, cycle.owner, cycle));
}

function scopeOf({ type, id, cycleId }: Entity, scope: LookPlan['scope']): FeedScope {
  const entity = { entity_type: type, entity_id: id };
  const cycle = { cycle_id: cycleId ?? undefined };
  switch (scope) {
    case 'entity':
      return entity;
    case 'cycle':
      return cycle.cycle_id === undefined ? entity : cycle;
    case 'both':
      return { ...entity, ...cycle };
    case 'half':
      return { entity_id: id };
  }
}
