import { jest } from '@jest/globals';
import { EXAMPLE_LINK_TOKEN } from '../../../src/accounts/dto/account.dto.js';
import { PasswordResetsService } from '../../../src/accounts/password-resets.service.js';
import type { TokenResponse } from '../../../src/auth/dto/auth.dto.js';
import type { CreatedPersonalAccessTokenResponse } from '../../../src/auth/dto/personal-access-token.dto.js';
import { EXAMPLE_PERSONAL_ACCESS_TOKEN } from '../../../src/auth/dto/personal-access-token.dto.js';
import type { CreatedCalendarFeedResponse } from '../../../src/calendar/dto/calendar-feed.dto.js';
import { EXAMPLE_CALENDAR_TOKEN } from '../../../src/calendar/dto/calendar-feed.dto.js';
import { EXAMPLE_CURSOR, type ChangesResponse } from '../../../src/changes/dto/changes.dto.js';
import type { ExpenseListResponse } from '../../../src/expenses/dto/expense-list.dto.js';
import type { CreatedInvitationResponse } from '../../../src/households/dto/household.dto.js';
import type { IncomeListResponse } from '../../../src/incomes/dto/income.dto.js';
import { SignedTokens } from '../../../src/platform/values/signed-token.js';
import { UsersService } from '../../../src/users/users.service.js';
import { TEST_PASSWORD } from '../client.js';
import { setTime } from '../clock.js';
import { household } from '../household.js';
import { tokenOf } from '../sample-entities.js';
import { TEST_SECRET, type Service } from '../service.js';
import { ExampleRecorder, type Example, type Sent } from './recorder.js';

const EMAIL = 'ana@example.com';
const NEW_PASSWORD = 'a better horse battery';
const TOKEN_EXAMPLE =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwYjdmNWE1MiJ9.T8mXv1bqWqkJmB6uZx3n0w';
const PERIOD = { from: '2026-01-19', to: '2026-03-01' };
const NEXT_PERIOD = { start_date: '2026-03-02', end_date: '2026-04-12' };

interface Identified {
  id: string;
}

/**
 * What a signed-in user does: `record` keeps the request and the response as the example of an
 * operation.
 */
interface User {
  send: <Body = Identified>(id: string, sent?: Sent) => Promise<Body>;
  record: <Body = Identified>(id: string, sent?: Sent) => Promise<Body>;
}

/**
 * The examples of all operations, by operation id: what a household of the demo does from its
 * registration on.
 *
 * @param service without users
 */
export async function recordExamples(service: Service): Promise<Record<string, Example>> {
  const recorder = new ExampleRecorder(service);
  await recordService(recorder);
  await recorder.record('registerUser', {
    body: { email: EMAIL, password: TEST_PASSWORD, first_name: 'Ana', last_name: 'Ruiz' },
  });
  const credentials = { username: EMAIL, password: TEST_PASSWORD };
  const signedIn = await recorder.record<TokenResponse>('logIn', {
    body: credentials,
    type: 'form',
  });
  const ana = userOf(recorder, signedIn);
  const methods = await recordPaymentMethods(ana);
  const budgets = await recordBudgets(ana);
  const templates = await recordTemplates(ana, methods, budgets);
  const cycle = await recordCycles(ana, templates.rent, budgets);
  await recordExpenses(ana, cycle, methods, budgets);
  await recordIncomes(ana, cycle);
  await recordReports(ana, cycle);
  await recordForecasts(ana);
  await recordBalances(ana, methods);
  await recordStatements(ana, methods);
  await recordMaintenance(service, ana, cycle, templates.rent);
  await recordHousehold(recorder, ana, cycle);
  await recordFeeds(recorder, ana, methods);
  await recordBulkUpdates(ana, cycle);
  await recordCarryOver(ana, cycle);
  await recordClosing(ana, methods);
  await recordDeletions(ana, { ...templates, cycle }, methods);
  await recordAccount(recorder, ana, credentials);
  await recordPortability(recorder);
  await recordForgottenPassword(service, recorder);
  await recordReminders(service, recorder);
  return recorder.recorded;
}

