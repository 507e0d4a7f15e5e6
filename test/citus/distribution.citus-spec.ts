import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { CyclePageResponse } from '../../src/cycles/dto/cycle.dto.js';
import { DISTRIBUTED_TABLES } from '../../src/operators/distribution/distribution.service.js';
import { useSandbox, type CliDatabase } from '../support/cli.js';
import { signIn, signUp } from '../support/client.js';
import { onServer, serverSettings } from '../support/database-server.js';
import { CITUS_NODE_SETTINGS } from '../support/distributed-database.js';
import { createHousehold } from '../support/household.js';
import { createEntitiesOf } from '../support/sample-entities.js';
import { startPostgres, type PostgresServer } from '../support/servers.js';
import { useProcesses, type ServiceProcess } from '../support/service-process.js';

const HOUSEHOLDS = 20;
const DATABASE = 'expenses';

/** What docs/operations.md tells an operator to do, on a server that has data. */
describe('moving an existing server to Citus', () => {
  const sandbox = useSandbox();
  const processes = useProcesses();
  let server: PostgresServer;
  let workers: PostgresServer[];

  beforeAll(async () => {
    server = await startPostgres();
    await onServer(server.url(), `CREATE DATABASE ${DATABASE}`);
    workers = [await startPostgres(CITUS_NODE_SETTINGS), await startPostgres(CITUS_NODE_SETTINGS)];
  });

  afterAll(async () => {
    for (const node of [server, ...workers]) await node.remove();
  });

  const startService = (): Promise<ServiceProcess> =>
    processes.start({ DATABASE_URL: server.url(DATABASE), RATE_LIMIT_ENABLED: 'false' });

  /** @returns the e-mails of the users */
  async function createHouseholds(): Promise<string[]> {
    const service = await startService();
    const emails: string[] = [];
    for (let n = 0; n < HOUSEHOLDS; n += 1) {
      const user = await signUp(service.origin);
      await createEntitiesOf(user, user);
      await createHousehold(user);
      const key = { 'Idempotency-Key': randomUUID() };
      const body = { name: 'Repeatable', method_type: 'cash', default_currency: 'USD' };
      await user.post('/payment-methods', body).set(key).expect(201);
      emails.push(user.email);
    }
    await service.stop();
    return emails;
  }

  /** The rows and sequences of an export, sorted; the other lines have its time and checksum. */
  async function exportLines(database: CliDatabase, name: string): Promise<string[]> {
    const file = sandbox.path(name);
    await database.print(['export', file]);
    const lines = gunzipSync(readFileSync(file)).toString().split('\n');
    return lines.filter((line) => /^\{"(table|sequence)"/.test(line)).sort();
  }

  async function installCitus(): Promise<void> {
    await server.stop('fast');
    await server.start(CITUS_NODE_SETTINGS);
    await server.query('CREATE EXTENSION citus', server.url(DATABASE));
    for (const worker of workers) {
      await worker.query(`CREATE DATABASE ${DATABASE}`);
      await worker.query('CREATE EXTENSION citus', worker.url(DATABASE));
    }
    const add = [
      `citus_set_coordinator_host('127.0.0.1', ${server.port})`,
      ...workers.map(({ port }) => `citus_add_node('127.0.0.1', ${port})`),
    ];
    for (const call of add) await server.query(`SELECT ${call}`, server.url(DATABASE));
  }

  it('moving an existing server to Citus keeps every row of twenty households, and spreads them over the workers', async () => {
    const emails = await createHouseholds();
    const database = sandbox.databaseAt(serverSettings(server.url(DATABASE)));
    const before = await exportLines(database, 'before.jsonl.gz');
    const tables = new Set(before.map((line) => /^\{"table":"(\w+)"/.exec(line)?.[1]));
    expect([...tables]).toEqual(expect.arrayContaining([...DISTRIBUTED_TABLES]));

    await installCitus();
    expect(await database.print(['distribute'])).toContain('cycle_expenses');
    expect(await database.print(['distribute'])).toBe('All tables are distributed already.\n');

    expect(await exportLines(database, 'after.jsonl.gz')).toEqual(before);
    expect(await database.print(['check'])).toContain('No problems found.');
    const connections = await server.query<{ setting: string; nodes: number }>(
      `SELECT current_setting('citus.node_conninfo') AS setting, count(DISTINCT nodename || nodeport)::int AS nodes
       FROM citus_shards WHERE table_name = 'cycles'::regclass`,
      server.url(DATABASE),
    );
    expect(connections).toEqual([{ setting: 'sslmode=require', nodes: workers.length }]);

    const service = await startService();
    for (const email of emails) {
      const user = await signIn(service.origin, email);
      const { pagination } = await user.read<CyclePageResponse>('/cycles');
      expect(pagination.total).toBe(3);
    }
  });
});
