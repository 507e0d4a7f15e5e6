import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { openDatabase } from '../../src/database/open-database.js';
import type { DatabaseSettings } from '../../src/config/settings.js';
import { repetitions } from '../support/effort.js';
import { startPostgres, type PostgresServer } from '../support/servers.js';
import { useProcesses } from '../support/service-process.js';
import { serverSettings } from '../support/test-database.js';
import { expectWhole, WriteLoad } from '../support/write-load.js';

const KILLS = repetitions(2);
const MOST_WRITES_BEFORE = 60;

describe('in the middle of writes', () => {
  const processes = useProcesses();
  let postgres: PostgresServer;

  beforeAll(async () => {
    postgres = await startPostgres({ fsync: 'on' });
  });

  afterAll(() => postgres.remove());

  /** Not always as many, so that what comes next meets them in any state. */
  const someWrites = (load: WriteLoad): Promise<void> =>
    load.goesOn('acknowledged', 10 + Math.floor(Math.random() * MOST_WRITES_BEFORE));

  async function expectWholeIn(settings: DatabaseSettings): Promise<void> {
    const { dataSource, close } = await openDatabase(settings);
    try {
      await expectWhole(dataSource);
    } finally {
      await close();
    }
  }

  const errorsIn = (output: string): string[] =>
    output.split('\n').filter((line) => / (ERROR|FATAL) /.test(line));

  it.each(['the embedded engine', 'a PostgreSQL server'])(
    'a process on %s is killed: what it acknowledged is there, and nothing by half',
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
        await load.expectKept(service.origin);
        await load.start(service.origin);
        await someWrites(load);
        await service.stop('SIGKILL');
        await load.stop();
        expect(errorsIn(service.output)).toEqual([]);
        if (settings.kind === 'server') await expectWholeIn(settings);
      }
      const last = await processes.start(env);
      await load.expectKept(last.origin);
      expect(load.counts.unavailable).toBe(0);
      await last.stop();
      await expectWholeIn(settings);
    },
  );

  it.each(['immediate', 'kill'] as const)(
    'PostgreSQL crashes (%s): what the service acknowledged is there, and it goes on by itself',
    async (mode) => {
      const url = await postgres.createDatabase();
      const service = await processes.start({ DATABASE_URL: url, RATE_LIMIT_ENABLED: 'false' });
      const load = new WriteLoad();
      await load.start(service.origin);
      for (let kill = 0; kill < KILLS; kill += 1) {
        await someWrites(load);
        await postgres.stop(mode);
        await load.goesOn('unavailable', 5);
        await postgres.start({ fsync: 'on' });
        await someWrites(load);
      }
      await load.stop();
      await load.expectKept(service.origin);
      await expectWholeIn(serverSettings(url));
      expect(errorsIn(service.output)).toEqual([]);
    },
  );

  it('sessions are cut off: each transaction happened or did not, and the next ones go on', async () => {
    const url = await postgres.createDatabase();
    const service = await processes.start({ DATABASE_URL: url, RATE_LIMIT_ENABLED: 'false' });
    const load = new WriteLoad();
    await load.start(service.origin);
    for (let cut = 0; cut < 10 * KILLS; cut += 1) {
      await postgres.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'expense-service' AND backend_type = 'client backend'`,
      );
      await load.goesOn('acknowledged', 5);
    }
    await load.stop();
    await load.expectKept(service.origin);
    await expectWholeIn(serverSettings(url));
    expect(errorsIn(service.output)).toEqual([]);
  });
});
