import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import type { ActivityResponse } from '../../src/activity/dto/activity.dto.js';
import type { CardStatementResponse } from '../../src/cards/dto/card-statement.dto.js';
import type { CyclePageResponse } from '../../src/cycles/dto/cycle.dto.js';
import type { ExpenseListResponse } from '../../src/expenses/dto/expense-list.dto.js';
import type { ExpensePageResponse } from '../../src/expenses/dto/expense-search.dto.js';
import type { ForecastResponse } from '../../src/forecast/dto/forecast.dto.js';
import type { PaymentMethodResponse } from '../../src/payment-methods/dto/payment-method.dto.js';
import { addDays } from '../../src/platform/values/calendar-date.js';
import type { CycleSummaryResponse } from '../../src/reports/dto/cycle-summary.dto.js';
import { MAIN as SERVICE, useProcesses, type ServiceProcess } from '../support/service-process.js';

const MAIN = fileURLToPath(new URL('../../dist/src/operators/sandbox/main.js', import.meta.url));

const printed = ({ stdout }: ServiceProcess, name: string): string =>
  new RegExp(`^${name} +(\\S+)$`, 'm').exec(stdout)?.[1] ?? '';

interface Answer<Body = Record<string, unknown>> {
  status: number;
  body: Body;
}

/** Sends requests to a sandbox, with the printed token unless they have another one. */
class Sandbox {
  readonly api: string;
  readonly origin: string;
  readonly token: string;

  constructor(private readonly process: ServiceProcess) {
    this.api = printed(process, 'API');
    this.origin = this.api.replace('/api/v1', '');
    this.token = printed(process, 'Token');
  }

