import { expect } from '@jest/globals';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import type { CycleResponse } from '../../src/cycles/dto/cycle.dto.js';
import type { Recurrence, RecurrenceRule } from '../../src/templates/recurrence/recurrence.js';
import { dayAt, dayNumber } from '../support/due-days.js';
import { plannedDays, type PlannedDay } from '../support/planned-days.js';
import {
  anyLimits,
  chosenLimits,
  limitFaults,
  limitsField,
  limitsOfNewCycle,
  storedLimits,
  type SentLimits,
} from './budgets.js';
import { cents, money, plain, toUsd, usedRate } from './cents.js';
import { CYCLE_COMPLETED, CYCLE_NOT_FOUND, ofBody, when, type Refusal } from './expected-errors.js';
import type {
  Cycle,
  CycleStatus,
  Entity,
  Expense,
  ExpenseFields,
  Income,
  IncomeFields,
  Template,
  User,
  Model,
} from './model.js';
import { effect, noContent, type Mutation } from './mutation.js';
import { anyAmount, anyNumber, anyTarget, partly } from './values.js';
import { cycleView } from './views.js';

/** In the past or far in the future, so that no status depends on today. */
const anyStart = fc.constantFrom('2025-01-20', '2025-02-03', '2100-01-18', '2100-02-28');
const anyLength = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(1, 13, 41, 45) },
  { weight: 1, arbitrary: fc.constantFrom(-7, 0, 46) },
);

const anyFields = {
  name: fc.constantFrom('Spring', ' Spring ', 'Summer', 'Autumn', 'Winter', 'Lent', 'May', 'June'),
  income_amount: fc.oneof(anyAmount, fc.constantFrom('0', 0)),
};

const FLAWS = { name: 'x'.repeat(101), income_amount: '1.005', start_date: '2025-02-30' };

interface Sent {
  name: string;
  income_amount: string | number;
  start_date: string;
  end_date: string;
  status: CycleStatus;
  side: boolean;
}

const plusDays = (date: string, days: number): string => dayAt(dayNumber(date) + days).date;

const INVALID_DATES: Refusal = { status: 422, code: 'INVALID_CYCLE_DATES' };

export function dateFaults({
  start_date,
  end_date,
}: Pick<Sent, 'start_date' | 'end_date'>): Refusal[] {
  const days = dayNumber(end_date) - dayNumber(start_date);
  return when(days < 1 || days > 45, INVALID_DATES);
}

/** The name of a deleted cycle can be used again. */
export function nameFaults(model: Model, owner: User, name?: string, self?: Cycle): Refusal[] {
  const holder = model.cyclesOf(owner).find(({ fields }) => fields.name === name?.trim());
  return when(holder !== undefined && holder !== self, { status: 409, code: 'CYCLE_NAME_EXISTS' });
}

/** Errors of a change to a cycle or its entries. */
export function cycleFaults(actor: User, { owner, fields }: Cycle): Refusal[] {
  if (owner !== actor || !fields.active) return [CYCLE_NOT_FOUND];
  return when(fields.status === 'completed', CYCLE_COMPLETED);
}

const asStored = ({ name, income_amount, ...sent }: Partial<Sent>): Partial<Cycle['fields']> => ({
  ...sent,
  ...(name !== undefined && { name: name.trim() }),
  ...(income_amount !== undefined && { income_amount: plain(income_amount) }),
});

interface Generated {
  expenses: ExpenseFields[];
  incomes: IncomeFields[];
}

/** The entries that an owner's active templates generate in a cycle. */
function occurrencesOf(
  model: Model,
  owner: User,
  { start_date: start, end_date: end }: Pick<Sent, 'start_date' | 'end_date'>,
): Generated {
  const found = model.templates
    .filter((template) => template.owner === owner && template.fields.active)
    .flatMap((template) =>
      plannedDays(
        { ...template.fields, recurrence: recurrenceOf(template.fields) },
        { start, end },
      ).map((day) => ({ template, ...day })),
    );
  const ofType = (type: Template['type']): typeof found =>
    found.filter(({ template }) => template.type === type);
  return {
    expenses: ofType('recurrent_expense').map(expenseOf),
    incomes: ofType('recurrent_income').map(incomeOf),
  };
}

const recurrenceOf = (fields: Template['fields']): Recurrence => ({
  rule: { type: fields.recurrence_type, config: fields.recurrence_config } as RecurrenceRule,
  referenceDate: fields.reference_date,
  startsOn: fields.starts_on,
  endsOn: fields.ends_on,
  weekendRule: fields.weekend_rule,
});

