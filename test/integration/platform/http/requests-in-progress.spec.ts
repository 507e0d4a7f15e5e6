import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once, type EventEmitter } from 'node:events';
import type { Response } from 'supertest';
import type { Client } from '../../../support/client.js';
import { expectError } from '../../../support/errors.js';
import { eventually } from '../../../support/eventually.js';
import { countOutcomes } from '../../../support/response-counts.js';
import { NO_LIMITS, useService, type Service } from '../../../support/service.js';
import { SlowRequest } from '../../../support/slow-request.js';

/** Begins an import whose body does not end. */
function beginImport(service: Service, user: Client): SlowRequest {
  const sent = new SlowRequest(service.origin, user, { path: '/import' });
  sent.write('{');
  return sent;
}

describe('the requests of a user in progress', () => {
  const service = useService({ rateLimits: { ...NO_LIMITS, enabled: true } });
  const unfinished: SlowRequest[] = [];

  beforeEach(() => {
    // Users stay cached, so that a request is refused without the database.
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now);
  });

  afterEach(() => {
    jest.restoreAllMocks();
    for (const sent of unfinished.splice(0)) sent.destroy();
  });

  /** Sends requests that wait for a lock until some have been refused; returns all responses. */
  async function whileLocked(
    send: () => PromiseLike<Response>[],
    refusals: number,
  ): Promise<Response[]> {
    const lock = service.dataSource.createQueryRunner();
    await lock.startTransaction();
    let responses: Promise<Response>[] = [];
    try {
      await lock.query('LOCK TABLE payment_methods IN ACCESS EXCLUSIVE MODE');
      let answered = 0;
      responses = send().map(async (sent) => {
        const response = await sent;
        answered += 1;
        return response;
      });
      await eventually('requests are refused', () => Promise.resolve(answered >= refusals));
      expect(answered).toBe(refusals);
    } finally {
      await lock.rollbackTransaction();
      await lock.release();
    }
    return Promise.all(responses);
  }

  function expectRefused(response: Response): void {
    expectError(response, 429, 'RATE_LIMIT_EXCEEDED', { retry_after: 1 });
    expect(response.get('Retry-After')).toBe('1');
    expect(response.get('RateLimit')).toBeUndefined();
  }

  it('the requests of a user in progress are at most 50; those beyond are refused and do not count towards the hour', async () => {
    const user = await service.signUp();
    await user.get('/auth/me').expect(200);
    const responses = await whileLocked(
      () => Array.from({ length: 53 }, () => user.get('/payment-methods')),
      3,
    );
    expect(countOutcomes(responses)).toEqual({ '200': 50, '429 RATE_LIMIT_EXCEEDED': 3 });
    responses.filter(({ status }) => status === 429).forEach(expectRefused);
    const after = await user.get('/payment-methods').expect(200);
    expect(after.get('RateLimit')).toContain(`"authenticated";r=${1000 - 52};`);
  });

  it('the requests of a user in progress count until their work has ended, also when their clients are gone', async () => {
    const user = await service.signUp();
    await user.get('/auth/me').expect(200);
    const statusOf = async (): Promise<number> => (await user.get('/payment-methods')).status;
    const lock = service.dataSource.createQueryRunner();
    await lock.startTransaction();
    try {
      await lock.query('LOCK TABLE payment_methods IN ACCESS EXCLUSIVE MODE');
      const closed: Promise<unknown>[] = [];
      const observe = (_request: unknown, response: EventEmitter): void => {
        closed.push(once(response, 'close'));
      };
      service.server.on('request', observe);
      const sent = Array.from({ length: 50 }, () => {
        const request = new SlowRequest(service.origin, user, {
          method: 'GET',
          path: '/payment-methods',
        });
        void request.end().catch(() => undefined);
        return request;
      });
      await eventually('all requests are in progress', () => closed.length === 50);
      service.server.off('request', observe);
      for (const request of sent) request.destroy();
      await Promise.all(closed);
      expect(await statusOf()).toBe(429);
    } finally {
      await lock.rollbackTransaction();
      await lock.release();
    }
    await eventually('a request is accepted', async () => (await statusOf()) === 200);
  });

  it('the requests of a user in progress are at most two exports, of each user', async () => {
    const users = [await service.signUp(), await service.signUp()];
    for (const user of users) await user.get('/auth/me').expect(200);
    const responses = await whileLocked(
      () => users.flatMap((user) => Array.from({ length: 4 }, () => user.get('/export'))),
      4,
    );
    for (const sent of [responses.slice(0, 4), responses.slice(4)]) {
      expect(countOutcomes(sent)).toEqual({ '200': 2, '429 RATE_LIMIT_EXCEEDED': 2 });
    }
    await users[0]?.get('/export').expect(200);
  });

  it('the requests of a user in progress are at most one import, of JSON or CSV, until it ends or its client is gone', async () => {
    const user = await service.signUp();
    const other = await service.signUp();
    const { id } = await user.createCycle();
    const importCsv = (client: Client): PromiseLike<Response> =>
      client.send('post', `/cycles/${id}/expenses/import`).type('text/csv').send('amount\n');
    expect((await importCsv(user)).status).toBe(422);
    const first = beginImport(service, user);
    unfinished.push(first);
    await eventually('another import is refused', async () => {
      return (await importCsv(user)).status === 429;
    });
    expectRefused(await importCsv(user));
    expectRefused(await user.post('/import', {}));
    await user.get('/export').expect(200);
    expect((await importCsv(other)).status).not.toBe(429);
    first.destroy();
    await eventually('an import is accepted', async () => (await importCsv(user)).status === 422);
  });
});

describe('with the limits turned off', () => {
  const service = useService();

  it('two imports of a user may be in progress', async () => {
    const user = await service.signUp();
    const imports = [beginImport(service, user), beginImport(service, user)];
    for (const { status } of await Promise.all(imports.map((sent) => sent.end()))) {
      expect(status).not.toBe(429);
    }
  });
});