  async send<Body = Record<string, unknown>>(
    method: string,
    path: string,
    { body, token = this.token }: { body?: object; token?: string } = {},
  ): Promise<Answer<Body>> {
    const response = await fetch(this.api + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return answerOf(response);
  }

  async read<Body = Record<string, unknown>>(path: string): Promise<Body> {
    const { status, body } = await this.send<Body>('GET', path);
    expect([path, status]).toEqual([path, 200]);
    return body;
  }

  /** `POST /sandbox/...`, as a page without a token sends it. */
  async control(path: 'reset' | 'today', body?: unknown): Promise<Answer> {
    const response = await fetch(`${this.origin}/sandbox/${path}`, {
      method: 'POST',
      ...(body !== undefined && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    return answerOf(response);
  }

  /** @returns an access token */
  async signIn(): Promise<string> {
    const response = await fetch(`${this.api}/auth/login`, {
      method: 'POST',
      body: new URLSearchParams({
        username: printed(this.process, 'E-mail'),
        password: printed(this.process, 'Password'),
      }),
    });
    return ((await response.json()) as { access_token: string }).access_token;
  }

  async today(): Promise<unknown> {
    return (await this.read('/auth/me')).today;
  }

  /** Newest first. */
  async cycleIds(status: string): Promise<string[]> {
    const { cycles } = await this.read<{ cycles: { id: string }[] }>(`/cycles?status=${status}`);
    return cycles.map(({ id }) => id);
  }

  /** The ids and fields of what the household has. */
  async readAll(): Promise<unknown[]> {
    const [cycleId] = await this.cycleIds('active');
    const paths = ['/auth/me', '/cycles', '/expense-templates', '/budgets', '/payment-methods'];
    return Promise.all(
      [...paths, '/forecast?include=entries', '/expenses', `/activity?cycle_id=${cycleId}`].map(
        (path) => this.read(path),
      ),
    );
  }
}

async function answerOf<Body>(response: Response): Promise<Answer<Body>> {
  const text = await response.text();
  return { status: response.status, body: (text ? JSON.parse(text) : null) as Body };
}

describe('the sandbox', () => {
  const processes = useProcesses();

  const run = (env: Record<string, string> = {}, ...args: string[]): ServiceProcess =>
    processes.run({ PORT: '0', ...env }, undefined, MAIN, args);

  it('the sandbox serves a household of which it prints the account and a token', async () => {
    const sandbox = run();
    await sandbox.waitForOutput('The data is lost');
    const api = printed(sandbox, 'API');
    const token = printed(sandbox, 'Token');
    const cycles = await fetch(`${api}/cycles`, { headers: { Authorization: `Bearer ${token}` } });
    const body = (await cycles.json()) as { cycles: { status: string }[] };
    expect(body.cycles.map(({ status }) => status).slice(0, 3)).toEqual([
      'draft',
      'active',
      'completed',
    ]);

    const account = {
      username: printed(sandbox, 'E-mail'),
      password: printed(sandbox, 'Password'),
    };
    const login = await fetch(`${api}/auth/login`, {
      method: 'POST',
      body: new URLSearchParams(account),
    });
    expect(login.status).toBe(200);
    // Without rate limits.
    expect(login.headers.get('RateLimit')).toBeNull();
    expect((await fetch(printed(sandbox, 'Docs'))).status).toBe(200);
    expect(await sandbox.stop()).toBe(0);
  });

  it('the sandbox prints the mail with the link of a password reset', async () => {
    const sandbox = run();
    await sandbox.waitForOutput('The data is lost');
    const post = (path: string, body: object): Promise<Response> =>
      fetch(printed(sandbox, 'API').replace('/api/v1', `/account/${path}`), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const email = printed(sandbox, 'E-mail');
    expect((await post('password-reset', { email })).status).toBe(202);
    await sandbox.waitForOutput(`To: ${email}`);
    const page = /^http:\/\/localhost:5173\/reset-password#([\w-]{43})$/m;
    await sandbox.waitForOutput(page);
    const [, token] = page.exec(sandbox.stdout) ?? [];
    const body = { token, new_password: 'a better horse battery' };
    expect((await post('password-reset/confirm', body)).status).toBe(204);
    expect(await sandbox.stop()).toBe(0);
  });

  it('the sandbox allows scripts of every origin on localhost and of no other', async () => {
    const sandbox = run();
    await sandbox.waitForOutput('The data is lost');
    const origins = [
      ...['http://localhost:5173', 'https://localhost', 'http://app.localhost:3000'],
      ...['http://127.0.0.1:8080', 'http://[::1]:4200'],
      ...['http://localhost.example', 'http://evil-localhost', 'http://127.0.0.1.example', 'null'],
    ];
    const allowed = [];
    for (const origin of origins) {
      const { headers } = await fetch(printed(sandbox, 'API').replace('api/v1', 'health/live'), {
        headers: { Origin: origin },
      });
      if (headers.get('Access-Control-Allow-Origin') === origin) allowed.push(origin);
    }
    expect(allowed).toEqual(origins.slice(0, 5));
  });

  it.each([
    [{ DATABASE_URL: 'postgres://localhost/app' }, 'The sandbox does not run with DATABASE_URL\n'],
    [{ NODE_ENV: 'production' }, 'The sandbox does not run with NODE_ENV=production\n'],
  ])('the sandbox refuses %j', async (env, output) => {
    expect(await run(env).end()).toEqual({ code: 1, output });
  });

  it.each([
    [['--today'], "error: option '--today <day>' argument missing\n"],
    [
      ['--today', '2026-02-30'],
      "error: option '--today <day>' argument '2026-02-30' is invalid. It must be a day from 2000-01-01 to 2100-12-31.\n",
    ],
    [['--tody', '2026-12-01'], "error: unknown option '--tody'\n"],
  ])('the sandbox refuses %j', async (args, output) => {
    expect(await run({}, ...args).end()).toEqual({ code: 1, output });
  });

  it.each(['reset', 'today'])('a normal service has no POST /sandbox/%s', async (path) => {
    const service = processes.run({ DATA_DIR: 'memory://' }, undefined, SERVICE);
    await service.waitForOutput('Data ');
    const response = await fetch(`${service.origin}/sandbox/${path}`, { method: 'POST' });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      error: { code: 'RESOURCE_NOT_FOUND' },
    });
  });
});

describe('a sandbox with --today', () => {
  const processes = useProcesses(undefined, 'file');
  let sandbox: Sandbox;

  beforeAll(async () => {
    const process = processes.run({}, undefined, MAIN, ['--today', '2026-11-25']);
    await process.waitForOutput('The data is lost');
    sandbox = new Sandbox(process);
  });

  beforeEach(async () => {
    expect(await sandbox.control('reset')).toEqual({ status: 204, body: null });
  });

  it('has that day for users, and the clock for everything else', async () => {
    const { today, updated_at } = await sandbox.read<{ today: string; updated_at: string }>(
      '/auth/me',
    );
    expect(today).toBe('2026-11-25');
    expect(Math.abs(Date.now() - Date.parse(updated_at))).toBeLessThan(600_000);
    const { pay_windows, ...forecast } = await sandbox.read<ForecastResponse>('/forecast');
    expect([forecast.today, pay_windows[0]?.from]).toEqual(['2026-11-25', '2026-11-25']);
    const account = { email: 'eva@example.com', password: 'a better horse battery' };
    const { body } = await sandbox.send('POST', '/auth/register', { body: account });
    expect(body.today).toBe('2026-11-25');
  });

  it('prints a personal access token that can write, for a year', async () => {
    const budget = { body: { name: 'Garden', limit: '10.00' } };
    expect((await sandbox.send('POST', '/budgets', budget)).status).toBe(201);
    const { status, body } = await sandbox.send('GET', '/auth/tokens');
    expect(status).toBe(403);
    expect(body.error).toMatchObject({ code: 'FORBIDDEN' });
    const tokens = await sandbox.send<{ name: string; access: string; expires_at: string }[]>(
      'GET',
      '/auth/tokens',
      { token: await sandbox.signIn() },
    );
    expect(tokens.body).toHaveLength(1);
    expect(tokens.body[0]).toMatchObject({ name: 'Sandbox', access: 'write' });
    const days = (Date.parse(tokens.body[0]?.expires_at ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(365);
  });

  it('POST /sandbox/reset puts back the household, and takes back accounts and sessions', async () => {
    const before = await sandbox.readAll();
    const account = { email: 'eva@example.com', password: 'a better horse battery' };
    expect((await sandbox.send('POST', '/auth/register', { body: account })).status).toBe(201);
    const session = await sandbox.signIn();
    // Keeps the user of the session in memory.
    expect((await sandbox.send('GET', '/auth/me', { token: session })).status).toBe(200);
    for (const status of ['active', 'draft']) {
      const [id] = await sandbox.cycleIds(status);
      expect((await sandbox.send('DELETE', `/cycles/${id}`)).status).toBe(204);
    }
    const budget = { body: { name: 'Garden', limit: '10.00' } };
    expect((await sandbox.send('POST', '/budgets', budget)).status).toBe(201);

    expect((await sandbox.control('reset')).status).toBe(204);
    expect(await sandbox.readAll()).toEqual(before);
    expect((await sandbox.send('GET', '/auth/me', { token: session })).status).toBe(401);
    expect((await sandbox.send('POST', '/auth/register', { body: account })).status).toBe(201);
    expect((await sandbox.send('POST', '/budgets', budget)).status).toBe(201);
  });

  it('a reset ends the token of a new account', async () => {
    const account = { email: 'eva@example.com', password: 'a better horse battery' };
    await sandbox.send('POST', '/auth/register', { body: account });
    const form = new URLSearchParams({ username: account.email, password: account.password });
    const login = await fetch(`${sandbox.api}/auth/login`, { method: 'POST', body: form });
    const { access_token: token } = (await login.json()) as { access_token: string };
    expect((await sandbox.send('GET', '/auth/me', { token })).status).toBe(200);
    await sandbox.control('reset');
    expect((await sandbox.send('GET', '/auth/me', { token })).status).toBe(401);
  });

  it('resets while other requests run leave a complete household', async () => {
    const before = await sandbox.readAll();
    const [id] = await sandbox.cycleIds('active');
    const requests = Array.from({ length: 40 }, (_, index) => [
      sandbox.send('POST', '/budgets', { body: { name: `Budget ${index}`, limit: '1.00' } }),
      sandbox.send('GET', '/forecast'),
      sandbox.send('GET', `/cycles/${id}/expenses`),
      ...(index % 10 === 5 ? [sandbox.control('reset')] : []),
    ]).flat();
    const statuses = new Set((await Promise.all(requests)).map(({ status }) => status));
    expect([...statuses].sort()).toEqual([200, 201, 204]);
    await sandbox.control('reset');
    expect(await sandbox.readAll()).toEqual(before);
  });

  it('POST /sandbox/today moves the day and leaves the data', async () => {
    const [id] = await sandbox.cycleIds('active');
    const before = await sandbox.read(`/cycles/${id}/expenses`);
    expect(await sandbox.control('today', { today: '2026-12-05' })).toEqual({
      status: 204,
      body: null,
    });
    expect(await sandbox.today()).toBe('2026-12-05');
    const { today, pay_windows } = await sandbox.read<ForecastResponse>('/forecast');
    expect([today, pay_windows[0]?.from]).toEqual(['2026-12-05', '2026-12-05']);
    const after = await sandbox.read(`/cycles/${id}/expenses`);
    const [[overdue, rest], [overdueBefore, restBefore]] = [after, before].map((list) => {
      const parts = JSON.stringify(list).split('"overdue"');
      return [parts.length - 1, parts.join('"pending"')] as const;
    }) as [[number, string], [number, string]];
    expect(overdue).toBeGreaterThan(overdueBefore);
    expect(rest).toBe(restBefore);
  });

  it('null is the day of the clock, and none that of the start', async () => {
    const days = [-1, 0, 1].map((add) => addDays(new Date().toISOString().slice(0, 10), add));
    for (const path of ['today', 'reset'] as const) {
      expect((await sandbox.control(path, { today: null })).status).toBe(204);
      expect(days).toContain(await sandbox.today());
      expect((await sandbox.control(path, {})).status).toBe(204);
      expect(await sandbox.today()).toBe('2026-11-25');
    }
    await sandbox.control('reset', { today: '2026-12-11' });
    expect(await sandbox.today()).toBe('2026-12-11');
  });

  it.each([
    [{ today: '2026-02-30' }, 'today'],
    [{ today: 7 }, 'today'],
    [{ day: '2026-12-11' }, 'day'],
    [[], 'body'],
  ])('%j is refused and changes nothing', async (body, field) => {
    await sandbox.control('today', { today: '2026-12-05' });
    const before = await sandbox.readAll();
    for (const path of ['today', 'reset'] as const) {
      const answer = await sandbox.control(path, body);
      expect(answer).toMatchObject({
        status: 422,
        body: {
          error: { code: 'VALIDATION_ERROR', details: { fields: { [field]: expect.any(Array) } } },
        },
      });
    }
    expect(await sandbox.readAll()).toEqual(before);
  });

  it('pages on localhost may reset', async () => {
    const Origin = 'http://localhost:5173';
    const url = `${sandbox.origin}/sandbox/reset`;
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        Origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      },
    });
    expect(preflight.status).toBe(204);
    const reset = await fetch(url, { method: 'POST', headers: { Origin } });
    for (const { headers } of [preflight, reset]) {
      expect(headers.get('Access-Control-Allow-Origin')).toBe(Origin);
    }
  });

  it.each([
    {
      parameter: '',
      lowest: { date: '2027-01-13', balance: '668.04' },
      windows: [
        '2026-11-25 2026-11-26 0.00 148.51 1437.40 468.04',
        '2026-11-27 2026-11-29 980.00 273.69 2143.71 468.04',
        '2026-11-30 2026-12-10 523.20 1649.77 1017.14 468.04',
        '2026-12-11 2026-12-14 980.00 358.30 1638.84 468.04',
      ],
    },
    {
      parameter: '&set_aside=budgets',
      lowest: { date: '2027-01-14', balance: '382.84' },
      windows: [
        '2026-11-25 2026-11-26 0.00 159.34 1426.57 182.84',
        '2026-11-27 2026-11-29 980.00 289.95 2116.62 182.84',
        '2026-11-30 2026-12-10 523.20 1709.40 930.42 182.84',
        '2026-12-11 2026-12-14 980.00 379.99 1530.43 182.84',
      ],
    },
  ])('has the forecast of 2026-11-25$parameter', async ({ parameter, lowest, windows }) => {
    const path = `/forecast?minimum_balance=200.00${parameter}`;
    const { pay_windows, ...forecast } = await sandbox.read<ForecastResponse>(path);
    expect(forecast).toMatchObject({
      opening: { source: 'stated' },
      opening_balance: '1585.91',
      lowest,
      overdue: { expenses: '80.93', expense_count: 2, incomes: '0.00', income_count: 0 },
      warnings: [],
    });
    const shown = pay_windows
      .slice(0, 4)
      .map(({ from, to, incomes, expenses, closing_balance: closing, free }) =>
        [from, to, incomes, expenses, closing, free].join(' '),
      );
    expect(shown).toEqual(windows);
  });

  it('has three cycles, the active one with budgets and what was paid otherwise than planned', async () => {
    const { cycles } = await sandbox.read<CyclePageResponse>('/cycles');
    const shown = cycles.map(({ name, status, remaining_balance: left }) => [name, status, left]);
    expect(shown).toEqual([
      ['2026-12-16 to 2027-01-26', 'draft', '-235.07'],
      ['2026-11-04 to 2026-12-15', 'active', '255.46'],
      ['2026-09-23 to 2026-11-03', 'completed', '866.76'],
    ]);
    const id = cycles[1]?.id ?? '';
    const summary = await sandbox.read<CycleSummaryResponse>(`/cycles/${id}/summary`);
    expect(summary.financial).toMatchObject({
      total_incomes_usd: '4548.17',
      total_expenses_usd: '4292.71',
    });
    const budgets = summary.by_budget.map(
      ({ budget, currency, limit, paid_amount: paid, pending_amount: pending, ...rest }) =>
        [budget?.name, currency, limit, paid, pending, rest.refunded_amount, rest.left].join(' '),
    );
    expect(budgets).toEqual([
      'Children USD 500.00 243.91 245.25 0.00 10.84',
      'Eating out MXN 1400.00 1530.00 0.00 120.00 -10.00',
      'Groceries USD 740.00 361.42 359.70 0.00 18.88',
      'Health USD 120.00 22.76 59.96 0.00 37.28',
      'Home USD 180.00 0.00 154.99 0.00 25.01',
      'Transport USD 275.00 127.15 126.00 0.00 21.85',
      ' USD  1155.52 1352.72 0.00 ',
    ]);
    const { expenses } = await sandbox.read<ExpenseListResponse>(`/cycles/${id}/expenses`);
    const paid = expenses.filter(({ status }) => status === 'paid');
    expect([paid.length, expenses.length]).toEqual([20, 41]);
    const tacos = paid.find(({ description }) => description.startsWith('Tacos'));
    const records = await sandbox.read<ActivityResponse[]>(
      `/activity?entity_type=cycle_expense&entity_id=${tacos?.id}`,
    );
    expect(records.map(({ action }) => action)).toEqual(['marked_paid', 'created']);
    const overdue = expenses.filter(({ status }) => status === 'overdue');
    expect(overdue.map(({ description }) => description)).toEqual(['Water', 'Dentist']);
    const differing = paid.filter(
      ({ amount, planned_amount: planned }) => planned !== null && planned !== amount,
    );
    expect(differing.map(({ description, amount }) => `${description} ${amount}`)).toEqual([
      ...['Weekly groceries 2180.00', 'Fuel 44.10', 'Weekly groceries 2354.50'],
      ...['Fuel 39.80', 'Weekly groceries 2108.00', 'Fuel 43.25'],
    ]);
  });

  it('has a card with a statement that is paid in part, and what was carried of it', async () => {
    const methods = await sandbox.read<PaymentMethodResponse[]>('/payment-methods');
    const card = methods.find(({ closing_day: closing }) => closing === 12);
    const path = `/payment-methods/${card?.id}/statements?from=2026-10-01`;
    const statements = await sandbox.read<CardStatementResponse[]>(path);
    const shown = statements.map((one) =>
      [one.closing_date, one.due_date, one.status, one.carried_amount, one.amount].join(' '),
    );
    expect(shown).toEqual([
      '2026-10-12 2026-11-02 paid 0.00 4229.99',
      '2026-11-12 2026-12-02 closed 450.00 6618.19',
      '2026-12-12 2027-01-02 open 0.00 14596.56',
      '2027-01-12 2027-02-02 open 0.00 6862.86',
      '2027-02-12 2027-03-02 open 0.00 3259.36',
    ]);
    const { expenses } = await sandbox.read<ExpensePageResponse>('/expenses?q=washing');
    expect(
      expenses.map(({ due_date: due, amount, instalment }) => [due, amount, instalment]),
    ).toEqual([
      ['2026-10-05', '1291.58', { number: 3, count: 12 }],
      ['2026-11-05', '1291.58', { number: 4, count: 12 }],
      ['2026-12-05', '1291.58', { number: 5, count: 12 }],
      ['2027-01-05', '1291.58', { number: 6, count: 12 }],
    ]);
  });

  it('has a carry-over, which can be undone', async () => {
    const [draft] = await sandbox.cycleIds('draft');
    const [carried] = await sandbox.read<ActivityResponse[]>(`/activity?cycle_id=${draft}`);
    expect(carried).toMatchObject({ entity_type: 'cycle_expense', action: 'deactivated' });
    const undo = `/activity/operations/${carried?.operation_id}/undo`;
    expect((await sandbox.send('POST', undo)).status).toBe(200);
    const { expenses } = await sandbox.read<ExpenseListResponse>(`/cycles/${draft}/expenses`);
    expect(expenses[0]).toMatchObject({ description: 'Dentist', status: 'overdue' });
  });
});

describe('a sandbox with --language es', () => {
  const processes = useProcesses();

  it('has Spanish names', async () => {
    const process = processes.run({}, undefined, MAIN, ['--language', 'es']);
    await process.waitForOutput('The data is lost');
    const sandbox = new Sandbox(process);
    const budgets = await sandbox.read<{ name: string }[]>('/budgets');
    expect(new Set(budgets.map(({ name }) => name))).toEqual(
      new Set(['Casa', 'Comer fuera', 'Hijos', 'Salud', 'Súper', 'Transporte']),
    );
    expect((await sandbox.read('/auth/me')).locale).toBe('es-MX');
  });
});
