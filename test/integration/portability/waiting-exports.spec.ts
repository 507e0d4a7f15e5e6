import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once, type EventEmitter } from 'node:events';
import type { Client } from '../../support/client.js';
import { expectError } from '../../support/errors.js';
import { eventually } from '../../support/eventually.js';
import { NO_LIMITS, useService } from '../../support/service.js';
import { SlowRequest, type SlowResponse } from '../../support/slow-request.js';

describe('the exports of a process', () => {
  const service = useService({ rateLimits: { ...NO_LIMITS, enabled: true } });

  beforeEach(() => {
    // Users stay cached, so that a request is refused without the database.
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const beginExport = (user: Client): SlowRequest =>
    new SlowRequest(service.origin, user, { method: 'GET', path: '/export' });

  it('the exports of a process are read two at a time, while 20 wait as long as their clients do', async () => {
    const last = await service.signUp();
    const users: Client[] = [];
    while (users.length < 11) users.push(await service.signUp());
    for (const user of [...users, last]) await user.get('/auth/me').expect(200);
    const closed: Promise<unknown>[] = [];
    const observe = (_request: unknown, response: EventEmitter): void => {
      closed.push(once(response, 'close'));
    };
    const responses: Promise<SlowResponse>[] = [];
    let waiting: Promise<number> | undefined;
    const lock = service.dataSource.createQueryRunner();
    await lock.startTransaction();
    try {
      await lock.query('LOCK TABLE payment_methods IN ACCESS EXCLUSIVE MODE');
      service.server.on('request', observe);
      const sent = users.flatMap((user) => [beginExport(user), beginExport(user)]);
      responses.push(...sent.map((request) => request.end()));
      for (const response of responses) response.catch(() => undefined);
      await eventually('all exports have begun or wait', () => closed.length === 22);
      service.server.off('request', observe);
      const refused = await last.get('/export');
      expectError(refused, 503, 'SERVICE_UNAVAILABLE', { retry_after: 5 });
      expect(refused.get('Retry-After')).toBe('5');
      // It waits; another one may wait in its place.
      sent.at(-1)?.destroy();
      await Promise.race(closed);
      waiting = last.get('/export').then(({ status }) => status);
    } finally {
      await lock.rollbackTransaction();
      await lock.release();
    }
    expect(await waiting).toBe(200);
    const served = await Promise.all(responses.slice(0, -1));
    expect(new Set(served.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
