import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { SCHEMA } from '../../src/schema.js';
import { signUp, uniqueName, type Client } from '../support/client.js';
import { serverSettings } from '../support/database-server.js';
import {
  CITUS_NODE_SETTINGS as NODE_SETTINGS,
  createCitusDatabase,
  distribute,
} from '../support/distributed-database.js';
import { expectError } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { repetitions } from '../support/repetitions.js';
import { startPostgres, type PostgresServer } from '../support/servers.js';
import { useProcesses, type ServiceProcess } from '../support/service-process.js';
import { expectConsistent, WriteLoad } from '../support/write-load.js';

const KILLS = repetitions(2);
const USERS = 8;

describe('a service on Citus', () => {
  const processes = useProcesses();
  let coordinator: PostgresServer;
  let workers: PostgresServer[];

  beforeAll(async () => {
    coordinator = await startPostgres(NODE_SETTINGS);
    workers = [await startPostgres(NODE_SETTINGS), await startPostgres(NODE_SETTINGS)];
  });

  afterAll(async () => {
    for (const node of [coordinator, ...workers]) await node.remove();
  });

  async function createDatabase(): Promise<string> {
    const { url } = await createCitusDatabase(
      coordinator.url(),
      workers.map((worker) => worker.url()),
    );
    await distribute(url);
    return url;
  }

  const startService = (url: string): Promise<ServiceProcess> =>
    processes.start({
      DATABASE_URL: url,
      AUTH_SECRET: 'the same after every start, 32 characters',
      RATE_LIMIT_ENABLED: 'false',
    });

  const errorsIn = (output: string): string[] =>
    output.split('\n').filter((line) => / (ERROR|FATAL) /.test(line));

  async function expectConsistentAt(url: string): Promise<void> {
    const { dataSource, close } = await openDatabase(serverSettings(url), SCHEMA);
    try {
      await expectConsistent(dataSource);
    } finally {
      await close();
    }
  }

  /** The port of the worker that has the rows of the user's household. */
  async function portOf(user: Client, url: string): Promise<number> {
    const { body } = (await user.get('/households/current').expect(200)) as {
      body: { id: string };
    };
    const [shard] = await coordinator.query<{ nodeport: number }>(
      `SELECT nodeport FROM citus_shards
       WHERE shardid = get_shard_id_for_distribution_column('cycles', '${body.id}')`,
      url,
    );
    return shard?.nodeport ?? 0;
  }

  /** Two users, of whom only the first is on the worker. */
  async function signUpOnAndOff(
    worker: PostgresServer,
    origin: string,
    url: string,
  ): Promise<[Client, Client]> {
    let on: Client | undefined;
    let off: Client | undefined;
    while (!on || !off) {
      const user = await signUp(origin);
      if ((await portOf(user, url)) === worker.port) on = user;
      else off = user;
    }
    return [on, off];
  }

  const addMethod = (user: Client): Promise<Response> =>
    user
      .post('/payment-methods', {
        ...{ name: uniqueName('Card'), method_type: 'debit', default_currency: 'USD' },
      })
      .then((response) => response);

  function expectUnavailable(response: Response): void {
    expectError(response, 503, 'SERVICE_UNAVAILABLE', {
      request_id: response.get('X-Request-Id'),
    });
  }

  it('the process is killed: every acknowledged write is stored, and no partial one', async () => {
    const url = await createDatabase();
    const load = new WriteLoad();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const service = await startService(url);
      await load.expectPersisted(service.origin);
      await load.start(service.origin);
      await load.waitForMore('acknowledged', 40);
      await service.stop('SIGKILL');
      await load.stop();
      expect(errorsIn(service.output)).toEqual([]);
      await expectConsistentAt(url);
    }
    const last = await startService(url);
    await load.expectPersisted(last.origin);
    expect(load.counts.unavailable).toBe(0);
  });

  it('a worker is killed: every acknowledged write is stored, and the service recovers without a restart', async () => {
    const url = await createDatabase();
    const service = await startService(url);
    const load = new WriteLoad();
    // At least one user on each worker.
    const [worker] = workers as [PostgresServer];
    for (const user of await signUpOnAndOff(worker, service.origin, url)) await load.add(user);
    await load.start(service.origin, USERS);
    for (let kill = 0; kill < 2 * KILLS; kill += 1) {
      const killed = workers[kill % workers.length];
      await load.waitForMore('acknowledged', 40);
      await killed?.stop('kill');
      await load.waitForMore('unavailable', 5);
      await killed?.start(NODE_SETTINGS);
      await load.waitForMore('acknowledged', 40);
    }
    await load.stop();
    await load.expectPersisted(service.origin);
    await expectConsistentAt(url);
    expect(errorsIn(service.output)).toEqual([]);
  });

  it('a worker is down: its households get 503, and the others are served', async () => {
    const url = await createDatabase();
    const service = await startService(url);
    const [worker] = workers as [PostgresServer];
    const [on, off] = await signUpOnAndOff(worker, service.origin, url);
    await worker.stop('fast');
    try {
      expectUnavailable(await addMethod(on));
      expectUnavailable(await on.get('/payment-methods'));
      for (let n = 0; n < 20; n += 1) expect((await addMethod(off)).status).toBe(201);
      expect((await off.get('/payment-methods').expect(200)).body).toHaveLength(20);
      expect((await fetch(`${service.origin}/health/ready`)).status).toBe(200);
      // Writes to reference tables need every node.
      expectUnavailable(await off.put('/auth/me', { first_name: 'Ana' }));
    } finally {
      await worker.start(NODE_SETTINGS);
    }
    await eventually(
      'the household is served again',
      async () => (await addMethod(on)).status === 201,
    );
    expect(errorsIn(service.output)).toEqual([]);
  });
});
