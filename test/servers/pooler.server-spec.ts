import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { SCHEMA } from '../../src/schema.js';
import { signUp } from '../support/client.js';
import { serverSettings } from '../support/database-server.js';
import { repetitions } from '../support/repetitions.js';
import { PgBouncer, startPostgres, type PostgresServer } from '../support/servers.js';
import { useProcesses } from '../support/service-process.js';

const REFUSED_STARTS = repetitions(2);
const OTHER_CLIENTS = 6;

describe('PgBouncer', () => {
  const { run, start } = useProcesses();
  let postgres: PostgresServer;
  let database: string;
  let pooler: PgBouncer | undefined;

  beforeAll(async () => {
    postgres = await startPostgres();
  });

  afterAll(() => postgres.remove());

  beforeEach(async () => {
    database = await postgres.createDatabase();
  });

  afterEach(async () => {
    await pooler?.remove();
    pooler = undefined;
  });

  /** Starts a pooler and returns the URL of the database through it. */
  async function urlThrough(settings: Record<string, string> = {}): Promise<string> {
    pooler = await PgBouncer.start(postgres, settings);
    return pooler.url(database);
  }

  describe.each([
    ['as it comes', {}],
    ['with a start-up parameter ignored', { ignore_startup_parameters: 'options' }],
  ])('in session mode, %s', (_, settings) => {
    it('the service behind PgBouncer uses its own session settings, not those of the database', async () => {
      const name = new URL(database).pathname.slice(1);
      await postgres.query(`ALTER DATABASE ${name} SET datestyle = 'SQL, DMY'`);
      await postgres.query(`ALTER DATABASE ${name} SET timezone = 'America/Mexico_City'`);
      const service = await start({
        DATABASE_URL: await urlThrough(settings),
        DATABASE_POOL_SIZE: '2',
        DATABASE_LOCK_TIMEOUT_MS: '300',
      });
      const user = await signUp(service.origin);
      const period = { start_date: '2026-01-05', end_date: '2026-02-01' };
      const cycle = await user.createCycle(period);
      expect(await user.cycle(cycle.id)).toMatchObject({ ...period, created_at: cycle.created_at });
      expect(Math.abs(Date.parse(cycle.created_at) - Date.now())).toBeLessThan(600_000);

      // On both connections: the one that has migrated the database, and a new one.
      const holder = await postgres.connect(database);
      await holder.query('BEGIN; LOCK TABLE cycles');
      const responses = await Promise.all([user.get('/cycles'), user.get('/cycles')]);
      await holder.end();
      expect(responses.map(({ status }) => status)).toEqual([503, 503]);
      const timeouts = service.output.match(/canceling statement due to lock timeout/g);
      expect(timeouts).toHaveLength(2);
    });
  });

  it.each<{
    what: string;
    settings: Record<string, string>;
    url: (url: string) => string;
    reason: unknown;
  }>([
    {
      what: 'a start-up parameter',
      settings: {},
      url: (url: string) => `${url}?options=-c%20geqo%3Doff`,
      reason: 'unsupported startup parameter: options',
    },
    {
      what: 'a wrong password',
      settings: { auth_type: 'md5' },
      url: (url: string) => url.replace('postgres@', 'postgres:wrong@'),
      reason: 'password authentication failed',
    },
    {
      what: 'an unknown user',
      settings: {},
      url: (url: string) => url.replace('postgres@', 'stranger@'),
      reason: '"trust" authentication failed',
    },
    {
      what: 'a database that does not exist',
      settings: {},
      url: (url: string) => `${url}_missing`,
      reason: expect.stringMatching(/^database "\w+_missing" does not exist$/),
    },
  ])(
    'the service refuses PgBouncer $what: the start fails at once, with one line',
    async ({ settings, url, reason }) => {
      const { code, output } = await run({ DATABASE_URL: url(await urlThrough(settings)) }).end();
      const [, reported] = /^DATABASE_URL: cannot connect: (.*)\n$/.exec(output) ?? [];
      expect({ code, reason: reported ?? output }).toEqual({ code: 1, reason });
    },
  );

  it('PgBouncer without a server makes the start wait', async () => {
    const url = await urlThrough({ server_login_retry: '1' });
    await postgres.stop('fast');
    const service = run({ DATABASE_URL: url });
    await service.waitForOutput('PostgreSQL is not available yet');
    await postgres.start();
    await service.waitForOutput('API ');
  });

  describe.each(['transaction', 'statement'])('in %s mode', (mode) => {
    const REASON =
      'DATABASE_URL: cannot be used: consecutive statements do not share a session; ' +
      'configure the pooler to assign a session to each client (PgBouncer: pool_mode = session)';

    it('the pooler is refused at once, with one line', async () => {
      const { code, output } = await run({
        DATABASE_URL: await urlThrough({ pool_mode: mode }),
      }).end();
      expect({ code, output }).toEqual({ code: 1, output: `${REASON}\n` });
    });

    it('the pooler is refused at every start, with any assignment of server connections', async () => {
      const url = await urlThrough({ pool_mode: mode, server_round_robin: '1' });
      let isOver = false;
      const others = Array.from({ length: OTHER_CLIENTS }, async () => {
        const client = await postgres.connect(url);
        while (!isOver) await client.query('SELECT pg_sleep(0.002 * random())');
        await client.end();
      });
      try {
        for (let start = 0; start < REFUSED_STARTS; start += 1) {
          await expect(openDatabase(serverSettings(url), SCHEMA)).rejects.toThrow(REASON);
        }
      } finally {
        isOver = true;
        await Promise.all(others);
      }
    });

    it('the pooler is not changed: no setting in other sessions, no table', async () => {
      const url = await urlThrough({ pool_mode: mode, default_pool_size: '1' });
      await expect(openDatabase(serverSettings(url), SCHEMA)).rejects.toThrow(REASON);
      expect(await postgres.query('SHOW lock_timeout', url)).toEqual([{ lock_timeout: '0' }]);
      expect(await postgres.query('SELECT to_regclass($$users$$) AS users', url)).toEqual([
        { users: null },
      ]);
    });
  });
});
