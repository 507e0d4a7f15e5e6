import { beforeAll } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Test } from 'supertest';
import type { SessionResponse } from '../../src/auth/dto/auth.dto.js';
import type { CreatedCalendarFeedResponse } from '../../src/calendar/dto/calendar-feed.dto.js';
import type { CommentResponse } from '../../src/comments/dto/comment.dto.js';
import type { InvitationResponse } from '../../src/households/dto/household.dto.js';
import { monthDayBefore } from '../../src/payment-methods/statement-dates.js';
import { todayInUtc } from '../../src/platform/values/calendar-date.js';
import { SCHEMA_VERSION } from '../../src/portability/document-versions.js';
import { SECTIONS } from '../../src/portability/dto/document.dto.js';
import type { UserResponse } from '../../src/users/dto/user.dto.js';
import { operationOf, TEST_PASSWORD, type Client } from './client.js';

/** A UUID that no record has. */
export const UNKNOWN_UUID = '00000000-0000-4000-8000-000000000000';

/** The closing of a stored statement of the sample entities, which has passed. */
export const CLOSING_DATE = monthDayBefore(todayInUtc(), 12);

/** A valid body for every operation that requires one, except for {@link VALID_FILES}. */
export const VALID_BODIES: Record<string, object> = {
  'POST /auth/register': { email: 'new@example.com', password: TEST_PASSWORD },
  'POST /auth/login': { username: 'new@example.com', password: TEST_PASSWORD },
  'POST /account/password-reset': { email: 'new@example.com' },
  'POST /account/password-reset/confirm': { token: 'unknown', new_password: 'a new password' },
  'POST /account/reminders/confirm': { token: 'unknown' },
  'POST /auth/tokens': { name: 'Script' },
  'PUT /auth/me/password': { current_password: TEST_PASSWORD, new_password: 'a new password' },
  'POST /payment-methods': {
    name: 'New',
    method_type: 'cash',
    default_currency: 'USD',
    paid_from_id: '{payment_method_id}',
  },
  'PUT /payment-methods/{id}/statements/{closing_date}': { stated_amount: '5' },
  'POST /budgets': { name: 'New', limit: '5' },
  'POST /balances': { balances: [{ payment_method_id: '{payment_method_id}', amount: '5' }] },
  'POST /expense-templates': {
    description: 'Rent',
    currency: 'USD',
    payment_method_id: '{payment_method_id}',
    base_amount: '5',
    category: 'fixed',
    recurrence_type: 'monthly',
    recurrence_config: { day_of_month: 1 },
    reference_date: '2025-01-01',
  },
  'POST /income-templates': {
    description: 'Pay',
    currency: 'USD',
    payment_method_id: '{payment_method_id}',
    base_amount: '5',
    recurrence_type: 'monthly',
    recurrence_config: { day_of_month: 15 },
    reference_date: '2025-01-15',
  },
  'POST /cycles': {
    name: 'New',
    start_date: '2026-01-19',
    end_date: '2026-03-01',
    income_amount: '5',
  },
  'POST /cycles/{cycle_id}/expenses': {
    description: 'Dinner',
    currency: 'USD',
    payment_method_id: '{payment_method_id}',
    amount: '5',
    due_date: '2026-02-01',
    category: 'fixed',
  },
  'PATCH /cycles/{cycle_id}/expenses': {
    expenses: [{ id: '{expense_id}', comments: 'Changed' }],
  },
  'PATCH /cycles/{cycle_id}/incomes': {
    incomes: [{ id: '{income_id}', description: 'Changed' }],
  },
  'POST /cycles/{id}/carry-over': {
    to_cycle_id: '{other_cycle_id}',
    expense_ids: ['{unpaid_expense_id}'],
  },
  'POST /cycles/{id}/close': { to_cycle_id: '{other_cycle_id}' },
  'POST /cycles/{cycle_id}/incomes': {
    description: 'Refund',
    currency: 'USD',
    payment_method_id: '{payment_method_id}',
    amount: '5',
    income_date: '2026-02-01',
  },
  'POST /cycles/preview': {
    start_date: '2026-01-19',
    end_date: '2026-03-01',
    income_amount: '5',
  },
  'POST /forecast': {
    changes: [
      {
        op: 'add_expense_template',
        description: 'Gym',
        currency: 'MXN',
        payment_method_id: '{payment_method_id}',
        base_amount: '5',
        recurrence_type: 'monthly',
        recurrence_config: { day_of_month: 1 },
        reference_date: '2026-01-01',
      },
    ],
  },
  'POST /occurrences': {
    recurrence_type: 'monthly',
    recurrence_config: { day_of_month: 31 },
    reference_date: '2025-01-31',
    from: '2026-01-19',
    to: '2026-03-01',
  },
  'POST /import': {
    schema_version: SCHEMA_VERSION,
    exported_at: '2026-01-01T00:00:00.000Z',
    ...Object.fromEntries(SECTIONS.map((section) => [section, []])),
  },
  'POST /calendar-feeds': { name: 'Gastos', payment_method_id: '{payment_method_id}' },
  'PUT /calendar-feeds/{id}': { alarm_days: 3, payment_method_id: '{payment_method_id}' },
  'POST /comments': {
    entity_type: 'payment_method',
    entity_id: '{payment_method_id}',
    body: 'Hello',
  },
  'PATCH /comments/{id}': { body: 'Hello' },
};

