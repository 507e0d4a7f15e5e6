/** GET requests with the complete response that the model expects. */
import { expect } from '@jest/globals';
import { money } from './cents.js';
import {
  CYCLE_NOT_FOUND,
  expectRefusedFor,
  FORBIDDEN,
  notFound,
  type Refusal,
} from './expected-errors.js';
import {
  TEMPLATE_KINDS,
  type Budget,
  type Cycle,
  type Expense,
  type Income,
  type Method,
  type Template,
  type TemplateType,
  type User,
  type Model,
} from './model.js';
import {
  balanceOf,
  budgetView,
  costOf,
  cycleView,
  expenseView,
  householdView,
  incomeView,
  invitationView,
  methodView,
  displayedStatus,
  sumOfIncomes,
  templateView,
  userView,
} from './views.js';

export interface ExpectedResponse {
  reader: User;
  /** The path below the prefix. */
  path: string;
  /** The complete body, or the expected error. */
  expected: { body: unknown } | { refused: Refusal };
}

/** Undefined filters are omitted from the query. */
export type Filter = Partial<Record<string, string | number | boolean>>;

export function address(path: string, filter: Filter): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return `${path}?${query.toString()}`;
}

/** Whether an entity matches all filters. */
const matchesFilter = (filter: Filter, actual: Filter): boolean =>
  Object.entries(filter).every(([name, value]) => value === undefined || value === actual[name]);

export const newestFirst = <Item>(items: readonly Item[]): Item[] => [...items].reverse();

export function expectedMethods(model: Model, reader: User, filter: Filter): ExpectedResponse {
  const found = model
    .methodsOf(reader)
    .filter(({ fields }) =>
      matchesFilter(filter, { active: fields.active, currency: fields.default_currency }),
    );
  const body = newestFirst(found).map(methodView);
  return { reader, path: address('/payment-methods', filter), expected: { body } };
}

export function expectedBudgets(model: Model, reader: User, filter: Filter): ExpectedResponse {
  const found = model
    .budgetsOf(reader)
    .filter(({ fields }) => matchesFilter(filter, { active: fields.active }));
  const body = newestFirst(found).map(budgetView);
  return { reader, path: address('/budgets', filter), expected: { body } };
}

/** Income templates have no category and no budget; the service ignores unknown parameters. */
export function expectedTemplates(
  model: Model,
  type: TemplateType,
  reader: User,
  { category, ...others }: Filter,
): ExpectedResponse {
  const filter = type === 'recurrent_expense' ? { ...others, category } : others;
  const found = model.templatesOf(type).filter(
    ({ owner, fields }) =>
      owner === reader &&
      matchesFilter(filter, {
        active: fields.active,
        category: fields.category,
        currency: fields.currency,
        budget_id: fields.budget_id ?? 'none',
      }),
  );
  const body = newestFirst(found).map((template) => templateView(model, template));
  const path = address(TEMPLATE_KINDS[type].path, { ...others, category });
  return { reader, path, expected: { body } };
}

export function expectedCycles(
  model: Model,
  reader: User,
  query: { status?: string; page: number; per_page: number },
): ExpectedResponse {
  const { status, page, per_page } = query;
  const found = newestFirst(model.cyclesOf(reader))
    .filter(({ fields }) => matchesFilter({ status }, { status: fields.status }))
    .sort((a, b) => b.fields.start_date.localeCompare(a.fields.start_date));
  const total = found.length;
  const body = {
    cycles: found
      .slice((page - 1) * per_page, page * per_page)
      .map((cycle) => cycleView(model, cycle)),
    pagination: { page, per_page, total, pages: Math.ceil(total / per_page) },
  };
  return { reader, path: address('/cycles', query), expected: { body } };
}

/** The response of a path below a cycle: 404 for other users and after the cycle's deletion. */
export function expectedBelowCycle(
  cycle: Cycle,
  reader: User,
  rest: string,
  body: () => unknown,
): ExpectedResponse {
  const isFound = cycle.owner === reader && cycle.fields.active;
  return {
    reader,
    path: `/cycles/${cycle.id}${rest}`,
    expected: isFound ? { body: body() } : { refused: CYCLE_NOT_FOUND },
  };
}

export const expectedCycle = (model: Model, reader: User, cycle: Cycle): ExpectedResponse =>
  expectedBelowCycle(cycle, reader, '', () => cycleView(model, cycle));

/** `test/properties/planning.long-spec.ts` compares the days. */
export const expectedCashFlow = (model: Model, reader: User, cycle: Cycle): ExpectedResponse =>
  expectedBelowCycle(cycle, reader, '/cash-flow', () =>
    expect.objectContaining({ closing_balance: money(balanceOf(model, cycle)) }),
  );

