import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import type { Client as Session } from 'pg';
import { signUp, type Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/ports.js';
import { startPostgres, type PostgresServer } from '../support/servers.js';
import { useProcesses, type ServiceProcess } from '../support/service-process.js';

describe('the shutdown of a process', () => {
  let postgres: PostgresServer;
  let url: string;
  const { run, start } = useProcesses(() => ({
    DATABASE_URL: url,
    DATABASE_LOCK_TIMEOUT_MS: '0',
    RATE_LIMIT_ENABLED: 'false',
  }));

  beforeAll(async () => {
    postgres = await startPostgres();
  });

  afterAll(() => postgres.remove());

  beforeEach(async () => {
    url = await postgres.createDatabase();
  });

  /** A request that lasts until the session ends its transaction. */
  async function requestInFlight(
    service: ServiceProcess,
  ): Promise<{ response: Promise<number>; lockHolder: Session; user: Client }> {
    const user = await signUp(service.origin);
    const method = await user.createPaymentMethod();
    const lockHolder = await postgres.connect(url);
    await lockHolder.query(
      `BEGIN; SELECT FROM payment_methods WHERE id = '${method.id}' FOR UPDATE`,
    );
    const response = fetch(`${service.api}/payment-methods/${method.id}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${user.token ?? ''}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'In flight' }),
    }).then(({ status }) => status);
    // Awaited later, when it may have failed already.
    response.catch(() => undefined);
    await eventually('the request waits', async () => {
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
      return (await postgres.query(waiting)).length === 1;
    });
    return { response, lockHolder, user };
  }

  const workersOf = ({ pid }: ServiceProcess): number[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .map(Number)
      .filter(Boolean);

  const readiness = async ({ origin }: ServiceProcess): Promise<number> =>
    (await fetch(`${origin}/health/ready`)).status;

  it('the shutdown of a process reports not ready first, keeps serving, and completes requests in flight', async () => {
    const service = await start({ SHUTDOWN_DELAY_SECONDS: '5' });
    const { response, lockHolder, user } = await requestInFlight(service);
    const keepAlive = new Agent({ keepAlive: true });
    const before = get(`${service.origin}/health/live`, { agent: keepAlive });
    const [first] = (await once(before, 'response')) as [
      NodeJS.ReadableStream & { headers: object },
    ];
    expect(first.headers).toMatchObject({ connection: 'keep-alive' });
    first.resume();

    service.child.kill('SIGTERM');
    await eventually('it is not ready', async () => (await readiness(service)) === 503);
    expect(await (await fetch(`${service.origin}/health/ready`)).json()).toEqual({
      success: false,
      error: { code: 'SERVICE_UNAVAILABLE', message: 'The process is shutting down', details: {} },
    });
    expect((await fetch(`${service.origin}/health/live`)).status).toBe(200);
    const during = await user.get('/auth/me').expect(200);
    expect(during.get('Connection')).toBe('close');
    keepAlive.destroy();

    await eventually('it stops listening', () =>
      readiness(service).then(
        () => false,
        () => true,
      ),
    );
    expect(service.hasEnded).toBe(false);
    await lockHolder.query('COMMIT');
    await lockHolder.end();
    expect(await response).toBe(200);
    const completedAt = performance.now();
    expect(await service.stop('SIGCONT')).toBe(0);
    // The client's idle keep-alive connection does not delay the exit.
    expect(performance.now() - completedAt).toBeLessThan(4000);
  });

  it('the shutdown of a process ends after SHUTDOWN_TIMEOUT_SECONDS, even with running requests', async () => {
    const service = await start({ SHUTDOWN_TIMEOUT_SECONDS: '1' });
    const { response, lockHolder } = await requestInFlight(service);
    const signalledAt = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - signalledAt).toBeLessThan(5000);
    await expect(response).rejects.toThrow();
    expect(service.output).toContain('Requests still in progress after 1 s');

    await lockHolder.query('COMMIT');
    await lockHolder.end();
    const changed = `SELECT 1 FROM payment_methods WHERE name = 'In flight'`;
    await eventually('the session has ended', async () => {
      const sessions = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'expense-service'`;
      return (await postgres.query(sessions)).length === 0;
    });
    expect(await postgres.query(changed, url)).toEqual([]);
  });

  it.each([
    ['waits for a lock', 5000],
    ['hangs', 6000],
  ])('the shutdown of a process ends within its limit when a worker %s', async (what, limit) => {
    const service = await start({ WEB_CONCURRENCY: '2', SHUTDOWN_TIMEOUT_SECONDS: '1' });
    await service.waitForOutput('2 workers are listening');
    const { response, lockHolder } = await requestInFlight(service);
    const workers = workersOf(service);
    expect(workers).toHaveLength(2);
    if (what === 'hangs') for (const pid of workers) process.kill(pid, 'SIGSTOP');
    const signalledAt = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - signalledAt).toBeLessThan(limit);
    await expect(response).rejects.toThrow();
    expect(workers.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
    await lockHolder.end();
  });

  it('the shutdown of a process ends at once at the second signal', async () => {
    const service = await start({ SHUTDOWN_DELAY_SECONDS: '60' });
    service.child.kill('SIGTERM');
    await eventually('it is not ready', async () => (await readiness(service)) === 503);
    expect(await service.stop('SIGINT')).toBe(1);
  });

  it('the shutdown of a process ends at once while it waits for the database at the start', async () => {
    const service = run({
      DATABASE_URL: `postgres://postgres@127.0.0.1:${await freePort()}/x`,
      SHUTDOWN_DELAY_SECONDS: '60',
    });
    await service.waitForOutput('PostgreSQL is not available yet');
    const signalledAt = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - signalledAt).toBeLessThan(2000);
  });
});