function userOf(recorder: ExampleRecorder, { access_token: token }: TokenResponse): User {
  recorder.replace(token, TOKEN_EXAMPLE);
  return {
    send: (id, sent) => recorder.send(id, sent, token),
    record: (id, sent) => recorder.record(id, sent, token),
  };
}

async function recordService(recorder: ExampleRecorder): Promise<void> {
  await recorder.record('checkLiveness');
  await recorder.record('checkReadiness');
}

const CARD = 'Chase Credit';

const statementsPaidFrom = (ids: ReadonlyMap<string, string>): object => ({
  closing_day: 12,
  due_day: 2,
  due_weekend_rule: 'after',
  paid_from_id: ids.get('Chase Debit'),
});

/** @returns the ids of the payment methods by name */
async function recordPaymentMethods(ana: User): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { name, ...fields } of household.payment_methods) {
    const create = name === 'BBVA Débito' ? ana.record : ana.send;
    const body = { name, ...fields, ...(name === CARD && statementsPaidFrom(ids)) };
    // The first statement depends on the day.
    if (name === CARD) setTime('2026-01-18T12:00:00Z');
    ids.set(name, (await create('createPaymentMethod', { body })).id);
    jest.useRealTimers();
  }
  const id = ids.get('BBVA Débito') ?? '';
  await ana.record('getPaymentMethod', { parameters: { id } });
  const body = { description: 'Cuenta de nómina, termina en 4821' };
  await ana.record('updatePaymentMethod', { parameters: { id }, body });
  await ana.record('listPaymentMethods', { parameters: { currency: 'MXN' } });
  return ids;
}

/** Of the demo's budgets, the one of each template that has one. */
const BUDGET_OF_TEMPLATE: Readonly<Record<string, string>> = {
  'Renta Mérida': 'Casa',
  Internet: 'Casa',
  Súper: 'Despensa',
  Groceries: 'Despensa',
};

/** @returns the ids of the budgets by name */
async function recordBudgets(ana: User): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const groceries = await ana.record('createBudget', { body: { name: 'Despensa', limit: '1100' } });
  ids.set('Despensa', groceries.id);
  ids.set('Casa', (await ana.send('createBudget', { body: { name: 'Casa', limit: '1200' } })).id);
  const { id: trips } = await ana.send('createBudget', { body: { name: 'Viajes' } });
  const parameters = { id: groceries.id };
  await ana.record('getBudget', { parameters });
  await ana.record('updateBudget', { parameters, body: { limit: '1200.00' } });
  await ana.record('deleteBudget', { parameters: { id: trips } });
  await ana.record('listBudgets', { parameters: { active: true } });
  return ids;
}

/** @returns the templates of "Renta Mérida" and of an income */
async function recordTemplates(
  ana: User,
  methods: ReadonlyMap<string, string>,
  budgets: ReadonlyMap<string, string>,
): Promise<{ rent: string; pay: string }> {
  let rent = '';
  for (const { payment_method: name, ...template } of household.templates) {
    const isRent = template.description === 'Renta Mérida';
    const budget_id = budgets.get(BUDGET_OF_TEMPLATE[template.description] ?? '') ?? null;
    const body = { ...template, payment_method_id: methods.get(name), budget_id };
    const { id } = await (isRent ? ana.record : ana.send)('createExpenseTemplate', { body });
    if (isRent) rent = id;
  }
  let pay = '';
  for (const { payment_method: name, ...template } of household.income_templates) {
    const isLast = template === household.income_templates.at(-1) || name === 'BBVA Débito';
    const body = { ...template, payment_method_id: methods.get(name) };
    const create = isLast && pay === '' ? ana.record : ana.send;
    const { id } = await create('createIncomeTemplate', { body });
    if (isLast && pay === '') pay = id;
  }
  await ana.record('getExpenseTemplate', { parameters: { id: rent } });
  await ana.record('updateExpenseTemplate', {
    parameters: { id: rent },
    body: { ends_on: '2026-12-31' },
  });
  await ana.record('listExpenseTemplates', { parameters: { active: true, currency: 'MXN' } });
  await ana.record('listExpenseTemplateOccurrences', { parameters: { id: rent, ...PERIOD } });
  await ana.record('getIncomeTemplate', { parameters: { id: pay } });
  await ana.record('updateIncomeTemplate', {
    parameters: { id: pay },
    body: { starts_on: '2025-06-01' },
  });
  await ana.record('listIncomeTemplates', { parameters: { active: true, currency: 'MXN' } });
  await ana.record('listIncomeTemplateOccurrences', { parameters: { id: pay, ...PERIOD } });
  await ana.record('computeOccurrences', {
    body: {
      recurrence_type: 'monthly',
      recurrence_config: { day_of_month: 31, handle_month_end: true },
      reference_date: '2025-01-31',
      weekend_rule: 'before',
      ...PERIOD,
    },
  });
  return { rent, pay };
}

