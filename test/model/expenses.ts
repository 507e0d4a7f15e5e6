import fc from 'fast-check';
import type { ExpenseResponse } from '../../src/expenses/dto/expense.dto.js';
import { cents, money, plain, toUsd } from './cents.js';
import { cycleFaults } from './cycles.js';
import { effect, silently, type Mutation } from './mutation.js';
import { choiceFaults, chosen } from './payment-methods.js';
import { CYCLE_NOT_FOUND, invalid, notFound, when, type Refusal } from './refusals.js';
import {
  anyAmount,
  anyCategory,
  anyChoice,
  anyCurrency,
  anyExpenseStatus,
  anyNote,
  anyNumber,
  anyTarget,
  partly,
  textOf,
} from './values.js';
import { expenseView } from './views.js';
import type {
  Choice,
  Cycle,
  Expense,
  ExpenseFields,
  ExpenseStatus,
  Method,
  User,
  World,
} from './world.js';

const anyFields = {
  description: fc.constantFrom('Dinner', 'Taxi', ' Súper '),
  currency: anyCurrency,
  method: anyChoice,
  amount: anyAmount,
  // Bills come late, and early.
  due_date: fc.constantFrom('2024-12-20', '2025-01-31', '2025-02-10', '2100-01-31', '2100-03-01'),
  category: anyCategory,
  comments: anyNote,
  autopay_info: anyNote,
};

interface Sent {
  description: string;
  currency: string;
  method: Choice;
  amount: string | number;
  due_date: string;
  category: string;
  comments: string | null;
  autopay_info: string | null;
}

/** What is asked of the payment. */
interface Asked {
  status?: ExpenseStatus;
  paid?: boolean;
  paid_at?: string;
}

/** As a client sends an instant, and what it is in UTC. */
const PAID_AT: Record<string, string> = {
  '2025-01-25T20:11:09-06:00': '2025-01-26T02:11:09.000Z',
  '2025-02-01T00:00:00.5Z': '2025-02-01T00:00:00.500Z',
};

const anyPayment: fc.Arbitrary<Asked> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ paid: true }) },
  { weight: 3, arbitrary: fc.constant({ paid: false }) },
  { weight: 4, arbitrary: fc.record({ status: anyExpenseStatus }) },
  {
    weight: 2,
    arbitrary: partly<Required<Asked>>({
      status: anyExpenseStatus,
      paid: fc.boolean(),
      paid_at: fc.constantFrom(...Object.keys(PAID_AT)),
    }),
  },
);

const FLAWS = { amount: 0, due_date: '2025-13-01', currency: 'EUR', comments: 'x'.repeat(1001) };

function bodyOf({ method: _chosen, ...sent }: Partial<Sent>, method?: Method): object {
  return { ...sent, ...(method && { payment_method_id: method.id }) };
}

function asStored(sent: Partial<Sent>, method?: Method): Partial<ExpenseFields> {
  const { description, amount, comments, autopay_info } = sent;
  return {
    ...bodyOf(sent, method),
    ...(description !== undefined && { description: description.trim() }),
    ...(amount !== undefined && { amount: plain(amount) }),
    ...(comments !== undefined && { comments: textOf(comments) }),
    ...(autopay_info !== undefined && { autopay_info: textOf(autopay_info) }),
  };
}

const inUsd = ({
  amount,
  currency,
  due_date,
}: Pick<ExpenseFields, 'amount' | 'currency' | 'due_date'>): string =>
  money(toUsd(cents(amount), currency, due_date));

const conversionFaults = (
  priced: Pick<ExpenseFields, 'amount' | 'currency' | 'due_date'>,
): Refusal[] => when(inUsd(priced) === '0.00', { status: 422, code: 'CURRENCY_CONVERSION_ERROR' });

/** The status that is asked for, from either side. */
function statusAfter({ status, paid }: Asked, before: ExpenseStatus): ExpenseStatus {
  if (status !== undefined) return status;
  if (paid === true) return 'paid';
  return paid === false && before === 'paid' ? 'pending' : before;
}

/** Status and paid agree, and only what is paid has a time of payment. */
function paymentFaults(asked: Asked, before: ExpenseStatus): Refusal[] {
  const { status, paid, paid_at } = asked;
  if (status !== undefined && paid !== undefined && paid !== (status === 'paid')) {
    return [invalid('status', 'paid')];
  }
  return when(paid_at !== undefined && statusAfter(asked, before) !== 'paid', invalid('paid_at'));
}

function paymentAfter(
  asked: Asked,
  { status: before, paid_at }: ExpenseFields,
  now: string | null,
): Pick<ExpenseFields, 'status' | 'paid' | 'paid_at'> {
  const status = statusAfter(asked, before);
  if (status !== 'paid') return { status, paid: false, paid_at: null };
  const given = asked.paid_at === undefined ? undefined : PAID_AT[asked.paid_at];
  return { status, paid: true, paid_at: given ?? paid_at ?? now };
}

