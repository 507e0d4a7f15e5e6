import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { CycleResponse } from '../../src/cycles/dto/cycle.dto.js';
import type { RecurrenceRule } from '../../src/templates/recurrence/recurrence.js';
import { dayAt, dayNumber, dueDays } from '../support/due-days.js';
import { cents, money, plain, toUsd } from './cents.js';
import { effect, silently, type Mutation } from './mutation.js';
import { CYCLE_COMPLETED, CYCLE_NOT_FOUND, when, type Refusal } from './refusals.js';
import { anyAmount, anyNumber, anyTarget, partly } from './values.js';
import { cycleView } from './views.js';
import type { Cycle, CycleStatus, Expense, ExpenseFields, Template, User, World } from './world.js';

/** Long past or far ahead, none today. */
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
}

const plusDays = (date: string, days: number): string => dayAt(dayNumber(date) + days).date;

const INVALID_DATES: Refusal = { status: 422, code: 'INVALID_CYCLE_DATES' };

function dateFaults({ start_date, end_date }: Pick<Sent, 'start_date' | 'end_date'>): Refusal[] {
  const days = dayNumber(end_date) - dayNumber(start_date);
  return when(days < 1 || days > 45, INVALID_DATES);
}

/** The name of a deleted cycle is free again. */
function nameFaults(world: World, owner: User, name?: string, self?: Cycle): Refusal[] {
  const holder = world.cyclesOf(owner).find(({ fields }) => fields.name === name?.trim());
  return when(holder !== undefined && holder !== self, { status: 409, code: 'CYCLE_NAME_EXISTS' });
}

/** Of a cycle that is to be changed, with what is in it. */
export function cycleFaults(actor: User, { owner, fields }: Cycle): Refusal[] {
  if (owner !== actor || !fields.active) return [CYCLE_NOT_FOUND];
  return when(fields.status === 'completed', CYCLE_COMPLETED);
}

const asStored = ({ name, income_amount, ...sent }: Partial<Sent>): Partial<Cycle['fields']> => ({
  ...sent,
  ...(name !== undefined && { name: name.trim() }),
  ...(income_amount !== undefined && { income_amount: plain(income_amount) }),
});

/** What an owner's active templates give a cycle. */
function occurrencesOf(
  world: World,
  owner: User,
  { start_date: start, end_date: end }: Pick<Sent, 'start_date' | 'end_date'>,
): ExpenseFields[] {
  return world.templates
    .filter((template) => template.owner === owner && template.fields.active)
    .flatMap((template) => {
      const { recurrence_type: type, recurrence_config: config, reference_date } = template.fields;
      const days = dueDays({ type, config } as RecurrenceRule, reference_date, { start, end });
      return days.map((day) => occurrence(template, day));
    });
}

function occurrence({ id, fields }: Template, due_date: string): ExpenseFields {
  const { description, currency, payment_method_id, category, autopay_info } = fields;
  return {
    ...{ description, currency, payment_method_id, category, autopay_info },
    template_id: id,
    amount: fields.base_amount,
    amount_usd: money(toUsd(cents(fields.base_amount), currency, due_date)),
    due_date,
    status: 'pending',
    paid: false,
    paid_at: null,
    comments: null,
  };
}

/** Finds out which ids the generated expenses were given, and takes them into the world. */
async function adoptExpenses(
  world: World,
  cycle: Cycle,
  expected: readonly ExpenseFields[],
): Promise<void> {
  const { expenses } = await cycle.owner.client.expenses(cycle.id);
  expect(expenses).toHaveLength(expected.length);
  for (const { id, template_id, due_date, created_at, updated_at } of expenses) {
    const fields = expected.find(
      (one) => one.template_id === template_id && one.due_date === due_date,
    );
    expect({ template_id, due_date }).toEqual({
      template_id: fields?.template_id,
      due_date: fields?.due_date,
    });
    const expense = {
      ...{ type: 'cycle_expense', id, owner: cycle.owner, cycleId: cycle.id, cycle },
      ...{ fields: { ...fields, active: true }, createdAt: created_at, updatedAt: updated_at },
    } as Expense;
    world.expenses.push(expense);
    world.recordCreation(cycle.owner, expense);
  }
}

