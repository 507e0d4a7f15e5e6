import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout } from 'node:timers/promises';
import { startBalancer } from '../support/balancer.js';
import { signUp, uniqueName, type Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/ports.js';
import {
  startPostgres,
  startRedis,
  type PostgresServer,
  type RedisServer,
} from '../support/servers.js';
import { useProcesses } from '../support/service-process.js';

const CLIENTS = 6;
/** So long that no client reaches the limit on the payment methods of a user. */
const PAUSE_MS = 40;

describe('two replicas that are restarted one after the other', () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  const { start } = useProcesses(() => ({
    DATABASE_URL: postgres.url(),
    REDIS_URL: redis.url,
    AUTH_SECRET: 'the same for both, 32 characters or more',
    RATE_LIMIT_AUTHENTICATED_PER_HOUR: '1000000',
    SHUTDOWN_DELAY_SECONDS: '2',
  }));

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  });

  afterAll(() => Promise.all([postgres.remove(), redis.remove()]));

  it('two replicas that are restarted one after the other lose no request and execute none twice', async () => {
    const ports = [String(await freePort()), String(await freePort())];
    const replicas = await Promise.all(ports.map((PORT) => start({ PORT })));
    const balancer = await startBalancer(replicas.map(({ origin }) => origin));
    const users = await Promise.all(Array.from({ length: CLIENTS }, () => signUp(balancer.origin)));

    const names: string[] = [];
    const failures: string[] = [];
    let isOver = false;
    const create = async (user: Client): Promise<void> => {
      const name = uniqueName('Card');
      const response = await fetch(`${balancer.origin}/api/v1/payment-methods`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${user.token ?? ''}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ name, method_type: 'debit', default_currency: 'USD' }),
      });
      const body = await response.text();
      if (response.status === 201) names.push(name);
      else failures.push(`${response.status} ${body}`);
    };
    const clients = users.map(async (user) => {
      while (!isOver) {
        await create(user);
        await setTimeout(PAUSE_MS);
      }
    });
    const waitForRequests = async (): Promise<void> => {
      const before = names.length + failures.length;
      await eventually(
        '50 more requests are completed',
        () => names.length + failures.length > before + 50,
      );
    };

    await waitForRequests();
    for (const [n, port] of ports.entries()) {
      expect(await replicas[n]?.stop()).toBe(0);
      await waitForRequests();
      const { origin } = await start({ PORT: port });
      await eventually('the balancer uses it', () => balancer.isReady(origin));
      await waitForRequests();
    }
    isOver = true;
    await Promise.all(clients);
    balancer.stop();

    expect(failures).toEqual([]);
    const stored = await postgres.query<{ name: string; records: string }>(
      `SELECT name, (SELECT count(*) FROM activity_log WHERE entity_id = payment_methods.id) AS records
       FROM payment_methods ORDER BY name`,
    );
    expect(stored).toEqual(names.sort().map((name) => ({ name, records: '1' })));
  });
});
