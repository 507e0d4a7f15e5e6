import { expect } from '@jest/globals';
import type { Server } from 'node:http';
import request, { type Response, type Test } from 'supertest';
import type { ActivityResponse } from '../../src/activity/dto/activity.dto.js';
import type { CreatedPersonalAccessTokenResponse } from '../../src/auth/dto/personal-access-token.dto.js';
import type {
  BalanceResponse,
  CreatedBalancesResponse,
} from '../../src/balances/dto/balance.dto.js';
import type { BudgetResponse } from '../../src/budgets/dto/budget.dto.js';
import type { CreatedCalendarFeedResponse } from '../../src/calendar/dto/calendar-feed.dto.js';
import type { CardStatementResponse } from '../../src/cards/dto/card-statement.dto.js';
import type { CycleResponse } from '../../src/cycles/dto/cycle.dto.js';
import type { ExpenseListResponse } from '../../src/expenses/dto/expense-list.dto.js';
import type { ExpenseResponse } from '../../src/expenses/dto/expense.dto.js';
import type { IncomeListResponse, IncomeResponse } from '../../src/incomes/dto/income.dto.js';
import type { PaymentMethodResponse } from '../../src/payment-methods/dto/payment-method.dto.js';
import type { ExpenseTemplateResponse } from '../../src/templates/dto/expense-template.dto.js';
import type { IncomeTemplateResponse } from '../../src/templates/dto/income-template.dto.js';
import type { OperationUndoResponse, UndoResponse } from '../../src/undo/dto/undo.dto.js';
import { assertAsDocumented } from './response-contract.js';

export type Method = 'get' | 'post' | 'put' | 'delete' | 'patch';

type Body = Record<string, unknown>;

/** A server in this process, or the origin of a server in another. */
type Target = Server | string;

export const TEST_PASSWORD = 'correct horse battery';

/** The id by which the activity records of a request are found; undefined if there are none. */
export const operationOf = ({ headers }: Response): string | undefined =>
  (headers as Record<string, string | undefined>)['operation-id'];

let lastName = 0;

/** A name that no other test uses. */
export const uniqueName = (prefix: string): string => `${prefix} ${++lastName}`;

/** Registers a user and signs in. */
export async function signUp(
  server: Target,
  profile: Body = {},
  ClientOfVersion = Client,
): Promise<Client> {
  const email = `${uniqueName('user').replace(' ', '-')}@example.com`;
  await new ClientOfVersion(server)
    .post('/auth/register', { email, password: TEST_PASSWORD, ...profile })
    .expect(201);
  return signIn(server, email, TEST_PASSWORD, ClientOfVersion);
}

/** Registers users, a few at a time: more than a hundred waiting passwords would be refused. */
export async function signUpMany(server: Target, number: number): Promise<Client[]> {
  const users: Client[] = [];
  while (users.length < number) {
    const batch = Array.from({ length: Math.min(4, number - users.length) }, () => signUp(server));
    users.push(...(await Promise.all(batch)));
  }
  return users;
}

export async function signIn(
  server: Target,
  email: string,
  password = TEST_PASSWORD,
  ClientOfVersion = Client,
): Promise<Client> {
  const response = await request(server)
    .post('/api/v1/auth/login')
    .type('form')
    .send({ username: email, password })
    .expect(200);
  const { access_token: token } = response.body as { access_token: string };
  return new ClientOfVersion(server, email, token);
}

/** Below the prefix of the API, but for what needs no sign-in of an account, and assistants. */
export const addressOf = (path: string): string =>
  /^\/(account|mcp)(\/|$)/.test(path) ? path : `/api/v1${path}`;

/** Calls the API over HTTP, with a user's token or without one. */
export class Client {
  constructor(
    private readonly server: Target,
    readonly email = '',
    public token?: string,
  ) {}

  get(path: string): Test {
    return this.send('get', path);
  }

  post(path: string, body?: string | object): Test {
    return this.send('post', path).send(body);
  }

  put(path: string, body?: string | object): Test {
    return this.send('put', path).send(body);
  }

  patch(path: string, body?: string | object): Test {
    return this.send('patch', path).send(body);
  }

  delete(path: string): Test {
    return this.send('delete', path);
  }

  send(method: Method, path: string): Test {
    const test = request(this.server)
      [method](addressOf(path))
      .expect((response) => this.check(method, response));
    return this.token === undefined ? test : test.set('Authorization', `Bearer ${this.token}`);
  }

  /** Expects a response to be as the OpenAPI document says. */
  protected check(method: Method, response: Response): void {
    assertAsDocumented(method, response);
  }

  /** Starts another session of the user. */
  signInAgain(): Promise<Client> {
    return signIn(this.server, this.email);
  }

  // Factories: each creates an entity from defaults and the given fields.

  createPaymentMethod(body: Body = {}): Promise<PaymentMethodResponse> {
    return this.created('/payment-methods', {
      name: uniqueName('Card'),
      method_type: 'debit',
      default_currency: 'USD',
      ...body,
    });
  }

  /** A card whose statements close on the 12th and are due on the 2nd. */
  createCard(body: Body = {}): Promise<PaymentMethodResponse> {
    return this.createPaymentMethod({
      ...{ method_type: 'credit', default_currency: 'MXN', closing_day: 12, due_day: 2 },
      ...body,
    });
  }

  statements(cardId: string, query = ''): Promise<CardStatementResponse[]> {
    return this.read(`/payment-methods/${cardId}/statements${query}`);
  }

  statement(cardId: string, closingDate: string): Promise<CardStatementResponse> {
    return this.read(`/payment-methods/${cardId}/statements/${closingDate}`);
  }

