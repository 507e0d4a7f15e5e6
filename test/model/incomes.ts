import fc from 'fast-check';
import type { IncomeResponse } from '../../src/incomes/dto/income.dto.js';
import { budgetField, chosenBudget } from './budgets.js';
import { plain } from './cents.js';
import { cycleFaults } from './cycles.js';
import {
  conversionFaults,
  converted,
  inUsd,
  isNotFound,
  accessEntry,
  anyPath,
  type Path,
} from './entries.js';
import { CYCLE_NOT_FOUND, invalid, ofBody, when, type Refusal } from './expected-errors.js';
import type { Budget, Choice, Income, IncomeFields, Method } from './model.js';
import { effect, noContent, type Mutation } from './mutation.js';
import { choiceFaults, chosenOrNone } from './payment-methods.js';
import { anyAmount, anyChoice, anyCurrency, anyNote, anyTarget, partly, textOf } from './values.js';
import { incomeView } from './views.js';

const anyFields = {
  description: fc.constantFrom('Refund', 'Quincena', ' Pay '),
  currency: anyCurrency,
  method: fc.option(anyChoice, { nil: null, freq: 2 }),
  budget: fc.option(anyChoice, { nil: null }),
  amount: anyAmount,
  income_date: fc.constantFrom('2024-12-20', '2025-01-31', '2025-02-10', '2100-02-01'),
  comments: anyNote,
};

interface Sent {
  description: string;
  currency: string;
  method: Choice | null;
  budget: Choice | null;
  amount: string | number;
  income_date: string;
  comments: string | null;
}

/** The receipt fields of a request. */
interface Requested {
  received?: boolean;
  received_at?: string;
}

/** Instants as sent, and as returned. */
const RECEIVED_AT: Record<string, string> = {
  '2026-01-20T10:00:00Z': '2026-01-20T10:00:00.000Z',
  '2026-01-25T20:11:09.5-06:00': '2026-01-26T02:11:09.500Z',
};

const anyReceipt = partly<Requested>({
  received: fc.boolean(),
  received_at: fc.constantFrom(...Object.keys(RECEIVED_AT)),
});

const FLAWS = {
  ...{ description: ' ', amount: '0', currency: 'EUR', income_date: '2025-02-30' },
  budget_id: 'none',
};

/** What an income refers to; undefined: not in the body. */
interface Chosen {
  method?: Method | null;
  budget?: Budget | null;
}

const bodyOf = (
  { method: _method, budget: _budget, ...sent }: Partial<Sent>,
  { method, budget }: Chosen,
): object => ({
  ...sent,
  ...(method !== undefined && { payment_method_id: method?.id ?? null }),
  ...budgetField(budget),
});

function asStored(sent: Partial<Sent>, chosenOnes: Chosen): Partial<IncomeFields> {
  const { description, amount, comments } = sent;
  return {
    ...bodyOf(sent, chosenOnes),
    ...(description !== undefined && { description: description.trim() }),
    ...(amount !== undefined && { amount: plain(amount) }),
    ...(comments !== undefined && { comments: textOf(comments) }),
  };
}

const priceOf = ({ income_date: date, ...fields }: IncomeFields): Parameters<typeof inUsd>[0] => ({
  ...fields,
  date,
});

/** `received_at` together with `received: false`. */
const contradictions = ({ received, received_at }: Requested): Refusal[] =>
  when(received === false && received_at !== undefined, ofBody(invalid('received_at')));

/** Only a received income has a `received_at`. */
const receiptFaults = ({ received, received_at }: Requested, before: boolean): Refusal[] =>
  when(!(received ?? before) && received_at !== undefined, invalid('received_at'));

function receiptAfter(
  { received, received_at: sent }: Requested,
  before: IncomeFields,
  now: string | null,
): Pick<IncomeFields, 'received' | 'received_at'> {
  if (!(received ?? before.received)) return { received: false, received_at: null };
  const given = sent === undefined ? undefined : RECEIVED_AT[sent];
  return { received: true, received_at: given ?? before.received_at ?? now };
}

