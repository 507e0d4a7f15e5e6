/** The tour of the API with the client that Hey API makes. */
import {
  confirmPasswordReset,
  createBudget,
  createCycle,
  createExpenseTemplate,
  createPaymentMethod,
  getAccountOptions,
  getCycleSummary,
  getExpense,
  getExpenseTemplate,
  listActivity,
  listChanges,
  listExpenses,
  logIn,
  requestPasswordReset,
  undoActivity,
  updateExpense,
  updateExpenseTemplate,
  type CreateExpenseTemplateDto,
  type ExpenseTemplateResponse,
  type UpdateExpenseTemplateDto,
} from './client/index.js';
import { client } from './client/client.gen.js';

const [host = '', email = '', password = ''] = process.argv.slice(2);
client.setConfig({ baseUrl: host });

const { data: account } = await getAccountOptions({ throwOnError: true });
console.log('account', account.registration, account.password_reset);
const { data: requested } = await requestPasswordReset({
  body: { email: 'nobody@example.com' },
  throwOnError: true,
});
console.log('reset', JSON.stringify(requested));
const refused = await confirmPasswordReset({
  body: { token: 'unknown', new_password: 'a better horse battery' },
});
if (refused.error?.error.code !== 'INVALID_TOKEN') throw new Error('The token is accepted');
console.log('confirm', refused.response?.status);

const { data: session } = await logIn({ body: { username: email, password }, throwOnError: true });
client.setConfig({ auth: session.access_token, throwOnError: true });

const { data: method } = await createPaymentMethod({
  body: { name: 'Hey API', method_type: 'debit', default_currency: 'USD' },
  throwOnError: true,
});
const { data: budget } = await createBudget({
  body: { name: 'Home', limit: '3000.00' },
  throwOnError: true,
});
const common = {
  description: 'Rent',
  currency: 'USD',
  base_amount: '100.00',
  payment_method_id: method.id,
  budget_id: budget.id,
  category: 'fixed',
  reference_date: '2026-01-05',
} as const;
const templates: [
  CreateExpenseTemplateDto,
  NonNullable<UpdateExpenseTemplateDto['recurrence_config']>,
][] = [
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
for (const [body, recurrence_config] of templates) {
  const { data: created } = await createExpenseTemplate({ body, throwOnError: true });
  const path = { id: created.id };
  await updateExpenseTemplate({ path, body: { base_amount: '110.00', recurrence_config } });
  const { data: read } = await getExpenseTemplate({ path, throwOnError: true });
  console.log(read.recurrence_type, read.description, read.base_amount, valueOf(read));
}

function valueOf(template: ExpenseTemplateResponse): number {
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

const { data: cycle } = await createCycle({
  body: {
    name: 'Spring',
    start_date: '2026-03-02',
    end_date: '2026-04-12',
    income_amount: '5000.00',
  },
  throwOnError: true,
});
const { data: list } = await listExpenses({ path: { cycle_id: cycle.id }, throwOnError: true });
const [first, second] = list.expenses;
if (!first || !second) throw new Error('The cycle has no expenses');

const pathOf = (id: string) => ({ cycle_id: cycle.id, expense_id: id });
const { response } = await getExpense({ path: pathOf(first.id), throwOnError: true });
for (const [name, id, tag] of [
  ['tag', first.id, response.headers.get('ETag') ?? ''],
  ['updated_at', second.id, `"${second.updated_at}"`],
] as const) {
  const { data: paid } = await updateExpense({
    path: pathOf(id),
    headers: { 'If-Match': tag },
    body: { paid: true },
    throwOnError: true,
  });
  console.log(name, paid.status);
}

const { data: summary } = await getCycleSummary({
  path: { cycle_id: cycle.id },
  throwOnError: true,
});
for (const { budget: reference, limit, expense_count } of summary.by_budget) {
  console.log('budget', reference?.name, limit, expense_count === list.expenses.length);
}

for (const change of (await listChanges({ throwOnError: true })).data.changes) {
  if (change.entity_type === 'cycle_expense' && change.entity_id === second.id) {
    console.log('change', change.entity_type, change.deleted, change.representation?.status);
  }
}

const { data: records } = await listActivity({
  query: { entity_type: 'cycle_expense', entity_id: second.id, limit: 1 },
  throwOnError: true,
});
const { data: undone } = await undoActivity({
  path: { id: records[0]?.id ?? '' },
  throwOnError: true,
});
if (undone.entity_type === 'cycle_expense') {
  console.log('undone', undone.entity_type, undone.representation?.status);
}
