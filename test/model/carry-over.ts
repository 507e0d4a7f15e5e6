import fc from 'fast-check';
import type { CarryOverResponse } from '../../src/cycles/dto/carry-over.dto.js';
import { money } from './cents.js';
import { cycleFaults } from './cycles.js';
import {
  CYCLE_NOT_FOUND,
  invalid,
  notFound,
  ofBody,
  when,
  type Refusal,
} from './expected-errors.js';
import type { Cycle, Expense, Model, User } from './model.js';
import { effect, type Mutation } from './mutation.js';
import { anyNumber, anyTarget, maybe } from './values.js';
import { balanceOf, expenseView } from './views.js';

const isUnpaid = ({ fields: { status } }: Expense): boolean =>
  status === 'pending' || status === 'overdue';

/** Different expenses of the cycle, also deleted ones; undefined for all that are not paid. */
function named(model: Model, cycle: Cycle, numbers: number[] | undefined): Expense[] | undefined {
  const expenses = model.expenses.filter((expense) => expense.cycle === cycle);
  const picked = numbers?.map((number) => model.pick(expenses, number));
  const different = [...new Set(picked)].filter((expense) => expense !== undefined);
  return different.length > 0 ? different : undefined;
}

function faultsOf(actor: User, cycles: { from: Cycle; to: Cycle }, expenses: Expense[]): Refusal[] {
  const faults = [...cycleFaults(actor, cycles.from), ...cycleFaults(actor, cycles.to)];
  const sameCycle = when(cycles.from === cycles.to, ofBody(invalid('to_cycle_id')));
  if (faults.includes(CYCLE_NOT_FOUND)) return [...sameCycle, CYCLE_NOT_FOUND];
  const missing = expenses.find(({ fields }) => !fields.active);
  const resource = 'cycle_expense';
  const settled = invalid('expense_ids');
  const index = expenses.findIndex((expense) => !isUnpaid(expense));
  return [
    ...sameCycle,
    ...(missing ? [{ ...notFound(resource), details: { resource, id: missing.id } }] : []),
    ...faults,
    ...when(index !== -1, { ...settled, details: { ...settled.details, index } }),
  ];
}

/** Moves the expense in the model; the response has the id and the times of the new one. */
function create(
  model: Model,
  actor: User,
  { fields }: Expense,
  to: Cycle,
  { id, created_at: createdAt, updated_at: updatedAt }: CarryOverResponse['moved'][0]['expense'],
): Expense {
  const expense: Expense = {
    ...{ type: 'cycle_expense', id, owner: actor, cycle: to, cycleId: to.id },
    planned: null,
    fields: {
      ...fields,
      ...{ status: 'pending', paid: false, paid_at: null },
      ...{ template_id: null, occurrence_date: null, active: true },
    },
    ...{ createdAt, updatedAt },
  };
  model.expenses.push(expense);
  model.recordCreation(actor, expense);
  return expense;
}

export const carryOver: Mutation<{
  target: { number: number; as: number | undefined };
  to: number;
  numbers: number[] | undefined;
}> = {
  operation: 'POST /cycles/{id}/carry-over',
  values: fc.record({
    target: anyTarget,
    to: anyNumber,
    numbers: maybe(fc.array(fc.nat(99), { minLength: 1, maxLength: 3 })),
  }),
  flaws: { to_cycle_id: 'x', expense_ids: [], from: 'x' },
  attempt: (model, { target, to: number, numbers }) => {
    const from = model.pick(model.cycles, target.number);
    const to = model.pick(model.cycles, number);
    if (!from || !to) return undefined;
    const actor = model.actor(from.owner, target.as);
    const chosen = named(model, from, numbers);
    const moved = chosen ?? model.expensesOf(from).filter(isUnpaid);
    return {
      actor,
      path: `/cycles/${from.id}/carry-over`,
      body: { to_cycle_id: to.id, ...(chosen && { expense_ids: chosen.map(({ id }) => id) }) },
      focus: to,
      faults: faultsOf(actor, { from, to }, moved),
      effect: effect(200, (response: CarryOverResponse) => {
        for (const expense of moved) model.change(actor, expense, { active: false });
        const created = response.moved.map(({ expense }, n) => {
          const old = moved[n];
          if (!old) throw new Error('More expenses than expected');
          return { old, expense: create(model, actor, old, to, expense) };
        });
        return {
          moved: created.map(({ old, expense }) => ({
            from_id: old.id,
            expense: expenseView(model, expense),
          })),
          remaining_balance: {
            from: money(balanceOf(model, from)),
            to: money(balanceOf(model, to)),
          },
        };
      }),
    };
  },
};