async function recordCycles(
  ana: User,
  template: string,
  budgets: ReadonlyMap<string, string>,
): Promise<string> {
  await ana.record('previewCycle', {
    body: { start_date: '2026-01-19', end_date: '2026-01-25', income_amount: '800.00' },
  });
  const { id } = await ana.record('createCycle', { body: household.cycle });
  const budget_limits = [
    { budget_id: budgets.get('Despensa'), limit: '1150.00' },
    { budget_id: budgets.get('Casa'), limit: '1200.00' },
  ];
  const body = { status: 'active', budget_limits };
  await ana.record('updateCycle', { parameters: { id }, body });
  await ana.record('getCycle', { parameters: { id } });
  await ana.record('proposeNextCycle');
  await ana.send('createCycle', {
    body: { name: 'March and April 2026', ...NEXT_PERIOD, income_amount: '5200.00' },
  });
  await ana.record('listCycles', { parameters: { page: 1, per_page: 10 } });
  await ana.record('searchExpenses', {
    parameters: { template_id: template, from: '2026-01-19', to: '2026-04-12', per_page: 3 },
  });
  return id;
}

async function recordExpenses(
  ana: User,
  cycle_id: string,
  methods: ReadonlyMap<string, string>,
  budgets: ReadonlyMap<string, string>,
): Promise<void> {
  const { id: expense_id } = await ana.record('createExpense', {
    parameters: { cycle_id },
    body: {
      description: 'Cena de cumpleaños',
      currency: 'MXN',
      amount: '940.00',
      payment_method_id: methods.get('Efectivo'),
      budget_id: budgets.get('Despensa'),
      due_date: '2026-01-24',
      category: 'variable',
      comments: 'Con los abuelos',
    },
  });
  const parameters = { cycle_id, expense_id };
  await ana.record('getExpense', { parameters });
  await ana.record('updateExpense', {
    parameters,
    body: { paid: true, paid_at: '2026-01-24T20:15:00Z' },
  });
  await ana.record('listExpenses', {
    parameters: { cycle_id, category: 'variable', currency: 'MXN' },
  });
  await ana.record('importExpenses', {
    parameters: { cycle_id, dry_run: false },
    type: 'text/csv',
    body: [
      'due_date,description,category,currency,amount,payment_method',
      '2026-02-03,Taxi,variable,MXN,120.00,Efectivo',
      '2026-02-07,Books,variable,USD,38.90,Chase Credit',
      '',
    ].join('\r\n'),
  });
  await ana.record('exportExpenses', { parameters: { cycle_id } });
  const { expenses } = await ana.send<ExpenseListResponse>('listExpenses', {
    parameters: { cycle_id, currency: 'MXN', category: 'variable' },
  });
  const taxi = expenses.find(({ description }) => description === 'Taxi')?.id ?? '';
  await ana.record('deleteExpense', { parameters: { cycle_id, expense_id: taxi } });
}