interface DueOccurrence extends PlannedDay {
  template: Template;
}

function entryOf({
  template: { id, fields },
  date,
  ruleDate,
  amount,
  instalment,
}: DueOccurrence): Omit<IncomeFields, 'income_date' | 'received' | 'received_at'> {
  const { description, currency, payment_method_id, budget_id } = fields;
  return {
    ...{ description, currency, payment_method_id, budget_id, amount },
    amount_usd: money(toUsd(cents(amount), currency, date)),
    exchange_rate: usedRate(currency, date),
    template_id: id,
    occurrence_date: ruleDate,
    instalment,
    comments: null,
  };
}

function expenseOf(due: DueOccurrence): ExpenseFields {
  const { category = '', autopay_info = null } = due.template.fields;
  const payment = { status: 'pending' as const, paid: false, paid_at: null };
  const entry = entryOf(due);
  const payment_method_id = entry.payment_method_id ?? '';
  const own = { category, autopay_info, due_date: due.date };
  return { ...entry, payment_method_id, ...own, ...payment };
}

const incomeOf = (due: DueOccurrence): IncomeFields => ({
  ...entryOf(due),
  income_date: due.date,
  received: false,
  received_at: null,
});

/** Reads the ids of the generated entries and adds the entries to the model. */
async function addGeneratedEntries(model: Model, cycle: Cycle, expected: Generated): Promise<void> {
  const { client } = cycle.owner;
  const { expenses } = await client.expenses(cycle.id);
  addGenerated(
    model,
    cycle,
    { created: expenses, expected: expected.expenses, date: 'due_date' },
    (entity) => {
      model.expenses.push({ ...entity, type: 'cycle_expense' } as Expense);
      return model.expenses.at(-1);
    },
  );
  const { incomes } = await client.incomes(cycle.id);
  addGenerated(
    model,
    cycle,
    { created: incomes, expected: expected.incomes, date: 'income_date' },
    (entity) => {
      model.incomes.push({ ...entity, type: 'cycle_income' } as Income);
      return model.incomes.at(-1);
    },
  );
}

interface Created {
  id: string;
  template_id: string | null;
  created_at: string;
  updated_at: string;
}

function addGenerated(
  model: Model,
  cycle: Cycle,
  { created, expected, date }: { created: Created[]; expected: readonly object[]; date: string },
  store: (entity: object) => Entity | undefined,
): void {
  expect(created).toHaveLength(expected.length);
  const keyOf = (one: object): unknown[] => {
    const values = one as Record<string, unknown>;
    return [values.template_id, values[date], values.occurrence_date];
  };
  for (const one of created) {
    const { id, created_at: createdAt, updated_at: updatedAt } = one;
    const fields = expected.find((expectedFields): expectedFields is IncomeFields =>
      isDeepStrictEqual(keyOf(expectedFields), keyOf(one)),
    );
    expect(keyOf(one)).toEqual(fields && keyOf(fields));
    const entity = store({
      ...{ id, owner: cycle.owner, cycleId: cycle.id, cycle, createdAt, updatedAt },
      planned: { amount: fields?.amount, currency: fields?.currency },
      fields: { ...fields, active: true },
    });
    if (entity) model.recordCreation(cycle.owner, entity);
  }
}

export const createCycle: Mutation<{
  actor: number;
  sent: Pick<Sent, 'name' | 'income_amount' | 'start_date'> & {
    generate_from_templates?: boolean | null;
    side?: boolean | null;
  };
  length: number;
}> = {
  operation: 'POST /cycles',
  values: fc.record({
    actor: anyNumber,
    sent: fc.oneof(
      fc.record({ ...anyFields, start_date: anyStart }),
      fc.record({
        ...anyFields,
        start_date: anyStart,
        generate_from_templates: fc.constantFrom(true, false, null),
      }),
      fc.record({
        ...anyFields,
        start_date: anyStart,
        side: fc.constantFrom(true, false, null),
      }),
    ),
    length: anyLength,
  }),
  flaws: { ...FLAWS, generate_from_templates: 'no', budget_limits: [], side: 'no' },
  attempt: (model, { actor: number, sent, length }) => {
    const actor = model.pick(model.users, number);
    if (!actor) return undefined;
    const { generate_from_templates, side: sentSide, ...given } = sent;
    const side = sentSide ?? false;
    const dated = { ...given, end_date: plusDays(sent.start_date, length) };
    const dateErrors = dateFaults(dated).map(ofBody);
    const generates = (generate_from_templates ?? !side) && dateErrors.length === 0;
    const expected = generates ? occurrencesOf(model, actor, dated) : { expenses: [], incomes: [] };
    return {
      actor,
      path: '/cycles',
      body: { ...dated, ...sent, remaining_balance: '1.00' },
      faults: [
        ...dateErrors,
        ...nameFaults(model, actor, sent.name),
        ...when(
          [...expected.expenses, ...expected.incomes].some(
            ({ amount_usd }) => amount_usd === '0.00',
          ),
          { status: 422, code: 'CYCLE_GENERATION_ERROR' },
        ),
      ],
      effect: effect(201, async (created: CycleResponse) => {
        const cycle = {
          ...{ type: 'cycle', id: created.id, owner: actor, cycleId: created.id },
          fields: {
            ...{ ...asStored(dated), side, status: 'draft', active: true },
            budget_limits: limitsOfNewCycle(model, actor),
          },
          ...{ createdAt: created.created_at, updatedAt: created.updated_at },
        } as Cycle;
        model.cycles.push(cycle);
        model.recordCreation(actor, cycle);
        await addGeneratedEntries(model, cycle, expected);
        return cycleView(model, cycle);
      }),
    };
  },
};

