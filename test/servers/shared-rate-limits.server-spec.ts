import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { signUp, uniqueName } from '../support/client.js';
import { Client } from '../support/client.js';
import { expectError } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import {
  startPostgres,
  startRedis,
  type PostgresServer,
  type RedisServer,
} from '../support/servers.js';
import { metricsAt, useProcesses, type ServiceProcess } from '../support/service-process.js';

const QUOTA = 20;
const HITS = 'rate_limit_hits_total{policy="authenticated"}';
const FALLBACKS = 'rate_limit_fallbacks_total';
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

describe('two replicas with one Redis', () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let replicas: [ServiceProcess, ServiceProcess];
  const { start } = useProcesses(() => ({
    DATABASE_URL: postgres.url(),
    REDIS_URL: redis.url,
    AUTH_SECRET: 'the same for both, 32 characters or more',
    METRICS_PORT: '0',
    RATE_LIMIT_AUTHENTICATED_PER_HOUR: String(QUOTA),
    RATE_LIMIT_REPORTS_PER_HOUR: '7',
    RATE_LIMIT_AUTH_PER_MINUTE: '5',
  }));

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  });

  afterAll(() => Promise.all([postgres.remove(), redis.remove()]));

  beforeEach(async () => {
    replicas = await Promise.all([start(), start()]);
    // The first requests of a process take longer.
    for (const { origin } of replicas) await signUp(origin);
    for (const replica of replicas) await expectRedis('up', replica);
  });

  async function sumOf(metric: string): Promise<number> {
    const samples = await Promise.all(replicas.map(({ metricsUrl }) => metricsAt(metricsUrl)));
    return samples.reduce((sum, metrics) => sum + (metrics.get(metric) ?? 0), 0);
  }

  /**
   * What the requests return once they were all counted in Redis: a replica that is too busy to
   * read its answer in time counts in memory, so that more than the limit are accepted.
   */
  async function countedInRedis<Result>(requests: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const before = await sumOf(FALLBACKS);
      const result = await requests();
      if ((await sumOf(FALLBACKS)) === before) return result;
    }
    throw new Error('The replicas are too busy to count in Redis');
  }

  async function expectRedis(state: 'up' | 'down', { origin }: ServiceProcess): Promise<void> {
    await eventually(`Redis is ${state} in /health/ready`, async () => {
      const response = await fetch(`${origin}/health/ready`);
      const body = await response.json();
      expect({ status: response.status, body }).toEqual({
        status: 200,
        body: { status: 'ok', database: 'up', redis: expect.stringMatching(/^(up|down)$/) },
      });
      return (body as { redis: string }).redis === state;
    });
  }

  /** Concurrent requests of one user, to both replicas in turn. */
  async function requestFromBoth(path: string, { times, user }: { times: number; user: Client }) {
    const clients = replicas.map(({ origin }) => new Client(origin, user.email, user.token));
    const requests = Array.from({ length: times }, async (_, n) => clients[n % 2]?.get(path));
    const responses = await Promise.all(requests);
    return responses.filter((response) => response !== undefined);
  }

  const passed = (responses: Response[]): number =>
    responses.filter(({ status }) => status !== 429).length;

  function remaining(responses: Response[], policy: string): number[] {
    const pattern = new RegExp(`"${policy}";r=(\\d+);t=\\d+`);
    return responses
      .map((response) => Number(pattern.exec(response.get('RateLimit') ?? '')?.[1]))
      .sort((one, other) => other - one);
  }

  function expectRefused(response: Response, windowSeconds: number): void {
    const retryAfter = Number(response.get('Retry-After'));
    expectError(response, 429, 'RATE_LIMIT_EXCEEDED', { retry_after: retryAfter });
    expect(Number.isInteger(retryAfter)).toBe(true);
    expect(retryAfter).toBeGreaterThan(windowSeconds - 60);
    expect(retryAfter).toBeLessThanOrEqual(windowSeconds);
  }

  it('two replicas with one Redis accept exactly as many requests of a user as the limit, also concurrent ones', async () => {
    const { responses, hits } = await countedInRedis(async () => {
      const user = await signUp(replicas[0].origin);
      const before = await sumOf(HITS);
      return {
        responses: await requestFromBoth('/auth/me', { times: QUOTA + 10, user }),
        hits: (await sumOf(HITS)) - before,
      };
    });
    const ok = responses.filter(({ status }) => status === 200);
    const refused = responses.filter(({ status }) => status === 429);
    expect([ok.length, refused.length]).toEqual([QUOTA, 10]);
    expect(remaining(ok, 'authenticated')).toEqual(
      Array.from({ length: QUOTA }, (_, n) => QUOTA - 1 - n),
    );
    for (const response of refused) {
      expectRefused(response, 3600);
      expect(response.get('RateLimit-Policy')).toBe(`"authenticated";q=${QUOTA};w=3600`);
      expect(response.get('RateLimit')).toMatch(/^"authenticated";r=0;t=3\d{3}$/);
    }
    expect(hits).toBe(10);
  });

  it('two replicas with one Redis share the limit on reports', async () => {
    const responses = await countedInRedis(async () => {
      const user = await signUp(replicas[0].origin);
      return requestFromBoth(`/cycles/${UNKNOWN_ID}/summary`, { times: 12, user });
    });
    expect(passed(responses)).toBe(7);
    for (const response of responses.filter(({ status }) => status === 429))
      expectRefused(response, 3600);
  });

  it('two replicas with one Redis share the limit on sign-ins', async () => {
    const responses = await countedInRedis(() => {
      const username = `${uniqueName('limited').replace(' ', '-')}@example.com`;
      return Promise.all(
        Array.from({ length: 9 }, (_, n) =>
          request(replicas[n % 2]?.origin ?? '')
            .post('/api/v1/auth/login')
            .type('form')
            .send({ username, password: 'wrong password' }),
        ),
      );
    });
    expect(passed(responses)).toBe(5);
    for (const response of responses.filter(({ status }) => status === 429))
      expectRefused(response, 60);
  });

  it('two replicas with one Redis count separately while Redis is down, and together again afterwards', async () => {
    const user = await signUp(replicas[0].origin);
    const logged = replicas.map(({ output }) => output.length);
    const outputOf = (replica: ServiceProcess): string =>
      replica.output.slice(logged[replicas.indexOf(replica)]);
    await redis.stop();
    for (const replica of replicas) await expectRedis('down', replica);
    const fallbacks = await sumOf(FALLBACKS);
    const startedAt = performance.now();
    const responses = await requestFromBoth('/auth/me', { times: 2 * (QUOTA + 5), user });
    expect(passed(responses)).toBe(2 * QUOTA);
    // No request waited for Redis.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect((await sumOf(FALLBACKS)) - fallbacks).toBe(2 * (QUOTA + 5));
    for (const replica of replicas) {
      expect(outputOf(replica).match(/WARN.*Redis is unavailable/g)).toHaveLength(1);
    }

    await redis.start();
    for (const replica of replicas) {
      await expectRedis('up', replica);
      expect(outputOf(replica).match(/LOG.*Redis is available again/g)).toHaveLength(1);
    }
    const together = await countedInRedis(async () => {
      const other = await signUp(replicas[0].origin);
      return requestFromBoth('/auth/me', { times: QUOTA + 10, user: other });
    });
    expect(passed(together)).toBe(QUOTA);
  });

  it('two replicas with one Redis do not wait for a hanging Redis', async () => {
    const user = await signUp(replicas[0].origin);
    redis.signal('SIGSTOP');
    try {
      const startedAt = performance.now();
      const responses = await requestFromBoth('/auth/me', { times: QUOTA, user });
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      await expectRedis('down', replicas[0]);
      expect(replicas[0].output.match(/WARN.*Redis is unavailable/g)).toHaveLength(1);
    } finally {
      redis.signal('SIGCONT');
    }
    await eventually('the service connects to Redis again', async () => {
      await user.get('/auth/me');
      return replicas[0].output.includes('Redis is available again');
    });
    await expectRedis('up', replicas[0]);
  });

  it('two replicas with one Redis start without Redis, and connect to it later', async () => {
    await redis.stop();
    const late = await start();
    await expectRedis('down', late);
    await signUp(late.origin);
    await redis.start();
    await expectRedis('up', late);
    expect(late.output.match(/WARN.*Redis is unavailable/g)).toHaveLength(1);
  });

  it('one of two replicas with one Redis logs the cause when Redis refuses the connection', async () => {
    const replica = await start({ REDIS_URL: `redis://nobody:wrong@127.0.0.1:${redis.port}` });
    await signUp(replica.origin);
    await replica.waitForOutput(/WARN.*Redis is unavailable \(WRONGPASS .*\)/);
    expect(replica.output.match(/Redis is unavailable/g)).toHaveLength(1);
  });
});