async function recordIncomes(ana: User, cycle_id: string): Promise<void> {
  const { incomes } = await ana.send<IncomeListResponse>('listIncomes', {
    parameters: { cycle_id, currency: 'MXN' },
  });
  const parameters = { cycle_id, income_id: incomes[0]?.id ?? '' };
  await ana.record('getIncome', { parameters });
  const received = { received: true, received_at: '2026-01-30T15:00:00Z' };
  await ana.record('updateIncome', { parameters, body: received });
  const { id: income_id } = await ana.record('createIncome', {
    parameters: { cycle_id },
    body: {
      description: 'Tax refund',
      currency: 'USD',
      amount: '312.40',
      income_date: '2026-02-10',
    },
  });
  await ana.record('listIncomes', { parameters: { cycle_id } });
  await ana.record('searchIncomes', {
    parameters: { from: '2026-02-01', to: '2026-02-28', per_page: 3 },
  });
  await ana.record('deleteIncome', { parameters: { cycle_id, income_id } });
}

async function recordReports(ana: User, cycle_id: string): Promise<void> {
  await ana.record('getCycleSummary', { parameters: { cycle_id } });
  await ana.record('getCashFlow', { parameters: { id: cycle_id } });
  const { cycles } = await ana.send<{ cycles: Identified[] }>('listCycles');
  const cycle_ids = cycles.map(({ id }) => id).join(',');
  await ana.record('compareCycles', { parameters: { cycle_ids } });
  await ana.record('getVariance', { parameters: { cycle_ids } });
  await ana.record('getBudgetsReport', { parameters: { cycle_ids } });
}

async function recordBalances(ana: User, methods: ReadonlyMap<string, string>): Promise<void> {
  const debit = { payment_method_id: methods.get('BBVA Débito') };
  setTime('2026-01-25T20:00:00Z');
  const earlier = { balances: [{ ...debit, amount: '18600' }], stated_at: '2026-01-24T23:00:00Z' };
  await ana.send('createBalances', { body: earlier });
  const cash = { payment_method_id: methods.get('Efectivo'), amount: '850.50' };
  const { balances } = await ana.record<{ balances: Identified[] }>('createBalances', {
    body: {
      balances: [{ ...debit, amount: '18250.40' }, cash],
      stated_at: '2026-01-25T13:45:00-06:00',
    },
  });
  const [first, second] = balances.map(({ id }) => ({ id }));
  if (!first || !second) throw new Error('The balances are missing');
  await ana.record('getBalance', { parameters: first });
  await ana.record('listBalances', { parameters: { limit: 2 } });
  await ana.record('getCurrentBalances');
  await ana.record('deleteBalance', { parameters: second });
  jest.useRealTimers();
}

async function recordForecasts(ana: User): Promise<void> {
  setTime('2026-01-18T12:00:00Z');
  await ana.record('getForecast', {
    parameters: {
      to: '2026-03-31',
      opening_balance: '1200.00',
      minimum_balance: '100.00',
      set_aside: 'budgets',
    },
  });
  await ana.record('compareForecasts', {
    body: {
      to: '2026-03-31',
      changes: [
        {
          op: 'add_expense',
          description: 'Lavadora',
          currency: 'MXN',
          amount: '8990.00',
          date: '2026-02-14',
        },
        { op: 'exchange_rate', rate: '0.060000', from: '2026-02-01' },
      ],
    },
  });
  jest.useRealTimers();
}

async function recordStatements(ana: User, methods: ReadonlyMap<string, string>): Promise<void> {
  const card = { id: methods.get(CARD) ?? '' };
  setTime('2026-02-15T18:30:00Z');
  await ana.record('listCardStatements', {
    parameters: { ...card, from: '2026-01-12', to: '2026-03-12' },
  });
  await ana.record('listAllCardStatements');
  const parameters = { ...card, closing_date: '2026-02-12' };
  await ana.record('getCardStatement', { parameters });
  await ana.record('updateCardStatement', {
    parameters,
    body: {
      ...{ stated_amount: '246.50', paid: true, paid_amount: '200.00' },
      paid_at: '2026-02-15T12:15:00-06:00',
    },
  });
  jest.useRealTimers();
}

