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
import type { Cycle, Expense, Income, Model, User } from './model.js';
import { effect, type Mutation } from './mutation.js';
import { anyNumber, anyTarget, maybe } from './values.js';
import { balanceOf, expenseView, incomeView } from './views.js';

/** The entries that move to another cycle. */
export interface Moving {
  expenses: readonly Expense[];
  incomes: readonly Income[];
}

const isOpen = (entry: Expense | Income): boolean =>
  entry.type === 'cycle_expense'
    ? ['pending', 'overdue'].includes((entry as Expense).fields.status)
    : !(entry as Income).fields.received;

export const openEntries = (model: Model, cycle: Cycle): Moving => ({
  expenses: model.expensesOf(cycle).filter(isOpen),
  incomes: model.incomesOf(cycle).filter(isOpen),
});

/** Different entries of the cycle, also deleted ones; undefined without any. */
function named<Entry extends Expense | Income>(
  model: Model,
  entries: readonly Entry[],
  numbers: number[] | undefined,
): Entry[] | undefined {
  const picked = numbers?.map((number) => model.pick(entries, number));
  const different = [...new Set(picked)].filter((entry) => entry !== undefined);
  return different.length > 0 ? different : undefined;
}

function missingFault(entries: readonly (Expense | Income)[]): Refusal[] {
  const missing = entries.find(({ fields }) => !fields.active);
  if (!missing) return [];
  const resource = missing.type;
  return [{ ...notFound(resource), details: { resource, id: missing.id } }];
}

function settledFault(entries: readonly (Expense | Income)[], field: string): Refusal[] {
  const settled = invalid(field);
  const index = entries.findIndex((entry) => !isOpen(entry));
  return when(index !== -1, { ...settled, details: { ...settled.details, index } });
}

/** Errors of a move of entries between two cycles. */
export function moveFaults(
  actor: User,
  cycles: { from: Cycle; to: Cycle },
  { expenses, incomes }: Moving,
): Refusal[] {
  const faults = [...cycleFaults(actor, cycles.from), ...cycleFaults(actor, cycles.to)];
  const sameCycle = when(cycles.from === cycles.to, ofBody(invalid('to_cycle_id')));
  if (faults.includes(CYCLE_NOT_FOUND)) return [...sameCycle, CYCLE_NOT_FOUND];
  return [
    ...sameCycle,
    ...missingFault(expenses),
    ...missingFault(incomes),
    ...faults,
    ...settledFault(expenses, 'expense_ids'),
    ...settledFault(incomes, 'income_ids'),
  ];
}

interface Created {
  id: string;
  created_at: string;
  updated_at: string;
}

const MANUAL = { template_id: null, occurrence_date: null, instalment: null, active: true };

/** What the created entry has beside its fields; the response has its id and times. */
const createdIn = (
  actor: User,
  cycle: Cycle,
  { id, created_at: createdAt, updated_at: updatedAt }: Created,
): { id: string; owner: User; cycle: Cycle; cycleId: string; planned: null } & Record<
  'createdAt' | 'updatedAt',
  string
> => ({ id, owner: actor, cycle, cycleId: cycle.id, planned: null, createdAt, updatedAt });

/** Moves the entries in the model; returns what the response has of them. */
export function move(
  model: Model,
  actor: User,
  to: Cycle,
  { expenses, incomes }: Moving,
  response: Pick<CarryOverResponse, 'moved' | 'moved_incomes'>,
): { moved: object[]; moved_incomes: object[] } {
  for (const entry of [...expenses, ...incomes]) {
    model.change<object>(actor, entry, { active: false });
  }
  const newExpenses = response.moved.map(({ expense: created }, n) => {
    const { fields } = expenses[n] ?? unexpected();
    const payment = { status: 'pending', paid: false, paid_at: null } as const;
    const expense: Expense = {
      ...{ type: 'cycle_expense', ...createdIn(actor, to, created) },
      fields: { ...fields, ...payment, ...MANUAL },
    };
    model.expenses.push(expense);
    model.recordCreation(actor, expense);
    return expense;
  });
  const newIncomes = response.moved_incomes.map(({ income: created }, n) => {
    const { fields } = incomes[n] ?? unexpected();
    const income: Income = {
      ...{ type: 'cycle_income', ...createdIn(actor, to, created) },
      fields: { ...fields, received: false, received_at: null, ...MANUAL },
    };
    model.incomes.push(income);
    model.recordCreation(actor, income);
    return income;
  });
  return {
    moved: expenses.map(({ id }, n) => ({
      from_id: id,
      expense: expenseView(model, newExpenses[n] ?? unexpected()),
    })),
    moved_incomes: incomes.map(({ id }, n) => ({
      from_id: id,
      income: incomeView(model, newIncomes[n] ?? unexpected()),
    })),
  };
}

function unexpected(): never {
  throw new Error('Another number of entries than expected');
}

const anyNumbers = maybe(fc.array(fc.nat(99), { minLength: 1, maxLength: 3 }));

export const carryOver: Mutation<{
  target: { number: number; as: number | undefined };
  to: number;
  expenseNumbers: number[] | undefined;
  incomeNumbers: number[] | undefined;
}> = {
  operation: 'POST /cycles/{id}/carry-over',
  values: fc.record({
    target: anyTarget,
    to: anyNumber,
    expenseNumbers: anyNumbers,
    incomeNumbers: anyNumbers,
  }),
  flaws: { to_cycle_id: 'x', expense_ids: [], income_ids: 'x', from: 'x' },
  attempt: (model, { target, to: number, expenseNumbers, incomeNumbers }) => {
    const from = model.pick(model.cycles, target.number);
    const to = model.pick(model.cycles, number);
    if (!from || !to) return undefined;
    const actor = model.actor(from.owner, target.as);
    const isOfCycle = ({ cycle }: Expense | Income): boolean => cycle === from;
    const expenses = named(model, model.expenses.filter(isOfCycle), expenseNumbers);
    const incomes = named(model, model.incomes.filter(isOfCycle), incomeNumbers);
    const moving = {
      expenses: expenses ?? (incomes ? [] : openEntries(model, from).expenses),
      incomes: incomes ?? [],
    };
    return {
      actor,
      path: `/cycles/${from.id}/carry-over`,
      body: {
        to_cycle_id: to.id,
        ...(expenses && { expense_ids: expenses.map(({ id }) => id) }),
        ...(incomes && { income_ids: incomes.map(({ id }) => id) }),
      },
      focus: to,
      faults: moveFaults(actor, { from, to }, moving),
      effect: effect(200, (response: CarryOverResponse) => ({
        ...move(model, actor, to, moving, response),
        remaining_balance: {
          from: money(balanceOf(model, from)),
          to: money(balanceOf(model, to)),
        },
      })),
    };
  },
};