  createBudget(body: Body = {}): Promise<BudgetResponse> {
    return this.created('/budgets', { name: uniqueName('Budget'), ...body });
  }

  /** States a balance of one payment method, by default of a new one. */
  async createBalance({ stated_at, ...body }: Body = {}): Promise<BalanceResponse> {
    const payment_method_id = body.payment_method_id ?? (await this.createPaymentMethod()).id;
    const balances = [{ payment_method_id, amount: '100.00', ...body }];
    const created = await this.created<CreatedBalancesResponse>('/balances', {
      balances,
      ...(stated_at !== undefined && { stated_at }),
    });
    const [balance] = created.balances;
    if (!balance) throw new Error('No balance was created');
    return balance;
  }

  async createTemplate(body: Body = {}): Promise<ExpenseTemplateResponse> {
    return this.created('/expense-templates', {
      description: 'Rent',
      currency: 'USD',
      payment_method_id: body.payment_method_id ?? (await this.createPaymentMethod()).id,
      base_amount: '1200.00',
      category: 'fixed',
      recurrence_type: 'monthly',
      recurrence_config: { day_of_month: 1 },
      reference_date: '2025-01-01',
      ...body,
    });
  }

  createIncomeTemplate(body: Body = {}): Promise<IncomeTemplateResponse> {
    return this.created('/income-templates', {
      description: 'Pay',
      currency: 'USD',
      base_amount: '2000.00',
      recurrence_type: 'bi_weekly',
      recurrence_config: { interval_days: 14 },
      reference_date: '2025-01-03',
      ...body,
    });
  }

  createCycle(body: Body = {}): Promise<CycleResponse> {
    return this.created('/cycles', {
      name: uniqueName('Cycle'),
      start_date: '2026-01-19',
      end_date: '2026-03-01',
      income_amount: '5000.00',
      ...body,
    });
  }

  async createExpense(cycleId: string, body: Body = {}): Promise<ExpenseResponse> {
    return this.created(`/cycles/${cycleId}/expenses`, {
      description: 'Dinner',
      currency: 'USD',
      payment_method_id: body.payment_method_id ?? (await this.createPaymentMethod()).id,
      amount: '100.00',
      // In the future, so that the expense is not overdue.
      due_date: '2999-02-01',
      category: 'variable',
      ...body,
    });
  }

  createIncome(cycleId: string, body: Body = {}): Promise<IncomeResponse> {
    return this.created(`/cycles/${cycleId}/incomes`, {
      description: 'Refund',
      currency: 'USD',
      amount: '100.00',
      income_date: '2026-02-01',
      ...body,
    });
  }

  /** Creates a personal access token. */
  createToken(body: Body = {}): Promise<CreatedPersonalAccessTokenResponse> {
    return this.created('/auth/tokens', { name: 'Script', ...body });
  }

  /** A client with a new personal access token of the user. */
  async script(body: Body = { access: 'write' }): Promise<Client> {
    return new Client(this.server, this.email, (await this.createToken(body)).token);
  }

  createCalendarFeed(body: Body = {}): Promise<CreatedCalendarFeedResponse> {
    return this.created('/calendar-feeds', { name: 'Gastos', ...body });
  }

  /** Returns the body of a GET that must succeed. */
  async read<Body>(path: string): Promise<Body> {
    return (await this.get(path).expect(200)).body as Body;
  }

  cycle(id: string): Promise<CycleResponse> {
    return this.read(`/cycles/${id}`);
  }

  expenses(cycleId: string, query = ''): Promise<ExpenseListResponse> {
    return this.read(`/cycles/${cycleId}/expenses${query}`);
  }

  incomes(cycleId: string, query = ''): Promise<IncomeListResponse> {
    return this.read(`/cycles/${cycleId}/incomes${query}`);
  }

  /** The activity records of an entity, oldest first. */
  activityOf(entityType: string, entityId: string): Promise<ActivityResponse[]> {
    return this.activity(`entity_type=${entityType}&entity_id=${entityId}`);
  }

  /** The activity records of a scope, oldest first. */
  async activity(scope: string): Promise<ActivityResponse[]> {
    return (await this.read<ActivityResponse[]>(`/activity?${scope}&limit=200`)).reverse();
  }

  /** The newest activity record of an entity. */
  async lastRecord(entityType: string, entityId: string): Promise<ActivityResponse> {
    const record = (await this.activityOf(entityType, entityId)).at(-1);
    if (!record) throw new Error(`The ${entityType} has no activity`);
    return record;
  }

  /** Undoes an activity record, by default the newest one of an entity. */
  async undo(
    record: { id: string } | [entityType: string, entityId: string],
  ): Promise<UndoResponse> {
    const { id } = Array.isArray(record) ? await this.lastRecord(...record) : record;
    return (await this.post(`/activity/${id}/undo`).expect(200)).body as UndoResponse;
  }

  /** Undoes all that a request did, by its response or the `operation_id` of its records. */
  async undoOperation(operation: Response | string): Promise<OperationUndoResponse> {
    const id = typeof operation === 'string' ? operation : (operationOf(operation) ?? '');
    const response = await this.post(`/activity/operations/${id}/undo`);
    expect(response.body).toMatchObject({ undoes: id, operation_id: operationOf(response) });
    return response.body as OperationUndoResponse;
  }

  private async created<T>(path: string, body: Body): Promise<T> {
    const response = await this.post(path, body);
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 201,
      body: expect.anything(),
    });
    return response.body as T;
  }
}

/** Calls another version of the API, which has another document. */
export class ClientOfOtherVersion extends Client {
  protected override check(): void {
    // The document of that version is not here.
  }
}