async function recordMaintenance(
  service: Service,
  ana: User,
  id: string,
  template: string,
): Promise<void> {
  await ana.send('updateExpenseTemplate', {
    parameters: { id: template },
    body: { base_amount: '10100.00' },
  });
  await ana.record('compareCycleWithTemplates', { parameters: { id } });
  await ana.record('syncCycle', { parameters: { id } });
  await service.query(
    `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
     VALUES ('MXN', 'USD', 0.052, '2026-02-01')`,
  );
  await ana.record('repriceCycle', { parameters: { id }, body: { dry_run: true } });
  await ana.record('listExchangeRates');
}

async function recordHousehold(recorder: ExampleRecorder, ana: User, cycle: string): Promise<void> {
  const invitation = await ana.record<CreatedInvitationResponse>('createInvitation');
  recorder.replace(invitation.code, 'R7kX2mQ9vLpT4wZs');
  const [open] = await ana.record<Identified[]>('listInvitations');
  const luis = await recorder.send<Identified>('registerUser', {
    body: {
      email: 'luis@example.com',
      password: TEST_PASSWORD,
      first_name: 'Luis',
      invitation_code: invitation.code,
    },
  });
  await ana.record('updateHousehold', { body: { name: 'Casa Ruiz' } });
  await ana.record('updateHouseholdMember', {
    parameters: { user_id: luis.id },
    body: { role: 'admin' },
  });
  await ana.record('getHousehold');
  await ana.send('createInvitation');
  const [other = open] = await ana.send<Identified[]>('listInvitations');
  await ana.record('revokeInvitation', { parameters: { id: other?.id ?? '' } });
  const entity = { entity_type: 'cycle', entity_id: cycle };
  const { id } = await ana.record('createComment', {
    body: { ...entity, body: '¿Ya pagamos la **renta**?' },
  });
  const body = '¿Ya pagamos la **renta**? Ask for the receipt.';
  await ana.record('updateComment', { parameters: { id }, body: { body } });
  await ana.record('listComments', { parameters: entity });
  await ana.record('listActivity', { parameters: { cycle_id: cycle, limit: 4 } });
  await ana.record('deleteComment', { parameters: { id } });
}

async function recordFeeds(
  recorder: ExampleRecorder,
  ana: User,
  methods: ReadonlyMap<string, string>,
): Promise<void> {
  const body = { name: 'Efectivo', payment_method_id: methods.get('Efectivo'), alarm_days: 1 };
  const feed = await ana.record<CreatedCalendarFeedResponse>('createCalendarFeed', { body });
  const token = tokenOf(feed);
  await ana.record('updateCalendarFeed', { parameters: { id: feed.id }, body: { alarm_days: 3 } });
  await ana.record('listCalendarFeeds');
  // A calendar shows the days around the day of its request.
  setTime('2026-11-27T12:00:00Z');
  await recorder.record('getCalendar', { parameters: { token } });
  jest.useRealTimers();
  recorder.replace(new URL(feed.url).origin, 'https://api.example.com');
  recorder.replace(token, EXAMPLE_CALENDAR_TOKEN);
  await ana.record('revokeCalendarFeed', { parameters: { id: feed.id } });
  const { next } = await ana.record<ChangesResponse>('listChanges', { parameters: { limit: 3 } });
  recorder.replace(next, EXAMPLE_CURSOR);
}