export const createIncome: Mutation<{
  cycle: { number: number; as: number | undefined };
  sent: Sent;
  requested: Requested;
}> = {
  operation: 'POST /cycles/{cycle_id}/incomes',
  values: fc.record({
    cycle: anyTarget,
    sent: fc.record(anyFields),
    requested: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, anyReceipt),
  }),
  flaws: { ...FLAWS, received: 'yes', received_at: 'today', payment_method_id: 5 },
  attempt: (model, { cycle: { number, as }, sent, requested }) => {
    const cycle = model.pick(model.cycles, number);
    const actor = cycle && model.actor(cycle.owner, as);
    const method = actor && chosenOrNone(model, actor, sent.method);
    if (method === undefined || !actor) return undefined;
    const budget = chosenBudget(model, actor, sent.budget);
    const chosenOnes = { method, budget };
    const fields: IncomeFields & { active: boolean } = {
      budget_id: null,
      ...({ ...asStored(sent, chosenOnes), amount_usd: '0.00' } as Omit<IncomeFields, 'budget_id'>),
      ...{
        received: false,
        received_at: null,
        template_id: null,
        occurrence_date: null,
        instalment: null,
        active: true,
      },
    };
    const receipt = { received: false, ...requested };
    const faults = cycleFaults(actor, cycle);
    return {
      actor,
      path: `/cycles/${cycle.id}/incomes`,
      body: { ...bodyOf(sent, chosenOnes), ...requested },
      focus: cycle,
      faults: [
        ...contradictions(receipt),
        ...faults,
        ...(faults.includes(CYCLE_NOT_FOUND)
          ? []
          : [
              ...choiceFaults(actor, method),
              ...choiceFaults(actor, budget),
              ...conversionFaults(priceOf(fields)),
            ]),
      ],
      effect: effect(201, (created: IncomeResponse) => {
        const income: Income = {
          ...{ type: 'cycle_income', id: created.id, owner: actor, cycle, cycleId: cycle.id },
          planned: null,
          fields: { ...fields, ...converted(priceOf(fields)) },
          ...{ createdAt: created.created_at, updatedAt: created.created_at },
        };
        model.incomes.push(income);
        model.recordCreation(actor, income);
        model.change(actor, income, receiptAfter(receipt, fields, created.received_at));
        if (receipt.received) income.updatedAt = created.updated_at;
        return incomeView(model, income);
      }),
    };
  },
};

export const updateIncome: Mutation<{ target: Path; sent: Partial<Sent>; requested: Requested }> = {
  operation: 'PUT /cycles/{cycle_id}/incomes/{income_id}',
  values: fc.oneof(
    fc.record({ target: anyPath, sent: fc.constant({}), requested: anyReceipt }),
    fc.record({ target: anyPath, sent: partly<Sent>(anyFields), requested: fc.constant({}) }),
    fc.record({ target: anyPath, sent: partly<Sent>(anyFields), requested: anyReceipt }),
  ),
  flaws: { ...FLAWS, received: 'yes', received_at: 'today' },
  attempt: (model, { target, sent, requested }) => {
    const access = accessEntry(model, model.incomes, target);
    if (!access) return undefined;
    const { entry: income, actor, path, faults } = access;
    const method = sent.method === undefined ? undefined : chosenOrNone(model, actor, sent.method);
    const budget = chosenBudget(model, actor, sent.budget);
    const chosenOnes = { method, budget };
    const changed = asStored(sent, chosenOnes);
    const { fields } = income;
    const priced = priceOf({ ...fields, ...changed });
    return {
      actor,
      path,
      body: { ...bodyOf(sent, chosenOnes), ...requested },
      focus: income,
      faults: [
        ...contradictions(requested),
        ...faults,
        ...(faults.some(isNotFound)
          ? []
          : [
              ...receiptFaults(requested, fields.received),
              ...choiceFaults(actor, method, fields.payment_method_id),
              ...choiceFaults(actor, budget, fields.budget_id),
              ...conversionFaults(priced),
            ]),
      ],
      effect: effect(200, (responseBody: IncomeResponse) => {
        const receipt = receiptAfter(requested, fields, responseBody.received_at);
        const after = { ...changed, ...converted(priced), ...receipt };
        if (model.change(actor, income, after)) income.updatedAt = responseBody.updated_at;
        return incomeView(model, income);
      }),
    };
  },
};

export const removeIncome: Mutation<Path> = {
  operation: 'DELETE /cycles/{cycle_id}/incomes/{income_id}',
  values: anyPath,
  attempt: (model, target) => {
    const access = accessEntry(model, model.incomes, target);
    if (!access) return undefined;
    const { entry: income, actor, path, faults } = access;
    return {
      actor,
      path,
      focus: income,
      faults,
      effect: noContent(() => {
        model.change(actor, income, { active: false });
      }),
    };
  },
};
