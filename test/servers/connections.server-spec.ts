import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Response, type Test } from 'supertest';
import { signUp, type Client } from '../support/client.js';
import { expectError } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { countOutcomes } from '../support/response-counts.js';
import { tokenOf } from '../support/sample-entities.js';
import { startPostgres, type PostgresServer } from '../support/servers.js';
import { metricsAt, useProcesses, type ServiceProcess } from '../support/service-process.js';

describe('the connections of a process to its database', () => {
  let postgres: PostgresServer;
  let service: ServiceProcess;
  const processes = useProcesses(
    () => ({ DATABASE_URL: postgres.url(), METRICS_PORT: '0', DATABASE_POOL_SIZE: '6' }),
    'file',
  );

  beforeAll(async () => {
    postgres = await startPostgres();
    service = await processes.start();
  });

  afterAll(() => postgres.remove());

  /** The requests that wait for a connection, and the connections in use. */
  async function poolState(): Promise<{ waiting?: number; busy?: number }> {
    const metrics = await metricsAt(service.metricsUrl);
    const of = (state: string): number | undefined =>
      metrics.get(`database_pool_connections{state="${state}"}`);
    return { waiting: of('waiting'), busy: of('busy') };
  }

  /** Sends writes of a row that is locked until all others are done. */
  async function whileWaiting(
    user: Client,
    writes: (path: string) => Test[],
    whenWaiting: () => Promise<void>,
  ): Promise<Response[]> {
    const { id } = await user.createPaymentMethod();
    const lock = await postgres.connect();
    try {
      await lock.query('BEGIN');
      await lock.query(`SELECT FROM payment_methods WHERE id = '${id}' FOR UPDATE`);
      let answered = 0;
      const responses = writes(`/payment-methods/${id}`).map(async (sent) => {
        const response = await sent;
        answered += 1;
        return response;
      });
      await whenWaiting();
      expect(answered).toBe(0);
      await lock.query('ROLLBACK');
      return await Promise.all(responses);
    } finally {
      await lock.end();
    }
  }

  it('the connections of a process are used to a third by one user at most, whose other requests wait while others are served', async () => {
    const user = await signUp(service.origin);
    const other = await signUp(service.origin);
    const responses = await whileWaiting(
      user,
      (path) => Array.from({ length: 40 }, (_, n) => user.put(path, { name: `Card ${n}` })),
      async () => {
        await eventually('the requests wait', async () => (await poolState()).waiting === 38);
        expect(await poolState()).toEqual({ waiting: 38, busy: 2 });
        await other.get('/auth/me').expect(200);
        await other.createCycle();
        expect(await poolState()).toEqual({ waiting: 38, busy: 2 });
      },
    );
    expect(countOutcomes(responses)).toEqual({ '200': 40 });
  });

  it('the connections of a process are used to a third by changes of one account, too', async () => {
    const user = await signUp(service.origin);
    const other = await signUp(service.origin);
    const email = user.email;
    const lock = await postgres.connect();
    try {
      await lock.query('BEGIN');
      await lock.query(`SELECT FROM users WHERE email = '${email}' FOR UPDATE`);
      const responses = Array.from({ length: 10 }, (_, n) => [
        user.put('/auth/me', { first_name: `Ana ${n}` }),
        user.post('/auth/tokens', { name: `Script ${n}` }),
      ]).flat();
      const sent = Promise.all(responses.map(async (test) => test));
      await eventually('the requests wait', async () => (await poolState()).waiting === 18);
      await other.get('/auth/me').expect(200);
      await lock.query('ROLLBACK');
      expect(countOutcomes(await sent)).toEqual({ '200': 10, '201': 10 });
    } finally {
      await lock.end();
    }
  });

  /** Sends requests that read cycles, which are locked until all have been sent. */
  async function whileCyclesAreLocked(
    send: () => Test[],
    whenWaiting: (answered: Response[]) => Promise<void>,
  ): Promise<Response[]> {
    const lock = await postgres.connect();
    try {
      await lock.query('BEGIN');
      await lock.query('LOCK TABLE cycles IN ACCESS EXCLUSIVE MODE');
      const answered: Response[] = [];
      const responses = send().map(async (test) => {
        const response = await test;
        answered.push(response);
        return response;
      });
      await whenWaiting(answered);
      await lock.query('ROLLBACK');
      return await Promise.all(responses);
    } finally {
      await lock.end();
    }
  }

  it('the connections of a process are used by two forecasts at most, of two users, while others wait', async () => {
    const users = [await signUp(service.origin), await signUp(service.origin)];
    const other = await signUp(service.origin);
    for (const user of [...users, other]) await user.get('/auth/me').expect(200);
    const responses = await whileCyclesAreLocked(
      () =>
        users.flatMap((user) => [
          user.get('/forecast'),
          user.post('/forecast', {}),
          user.get('/forecast'),
        ]),
      async () => {
        await eventually('two are read', async () => (await poolState()).busy === 2);
        await other.get('/payment-methods').expect(200);
        expect(await poolState()).toEqual({ waiting: 0, busy: 2 });
      },
    );
    expect(countOutcomes(responses)).toEqual({ '200': 6 });
  });

  it('the connections of a process are used by one calendar of a user, of which four wait beside those of others', async () => {
    const [user, other] = [await signUp(service.origin), await signUp(service.origin)];
    const paths: string[] = [];
    for (const owner of [...Array<Client>(7).fill(user), other]) {
      paths.push(`/calendar/${tokenOf(await owner.createCalendarFeed())}.ics`);
    }
    const responses = await whileCyclesAreLocked(
      () => paths.map((path) => request(service.origin).get(path)),
      async (answered) => {
        await eventually('two are refused', () => answered.length === 2);
        for (const response of answered) {
          expectError(response, 503, 'SERVICE_UNAVAILABLE', { retry_after: 5 });
          // It is not counted.
          expect(response.get('RateLimit')).toBeUndefined();
        }
        await eventually('one of each user is read', async () => (await poolState()).busy === 2);
      },
    );
    expect(countOutcomes(responses)).toEqual({ '200': 6, '503 SERVICE_UNAVAILABLE': 2 });
    expect(responses.at(-1)?.status).toBe(200);
  });
});