export const createCycle: Mutation<{
  actor: number;
  sent: Pick<Sent, 'name' | 'income_amount' | 'start_date'> & {
    generate_from_templates?: boolean | null;
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
    ),
    length: anyLength,
  }),
  flaws: { ...FLAWS, generate_from_templates: 'no' },
  attempt: (world, { actor: number, sent, length }) => {
    const actor = world.pick(world.users, number);
    if (!actor) return undefined;
    const { generate_from_templates, ...given } = sent;
    const dated = { ...given, end_date: plusDays(sent.start_date, length) };
    const datesAreWrong = dateFaults(dated);
    const generates = (generate_from_templates ?? true) && datesAreWrong.length === 0;
    const expected = generates ? occurrencesOf(world, actor, dated) : [];
    return {
      actor,
      path: '/cycles',
      body: { ...dated, ...sent, remaining_balance: '1.00' },
      faults: [
        ...datesAreWrong,
        ...nameFaults(world, actor, sent.name),
        ...when(
          expected.some(({ amount_usd }) => amount_usd === '0.00'),
          { status: 422, code: 'CYCLE_GENERATION_ERROR' },
        ),
      ],
      effect: effect(201, async (made: CycleResponse) => {
        const cycle = {
          ...{ type: 'cycle', id: made.id, owner: actor, cycleId: made.id },
          fields: { ...asStored(dated), status: 'draft', active: true },
          ...{ createdAt: made.created_at, updatedAt: made.updated_at },
        } as Cycle;
        world.cycles.push(cycle);
        world.recordCreation(actor, cycle);
        await adoptExpenses(world, cycle, expected);
        return cycleView(world, cycle);
      }),
    };
  },
};

export const updateCycle: Mutation<{
  target: { number: number; as: number | undefined };
  sent: Partial<Omit<Sent, 'end_date'>>;
  length: number | undefined;
}> = {
  operation: 'PUT /cycles/{id}',
  values: fc.record({
    target: anyTarget,
    sent: fc.oneof(
      partly<Omit<Sent, 'end_date' | 'status'>>({ ...anyFields, start_date: anyStart }),
      fc.record({ status: fc.constantFrom<CycleStatus>('draft', 'active', 'active', 'active') }),
      fc.record({ status: fc.constantFrom<CycleStatus>('active', 'completed') }),
    ),
    length: fc.option(anyLength, { nil: undefined, freq: 3 }),
  }),
  flaws: { ...FLAWS, status: 'closed' },
  attempt: (world, { target, sent, length }) => {
    const cycle = world.pick(world.cycles, target.number);
    if (!cycle) return undefined;
    const actor = world.actor(cycle.owner, target.as);
    const start = sent.start_date ?? cycle.fields.start_date;
    const body = { ...sent, ...(length !== undefined && { end_date: plusDays(start, length) }) };
    const faults = cycleFaults(actor, cycle);
    return {
      actor,
      path: `/cycles/${cycle.id}`,
      body,
      focus: cycle,
      faults: faults.includes(CYCLE_NOT_FOUND)
        ? faults
        : [
            ...faults,
            ...dateFaults({ ...cycle.fields, ...body }),
            ...nameFaults(world, actor, sent.name, cycle),
          ],
      effect: effect(200, (answer: CycleResponse) => {
        if (world.change(actor, cycle, asStored(body))) cycle.updatedAt = answer.updated_at;
        return cycleView(world, cycle);
      }),
    };
  },
};

export const removeCycle: Mutation<{ number: number; as: number | undefined }> = {
  operation: 'DELETE /cycles/{id}',
  values: anyTarget,
  attempt: (world, { number, as }) => {
    const cycle = world.pick(world.cycles, number);
    if (!cycle) return undefined;
    const actor = world.actor(cycle.owner, as);
    return {
      actor,
      path: `/cycles/${cycle.id}`,
      focus: cycle,
      faults: cycleFaults(actor, cycle),
      effect: silently(() => {
        const expenses = world.expenses.filter(
          (expense) => expense.cycle === cycle && expense.fields.active,
        );
        world.change(actor, cycle, { active: false });
        for (const expense of expenses) world.change(actor, expense, { active: false });
      }),
    };
  },
};