export const createExpense: Mutation<{
  cycle: { number: number; as: number | undefined };
  sent: Sent;
}> = {
  operation: 'POST /cycles/{cycle_id}/expenses',
  values: fc.record({ cycle: anyTarget, sent: fc.record(anyFields) }),
  flaws: { ...FLAWS, status: 'paid', paid: true },
  attempt: (world, { cycle: { number, as }, sent }) => {
    const cycle = world.pick(world.cycles, number);
    const actor = cycle && world.actor(cycle.owner, as);
    const method = actor && chosen(world, actor, sent.method);
    if (!method) return undefined;
    const fields: ExpenseFields & { active: boolean } = {
      ...({ ...asStored(sent, method), amount_usd: '0.00' } as ExpenseFields),
      ...{ status: 'pending', paid: false, paid_at: null, template_id: null, active: true },
    };
    const faults = cycleFaults(actor, cycle);
    return {
      actor,
      path: `/cycles/${cycle.id}/expenses`,
      body: bodyOf(sent, method),
      focus: cycle,
      faults: faults.includes(CYCLE_NOT_FOUND)
        ? faults
        : [...faults, ...choiceFaults(actor, method), ...conversionFaults(fields)],
      effect: effect(201, (made: ExpenseResponse) => {
        const expense: Expense = {
          ...{ type: 'cycle_expense', id: made.id, owner: actor, cycle, cycleId: cycle.id },
          fields: { ...fields, amount_usd: inUsd(fields) },
          ...{ createdAt: made.created_at, updatedAt: made.updated_at },
        };
        world.expenses.push(expense);
        world.recordCreation(actor, expense);
        // The stored status, also where a later read derives another one.
        return expenseView(world, expense, 'pending');
      }),
    };
  },
};

interface Path {
  number: number;
  as: number | undefined;
  /** In the address, in place of the expense's own cycle. */
  elsewhere: number | undefined;
}

const anyPath: fc.Arbitrary<Path> = fc
  .tuple(
    anyTarget,
    fc.oneof(
      { weight: 12, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: anyNumber },
    ),
  )
  .map(([target, elsewhere]) => ({ ...target, elsewhere }));

/** The expense of a path, who reaches for it, and why they do not get it, if they do not. */
function reach(
  world: World,
  { number, as, elsewhere }: Path,
): { expense: Expense; cycle: Cycle; actor: User; path: string; faults: Refusal[] } | undefined {
  const expense = world.pick(world.expenses, number);
  if (!expense) return undefined;
  const cycle =
    elsewhere === undefined
      ? expense.cycle
      : (world.pick(world.cycles, elsewhere) ?? expense.cycle);
  const actor = world.actor(expense.owner, as);
  const faults = cycleFaults(actor, cycle);
  const isThere = expense.cycle === cycle && expense.fields.active;
  if (!isThere && !faults.includes(CYCLE_NOT_FOUND)) faults.push(notFound('cycle_expense'));
  return { expense, cycle, actor, path: `/cycles/${cycle.id}/expenses/${expense.id}`, faults };
}

const isLost = ({ status }: Refusal): boolean => status === 404;

export const updateExpense: Mutation<{ target: Path; sent: Partial<Sent>; asked: Asked }> = {
  operation: 'PUT /cycles/{cycle_id}/expenses/{expense_id}',
  values: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ target: anyPath, sent: fc.constant({}), asked: anyPayment }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        target: anyPath,
        sent: partly<Sent>(anyFields),
        asked: fc.constant({}),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ target: anyPath, sent: partly<Sent>(anyFields), asked: anyPayment }),
    },
  ),
  flaws: { ...FLAWS, status: 'late', paid: 'yes', paid_at: 'today' },
  attempt: (world, { target, sent, asked }) => {
    const reached = reach(world, target);
    if (!reached) return undefined;
    const { expense, actor, path, faults } = reached;
    const method = sent.method && chosen(world, actor, sent.method);
    const changed = asStored(sent, method);
    const { fields } = expense;
    const priced = { ...fields, ...changed };
    return {
      actor,
      path,
      body: { ...bodyOf(sent, method), ...asked },
      focus: expense,
      faults: faults.some(isLost)
        ? faults
        : [
            ...faults,
            ...paymentFaults(asked, fields.status),
            ...(method ? choiceFaults(actor, method, fields.payment_method_id) : []),
            ...conversionFaults(priced),
          ],
      effect: effect(200, (answer: ExpenseResponse) => {
        const payment = paymentAfter(asked, fields, answer.paid_at);
        const after = { ...changed, amount_usd: inUsd(priced), ...payment };
        if (world.change(actor, expense, after)) expense.updatedAt = answer.updated_at;
        return expenseView(world, expense);
      }),
    };
  },
};

export const removeExpense: Mutation<Path> = {
  operation: 'DELETE /cycles/{cycle_id}/expenses/{expense_id}',
  values: anyPath,
  attempt: (world, target) => {
    const reached = reach(world, target);
    if (!reached) return undefined;
    const { expense, actor, path, faults } = reached;
    return {
      actor,
      path,
      focus: expense,
      faults,
      effect: silently(() => {
        world.change(actor, expense, { active: false });
      }),
    };
  },
};
