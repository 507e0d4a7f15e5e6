/** What can be asked of the service, each with the whole answer that the world calls for. */
import { expect } from '@jest/globals';
import { money } from './cents.js';
import {
  CYCLE_NOT_FOUND,
  expectRefusedFor,
  FORBIDDEN,
  notFound,
  type Refusal,
} from './refusals.js';
import {
  costOf,
  cycleView,
  expenseView,
  householdView,
  invitationView,
  methodView,
  shownStatus,
  templateView,
  userView,
} from './views.js';
import type { Cycle, Expense, Method, Template, User, World } from './world.js';

export interface Question {
  reader: User;
  /** Below the prefix. */
  path: string;
  /** The whole body, or why it is refused. */
  answer: { body: unknown } | { refused: Refusal };
}

/** What is left out of a query does not filter. */
export type Filter = Partial<Record<string, string | number | boolean>>;

export function address(path: string, filter: Filter): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return `${path}?${query.toString()}`;
}

/** Whether each value that is asked for is what there is. */
const fits = (filter: Filter, actual: Filter): boolean =>
  Object.entries(filter).every(([name, value]) => value === undefined || value === actual[name]);

export const newestFirst = <Item>(items: readonly Item[]): Item[] => [...items].reverse();

export function askMethods(world: World, reader: User, filter: Filter): Question {
  const found = world
    .methodsOf(reader)
    .filter(({ fields }) =>
      fits(filter, { active: fields.active, currency: fields.default_currency }),
    );
  const body = newestFirst(found).map(methodView);
  return { reader, path: address('/payment-methods', filter), answer: { body } };
}

export function askTemplates(world: World, reader: User, filter: Filter): Question {
  const found = world.templates.filter(
    ({ owner, fields }) =>
      owner === reader &&
      fits(filter, { active: fields.active, category: fields.category, currency: fields.currency }),
  );
  const body = newestFirst(found).map((template) => templateView(world, template));
  return { reader, path: address('/expense-templates', filter), answer: { body } };
}

export function askCycles(
  world: World,
  reader: User,
  query: { status?: string; page: number; per_page: number },
): Question {
  const { status, page, per_page } = query;
  const found = newestFirst(world.cyclesOf(reader))
    .filter(({ fields }) => fits({ status }, { status: fields.status }))
    .sort((a, b) => b.fields.start_date.localeCompare(a.fields.start_date));
  const total = found.length;
  const body = {
    cycles: found
      .slice((page - 1) * per_page, page * per_page)
      .map((cycle) => cycleView(world, cycle)),
    pagination: { page, per_page, total, pages: Math.ceil(total / per_page) },
  };
  return { reader, path: address('/cycles', query), answer: { body } };
}

/** Of what lies beneath a cycle: found by its owner, for as long as it is not deleted. */
export function beneath(cycle: Cycle, reader: User, rest: string, body: () => unknown): Question {
  const isFound = cycle.owner === reader && cycle.fields.active;
  return {
    reader,
    path: `/cycles/${cycle.id}${rest}`,
    answer: isFound ? { body: body() } : { refused: CYCLE_NOT_FOUND },
  };
}

export const askCycle = (world: World, reader: User, cycle: Cycle): Question =>
  beneath(cycle, reader, '', () => cycleView(world, cycle));

export function askExpenses(world: World, reader: User, cycle: Cycle, filter: Filter): Question {
  return beneath(cycle, reader, address('/expenses', filter), () => {
    const found = world.expensesOf(cycle).filter((expense) => {
      const { category, currency, payment_method_id } = expense.fields;
      return fits(filter, { status: shownStatus(expense), category, currency, payment_method_id });
    });
    return {
      expenses: found.map((expense) => expenseView(world, expense)),
      summary: {
        total_amount_usd: money(costOf(found)),
        fixed_amount: money(costOf(found, ({ category }) => category === 'fixed')),
        variable_amount: money(costOf(found, ({ category }) => category === 'variable')),
        paid_amount: money(costOf(found, ({ paid }) => paid)),
        pending_amount: money(costOf(found, ({ paid }) => !paid)),
        total_count: found.length,
      },
    };
  });
}

const askOwned = (
  { reader, path, owner }: { reader: User; path: string; owner: User },
  resource: string,
  body: unknown,
): Question => ({
  reader,
  path,
  answer: owner === reader ? { body } : { refused: notFound(resource) },
});

export const askMethod = (reader: User, method: Method): Question =>
  askOwned(
    { reader, path: `/payment-methods/${method.id}`, owner: method.owner },
    'payment_method',
    methodView(method),
  );

export const askTemplate = (world: World, reader: User, template: Template): Question =>
  askOwned(
    { reader, path: `/expense-templates/${template.id}`, owner: template.owner },
    'expense_template',
    templateView(world, template),
  );

export function askExpense(world: World, reader: User, expense: Expense): Question {
  const question = beneath(expense.cycle, reader, `/expenses/${expense.id}`, () =>
    expenseView(world, expense),
  );
  const isDeleted = 'body' in question.answer && !expense.fields.active;
  return isDeleted ? { ...question, answer: { refused: notFound('cycle_expense') } } : question;
}

export const askAccount = (reader: User): Question => ({
  reader,
  path: '/auth/me',
  answer: { body: userView(reader) },
});

export const askHousehold = (world: World, reader: User): Question => ({
  reader,
  path: '/households/current',
  answer: { body: householdView(world, reader.household) },
});

export function askInvitations(world: World, reader: User): Question {
  const open = world.invitations.filter(
    ({ household, isOpen }) => household === reader.household && isOpen,
  );
  return {
    reader,
    path: '/households/current/invitations',
    answer:
      reader.role === 'admin'
        ? { body: newestFirst(open).map(invitationView) }
        : { refused: FORBIDDEN },
  };
}

/** Asks, and expects the answer. */
export async function ask({ reader, path, answer }: Question): Promise<unknown> {
  const response = await reader.client.get(path);
  if ('refused' in answer) {
    expectRefusedFor([answer.refused], response);
    return undefined;
  }
  const { status, body } = response as { status: number; body: unknown };
  expect({ path, status, body }).toEqual({ path, status: 200, body: answer.body });
  return body;
}