async function recordBulkUpdates(ana: User, cycle_id: string): Promise<void> {
  const parameters = { cycle_id };
  const { expenses } = await ana.send<ExpenseListResponse>('listExpenses', { parameters });
  const [first, second, third] = expenses.filter(({ paid }) => !paid);
  await ana.record('updateExpenses', {
    parameters,
    body: {
      expenses: [
        { id: first?.id, paid: true, paid_at: '2026-01-26T18:00:00Z' },
        { id: second?.id, if_match: second?.updated_at, amount: '835.10' },
        { id: third?.id, active: false },
      ],
    },
  });
  const { incomes } = await ana.send<IncomeListResponse>('listIncomes', { parameters });
  const [income] = incomes.filter(({ received }) => !received);
  const received = { id: income?.id, received: true, received_at: '2026-02-13T15:00:00Z' };
  await ana.record('updateIncomes', { parameters, body: { incomes: [received] } });
}

async function recordCarryOver(ana: User, id: string): Promise<void> {
  const { expenses } = await ana.send<ExpenseListResponse>('listExpenses', {
    parameters: { cycle_id: id },
  });
  const books = expenses.find(({ description }) => description === 'Books')?.id;
  const { incomes } = await ana.send<IncomeListResponse>('listIncomes', {
    parameters: { cycle_id: id },
  });
  const pay = incomes.find(({ received }) => !received)?.id;
  const { cycles } = await ana.send<{ cycles: Identified[] }>('listCycles');
  const body = { to_cycle_id: cycles[0]?.id, expense_ids: [books], income_ids: [pay] };
  await ana.record('carryOverExpenses', { parameters: { id }, body });
}

async function recordClosing(ana: User, methods: ReadonlyMap<string, string>): Promise<void> {
  const { cycles } = await ana.send<{ cycles: Identified[] }>('listCycles');
  const { id } = await ana.send('createCycle', {
    body: {
      ...{ name: 'Viaje a Oaxaca', start_date: '2026-02-13', end_date: '2026-02-16' },
      ...{ income_amount: '600.00', generate_from_templates: false },
    },
  });
  const amounts = { currency: 'USD', payment_method_id: methods.get('Efectivo') };
  await ana.send('createExpense', {
    parameters: { cycle_id: id },
    body: {
      ...{ ...amounts, description: 'Hotel', amount: '220.00' },
      ...{ due_date: '2026-02-16', category: 'variable' },
    },
  });
  await ana.send('createIncome', {
    parameters: { cycle_id: id },
    body: { ...amounts, description: 'Parte de Beto', amount: '110.00', income_date: '2026-02-20' },
  });
  await ana.record('previewClosing', { parameters: { id } });
  await ana.record('closeCycle', { parameters: { id }, body: { to_cycle_id: cycles[0]?.id } });
}

async function recordDeletions(
  ana: User,
  { rent, pay, cycle }: { rent: string; pay: string; cycle: string },
  methods: ReadonlyMap<string, string>,
): Promise<void> {
  const { expenses } = await ana.send<ExpenseListResponse>('listExpenses', {
    parameters: { cycle_id: cycle, currency: 'MXN', category: 'variable' },
  });
  const expense_id = expenses[0]?.id ?? '';
  await ana.send('deleteExpense', { parameters: { cycle_id: cycle, expense_id } });
  const [deletion] = await ana.send<Identified[]>('listActivity', {
    parameters: { entity_type: 'cycle_expense', entity_id: expense_id, limit: 1 },
  });
  await ana.record('undoActivity', { parameters: { id: deletion?.id ?? '' } });
  await ana.send('deleteExpense', { parameters: { cycle_id: cycle, expense_id } });
  const [again] = await ana.send<{ operation_id: string }[]>('listActivity', {
    parameters: { entity_type: 'cycle_expense', entity_id: expense_id, limit: 1 },
  });
  const parameters = { operation_id: again?.operation_id ?? '' };
  await ana.record('undoOperation', { parameters });
  await ana.record('deleteCycle', { parameters: { id: cycle } });
  await ana.record('deleteExpenseTemplate', { parameters: { id: rent } });
  await ana.record('deleteIncomeTemplate', { parameters: { id: pay } });
  await ana.record('deletePaymentMethod', {
    parameters: { id: methods.get('Efectivo') ?? '' },
  });
  await ana.record('getEnums');
  await ana.record('getHealth');
}

