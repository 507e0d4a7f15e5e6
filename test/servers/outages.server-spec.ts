import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout } from 'node:timers/promises';
import type { Response } from 'supertest';
import { signUp, uniqueName, type Client } from '../support/client.js';
import { expectError } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { startPostgres, type PostgresServer } from '../support/servers.js';
import { useProcesses, type ServiceProcess } from '../support/service-process.js';

const CLIENTS = 6;

describe('a PostgreSQL server that fails', () => {
  const { start } = useProcesses();
  let postgres: PostgresServer;
  let url: string;
  let service: ServiceProcess;
  let user: Client;

  beforeAll(async () => {
    postgres = await startPostgres();
  });

  afterAll(() => postgres.remove());

  beforeEach(async () => {
    url = await postgres.createDatabase();
    service = await start({
      DATABASE_URL: url,
      DATABASE_POOL_SIZE: '4',
      DATABASE_LOCK_TIMEOUT_MS: '0',
      METRICS_PORT: '0',
      RATE_LIMIT_ENABLED: 'false',
    });
    user = await signUp(service.origin);
  });

  afterEach(() => {
    expect(service.output.split('\n').filter((line) => line.includes('ERROR'))).toEqual([]);
  });

  async function waitingSessions(): Promise<number> {
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
    return (await postgres.query(waiting)).length;
  }

  function expectUnavailable(response: Response): void {
    expectError(response, 503, 'SERVICE_UNAVAILABLE', {
      request_id: response.get('X-Request-Id'),
    });
    expect(response.get('Retry-After')).toBe('1');
  }

  it.each(['fast', 'immediate'] as const)(
    'a PostgreSQL server that fails is restarted (%s) under load: requests get 503 and never 500, and succeed afterwards',
    async (mode) => {
      const created: string[] = [];
      const unavailable: Response[] = [];
      let isOver = false;
      const clients = Array.from({ length: CLIENTS }, async () => {
        while (!isOver) {
          const name = uniqueName('Card');
          const body = { name, method_type: 'debit', default_currency: 'USD' };
          const response = await user.post('/payment-methods', body);
          if (response.status === 201) created.push(name);
          else unavailable.push(response);
          await setTimeout(5);
        }
      });
      await eventually('20 records are created', () => created.length > 20);
      await postgres.stop(mode);
      await eventually('requests fail', () => unavailable.length > 5);
      expect((await fetch(`${service.origin}/health/live`)).status).toBe(200);
      expect((await fetch(`${service.origin}/health/ready`)).status).toBe(503);
      await postgres.start();
      const before = created.length;
      await eventually('20 more records are created', () => created.length > before + 20);
      isOver = true;
      await Promise.all(clients);

      unavailable.forEach(expectUnavailable);
      expect((await fetch(`${service.origin}/health/ready`)).status).toBe(200);
      const listed = (await user.get('/payment-methods').expect(200)).body as { name: string }[];
      expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(created));
      expect(
        await postgres.query(
          `SELECT name FROM payment_methods WHERE 1 <>
             (SELECT count(*) FROM activity_log WHERE entity_id = payment_methods.id)`,
          url,
        ),
      ).toEqual([]);
    },
  );

  it('a PostgreSQL server that fails has no free connection: requests get 503 after ten seconds, and succeed afterwards', async () => {
    const lockHolder = await postgres.connect(url);
    await lockHolder.query('BEGIN; LOCK TABLE payment_methods');
    const blocked = Array.from(
      { length: 4 },
      async () => (await user.get('/payment-methods')).status,
    );
    await eventually('the pool is exhausted', async () => (await waitingSessions()) === 4);
    const start = performance.now();
    const next = await user.get('/payment-methods');
    expect(performance.now() - start).toBeLessThan(15_000);
    expectUnavailable(next);
    await lockHolder.query('ROLLBACK');
    await lockHolder.end();
    expect(await Promise.all(blocked)).toEqual([200, 200, 200, 200]);
    await user.get('/payment-methods').expect(200);
  });

  it('a PostgreSQL server that fails aborts one transaction of a deadlock, which the service retries', async () => {
    const cycle = await user.createCycle();
    const expense = await user.createExpense(cycle.id);
    const other = await postgres.connect(url);
    // The first to check for a deadlock is aborted: the service, which waits first. It must not
    // check before the other one waits, too.
    await postgres.configure('deadlock_timeout', '5s');
    await other.query(`SET deadlock_timeout TO '10min'`);
    await other.query(`BEGIN; SELECT FROM cycle_expenses WHERE id = '${expense.id}' FOR UPDATE`);
    // The service locks the cycle and waits for the expense.
    const change = user.put(`/cycles/${cycle.id}/expenses/${expense.id}`, { amount: '7.00' });
    const changed = change.then((response) => response);
    await eventually('the service waits', async () => (await waitingSessions()) === 1);
    await other.query(`SELECT FROM cycles WHERE id = '${cycle.id}' FOR UPDATE`);
    await other.query('COMMIT');
    await other.end();
    await postgres.configure('deadlock_timeout', '1s');

    const response = await changed;
    expect({
      status: response.status,
      amount: (response.body as { amount: string }).amount,
    }).toEqual({ status: 200, amount: '7.00' });
    expect(await (await fetch(service.metricsUrl)).text()).toContain(
      'database_transaction_retries_total 1\n',
    );
    const actions = (await user.activityOf('cycle_expense', expense.id)).map(
      ({ action }) => action,
    );
    expect(actions).toEqual(['created', 'updated']);
  });
});
