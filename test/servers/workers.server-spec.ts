import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { signUp } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { startPostgres, type PostgresServer } from '../support/servers.js';
import { metricsAt, useProcesses, type ServiceProcess } from '../support/service-process.js';

const WORKERS = 3;

describe('several workers', () => {
  let postgres: PostgresServer;
  let url: string;
  let service: ServiceProcess;
  const processes = useProcesses(() => ({
    DATABASE_URL: url,
    WEB_CONCURRENCY: String(WORKERS),
    DATABASE_POOL_SIZE: '4',
    LOG_FORMAT: 'json',
    METRICS_PORT: '0',
    RATE_LIMIT_ENABLED: 'false',
  }));
  const { run, start } = processes;

  beforeAll(async () => {
    postgres = await startPostgres();
  });

  afterAll(() => postgres.remove());

  beforeEach(async () => {
    url = await postgres.createDatabase();
  });

  async function startAll(): Promise<void> {
    service = await start();
    await service.waitForOutput(`${WORKERS} workers are listening`);
  }

  function isRunning(pid: number): boolean {
    try {
      // An exited process whose parent has not read its exit code is still listed, as a zombie.
      return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
    } catch {
      return false;
    }
  }

  afterEach(async () => {
    if (service.hasEnded) return;
    const pids = await workersOf(service);
    await service.stop('SIGKILL');
    await eventually('all workers have exited', () => !pids.some(isRunning));
  });

  const pidsIn = (output: string): number[] =>
    [...output.matchAll(/"pid":(\d+),"context":"Request"/g)].map(([, pid]) => Number(pid));

  /** Sends requests until each worker has responded to one, according to the log. */
  async function workersOf({ origin, stdout }: ServiceProcess): Promise<number[]> {
    const offset = stdout.length;
    const pids = await eventually('all workers respond', async () => {
      await fetch(`${origin}/health/live`, { headers: { Connection: 'close' } });
      const seen = new Set(pidsIn(service.stdout.slice(offset)));
      return seen.size === WORKERS && [...seen];
    });
    return pids;
  }

  it('several workers listen on one port, accept the same tokens without a configured secret, and aggregate metrics', async () => {
    await startAll();
    const user = await signUp(service.origin);
    const calls = 4 * WORKERS;
    for (let n = 0; n < calls; n += 1) await user.get('/auth/me').expect(200);
    expect(await workersOf(service)).toHaveLength(WORKERS);

    const samples = await metricsAt(service.metricsUrl);
    const series = '{method="GET",route="/api/v1/auth/me",status="200"}';
    expect(samples.get(`http_request_duration_seconds_count${series}`)).toBe(calls);
    expect(samples.has('database_pool_connections{state="idle"}')).toBe(true);
    expect(samples.has('nodejs_eventloop_lag_seconds')).toBe(true);
  });

  it('several workers are replaced after a kill, with retries until the new one can start', async () => {
    await startAll();
    const user = await signUp(service.origin);
    const [killedPid = 0, ...others] = await workersOf(service);
    const database = url.split('/').at(-1) ?? '';
    await postgres.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
    process.kill(killedPid, 'SIGKILL');
    await service.waitForOutput(`Worker ${killedPid} ended with SIGKILL; replacing it`);
    await service.waitForOutput(/Worker \d+ ended with 1; replacing it/);
    await postgres.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
    const pids = await workersOf(service);
    expect(pids).toEqual(expect.arrayContaining(others));
    expect(pids).not.toContain(killedPid);
    await user.get('/auth/me').expect(200);
    expect((await metricsAt(service.metricsUrl)).has('nodejs_eventloop_lag_seconds')).toBe(true);
    expect(await service.stop()).toBe(0);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it.each([
    ['the primary only', false],
    ['the process group', true],
  ])('several workers stop gracefully at a SIGTERM to %s', async (_target, isGroup) => {
    await startAll();
    const user = await signUp(service.origin);
    const method = await user.createPaymentMethod();
    const pids = await workersOf(service);
    const blocker = await postgres.connect(url);
    await blocker.query(`BEGIN; SELECT FROM payment_methods WHERE id = '${method.id}' FOR UPDATE`);
    const change = user.put(`/payment-methods/${method.id}`, { name: 'In flight' });
    const changed = change.then(({ status }) => status);
    await eventually('the request waits', async () => {
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
      return (await postgres.query(waiting)).length === 1;
    });

    const stopped = service.stop();
    if (isGroup) for (const pid of pids) process.kill(pid, 'SIGTERM');
    await eventually('the other workers have exited', () => pids.filter(isRunning).length === 1);
    await blocker.query('COMMIT');
    await blocker.end();
    expect(await changed).toBe(200);
    expect(await stopped).toBe(0);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it('several workers exit at once at a second signal', async () => {
    service = await start({ SHUTDOWN_DELAY_SECONDS: '60' });
    await service.waitForOutput(`${WORKERS} workers are listening`);
    const pids = await workersOf(service);
    service.child.kill('SIGTERM');
    await eventually('the workers have received the signal', async () => {
      return (await fetch(`${service.origin}/health/ready`)).status === 503;
    });
    expect(await service.stop()).toBe(1);
    await eventually('all workers have exited', () => !pids.some(isRunning));
  });

  it('several workers exit when none can start because the port is in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as AddressInfo;
    service = run({ PORT: String(port) });
    const { code, output } = await service.end();
    blocker.close();
    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} is in use; set PORT to another one`);
    expect(output).not.toContain('    at ');
    const sessions = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'expense-service'`;
    await eventually(
      'all workers have exited',
      async () => (await postgres.query(sessions)).length === 0,
    );
  });

  it('several workers exit when none can start because the database refuses the connection', async () => {
    service = run({ DATABASE_URL: postgres.url('nowhere') });
    const { code, output } = await service.end();
    expect(code).toBe(1);
    expect(output).toContain('DATABASE_URL: cannot connect: database "nowhere" does not exist');
    expect(output).not.toContain('    at ');
  });
});
