import fc from 'fast-check';
import type { BudgetResponse } from '../../src/budgets/dto/budget.dto.js';
import { plain } from './cents.js';
import { invalid, notFound, when, type Refusal } from './expected-errors.js';
import type { Budget, Choice, Cycle, Model, User } from './model.js';
import { effect, noContent, type Mutation } from './mutation.js';
import { nameFaults } from './payment-methods.js';
import {
  anyAmount,
  anyChoice,
  anyCurrency,
  anyNumber,
  anyTarget,
  BUDGET_NAMES,
  partly,
} from './values.js';
import { budgetView } from './views.js';

const anyFields = {
  name: fc.constantFrom(...BUDGET_NAMES, ' Casa '),
  limit: fc.option(anyAmount, { nil: null, freq: 3 }),
};

const FLAWS = { name: ' ', limit: '0.00', active: 1 };

interface Sent {
  name: string;
  limit: string | number | null;
  active: boolean;
}

/** A budget of the user, or of any user; null: none, undefined: there is none. */
export const chosenBudget = (
  model: Model,
  user: User,
  choice: Choice | null | undefined,
): Budget | null | undefined =>
  choice && model.pick(choice.isFromAll ? model.budgets : model.budgetsOf(user), choice.number);

/** How a body chooses a budget; undefined: not at all. */
export const budgetField = (budget: Budget | null | undefined): { budget_id?: string | null } =>
  budget === undefined ? {} : { budget_id: budget?.id ?? null };

const asStored = ({ name, limit, ...sent }: Partial<Sent>): Partial<Budget['fields']> => ({
  ...sent,
  ...(name !== undefined && { name: name.trim() }),
  ...(limit !== undefined && { limit: limit === null ? null : plain(limit) }),
});

export const createBudget: Mutation<
  Partial<Omit<Sent, 'active' | 'name'>> & {
    actor: number;
    name: string;
    currency?: string;
  }
> = {
  operation: 'POST /budgets',
  values: fc.record(
    { actor: anyNumber, ...anyFields, currency: anyCurrency },
    { requiredKeys: ['actor', 'name'] },
  ),
  flaws: { ...FLAWS, currency: null },
  attempt: (model, { actor: number, ...sent }) => {
    const actor = model.pick(model.users, number);
    if (!actor) return undefined;
    return {
      actor,
      path: '/budgets',
      body: sent,
      faults: nameFaults(model.budgetsOf(actor), sent.name),
      effect: effect(201, (created: BudgetResponse) => {
        const budget: Budget = {
          type: 'budget',
          id: created.id,
          owner: actor,
          cycleId: null,
          fields: { name: '', currency: 'USD', limit: null, ...asStored(sent), active: true },
          createdAt: created.created_at,
          updatedAt: created.updated_at,
        };
        model.budgets.push(budget);
        model.recordCreation(actor, budget);
        return budgetView(budget);
      }),
    };
  },
};

export const updateBudget: Mutation<{
  target: { number: number; as: number | undefined };
  sent: Partial<Sent>;
}> = {
  operation: 'PUT /budgets/{id}',
  values: fc.record({
    target: anyTarget,
    sent: partly<Sent>({ ...anyFields, active: fc.boolean() }),
  }),
  flaws: { ...FLAWS, name: null, currency: 'USD' },
  attempt: (model, { target, sent }) => {
    const budget = model.pick(model.budgets, target.number);
    if (!budget) return undefined;
    const actor = model.actor(budget.owner, target.as);
    return {
      actor,
      path: `/budgets/${budget.id}`,
      body: sent,
      focus: budget,
      faults:
        actor === budget.owner
          ? nameFaults(model.budgetsOf(actor), sent.name, budget)
          : [notFound('budget')],
      effect: effect(200, (responseBody: BudgetResponse) => {
        if (model.change(actor, budget, asStored(sent))) budget.updatedAt = responseBody.updated_at;
        return budgetView(budget);
      }),
    };
  },
};

export const removeBudget: Mutation<{ number: number; as: number | undefined }> = {
  operation: 'DELETE /budgets/{id}',
  values: anyTarget,
  attempt: (model, { number, as }) => {
    const budget = model.pick(model.budgets, number);
    if (!budget) return undefined;
    const actor = model.actor(budget.owner, as);
    return {
      actor,
      path: `/budgets/${budget.id}`,
      focus: budget,
      faults: when(actor !== budget.owner, notFound('budget')),
      effect: noContent(() => {
        model.change(actor, budget, { active: false });
      }),
    };
  },
};

type Limits = Cycle['fields']['budget_limits'];

/** The limits that a new cycle of the user has. */
export const limitsOfNewCycle = (model: Model, owner: User): Limits =>
  model
    .budgetsOf(owner)
    .flatMap(({ id, fields: { active, limit } }) =>
      active && limit !== null ? [{ budget_id: id, limit }] : [],
    );

/** Limits of a request. */
export type SentLimits = { budget: Choice; limit: string | number }[];

export const anyLimits: fc.Arbitrary<SentLimits> = fc.array(
  fc.record({ budget: anyChoice, limit: anyAmount }),
  { maxLength: 3 },
);

interface ChosenLimit {
  budget: Budget;
  limit: string | number;
}

/** Those of different budgets. */
export function chosenLimits(model: Model, user: User, sent: SentLimits): ChosenLimit[] {
  const chosen = new Map<Budget, ChosenLimit>();
  for (const { budget: choice, limit } of sent) {
    const budget = chosenBudget(model, user, choice);
    if (budget) chosen.set(budget, { budget, limit });
  }
  return [...chosen.values()];
}

/** As a body has them. */
export const limitsField = (limits: readonly ChosenLimit[]): object[] =>
  limits.map(({ budget, limit }) => ({ budget_id: budget.id, limit }));

/** A limit of an inactive budget can stay, but not come. */
export function limitFaults(
  actor: User,
  { fields: { budget_limits: present } }: Cycle,
  limits: readonly ChosenLimit[],
): Refusal[] {
  const foreign = limits.findIndex(({ budget }) => budget.owner !== actor);
  if (foreign !== -1) {
    return [{ ...notFound('budget'), details: { resource: 'budget', index: foreign } }];
  }
  return limits.flatMap(({ budget }, index) =>
    when(
      !budget.fields.active && !present.some(({ budget_id }) => budget_id === budget.id),
      invalid(`budget_limits.${index}.budget_id`),
    ),
  );
}

/** As a cycle has them: in the order of the creation of the budgets. */
export const storedLimits = (model: Model, limits: readonly ChosenLimit[]): Limits =>
  model.budgets.flatMap((budget) =>
    limits
      .filter((one) => one.budget === budget)
      .map(({ limit }) => ({ budget_id: budget.id, limit: plain(limit) })),
  );
