import { afterEach, describe, expect, it, jest } from '@jest/globals';
import request, { type Test } from 'supertest';
import type { CreatedCalendarFeedResponse } from '../../../src/calendar/dto/calendar-feed.dto.js';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { expectError } from '../../support/errors.js';
import { tokenOf, UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const service = useService({ trustProxy: 1 });

afterEach(() => {
  jest.restoreAllMocks();
});

describe('POST /calendar-feeds', () => {
  it('POST /calendar-feeds responds with the URL once', async () => {
    const user = await service.signUp();
    const { id: payment_method_id } = await user.createPaymentMethod();
    const body = {
      name: ' Gastos ',
      payment_method_id: payment_method_id.toUpperCase(),
      alarm_days: 30,
    };
    const response = await user.post('/calendar-feeds', body).expect(201);
    const feed = response.body as CreatedCalendarFeedResponse;
    const { url, ...shown } = feed;
    expect(shown).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Gastos',
      payment_method_id,
      alarm_days: 30,
      created_at: expect.stringMatching(/Z$/),
    });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/calendar\/[\w-]{43}\.ics$/);
    const all = await user.createCalendarFeed();
    expect(await user.read('/calendar-feeds')).toEqual([
      {
        id: all.id,
        name: 'Gastos',
        payment_method_id: null,
        alarm_days: null,
        created_at: all.created_at,
      },
      shown,
    ]);
  });

  it('POST /calendar-feeds gives the address that the client used', async () => {
    const user = await service.signUp();
    const response = await user
      .post('/calendar-feeds', { name: 'Gastos' })
      .set({ Host: 'expenses.example', 'X-Forwarded-Proto': 'https' })
      .expect(201);
    const { url } = response.body as CreatedCalendarFeedResponse;
    expect(url).toMatch(/^https:\/\/expenses\.example\/calendar\//);
  });

  it('POST /calendar-feeds is repeated with its Idempotency-Key without the URL', async () => {
    const user = await service.signUp();
    const send = (): Test =>
      user.post('/calendar-feeds', { name: 'Gastos' }).set('Idempotency-Key', 'feed');
    const first = (await send().expect(201)).body as CreatedCalendarFeedResponse;
    const again = await send().expect(201);
    expect(again.body).toEqual({ ...first, url: null });
    expect(again.get('Idempotent-Replayed')).toBe('true');
    const stored = await service.query<object>('SELECT * FROM idempotency_keys');
    expect(JSON.stringify(stored)).not.toContain(tokenOf(first));
  });

  it('POST /calendar-feeds accepts only payment methods of the user', async () => {
    const user = await service.signUp();
    const other = await service.signUp();
    const { id } = await other.createPaymentMethod();
    for (const payment_method_id of [id, UNKNOWN_UUID]) {
      const response = await user.post('/calendar-feeds', { name: 'x', payment_method_id });
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'payment_method' });
    }
  });
});

describe('PUT /calendar-feeds/{id}', () => {
  it('PUT /calendar-feeds/{id} changes the given fields and responds as the list', async () => {
    const user = await service.signUp();
    const { id: payment_method_id } = await user.createPaymentMethod();
    const { url, ...feed } = await user.createCalendarFeed();
    const path = `/calendar-feeds/${feed.id}`;
    const changes = [
      { alarm_days: 0 },
      { name: ' Casa ' },
      { payment_method_id },
      {},
      { name: 'Hogar', payment_method_id: null, alarm_days: null },
    ];
    let expected = feed;
    for (const change of changes) {
      const response = await user.put(path, change).expect(200);
      expected = { ...expected, ...change };
      expected.name = expected.name.trim();
      expect(response.body).toEqual(expected);
      expect(await user.read('/calendar-feeds')).toEqual([expected]);
    }
    const { text } = await request(service.server).get(new URL(url).pathname).expect(200);
    expect(text).toContain('NAME:Hogar');
  });

  it('PUT /calendar-feeds/{id} changes only feeds of the user, with payment methods of the user, active or not', async () => {
    const user = await service.signUp();
    const other = await service.signUpMember(user);
    const { id } = await user.createCalendarFeed();
    const theirs = await other.createPaymentMethod();
    for (const refused of [
      await other.put(`/calendar-feeds/${id}`, { name: 'x' }),
      await user.put(`/calendar-feeds/${UNKNOWN_UUID}`, { name: 'x' }),
      await user.put(`/calendar-feeds/${UNKNOWN_UUID}`, { payment_method_id: theirs.id }),
    ]) {
      expectError(refused, 404, 'RESOURCE_NOT_FOUND', { resource: 'calendar_feed' });
    }
    for (const payment_method_id of [theirs.id, UNKNOWN_UUID]) {
      const refused = await user.put(`/calendar-feeds/${id}`, { name: 'x', payment_method_id });
      expectError(refused, 404, 'RESOURCE_NOT_FOUND', { resource: 'payment_method' });
    }
    expect(await user.read('/calendar-feeds')).toMatchObject([{ id, name: 'Gastos' }]);
    const inactive = await user.createPaymentMethod();
    await user.delete(`/payment-methods/${inactive.id}`).expect(204);
    await user.put(`/calendar-feeds/${id}`, { payment_method_id: inactive.id }).expect(200);
  });

  it('PUT /calendar-feeds/{id} refuses a personal access token', async () => {
    const user = await service.signUp();
    const { id } = await user.createCalendarFeed();
    const script = await user.script();
    expectError(await script.put(`/calendar-feeds/${id}`, { name: 'x' }), 403, 'FORBIDDEN');
  });
});

describe('the token of a calendar feed', () => {
  const logging = useService({ logLevel: 'info' });

  it('the token of a calendar feed is stored as a hash, and is neither logged nor a label of a metric', async () => {
    const written: string[] = [];
    for (const stream of [process.stdout, process.stderr]) {
      jest.spyOn(stream, 'write').mockImplementation((text) => {
        written.push(String(text));
        return true;
      });
    }
    const user = await logging.signUp();
    const feed = await user.createCalendarFeed();
    const token = tokenOf(feed);
    await request(logging.server).get(`/calendar/${token}.ics`).expect(200);
    await request(logging.server).get(`/calendar/x${token}.ics`).expect(404);
    await request(logging.server).post(`/calendar/${token}.ics`).send('{').type('json').expect(405);
    await request(logging.server).post(`/calendar/${token}.ics`).expect(405);
    await request(logging.server).get(`/calendar/${token}.ics/x`).expect(404);
    await request(logging.server).get(`/calendar/${token}`).expect(404);
    expect(written.join('')).toContain('/calendar/:token.ics');
    const { registry } = logging.app.get(Metrics, { strict: false });
    const metrics = await registry.metrics();
    expect(metrics).toContain('route="/calendar/:token.ics"');
    const [stored] = await logging.query<{ token_hash: string }>(
      'SELECT * FROM calendar_feeds WHERE id = $1',
      [feed.id],
    );
    expect(stored?.token_hash).toMatch(/^[0-9a-f]{64}$/);
    for (const text of [written.join(''), metrics, JSON.stringify(stored)]) {
      expect(text).not.toContain(token);
    }
  });
});
