/** The tour of the API with the client that openapi-generator makes for TypeScript and fetch. */
import {
  ActivityAndCommentsApi,
  AuthenticationAndUsersApi,
  BudgetsApi,
  ChangesApi,
  Configuration,
  CycleExpensesApi,
  CyclesApi,
  ExpenseTemplatesApi,
  PaymentMethodsApi,
  ReportsApi,
  ResponseError,
  type CreateExpenseTemplateDto,
  type ExpenseTemplateResponse,
  type RecurrenceConfigDto,
} from './client/index.js';

const [basePath = '', username = '', password = ''] = process.argv.slice(2);
const signIn = new AuthenticationAndUsersApi(new Configuration({ basePath }));
const account = await signIn.getAccountOptions();
console.log('account', account.registration, account.passwordReset);
const requested = await signIn.requestPasswordReset({
  requestPasswordResetDto: { email: 'nobody@example.com' },
});
console.log('reset', JSON.stringify(requested));
try {
  await signIn.confirmPasswordReset({
    confirmPasswordResetDto: { token: 'unknown', newPassword: 'a better horse battery' },
  });
} catch (error) {
  if (!(error instanceof ResponseError)) throw error;
  console.log('confirm', error.response.status);
}

const { accessToken } = await signIn.logIn({ username, password });
const configuration = new Configuration({ basePath, accessToken });

const method = await new PaymentMethodsApi(configuration).createPaymentMethod({
  createPaymentMethodDto: { name: 'fetch', methodType: 'debit', defaultCurrency: 'USD' },
});
const budget = await new BudgetsApi(configuration).createBudget({
  createBudgetDto: { name: 'Home', limit: '3000.00' },
});
const common = {
  description: 'Rent',
  currency: 'USD',
  baseAmount: '100.00',
  paymentMethodId: method.id,
  budgetId: budget.id,
  category: 'fixed',
  referenceDate: new Date('2026-01-05'),
} as const;
const templates: [CreateExpenseTemplateDto, RecurrenceConfigDto][] = [
  [{ ...common, recurrenceType: 'weekly', recurrenceConfig: { dayOfWeek: 1 } }, { dayOfWeek: 5 }],
  [
    { ...common, recurrenceType: 'bi_weekly', recurrenceConfig: { intervalDays: 14 } },
    { intervalDays: 10 },
  ],
  [
    { ...common, recurrenceType: 'monthly', recurrenceConfig: { dayOfMonth: 1 } },
    { dayOfMonth: 20, handleMonthEnd: true },
  ],
  [
    { ...common, recurrenceType: 'custom', recurrenceConfig: { interval: 3, unit: 'weeks' } },
    { interval: 2, unit: 'weeks', dayOfWeek: 3 },
  ],
];
const templatesApi = new ExpenseTemplatesApi(configuration);
for (const [createExpenseTemplateDto, recurrenceConfig] of templates) {
  const { id } = await templatesApi.createExpenseTemplate({ createExpenseTemplateDto });
  const updateExpenseTemplateDto = { baseAmount: '110.00', recurrenceConfig };
  await templatesApi.updateExpenseTemplate({ id, updateExpenseTemplateDto });
  const read = await templatesApi.getExpenseTemplate({ id });
  console.log(read.recurrenceType, read.description, read.baseAmount, valueOf(read));
}

function valueOf(template: ExpenseTemplateResponse): number {
  switch (template.recurrenceType) {
    case 'weekly':
      return template.recurrenceConfig.dayOfWeek;
    case 'bi_weekly':
      return template.recurrenceConfig.intervalDays;
    case 'monthly':
      return template.recurrenceConfig.dayOfMonth;
    case 'custom':
      return template.recurrenceConfig.interval;
  }
}

const { id: cycleId } = await new CyclesApi(configuration).createCycle({
  createCycleDto: {
    name: 'Spring',
    startDate: new Date('2026-03-02'),
    endDate: new Date('2026-04-12'),
    incomeAmount: '5000.00',
  },
});
const expenses = new CycleExpensesApi(configuration);
const list = await expenses.listExpenses({ cycleId });
const [first, second] = list.expenses;
if (!first || !second) throw new Error('The cycle has no expenses');

const { raw } = await expenses.getExpenseRaw({ cycleId, expenseId: first.id });
for (const [name, expenseId, ifMatch] of [
  ['tag', first.id, raw.headers.get('ETag') ?? ''],
  ['updated_at', second.id, `"${second.updatedAt.toISOString()}"`],
] as const) {
  const updateExpenseDto = { paid: true };
  const paid = await expenses.updateExpense({ cycleId, expenseId, ifMatch, updateExpenseDto });
  console.log(name, paid.status);
}

const summary = await new ReportsApi(configuration).getCycleSummary({ cycleId });
for (const { budget: reference, limit, expenseCount } of summary.byBudget) {
  console.log('budget', reference?.name, limit, expenseCount === list.expenses.length);
}

for (const change of (await new ChangesApi(configuration).listChanges()).changes) {
  if (change.entityType === 'cycle_expense' && change.entityId === second.id) {
    console.log('change', change.entityType, change.deleted, change.representation?.status);
  }
}

const activity = new ActivityAndCommentsApi(configuration);
const [record] = await activity.listActivity({
  entityType: 'cycle_expense',
  entityId: second.id,
  limit: 1,
});
const undone = await activity.undoActivity({ id: record?.id ?? '' });
if (undone.entityType === 'cycle_expense') {
  console.log('undone', undone.entityType, undone.representation?.status);
}
