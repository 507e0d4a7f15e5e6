import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import request, { type Response, type Test } from 'supertest';
import { expectError } from '../../support/errors.js';
import { assertAsDocumented } from '../../support/response-contract.js';
import { countOutcomes } from '../../support/response-counts.js';
import { tokenOf } from '../../support/sample-entities.js';
import { NO_LIMITS, useService, type Service } from '../../support/service.js';

const readFrom = (service: Service, token: string, network = '198.51.100.1'): Test =>
  request(service.server)
    .get(`/calendar/${token}.ics`)
    .set('X-Forwarded-For', network)
    .expect((response) => assertAsDocumented('get', response));

const unknownToken = (): string => randomBytes(32).toString('base64url');

function expectRefused(response: Response, windowSeconds: number): void {
  const retryAfter = Number(response.get('Retry-After'));
  expectError(response, 429, 'RATE_LIMIT_EXCEEDED', { retry_after: retryAfter });
  expect(retryAfter).toBeGreaterThan(windowSeconds - 60);
  expect(retryAfter).toBeLessThanOrEqual(windowSeconds);
}

describe('the limits on calendars', () => {
  const service = useService({ trustProxy: 1, rateLimits: { ...NO_LIMITS, enabled: true } });
  const read = (token: string, network?: string): Test => readFrom(service, token, network);

  it('the limits on calendars allow 60 requests an hour for each feed, whoever sends them', async () => {
    const user = await service.signUp();
    const [feed, other] = [await user.createCalendarFeed(), await user.createCalendarFeed()];
    for (let n = 1; n <= 60; n += 1) {
      const response = await read(tokenOf(feed), `198.51.100.${n}`).expect(200);
      expect(response.get('RateLimit-Policy')).toBe('"calendar-feed";q=60;w=3600');
      expect(response.get('RateLimit')).toContain(`"calendar-feed";r=${60 - n};`);
    }
    const refused = await read(tokenOf(feed));
    expectRefused(refused, 3600);
    expect(refused.get('RateLimit')).toMatch(/^"calendar-feed";r=0;t=\d+$/);
    await read(tokenOf(other)).expect(200);
  });

  it('the limits on calendars allow 100 unknown tokens a minute for each client network, and known ones beyond', async () => {
    const network = '203.0.113.1';
    const feed = await (await service.signUp()).createCalendarFeed();
    const guesses: Response[] = [];
    for (let n = 0; n < 102; n += 1) guesses.push(await read(unknownToken(), network));
    expect(countOutcomes(guesses)).toEqual({
      '404 RESOURCE_NOT_FOUND': 100,
      '429 RATE_LIMIT_EXCEEDED': 2,
    });
    expect(guesses[0]?.get('RateLimit-Policy')).toBe('"unknown-calendar-feed";q=100;w=60');
    for (const response of guesses.slice(100)) expectRefused(response, 60);
    await read(tokenOf(feed), network).expect(200);
    expectError(await read(unknownToken(), '203.0.113.2'), 404, 'RESOURCE_NOT_FOUND');
    expectError(await read('malformed', network), 404, 'RESOURCE_NOT_FOUND');
  });

  it('the limits on calendars count the requests of a revoked feed as those with an unknown token', async () => {
    const user = await service.signUp();
    const feed = await user.createCalendarFeed();
    await user.delete(`/calendar-feeds/${feed.id}`).expect(204);
    const response = await read(tokenOf(feed), '203.0.113.3').expect(404);
    expect(response.get('RateLimit')).toContain('"unknown-calendar-feed";r=99;');
  });
});

describe('with the limits turned off', () => {
  const service = useService();

  it('a calendar can be read at any rate', async () => {
    const feed = await (await service.signUp()).createCalendarFeed();
    for (let n = 0; n < 62; n += 1) {
      const response = await readFrom(service, tokenOf(feed)).expect(200);
      expect(response.get('RateLimit')).toBeUndefined();
    }
  });
});
