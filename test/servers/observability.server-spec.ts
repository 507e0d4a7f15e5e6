import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, signUp } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/ports.js';
import { startPostgres, type PostgresServer } from '../support/servers.js';
import { metricsAt, useProcesses, type ServiceProcess } from '../support/service-process.js';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN_ID = '00f067aa0ba902b7';

type Line = Record<string, unknown>;

describe('operators get', () => {
  let postgres: PostgresServer;
  const { start } = useProcesses(() => ({
    DATABASE_URL: postgres.url(),
    AUTH_SECRET: 'unguessable-secret, 32 characters or more',
    NODE_ENV: 'production',
    SHUTDOWN_DELAY_SECONDS: '0',
  }));

  beforeAll(async () => {
    postgres = await startPostgres();
  });

  afterAll(() => postgres.remove());

  const linesOf = ({ stdout }: ServiceProcess): Line[] =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);

  const requestsOf = (service: ServiceProcess): Line[] =>
    linesOf(service).filter(({ context }) => context === 'Request');

  /** The log line of a request id, which is written after the response. */
  async function lineOf(service: ServiceProcess, id: unknown): Promise<Line> {
    return eventually('the request is logged', () =>
      requestsOf(service).find(({ request_id }) => request_id === id),
    );
  }

  it('operators get JSON log lines in production, one per request', async () => {
    const service = await start();
    const user = await signUp(service.origin);
    const { id: userId } = (await user.get('/auth/me')).body as { id: string };
    const cycle = await user.createCycle();
    const response = await user.put(`/cycles/${cycle.id}`, { name: '' }).expect(422);

    const line = await lineOf(service, response.get('X-Request-Id'));
    expect(line).toEqual({
      level: 'info',
      time: expect.stringMatching(TIME),
      pid: service.pid,
      context: 'Request',
      request_id: expect.stringMatching(UUID),
      user_id: userId,
      method: 'PUT',
      route: '/api/v1/cycles/:id',
      status: 422,
      duration_ms: expect.any(Number),
      message: 'request completed',
    });
    const unknown = await fetch(`${service.origin}/of/no/route`);
    expect(await lineOf(service, unknown.headers.get('X-Request-Id'))).toMatchObject({
      route: '-',
      status: 404,
    });
    await service.stop();
    const ids = requestsOf(service).map(({ request_id }) => request_id);
    expect(ids).toHaveLength(new Set(ids).size);
    for (const { level, time, pid, context, message } of linesOf(service)) {
      expect({ level, time, pid, context, message }).toEqual({
        level: expect.stringMatching(/^(info|warn|error)$/),
        time: expect.stringMatching(TIME),
        pid: service.pid,
        context: expect.stringMatching(/^\w+$/),
        message: expect.stringMatching(/./),
      });
    }
  });

  it("operators get the caller's trace id, unless it is malformed", async () => {
    const service = await start();
    const traced = async (traceparent: string): Promise<Line> => {
      const response = await fetch(`${service.origin}/health/live`, { headers: { traceparent } });
      const { trace_id, parent_span_id } = await lineOf(
        service,
        response.headers.get('X-Request-Id'),
      );
      return { trace_id, parent_span_id };
    };
    expect(await traced(`00-${TRACE_ID}-${SPAN_ID}-01`)).toEqual({
      trace_id: TRACE_ID,
      parent_span_id: SPAN_ID,
    });
    for (const malformed of [
      'nonsense',
      `00-${TRACE_ID}-${SPAN_ID}`,
      `00-${TRACE_ID.toUpperCase()}-${SPAN_ID}-01`,
      `00-${'0'.repeat(32)}-${SPAN_ID}-01`,
      `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
      `ff-${TRACE_ID}-${SPAN_ID}-01`,
      `00-${TRACE_ID}-${SPAN_ID}-01-more`,
    ]) {
      expect({ malformed, ...(await traced(malformed)) }).toEqual({ malformed });
    }
  });

  it('operators get no user data and no secret in the log', async () => {
    const service = await start({ LOG_LEVEL: 'debug' });
    const secrets = {
      email: 'very.private@example.com',
      password: 'pw-tr0mbone-umbrella',
      newPassword: 'pw-harmonica-lantern',
      wrongPassword: 'pw-wrong-accordion',
      name: 'Private Name Zebra',
      card: 'Card Quetzalcoatl',
      comment: 'Whispered *pelican*',
      refused: 'refused-flamingo',
      query: 'query-ocelot',
      path: 'path-armadillo',
      cycle: 'Cycle Nightingale',
      amount: '7654.32',
    };
    const anonymous = new Client(service.origin);
    const { email, password } = secrets;
    const registration = { email, password, first_name: secrets.name };
    await anonymous.post('/auth/register', registration).expect(201);
    await anonymous.post('/auth/register', registration).expect(409);
    const broken = anonymous.post('/auth/register').type('json');
    await broken.send(`{"email": "${secrets.refused}`).expect(400);
    const signIn = (word: string): Promise<Response> =>
      fetch(`${service.api}/auth/login?${secrets.query}`, {
        method: 'POST',
        body: new URLSearchParams({ username: email, password: word }),
      });
    expect((await signIn(secrets.wrongPassword)).status).toBe(401);
    const { access_token: token } = (await (await signIn(password)).json()) as {
      access_token: string;
    };
    const user = new Client(service.origin, email, token);
    const method = await user.createPaymentMethod({ name: secrets.card });
    await user.post('/payment-methods', { name: secrets.card, method_type: secrets.refused });
    const cycle = await user.createCycle({ name: secrets.cycle, income_amount: secrets.amount });
    await user.createCycle({ name: `${secrets.cycle} 2` });
    await user.put(`/cycles/${cycle.id}`, { name: `${secrets.cycle} 2` }).expect(409);
    await user.get(`/cycles/${secrets.path}`).expect(422);
    await user.get(`/activity?entity_type=${secrets.query}`).expect(422);
    await user.get(`/${secrets.path}?${secrets.query}`).expect(404);
    await user
      .post('/comments', { entity_type: 'cycle', entity_id: cycle.id, body: secrets.comment })
      .expect(201);
    await postgres.query('ALTER TABLE payment_methods RENAME TO away');
    await user.get(`/payment-methods/${method.id}`).expect(500);
    await user.post('/payment-methods', { ...method, name: secrets.card });
    await postgres.query('ALTER TABLE away RENAME TO payment_methods');

    const last = await user.get('/auth/me').expect(200);
    await lineOf(service, last.get('X-Request-Id'));
    expect(service.output).toContain('relation \\"payment_methods\\" does not exist');
    const secretTexts = [
      ...Object.values(secrets),
      token,
      method.id,
      cycle.id,
      'unguessable-secret',
    ];
    const log = service.output.toLowerCase();
    expect(secretTexts.filter((secret) => log.includes(secret.toLowerCase()))).toEqual([]);
  });

  it('operators get readable text with LOG_FORMAT=text', async () => {
    const service = await start({ LOG_FORMAT: 'text' });
    await fetch(`${service.origin}/health/live`);
    await service.waitForOutput(/LOG \[Request\] GET \/health\/live 200 \d+(\.\d)? ms\n/);
  });

  it('operators get metrics only at METRICS_PORT', async () => {
    const service = await start({ METRICS_PORT: '0', RATE_LIMIT_AUTHENTICATED_PER_HOUR: '12' });
    const user = await signUp(service.origin);
    await user.createTemplate({ currency: 'MXN' });
    const cycle = await user.createCycle({ start_date: '2026-01-19', end_date: '2026-03-01' });
    expect(cycle.summary.expense_count).toBe(2);
    for (let n = 0; n < 9; n += 1) await user.get(`/cycles/${cycle.id}`);
    const limited = await user.get(`/cycles/${cycle.id}`).expect(429);
    expect(limited.status).toBe(429);

    const samples = await metricsAt(service.metricsUrl);
    const value = (name: string): number => samples.get(name) ?? 0;
    const duration = 'http_request_duration_seconds';
    const series = (status: number): string =>
      `method="GET",route="/api/v1/cycles/:id",status="${status}"`;
    expect(value(`${duration}_count{${series(200)}}`)).toBe(9);
    expect(value(`${duration}_count{${series(429)}}`)).toBe(1);
    expect(value(`${duration}_bucket{le="+Inf",${series(200)}}`)).toBe(9);
    expect(value(`${duration}_sum{${series(200)}}`)).toBeGreaterThan(0);
    expect(value('rate_limit_hits_total{policy="authenticated"}')).toBe(1);
    expect(value('rate_limit_fallbacks_total')).toBe(0);
    expect(value('database_transaction_retries_total')).toBe(0);
    expect(value('expenses_generated_total')).toBe(2);
    const rates = ['exact', 'other_day'].map((rate) =>
      value(`conversion_rates_used_total{rate="${rate}"}`),
    );
    expect(rates).toEqual([0, 2]);
    expect(value('database_pool_connections{state="idle"}')).toBeGreaterThan(0);
    expect(value('database_pool_connections{state="busy"}')).toBe(0);
    expect(value('database_pool_connections{state="waiting"}')).toBe(0);
    expect(samples.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(0);
    expect([...samples.keys()].filter((name) => name.includes(cycle.id))).toEqual([]);

    expect((await fetch(`${service.origin}/metrics`)).status).toBe(404);
    expect((await fetch(`${service.metricsUrl}/other`)).status).toBe(404);
    expect((await fetch(service.metricsUrl.replace('metrics', 'api/v1/health'))).status).toBe(404);
  });

  it('operators get no metrics without METRICS_PORT', async () => {
    const service = await start({ PORT: String(await freePort()) });
    expect(service.output).not.toContain('Metrics');
    expect((await fetch(`${service.origin}/metrics`)).status).toBe(404);
  });

  it('operators get a message that names the port in use and its variable', async () => {
    const first = await start({ METRICS_PORT: '0' });
    const port = new URL(first.metricsUrl).port;
    const second = await start({ METRICS_PORT: port }).catch((error: unknown) => String(error));
    expect(second).toContain(`Port ${port} is in use; set METRICS_PORT to another one\n`);
  });
});