/** A valid CSV file for every operation that reads one. */
export const VALID_FILES: Record<string, string> = {
  'POST /cycles/{cycle_id}/expenses/import': [
    'due_date,description,category,currency,amount,payment_method',
    '2026-02-01,Dinner,fixed,MXN,100,{payment_method_name}',
    '',
  ].join('\n'),
};

export interface SampleEntities {
  user: Client;
  /** Ids by their placeholder in paths and bodies. */
  ids: Record<string, string>;
  /** Replaces placeholders with ids: `/cycles/{id}` becomes the path of the user's cycle. */
  fill: (text: string) => string;
  /** The operation's body in {@link VALID_BODIES}, with ids. */
  validBody: (operation: string) => object;
  /** Sends the body of the operation, or its file. */
  sendBody: (request: Test, operation: string) => Test;
}

/** Creates a user with one entity of each type. */
export async function createSampleEntities(service: {
  signUp: () => Promise<Client>;
}): Promise<SampleEntities> {
  const user = await service.signUp();
  return createEntitiesOf(user, user);
}

/** Creates them once for the tests of a file, for requests that are all refused. */
export function useSampleEntities(
  service: Parameters<typeof createSampleEntities>[0],
): SampleEntities {
  const entities = {} as SampleEntities;
  beforeAll(async () => {
    Object.assign(entities, await createSampleEntities(service));
  });
  return entities;
}

/**
 * Creates one entity of each type for a user; the invitation is an admin's of the same household.
 */