export const updateCycle: Mutation<{
  target: { number: number; as: number | undefined };
  sent: Partial<Omit<Sent, 'end_date'>>;
  length: number | undefined;
  limits: SentLimits | undefined;
}> = {
  operation: 'PUT /cycles/{id}',
  values: fc.record({
    target: anyTarget,
    sent: fc.oneof(
      partly<Omit<Sent, 'end_date' | 'status' | 'side'>>({ ...anyFields, start_date: anyStart }),
      fc.record({ status: fc.constantFrom<CycleStatus>('draft', 'active', 'active', 'active') }),
      fc.record({ status: fc.constantFrom<CycleStatus>('active', 'completed') }),
      fc.record({ side: fc.boolean() }),
    ),
    length: fc.option(anyLength, { nil: undefined, freq: 3 }),
    limits: fc.option(anyLimits, { nil: undefined, freq: 2 }),
  }),
  flaws: { ...FLAWS, status: 'closed', budget_limits: null, side: null },
  attempt: (model, { target, sent, length, limits: sentLimits }) => {
    const cycle = model.pick(model.cycles, target.number);
    if (!cycle) return undefined;
    const actor = model.actor(cycle.owner, target.as);
    const start = sent.start_date ?? cycle.fields.start_date;
    const body = { ...sent, ...(length !== undefined && { end_date: plusDays(start, length) }) };
    const limits = sentLimits && chosenLimits(model, actor, sentLimits);
    const faults = [
      ...(body.start_date !== undefined && body.end_date !== undefined
        ? dateFaults({ start_date: body.start_date, end_date: body.end_date }).map(ofBody)
        : []),
      ...cycleFaults(actor, cycle),
    ];
    return {
      actor,
      path: `/cycles/${cycle.id}`,
      body: { ...body, ...(limits && { budget_limits: limitsField(limits) }) },
      focus: cycle,
      faults: faults.includes(CYCLE_NOT_FOUND)
        ? faults
        : [
            ...faults,
            ...dateFaults({ ...cycle.fields, ...body }),
            ...nameFaults(model, actor, sent.name, cycle),
            ...(limits ? limitFaults(actor, cycle, limits) : []),
          ],
      effect: effect(200, (responseBody: CycleResponse) => {
        const after = {
          ...asStored(body),
          ...(limits && { budget_limits: storedLimits(model, limits) }),
        };
        if (model.change(actor, cycle, after)) cycle.updatedAt = responseBody.updated_at;
        return cycleView(model, cycle);
      }),
    };
  },
};

export const removeCycle: Mutation<{ number: number; as: number | undefined }> = {
  operation: 'DELETE /cycles/{id}',
  values: anyTarget,
  attempt: (model, { number, as }) => {
    const cycle = model.pick(model.cycles, number);
    if (!cycle) return undefined;
    const actor = model.actor(cycle.owner, as);
    return {
      actor,
      path: `/cycles/${cycle.id}`,
      focus: cycle,
      faults: cycleFaults(actor, cycle),
      effect: noContent(() => {
        const entries = [...model.expenses, ...model.incomes].filter(
          (entry) => entry.cycle === cycle && entry.fields.active,
        );
        model.change(actor, cycle, { active: false });
        for (const entry of entries) model.change<object>(actor, entry, { active: false });
      }),
    };
  },
};
