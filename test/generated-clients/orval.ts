/** The tour of the API with the client that orval makes for fetch. */
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
} from './client/api.js';

const [host = '', email = '', password = ''] = process.argv.slice(2);
let token = '';
const send = globalThis.fetch;
globalThis.fetch = (path, init) => {
  const headers = new Headers(init?.headers);
  if (token) headers.set('Authorization', `Bearer ${token}`);
  return send(new URL(String(path), host), { ...init, headers });
};

/** The body of a response with the status. */
function bodyOf<Response extends { status: number; data: unknown }, Status extends number>(
  response: Response,
  status: Status,
): Extract<Response, { status: Status }>['data'] {
  if (response.status !== status) throw new Error(JSON.stringify(response.data));
  return response.data;
}

const account = bodyOf(await getAccountOptions(), 200);
console.log('account', account.registration, account.password_reset);
const requested = bodyOf(await requestPasswordReset({ email: 'nobody@example.com' }), 202);
console.log('reset', JSON.stringify(requested));
const refused = await confirmPasswordReset({
  token: 'unknown',
  new_password: 'a better horse battery',
});
if (bodyOf(refused, 401).error.code === 'INVALID_TOKEN') console.log('confirm', refused.status);

token = bodyOf(await logIn({ username: email, password }), 200).access_token;
const method = bodyOf(
  await createPaymentMethod({ name: 'orval', method_type: 'debit', default_currency: 'USD' }),
  201,
);
const budget = bodyOf(await createBudget({ name: 'Home', limit: '3000.00' }), 201);
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
for (const [template, recurrence_config] of templates) {
  const { id } = bodyOf(await createExpenseTemplate(template), 201);
  bodyOf(await updateExpenseTemplate(id, { base_amount: '110.00', recurrence_config }), 200);
  const read = bodyOf(await getExpenseTemplate(id), 200);
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

const cycle = bodyOf(
  await createCycle({
    name: 'Spring',
    start_date: '2026-03-02',
    end_date: '2026-04-12',
    income_amount: '5000.00',
  }),
  201,
);
const { expenses } = bodyOf(await listExpenses(cycle.id), 200);
const [first, second] = expenses;
if (!first || !second) throw new Error('The cycle has no expenses');

const { headers } = await getExpense(cycle.id, first.id);
for (const [name, id, tag] of [
  ['tag', first.id, headers.get('ETag') ?? ''],
  ['updated_at', second.id, `"${second.updated_at}"`],
] as const) {
  const options = { headers: { 'If-Match': tag } };
  const paid = bodyOf(await updateExpense(cycle.id, id, { paid: true }, options), 200);
  console.log(name, paid.status);
}

const summary = bodyOf(await getCycleSummary(cycle.id), 200);
for (const { budget: reference, limit, expense_count } of summary.by_budget) {
  console.log('budget', reference?.name, limit, expense_count === expenses.length);
}

for (const change of bodyOf(await listChanges(), 200).changes) {
  if (change.entity_type === 'cycle_expense' && change.entity_id === second.id) {
    console.log('change', change.entity_type, change.deleted, change.representation?.status);
  }
}

const [record] = bodyOf(
  await listActivity({ entity_type: 'cycle_expense', entity_id: second.id, limit: 1 }),
  200,
);
const undone = bodyOf(await undoActivity(record?.id ?? ''), 200);
if (undone.entity_type === 'cycle_expense') {
  console.log('undone', undone.entity_type, undone.representation?.status);
}