export async function createEntitiesOf(user: Client, admin: Client): Promise<SampleEntities> {
  // A unique name, so that tests recognize it in responses.
  const method = await user.createPaymentMethod({ name: randomUUID() });
  const budget = await user.createBudget({ name: randomUUID(), limit: '400.00' });
  const balance = await user.createBalance({ payment_method_id: method.id });
  const card = await user.createCard({
    first_closing_date: CLOSING_DATE,
    paid_from_id: method.id,
  });
  const statement = `/payment-methods/${card.id}/statements/${CLOSING_DATE}`;
  await user.put(statement, { stated_amount: '9.00' }).expect(200);
  const chosen = { payment_method_id: method.id, budget_id: budget.id };
  const template = await user.createTemplate(chosen);
  const incomeTemplate = await user.createIncomeTemplate({ payment_method_id: method.id });
  const cycle = await user.createCycle({ generate_from_templates: false });
  const expense = await user.createExpense(cycle.id, chosen);
  const unpaid = await user.createExpense(cycle.id, { payment_method_id: method.id });
  const otherCycle = await user.createCycle({ generate_from_templates: false });
  const income = await user.createIncome(cycle.id, {
    payment_method_id: method.id,
    // A calendar shows it.
    income_date: todayInUtc(),
  });
  // No other operation uses it: a completed cycle does not change.
  const closed = await user.createCycle({ generate_from_templates: false });
  await user.createExpense(closed.id, { payment_method_id: method.id });
  await user.createIncome(closed.id, { payment_method_id: method.id });
  // Changes that no other operation on the sample entities makes, so that they can be undone at any
  // time.
  await user.put(`/cycles/${cycle.id}/incomes/${income.id}`, { comments: 'Late' }).expect(200);
  const change = await user.put(`/cycles/${otherCycle.id}`, { income_amount: '7.00' }).expect(200);
  const record = await user.lastRecord('cycle_income', income.id);
  const commented = { entity_type: 'payment_method', entity_id: method.id, body: 'First' };
  const comment = (await user.post('/comments', commented).expect(201)).body as CommentResponse;
  await admin.post('/households/current/invitations').expect(201);
  const invitations = await admin.get('/households/current/invitations').expect(200);
  const [invitation] = invitations.body as [InvitationResponse];
  const feed = await user.createCalendarFeed({ payment_method_id: method.id });
  const other = await user.signInAgain();
  const [session] = await other.read<SessionResponse[]>('/auth/sessions');
  const script = await user.createToken();
  const account = (await user.get('/auth/me').expect(200)).body as UserResponse;
  const ids = {
    // Before the shorter one, which it contains.
    'payment-methods/{id}/statements': card.id,
    'payment-methods/{id}': method.id,
    'budgets/{id}': budget.id,
    'balances/{id}': balance.id,
    'expense-templates/{id}': template.id,
    'income-templates/{id}': incomeTemplate.id,
    // Before the shorter one, which it contains.
    'cycles/{id}/close': closed.id,
    'cycles/{id}': cycle.id,
    'activity/{id}': record.id,
    'operations/{operation_id}': operationOf(change) ?? '',
    'comments/{id}': comment.id,
    'invitations/{id}': invitation.id,
    'sessions/{id}': session?.id ?? '',
    'tokens/{id}': script.id,
    'calendar-feeds/{id}': feed.id,
    '{token}': tokenOf(feed),
    '{payment_method_id}': method.id,
    '{payment_method_name}': method.name,
    '{cycle_id}': cycle.id,
    '{expense_id}': expense.id,
    '{unpaid_expense_id}': unpaid.id,
    '{other_cycle_id}': otherCycle.id,
    '{income_id}': income.id,
    '{user_id}': account.id,
  };
  const fill = (text: string): string => replacePlaceholders(text, ids);
  const validBody = (operation: string): object => bodyWith(operation, ids);
  const sendBody = (request: Test, operation: string): Test => {
    const file = fileWith(operation, ids);
    return file === undefined
      ? request.send(validBody(operation))
      : request.type('text/csv').send(file);
  };
  return { user, ids, fill, validBody, sendBody };
}

/** The token in the URL of a calendar feed. */
export const tokenOf = ({ url }: CreatedCalendarFeedResponse): string =>
  /[^/]+(?=\.ics$)/.exec(url)?.[0] ?? '';

const PERIOD = '?from=2026-01-19&to=2026-03-01';

/**
 * The query of every operation that requires one, and of those whose response is empty without it.
 */
export const VALID_QUERIES: Record<string, string> = {
  'GET /activity': '?cycle_id={cycle_id}',
  'GET /comments': '?entity_type=payment_method&entity_id={payment_method_id}',
  'GET /expense-templates/{id}/occurrences': PERIOD,
  'GET /income-templates/{id}/occurrences': PERIOD,
  'GET /expenses': '?payment_method_id={payment_method_id}',
  'GET /incomes': '?payment_method_id={payment_method_id}',
  'GET /reports/budgets': '?cycle_ids={cycle_id}',
  'GET /reports/cycles-comparison': '?cycle_ids={cycle_id}',
  'GET /reports/variance': '?cycle_ids={cycle_id}',
};

/** Replaces placeholders with ids, and that of a closing date. */
export function replacePlaceholders(text: string, ids: Record<string, string>): string {
  return Object.entries(ids).reduce(
    (filled, [placeholder, id]) =>
      filled.replaceAll(placeholder, placeholder.replace(/\{\w+\}/, id)),
    text.replaceAll('{closing_date}', CLOSING_DATE),
  );
}

/** The operation's body in {@link VALID_BODIES}, with these ids. */
export function bodyWith(operation: string, ids: Record<string, string>): object {
  return JSON.parse(
    replacePlaceholders(JSON.stringify(VALID_BODIES[operation] ?? {}), ids),
  ) as object;
}

/** The operation's file in {@link VALID_FILES}, with these ids. */
export function fileWith(operation: string, ids: Record<string, string>): string | undefined {
  const file = VALID_FILES[operation];
  return file && replacePlaceholders(file, ids);
}
