import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ReplicaLock } from '../../src/platform/database/replica-lock.js';
import { serverSettings } from '../support/database-server.js';
import { eventually } from '../support/eventually.js';
import { RatesServer } from '../support/rates-server.js';
import { startPostgres, type PostgresServer } from '../support/servers.js';
import { useProcesses } from '../support/service-process.js';

describe('updates of exchange rates', () => {
  const source = new RatesServer();
  let postgres: PostgresServer;
  let url: string;
  const { start } = useProcesses(() => ({
    DATABASE_URL: url,
    AUTH_SECRET: 'a secret that both replicas have in common',
    WEB_CONCURRENCY: '2',
    DATABASE_POOL_SIZE: '1',
    EXCHANGE_RATES_URL: source.url,
  }));

  beforeAll(async () => {
    [postgres] = await Promise.all([startPostgres(), source.start()]);
    url = await postgres.createDatabase();
  });

  afterAll(async () => {
    await postgres.remove();
    await source.stop();
  });

  const countRates = async (): Promise<number> => {
    const sql = 'SELECT count(*)::int AS rates FROM exchange_rates';
    const [row] = await postgres.query<{ rates: number }>(sql, url);
    return row?.rates ?? 0;
  };

  it('updates of exchange rates are made by one process of two replicas with two workers each, and delay no request', async () => {
    let respond = (): void => undefined;
    source.respond = (response) => {
      respond = () => {
        source.respond = undefined;
        const date = source.queries[0]?.to;
        response.end(JSON.stringify([{ date, base: 'MXN', quote: 'USD', rate: 0.0556 }]));
      };
    };
    const replicas = await Promise.all([start(), start()]);
    for (const replica of replicas) await replica.waitForOutput('2 workers are listening');
    await eventually('the rates are requested', () => source.queries.length > 0);
    for (const { origin } of replicas) {
      expect((await fetch(`${origin}/health/ready`)).status).toBe(200);
    }
    expect(await countRates()).toBe(1);
    respond();
    await eventually('the rates are stored', async () => (await countRates()) > 1);
    for (const replica of replicas) await replica.stop();
    expect(source.queries).toHaveLength(1);
    const output = replicas.map(({ stdout }) => stdout).join('');
    expect(output.match(/Fetched 1 rates of MXN in USD/g)).toHaveLength(1);
  });

  it('updates of exchange rates pass to another process when the connection of the one that makes them is lost', async () => {
    const [first, second] = [1, 2].map(() => new ReplicaLock(serverSettings(url), 'a task'));
    expect(await first?.acquire()).toBe(true);
    expect(await first?.acquire()).toBe(true);
    expect(await second?.acquire()).toBe(false);
    await postgres.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'`,
    );
    await eventually('the lock is free', () => second?.acquire());
    // The server gives the lock back before it closes the connection.
    await eventually('the first one notices', async () => !(await first?.acquire()));
    await second?.release();
    expect(await first?.acquire()).toBe(true);
    await first?.release();
  });
});
