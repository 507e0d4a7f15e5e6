import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { SCHEMA } from '../../src/schema.js';
import { databaseLine, runProgram } from '../support/cli.js';
import { signUp } from '../support/client.js';
import { serverSettings } from '../support/database-server.js';
import { expectError } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { Relay } from '../support/relay.js';
import { repetitions } from '../support/repetitions.js';
import { startPostgres, type PostgresServer } from '../support/servers.js';
import { useProcesses, type ServiceProcess } from '../support/service-process.js';
import { expectConsistent, WriteLoad } from '../support/write-load.js';

const FAILOVERS = Array.from({ length: repetitions(1) }, (_, n) => n + 1);
const STANDBY = 'standby';

describe('a PostgreSQL server and its standby', () => {
  const processes = useProcesses(() => ({ RATE_LIMIT_ENABLED: 'false' }));
  const { run, start } = processes;
  let primary: PostgresServer;
  let standby: PostgresServer;
  let relay: Relay;
  /** Created on the primary and replicated to the standby. */
  let database: string;

  beforeEach(async () => {
    primary = await startPostgres({ fsync: 'on' });
    database = await primary.createDatabase();
    await (await openDatabase(serverSettings(database), SCHEMA)).close();
    standby = await primary.startStandby(STANDBY, { fsync: 'on' });
    await primary.configure('synchronous_standby_names', STANDBY);
    await eventually('the standby is synchronous', async () => {
      const [replica] = await primary.query<{ sync_state: string }>(
        'SELECT sync_state FROM pg_stat_replication',
      );
      return replica?.sync_state === 'sync';
    });
    relay = await Relay.start(primary.port);
  });

  afterEach(async () => {
    relay.stop();
    await Promise.all([primary.remove(), standby.remove()]);
  });

  const onStandby = (): string => standby.url(new URL(database).pathname.slice(1));

  const promote = (): Promise<unknown> => standby.query('SELECT pg_promote()');

  const readiness = async ({ origin }: ServiceProcess): Promise<number> =>
    (await fetch(`${origin}/health/ready`)).status;

  const errorsIn = ({ output }: ServiceProcess): string[] =>
    output.split('\n').filter((line) => / (ERROR|FATAL) /.test(line));

  it('a start on the standby waits until the standby is promoted', async () => {
    const service = run({ DATABASE_URL: onStandby() });
    await service.waitForOutput('PostgreSQL is not available yet (the server is read-only)');
    await promote();
    await service.waitForOutput('API ');
    expect(await readiness(service)).toBe(200);
    await signUp(service.origin);
  });

  it('a start on the standby fails after DATABASE_WAIT_SECONDS, with one line', async () => {
    const { code, output } = await run({
      DATABASE_URL: onStandby(),
      DATABASE_WAIT_SECONDS: '0',
    }).end();
    expect({ code, output }).toEqual({
      code: 1,
      output: 'DATABASE_URL: cannot connect: the server is read-only\n',
    });
  });

  it('commands that only read work on the standby; others fail with one line', async () => {
    const env = { DATABASE_URL: onStandby() };
    const command = (...args: string[]): ReturnType<typeof runProgram> =>
      runProgram(args, { env, cwd: processes.folder });
    const { host, pathname } = new URL(onStandby());
    const stderr = databaseLine(`PostgreSQL at ${host}${pathname}`);
    expect(await command('export', 'backup.jsonl.gz')).toMatchObject({ code: 0, stderr });
    expect(await command('check')).toMatchObject({ code: 0, stderr });
    expect(await command('users', 'create', 'a@example.com', '--generate-password')).toEqual({
      code: 1,
      stdout: '',
      stderr: `${stderr}The database server is read-only\n`,
    });
  });

  it('a read-only server: writes get 503, reads succeed, and the service is not ready', async () => {
    const service = await start({ DATABASE_URL: database });
    const user = await signUp(service.origin);
    const method = await user.createPaymentMethod();
    await primary.configure('default_transaction_read_only', 'on');
    await eventually('not ready', async () => (await readiness(service)) === 503);
    const refused = await user.put(`/payment-methods/${method.id}`, { name: 'Other' });
    expectError(refused, 503, 'SERVICE_UNAVAILABLE', { request_id: refused.get('X-Request-Id') });
    expect(refused.get('Retry-After')).toBe('1');
    expect(await user.read(`/payment-methods/${method.id}`)).toEqual(method);
    expect((await fetch(`${service.origin}/health/live`)).status).toBe(200);

    await primary.configure('default_transaction_read_only', 'off');
    await eventually('ready', async () => (await readiness(service)) === 200);
    await user.put(`/payment-methods/${method.id}`, { name: 'Other' }).expect(200);
    expect(errorsIn(service)).toEqual([]);
  });

  it.each(FAILOVERS)(
    'changes over when the primary is killed: no acknowledged write is lost (%d)',
    async () => {
      const service = await start({ DATABASE_URL: relay.url(database) });
      const load = new WriteLoad();
      await load.start(service.origin);
      await load.waitForMore('acknowledged', 50);
      await primary.stop('kill');
      await load.waitForMore('unavailable', 5);
      expect(await readiness(service)).toBe(503);
      await promote();
      relay.switchTo(standby.port);
      await load.waitForMore('acknowledged', 50);
      expect(await readiness(service)).toBe(200);
      await load.stop();
      await load.expectPersisted(service.origin);
      await expectConsistentOn(onStandby());
      expect(errorsIn(service)).toEqual([]);
    },
  );

  it.each(FAILOVERS)(
    'changes over when the primary is demoted and stays: no connection is left to it (%d)',
    async () => {
      const service = await start({ DATABASE_URL: relay.url(database) });
      const load = new WriteLoad();
      await load.start(service.origin);
      await load.waitForMore('acknowledged', 50);
      await primary.configure('default_transaction_read_only', 'on');
      await load.waitForMore('unavailable', 5);
      expect(await readiness(service)).toBe(503);
      await eventually('no write is under way, and the standby has all', async () => {
        const [state] = await primary.query<{ is_settled: boolean }>(
          `SELECT replay_lsn >= pg_current_wal_lsn()
             AND NOT EXISTS (SELECT FROM pg_stat_activity WHERE backend_xid IS NOT NULL) AS is_settled
           FROM pg_stat_replication`,
        );
        return state?.is_settled === true;
      });
      await promote();
      relay.switchTo(standby.port);
      await load.waitForMore('acknowledged', 50);
      expect(await readiness(service)).toBe(200);
      await load.stop();
      await load.expectPersisted(service.origin);
      const sessions = `SELECT pid FROM pg_stat_activity WHERE application_name = 'expense-service'`;
      await eventually('no session is left on the demoted server', async () => {
        return (await primary.query(sessions)).length === 0;
      });
      await expectConsistentOn(onStandby());
      expect(errorsIn(service)).toEqual([]);
    },
  );

  it('the readiness check detects the failover without writes', async () => {
    const service = await start({ DATABASE_URL: relay.url(database) });
    await primary.configure('default_transaction_read_only', 'on');
    await eventually('not ready', async () => (await readiness(service)) === 503);
    await promote();
    relay.switchTo(standby.port);
    await eventually('ready', async () => (await readiness(service)) === 200);
    await signUp(service.origin);
  });

  async function expectConsistentOn(url: string): Promise<void> {
    const { dataSource, close } = await openDatabase(serverSettings(url), SCHEMA);
    try {
      await expectConsistent(dataSource);
    } finally {
      await close();
    }
  }
});
