import fc from 'fast-check';
import type { ExpenseResponse } from '../../src/expenses/dto/expense.dto.js';
import { budgetField, chosenBudget } from './budgets.js';
import { plain } from './cents.js';
import { cycleFaults } from './cycles.js';
import {
  anyPath,
  conversionFaults,
  converted,
  inUsd,
  isNotFound,
  accessEntry,
  type Path,
} from './entries.js';
import { CYCLE_NOT_FOUND, invalid, ofBody, when, type Refusal } from './expected-errors.js';
import type { Budget, Choice, Expense, ExpenseFields, ExpenseStatus, Method } from './model.js';
import { effect, noContent, type Mutation } from './mutation.js';
import { choiceFaults, chosen } from './payment-methods.js';
import {
  anyAmount,
  anyCategory,
  anyChoice,
  anyCurrency,
  anyExpenseStatus,
  anyNote,
  anyTarget,
  partly,
  textOf,
} from './values.js';
import { expenseView } from './views.js';

const anyFields = {
  description: fc.constantFrom('Dinner', 'Taxi', ' Súper '),
  currency: anyCurrency,
  method: anyChoice,
  budget: fc.option(anyChoice, { nil: null }),
  amount: anyAmount,
  // Due dates may lie outside the cycle.
  due_date: fc.constantFrom('2024-12-20', '2025-01-31', '2025-02-10', '2100-01-31', '2100-03-01'),
  category: anyCategory,
  comments: anyNote,
  autopay_info: anyNote,
};

interface Sent {
  description: string;
  currency: string;
  method: Choice;
  budget: Choice | null;
  amount: string | number;
  due_date: string;
  category: string;
  comments: string | null;
  autopay_info: string | null;
}

/** The payment fields of a request. */
interface Requested {
  status?: ExpenseStatus;
  paid?: boolean;
  paid_at?: string;
}

/** Instants as sent by a client, and in UTC. */
const PAID_AT: Record<string, string> = {
  '2025-01-25T20:11:09-06:00': '2025-01-26T02:11:09.000Z',
  '2025-02-01T00:00:00.5Z': '2025-02-01T00:00:00.500Z',
};

const anyPayment: fc.Arbitrary<Requested> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ paid: true }) },
  { weight: 3, arbitrary: fc.constant({ paid: false }) },
  { weight: 4, arbitrary: fc.record({ status: anyExpenseStatus }) },
  {
    weight: 2,
    arbitrary: partly<Required<Requested>>({
      status: anyExpenseStatus,
      paid: fc.boolean(),
      paid_at: fc.constantFrom(...Object.keys(PAID_AT)),
    }),
  },
);

const FLAWS = {
  ...{ amount: 0, due_date: '2025-13-01', currency: 'EUR', comments: 'x'.repeat(1001) },
  budget_id: 'none',
};

/** What an expense refers to; undefined: not in the body. */
interface Chosen {
  method?: Method;
  budget?: Budget | null;
}

const bodyOf = (
  { method: _method, budget: _budget, ...sent }: Partial<Sent>,
  { method, budget }: Chosen,
): object => ({
  ...sent,
  ...(method && { payment_method_id: method.id }),
  ...budgetField(budget),
});

function asStored(sent: Partial<Sent>, chosenOnes: Chosen): Partial<ExpenseFields> {
  const { description, amount, comments, autopay_info } = sent;
  return {
    ...bodyOf(sent, chosenOnes),
    ...(description !== undefined && { description: description.trim() }),
    ...(amount !== undefined && { amount: plain(amount) }),
    ...(comments !== undefined && { comments: textOf(comments) }),
    ...(autopay_info !== undefined && { autopay_info: textOf(autopay_info) }),
  };
}

const priceOf = ({ due_date: date, ...fields }: ExpenseFields): Parameters<typeof inUsd>[0] => ({
  ...fields,
  date,
});

/** The requested status, from `status` or `paid`. */
function statusAfter({ status, paid }: Requested, before: ExpenseStatus): ExpenseStatus {
  if (status !== undefined) return status;
  if (paid === true) return 'paid';
  return paid === false && before === 'paid' ? 'pending' : before;
}

/** `status` and `paid` must agree; `paid_at` requires a paid expense. */
function contradictions({ status, paid, paid_at }: Requested): Refusal[] {
  if (status !== undefined && paid !== undefined && paid !== (status === 'paid')) {
    return [ofBody(invalid('status', 'paid'))];
  }
  const isUnpaid = paid === false || (status ?? 'paid') !== 'paid';
  return when(isUnpaid && paid_at !== undefined, ofBody(invalid('paid_at')));
}

/** Only a paid expense has a `paid_at`. */
function paymentFaults(requested: Requested, before: ExpenseStatus): Refusal[] {
  const isUnpaid = statusAfter(requested, before) !== 'paid';
  return when(isUnpaid && requested.paid_at !== undefined, invalid('paid_at'));
}

function paymentAfter(
  requested: Requested,
  { status: before, paid_at }: ExpenseFields,
  now: string | null,
): Pick<ExpenseFields, 'status' | 'paid' | 'paid_at'> {
  const status = statusAfter(requested, before);
  if (status !== 'paid') return { status, paid: false, paid_at: null };
  const given = requested.paid_at === undefined ? undefined : PAID_AT[requested.paid_at];
  return { status, paid: true, paid_at: given ?? paid_at ?? now };
}

