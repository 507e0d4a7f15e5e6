/** The tour of the API with the types of openapi-typescript and openapi-fetch. */
import createClient from 'openapi-fetch';
import type { components, paths } from './client/schema.js';

type Schemas = components['schemas'];

const [host = '', email = '', password = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: host });

function bodyOf<Body>({ data, error }: { data?: Body; error?: unknown }): Body {
  if (!data) throw new Error(JSON.stringify(error));
  return data;
}

const account = bodyOf(await client.GET('/account'));
console.log('account', account.registration, account.password_reset);
const requested = bodyOf(
  await client.POST('/account/password-reset', { body: { email: 'nobody@example.com' } }),
);
console.log('reset', JSON.stringify(requested));
const refused = await client.POST('/account/password-reset/confirm', {
  body: { token: 'unknown', new_password: 'a better horse battery' },
});
if (refused.error?.error.code !== 'INVALID_TOKEN') throw new Error('The token is accepted');
console.log('confirm', refused.response.status);

const session = bodyOf(
  await client.POST('/api/v1/auth/login', {
    body: { username: email, password },
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  }),
);
client.use({
  onRequest: ({ request }) =>
    request.headers.set('Authorization', `Bearer ${session.access_token}`),
});

const method = bodyOf(
  await client.POST('/api/v1/payment-methods', {
    body: { name: 'TypeScript', method_type: 'debit', default_currency: 'USD' },
  }),
);
const budget = bodyOf(
  await client.POST('/api/v1/budgets', { body: { name: 'Home', limit: '3000.00' } }),
);
const common = {
  description: 'Rent',
  currency: 'USD',
  base_amount: '100.00',
  payment_method_id: method.id,
  budget_id: budget.id,
  category: 'fixed',
  reference_date: '2026-01-05',
} as const;
type RecurrenceConfig = NonNullable<Schemas['UpdateExpenseTemplateDto']['recurrence_config']>;
const templates: [Schemas['CreateExpenseTemplateDto'], RecurrenceConfig][] = [
  [
    { ...common, recurrence_type: 'weekly', recurrence_config: { day_of_week: 1 } },
    { day_of_week: 5 },
  ],
  [
    { ...common, recurrence_type: 'bi_weekly', recurrence_config: { interval_days: 14 } },
    { interval_days: 10 },
  ],
  [
    { ...common, recurrence_type: 'monthly', recurrence_config: { day_of_month: 1 } },
    { day_of_month: 20, handle_month_end: true },
  ],
  [
    { ...common, recurrence_type: 'custom', recurrence_config: { interval: 3, unit: 'weeks' } },
    { interval: 2, unit: 'weeks', day_of_week: 3 },
  ],
];
for (const [template, recurrence_config] of templates) {
  const { id } = bodyOf(await client.POST('/api/v1/expense-templates', { body: template }));
  const params = { path: { id } };
  const body = { base_amount: '110.00', recurrence_config };
  bodyOf(await client.PUT('/api/v1/expense-templates/{id}', { params, body }));
  const read = bodyOf(await client.GET('/api/v1/expense-templates/{id}', { params }));
  console.log(read.recurrence_type, read.description, read.base_amount, valueOf(read));
}

function valueOf(template: Schemas['ExpenseTemplateResponse']): number {
  switch (template.recurrence_type) {
    case 'weekly':
      return template.recurrence_config.day_of_week;
    case 'bi_weekly':
      return template.recurrence_config.interval_days;
    case 'monthly':
      return template.recurrence_config.day_of_month;
    case 'custom':
      return template.recurrence_config.interval;
  }
}

const cycle = bodyOf(
  await client.POST('/api/v1/cycles', {
    body: {
      name: 'Spring',
      start_date: '2026-03-02',
      end_date: '2026-04-12',
      income_amount: '5000.00',
    },
  }),
);
const list = bodyOf(
  await client.GET('/api/v1/cycles/{cycle_id}/expenses', {
    params: { path: { cycle_id: cycle.id } },
  }),
);
const [first, second] = list.expenses;
if (!first || !second) throw new Error('The cycle has no expenses');

const url = '/api/v1/cycles/{cycle_id}/expenses/{expense_id}';
const pathOf = (id: string) => ({ cycle_id: cycle.id, expense_id: id });
const { response } = await client.GET(url, { params: { path: pathOf(first.id) } });
for (const [name, id, tag] of [
  ['tag', first.id, response.headers.get('ETag') ?? ''],
  ['updated_at', second.id, `"${second.updated_at}"`],
] as const) {
  const params = { path: pathOf(id), header: { 'If-Match': tag } };
  const paid = bodyOf(await client.PUT(url, { params, body: { paid: true } }));
  console.log(name, paid.status);
}

const summary = bodyOf(
  await client.GET('/api/v1/cycles/{cycle_id}/summary', {
    params: { path: { cycle_id: cycle.id } },
  }),
);
for (const { budget: reference, limit, expense_count } of summary.by_budget) {
  console.log('budget', reference?.name, limit, expense_count === list.expenses.length);
}

for (const change of bodyOf(await client.GET('/api/v1/changes')).changes) {
  if (change.entity_type === 'cycle_expense' && change.entity_id === second.id) {
    console.log('change', change.entity_type, change.deleted, change.representation?.status);
  }
}

const [record] = bodyOf(
  await client.GET('/api/v1/activity', {
    params: { query: { entity_type: 'cycle_expense', entity_id: second.id, limit: 1 } },
  }),
);
const undone = bodyOf(
  await client.POST('/api/v1/activity/{id}/undo', { params: { path: { id: record?.id ?? '' } } }),
);
if (undone.entity_type === 'cycle_expense') {
  console.log('undone', undone.entity_type, undone.representation?.status);
}
