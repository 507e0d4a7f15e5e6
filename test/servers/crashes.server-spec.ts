import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import type { DatabaseSettings } from '../../src/platform/config/settings.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { SCHEMA } from '../../src/schema.js';
import { serverSettings } from '../support/database-server.js';
import { repetitions } from '../support/repetitions.js';
import { startPostgres, type PostgresServer } from '../support/servers.js';
import { useProcesses } from '../support/service-process.js';
import { expectConsistent, WriteLoad } from '../support/write-load.js';

const KILLS = repetitions(2);
const MAX_WRITES_BEFORE = 60;

describe('during writes', () => {
  const processes = useProcesses();
  let postgres: PostgresServer;

  beforeAll(async () => {
    postgres = await startPostgres({ fsync: 'on' });
  });

  afterAll(() => postgres.remove());

  /**
   * Waits for a varying number of writes, so that the crash happens at different points of a
   * transaction.
   */
  const someWrites = (load: WriteLoad): Promise<void> =>
    load.waitForMore('acknowledged', 10 + Math.floor(Math.random() * MAX_WRITES_BEFORE));

  async function expectConsistentIn(settings: DatabaseSettings): Promise<void> {
    const { dataSource, close } = await openDatabase(settings, SCHEMA);
    try {
      await expectConsistent(dataSource);
    } finally {
      await close();
    }
  }

  const errorsIn = (output: string): string[] =>
    output.split('\n').filter((line) => / (ERROR|FATAL) /.test(line));

  it.each(['the embedded engine', 'a PostgreSQL server'])(
    'a process on %s is killed: every acknowledged write is stored, and no partial one',
    async (engine) => {
      const settings: DatabaseSettings =
        engine === 'the embedded engine'
          ? { kind: 'embedded', dataDir: join(processes.folder, 'data') }
          : serverSettings(await postgres.createDatabase());
      const env = {
        ...(settings.kind === 'server' && { DATABASE_URL: settings.url }),
        AUTH_SECRET: 'the same after every start, 32 characters',
        RATE_LIMIT_ENABLED: 'false',
      };
      const load = new WriteLoad();
      for (let kill = 0; kill < KILLS; kill += 1) {
        const service = await processes.start(env);
        await load.expectPersisted(service.origin);
        await load.start(service.origin);
        await someWrites(load);
        await service.stop('SIGKILL');
        await load.stop();
        expect(errorsIn(service.output)).toEqual([]);
        if (settings.kind === 'server') await expectConsistentIn(settings);
      }
      const last = await processes.start(env);
      await load.expectPersisted(last.origin);
      expect(load.counts.unavailable).toBe(0);
      await last.stop();
      await expectConsistentIn(settings);
    },
  );

  it.each(['immediate', 'kill'] as const)(
    'PostgreSQL crashes (%s): every acknowledged write is stored, and the service recovers without a restart',
    async (mode) => {
      const url = await postgres.createDatabase();
      const service = await processes.start({ DATABASE_URL: url, RATE_LIMIT_ENABLED: 'false' });
      const load = new WriteLoad();
      await load.start(service.origin);
      for (let kill = 0; kill < KILLS; kill += 1) {
        await someWrites(load);
        await postgres.stop(mode);
        await load.waitForMore('unavailable', 5);
        await postgres.start({ fsync: 'on' });
        await someWrites(load);
      }
      await load.stop();
      await load.expectPersisted(service.origin);
      await expectConsistentIn(serverSettings(url));
      expect(errorsIn(service.output)).toEqual([]);
    },
  );

  it('terminated sessions leave no partial transaction, and later requests succeed', async () => {
    const url = await postgres.createDatabase();
    const service = await processes.start({ DATABASE_URL: url, RATE_LIMIT_ENABLED: 'false' });
    const load = new WriteLoad();
    await load.start(service.origin);
    for (let cut = 0; cut < 10 * KILLS; cut += 1) {
      await postgres.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'expense-service' AND backend_type = 'client backend'`,
      );
      await load.waitForMore('acknowledged', 5);
    }
    await load.stop();
    await load.expectPersisted(service.origin);
    await expectConsistentIn(serverSettings(url));
    expect(errorsIn(service.output)).toEqual([]);
  });
});