async function recordAccount(
  recorder: ExampleRecorder,
  ana: User,
  credentials: object,
): Promise<void> {
  await ana.record('getCurrentUser');
  const body = { preferred_currency: 'MXN', locale: 'es-MX', time_zone: 'America/Mexico_City' };
  await ana.record('updateCurrentUser', { body });
  await recorder.send('logIn', { body: credentials, type: 'form' });
  const sessions = await ana.record<(Identified & { current: boolean })[]>('listSessions');
  const other = sessions.find(({ current }) => !current);
  await ana.record('endSession', { parameters: { id: other?.id ?? '' } });
  const token = await ana.record<CreatedPersonalAccessTokenResponse>('createPersonalAccessToken', {
    body: { name: 'Spreadsheet', access: 'read', expires_in_days: 90 },
  });
  recorder.replace(token.token, EXAMPLE_PERSONAL_ACCESS_TOKEN);
  await ana.record('listPersonalAccessTokens');
  await ana.record('endPersonalAccessToken', { parameters: { id: token.id } });
  const refreshed = userOf(recorder, await ana.record<TokenResponse>('refreshToken'));
  const changed = await refreshed.record<TokenResponse>('changePassword', {
    body: { current_password: TEST_PASSWORD, new_password: NEW_PASSWORD },
  });
  await userOf(recorder, changed).record('logOut');
}

/** A small account, and a copy of it. */
async function recordPortability(recorder: ExampleRecorder): Promise<void> {
  const signUp = async (email: string): Promise<User> => {
    await recorder.send('registerUser', { body: { email, password: TEST_PASSWORD } });
    const body = { username: email, password: TEST_PASSWORD };
    return userOf(recorder, await recorder.send('logIn', { body, type: 'form' }));
  };
  const luisa = await signUp('luisa@example.com');
  const [method] = household.payment_methods;
  const { id } = await luisa.send('createPaymentMethod', { body: method });
  const template = household.templates.find(({ description }) => description === 'Renta Mérida');
  const body = { ...template, payment_method: undefined, payment_method_id: id };
  await luisa.send('createExpenseTemplate', { body });
  const cycle = await luisa.send('createCycle', { body: household.cycle });
  const comment = { entity_type: 'cycle', entity_id: cycle.id, body: 'Primer ciclo' };
  await luisa.send('createComment', { body: comment });
  const document = await luisa.record<object>('exportData');
  await (await signUp('luisa.copy@example.com')).record('importData', { body: document });
}

/** With an operator's link: the tests have no mail server here. */
async function recordForgottenPassword(service: Service, recorder: ExampleRecorder): Promise<void> {
  await recorder.record('getAccountOptions');
  await recorder.record('requestPasswordReset', { body: { email: EMAIL } });
  const user = await service.app.get(UsersService, { strict: false }).getByEmail(EMAIL);
  const { link } = await service.app.get(PasswordResetsService, { strict: false }).createLink(user);
  const token = link.split('#').at(-1) ?? '';
  recorder.replace(token, EXAMPLE_LINK_TOKEN);
  await recorder.record('confirmPasswordReset', { body: { token, new_password: NEW_PASSWORD } });
}

/** With tokens that no mail had: the tests have no mail server here. */
async function recordReminders(service: Service, recorder: ExampleRecorder): Promise<void> {
  const { id } = await service.app.get(UsersService, { strict: false }).getByEmail(EMAIL);
  const expiresAt = new Date(Date.now() + 60_000);
  const token = new SignedTokens(TEST_SECRET, 'confirm reminders').sign({ id, expiresAt }, EMAIL);
  recorder.replace(token, EXAMPLE_LINK_TOKEN);
  await recorder.record('confirmReminders', { body: { token } });
  const parameters = { token: EXAMPLE_LINK_TOKEN };
  await recorder.record('getUnsubscribePage', { parameters });
  await recorder.record('endReminders', { parameters });
}