const anyFirstPayment: fc.Arbitrary<Omit<Requested, 'status'>> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: partly({
      paid: fc.boolean(),
      paid_at: fc.constantFrom(...Object.keys(PAID_AT)),
    }),
  },
);

export const createExpense: Mutation<{
  cycle: { number: number; as: number | undefined };
  sent: Sent;
  requested: Omit<Requested, 'status'>;
}> = {
  operation: 'POST /cycles/{cycle_id}/expenses',
  values: fc.record({
    cycle: anyTarget,
    sent: fc.record(anyFields),
    requested: anyFirstPayment,
  }),
  flaws: { ...FLAWS, status: 'paid', paid: 'yes', paid_at: 'today' },
  attempt: (model, { cycle: { number, as }, sent, requested }) => {
    const cycle = model.pick(model.cycles, number);
    const actor = cycle && model.actor(cycle.owner, as);
    const method = actor && chosen(model, actor, sent.method);
    if (!method) return undefined;
    const budget = chosenBudget(model, actor, sent.budget);
    const chosenOnes = { method, budget };
    const fields: ExpenseFields & { active: boolean } = {
      budget_id: null,
      ...({ ...asStored(sent, chosenOnes), amount_usd: '0.00' } as Omit<
        ExpenseFields,
        'budget_id'
      >),
      ...{
        status: 'pending',
        paid: false,
        paid_at: null,
        template_id: null,
        occurrence_date: null,
        instalment: null,
        active: true,
      },
    };
    const payment = { paid: false, ...requested };
    const faults = cycleFaults(actor, cycle);
    return {
      actor,
      path: `/cycles/${cycle.id}/expenses`,
      body: { ...bodyOf(sent, chosenOnes), ...requested },
      focus: cycle,
      faults: faults.includes(CYCLE_NOT_FOUND)
        ? [...contradictions(payment), ...faults]
        : [
            ...contradictions(payment),
            ...faults,
            ...choiceFaults(actor, method),
            ...choiceFaults(actor, budget),
            ...conversionFaults(priceOf(fields)),
          ],
      effect: effect(201, (created: ExpenseResponse) => {
        const expense: Expense = {
          ...{ type: 'cycle_expense', id: created.id, owner: actor, cycle, cycleId: cycle.id },
          planned: null,
          fields: { ...fields, ...converted(priceOf(fields)) },
          ...{ createdAt: created.created_at, updatedAt: created.created_at },
        };
        model.expenses.push(expense);
        model.recordCreation(actor, expense);
        model.change(actor, expense, paymentAfter(payment, fields, created.paid_at));
        if (payment.paid) expense.updatedAt = created.updated_at;
        // POST returns the stored status; a later read may derive `overdue`.
        return expenseView(model, expense, expense.fields.status);
      }),
    };
  },
};

export const updateExpense: Mutation<{ target: Path; sent: Partial<Sent>; requested: Requested }> =
  {
    operation: 'PUT /cycles/{cycle_id}/expenses/{expense_id}',
    values: fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ target: anyPath, sent: fc.constant({}), requested: anyPayment }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          target: anyPath,
          sent: partly<Sent>(anyFields),
          requested: fc.constant({}),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          target: anyPath,
          sent: partly<Sent>(anyFields),
          requested: anyPayment,
        }),
      },
    ),
    flaws: { ...FLAWS, status: 'late', paid: 'yes', paid_at: 'today' },
    attempt: (model, { target, sent, requested }) => {
      const access = accessEntry(model, model.expenses, target);
      if (!access) return undefined;
      const { entry: expense, actor, path, faults } = access;
      const method = sent.method && chosen(model, actor, sent.method);
      const budget = chosenBudget(model, actor, sent.budget);
      const chosenOnes = { method, budget };
      const changed = asStored(sent, chosenOnes);
      const { fields } = expense;
      const priced = { ...fields, ...changed };
      return {
        actor,
        path,
        body: { ...bodyOf(sent, chosenOnes), ...requested },
        focus: expense,
        faults: faults.some(isNotFound)
          ? [...contradictions(requested), ...faults]
          : [
              ...contradictions(requested),
              ...faults,
              ...paymentFaults(requested, fields.status),
              ...choiceFaults(actor, method, fields.payment_method_id),
              ...choiceFaults(actor, budget, fields.budget_id),
              ...conversionFaults(priceOf(priced)),
            ],
        effect: effect(200, (responseBody: ExpenseResponse) => {
          const payment = paymentAfter(requested, fields, responseBody.paid_at);
          const after = { ...changed, ...converted(priceOf(priced)), ...payment };
          if (model.change(actor, expense, after)) expense.updatedAt = responseBody.updated_at;
          return expenseView(model, expense);
        }),
      };
    },
  };

export const removeExpense: Mutation<Path> = {
  operation: 'DELETE /cycles/{cycle_id}/expenses/{expense_id}',
  values: anyPath,
  attempt: (model, target) => {
    const access = accessEntry(model, model.expenses, target);
    if (!access) return undefined;
    const { entry: expense, actor, path, faults } = access;
    return {
      actor,
      path,
      focus: expense,
      faults,
      effect: noContent(() => {
        model.change(actor, expense, { active: false });
      }),
    };
  },
};