export function expectedExpenses(
  model: Model,
  reader: User,
  cycle: Cycle,
  filter: Filter,
): ExpectedResponse {
  return expectedBelowCycle(cycle, reader, address('/expenses', filter), () => {
    const found = model.expensesOf(cycle).filter((expense) => {
      const { category, currency, payment_method_id, budget_id } = expense.fields;
      return matchesFilter(filter, {
        status: displayedStatus(expense),
        category,
        currency,
        payment_method_id,
        budget_id: budget_id ?? 'none',
      });
    });
    return {
      expenses: found.map((expense) => expenseView(model, expense)),
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

const expectedOwned = (
  { reader, path, owner }: { reader: User; path: string; owner: User },
  resource: string,
  body: unknown,
): ExpectedResponse => ({
  reader,
  path,
  expected: owner === reader ? { body } : { refused: notFound(resource) },
});

export const expectedMethod = (reader: User, method: Method): ExpectedResponse =>
  expectedOwned(
    { reader, path: `/payment-methods/${method.id}`, owner: method.owner },
    'payment_method',
    methodView(method),
  );

export const expectedBudget = (reader: User, budget: Budget): ExpectedResponse =>
  expectedOwned(
    { reader, path: `/budgets/${budget.id}`, owner: budget.owner },
    'budget',
    budgetView(budget),
  );

export const expectedTemplate = (
  model: Model,
  reader: User,
  template: Template,
): ExpectedResponse =>
  expectedOwned(
    {
      reader,
      path: `${TEMPLATE_KINDS[template.type].path}/${template.id}`,
      owner: template.owner,
    },
    TEMPLATE_KINDS[template.type].resource,
    templateView(model, template),
  );

export function expectedExpense(model: Model, reader: User, expense: Expense): ExpectedResponse {
  const response = expectedBelowCycle(expense.cycle, reader, `/expenses/${expense.id}`, () =>
    expenseView(model, expense),
  );
  const isDeleted = 'body' in response.expected && !expense.fields.active;
  return isDeleted ? { ...response, expected: { refused: notFound('cycle_expense') } } : response;
}

export function expectedIncomes(
  model: Model,
  reader: User,
  cycle: Cycle,
  filter: Filter,
): ExpectedResponse {
  return expectedBelowCycle(cycle, reader, address('/incomes', filter), () => {
    const found = model.incomesOf(cycle).filter(({ fields }) => {
      const { currency, received, payment_method_id, budget_id } = fields;
      return matchesFilter(filter, {
        currency,
        received,
        payment_method_id: payment_method_id ?? '',
        budget_id: budget_id ?? 'none',
      });
    });
    return {
      incomes: found.map((income) => incomeView(model, income)),
      summary: {
        total_amount_usd: money(sumOfIncomes(found)),
        received_amount: money(sumOfIncomes(found, ({ received }) => received)),
        expected_amount: money(sumOfIncomes(found, ({ received }) => !received)),
        total_count: found.length,
      },
    };
  });
}

export function expectedIncome(model: Model, reader: User, income: Income): ExpectedResponse {
  const response = expectedBelowCycle(income.cycle, reader, `/incomes/${income.id}`, () =>
    incomeView(model, income),
  );
  const isDeleted = 'body' in response.expected && !income.fields.active;
  return isDeleted ? { ...response, expected: { refused: notFound('cycle_income') } } : response;
}

export const expectedAccount = (reader: User): ExpectedResponse => ({
  reader,
  path: '/auth/me',
  expected: { body: userView(reader) },
});

export const expectedHousehold = (model: Model, reader: User): ExpectedResponse => ({
  reader,
  path: '/households/current',
  expected: { body: householdView(model, reader.household) },
});

export function expectedInvitations(model: Model, reader: User): ExpectedResponse {
  const open = model.invitations.filter(
    ({ household, isOpen }) => household === reader.household && isOpen,
  );
  return {
    reader,
    path: '/households/current/invitations',
    expected:
      reader.role === 'admin'
        ? { body: newestFirst(open).map(invitationView) }
        : { refused: FORBIDDEN },
  };
}

/** Sends the request and expects the response. */
export async function checkResponse({
  reader,
  path,
  expected,
}: ExpectedResponse): Promise<unknown> {
  const response = await reader.client.get(path);
  if ('refused' in expected) {
    expectRefusedFor([expected.refused], response);
    return undefined;
  }
  const { status, body } = response as { status: number; body: unknown };
  expect({ path, status, body }).toEqual({ path, status: 200, body: expected.body });
  return body;
}
