import { afterEach, describe, expect, it, jest } from '@jest/globals';
import ICAL from 'ical.js';
import request, { type Response, type Test } from 'supertest';
import { AbstractLogger } from 'typeorm';
import type { NewCalendarFeedResponse } from '../../src/calendar/dto/calendar-feed.dto.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import type { Client } from '../support/client.js';
import { expectError } from '../support/errors.js';
import { expectIntegrity } from '../support/integrity.js';
import { assertAsDocumented } from '../support/response-contract.js';
import { tokenOf, UNKNOWN_UUID } from '../support/sample-entities.js';
import { useService } from '../support/service.js';

const service = useService({ trustProxy: 1 });

const readCalendar = (token: string): Test =>
  request(service.server)
    .get(`/calendar/${token}.ics`)
    .expect((response) => assertAsDocumented('get', response));

const read = async (feed: NewCalendarFeedResponse): Promise<string> =>
  (await readCalendar(tokenOf(feed)).expect(200)).text;

/** The properties of the events, read by another library than the one that wrote them. */
function eventsOf(text: string): Record<string, unknown>[] {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  return calendar.getAllSubcomponents().map((event) => {
    expect(event.name).toBe('vevent');
    return Object.fromEntries(
      event.getAllProperties().map((property) => [property.name, String(property.getFirstValue())]),
    );
  });
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('POST /calendar-feeds', () => {
  it('responds with the URL once', async () => {
    const user = await service.signUp();
    const { id: payment_method_id } = await user.createPaymentMethod();
    const body = { name: ' Gastos ', payment_method_id: payment_method_id.toUpperCase() };
    const response = await user.post('/calendar-feeds', body).expect(201);
    const feed = response.body as NewCalendarFeedResponse;
    const { url, ...shown } = feed;
    expect(shown).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Gastos',
      payment_method_id,
      created_at: expect.stringMatching(/Z$/),
    });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/calendar\/[\w-]{43}\.ics$/);
    const all = await user.createCalendarFeed();
    expect(all.payment_method_id).toBeNull();
    expect(await user.read('/calendar-feeds')).toEqual([
      { id: all.id, name: 'Gastos', payment_method_id: null, created_at: all.created_at },
      shown,
    ]);
  });

  it('gives the address that the client used', async () => {
    const user = await service.signUp();
    const response = await user
      .post('/calendar-feeds', { name: 'Gastos' })
      .set({ Host: 'expenses.example', 'X-Forwarded-Proto': 'https' })
      .expect(201);
    const { url } = response.body as NewCalendarFeedResponse;
    expect(url).toMatch(/^https:\/\/expenses\.example\/calendar\//);
  });

  it('is repeated with its Idempotency-Key without the URL', async () => {
    const user = await service.signUp();
    const send = (): Test =>
      user.post('/calendar-feeds', { name: 'Gastos' }).set('Idempotency-Key', 'feed');
    const first = (await send().expect(201)).body as NewCalendarFeedResponse;
    const again = await send().expect(201);
    expect(again.body).toEqual({ ...first, url: null });
    expect(again.get('Idempotent-Replayed')).toBe('true');
    const stored = await service.query<object>('SELECT * FROM idempotency_keys');
    expect(JSON.stringify(stored)).not.toContain(tokenOf(first));
  });

  it('takes the own payment methods only', async () => {
    const user = await service.signUp();
    const other = await service.signUp();
    const { id } = await other.createPaymentMethod();
    for (const payment_method_id of [id, UNKNOWN_UUID]) {
      const response = await user.post('/calendar-feeds', { name: 'x', payment_method_id });
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'payment_method' });
    }
  });
});

describe('the token of a calendar feed', () => {
  const logging = useService({ logLevel: 'info' });

  it('is stored as a hash, and is neither logged nor a label of a metric', async () => {
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
    await request(logging.server).post(`/calendar/${token}.ics`).send('{').type('json').expect(400);
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

describe('GET /calendar/{token}.ics', () => {
  async function userWithEntries(): Promise<{ user: Client; ids: Record<string, string> }> {
    const user = await service.signUp();
    const card = await user.createPaymentMethod({ name: 'Card, blue' });
    const draft = await user.createCycle();
    const active = await user.createCycle();
    const completed = await user.createCycle();
    await user.put(`/cycles/${active.id}`, { status: 'active' }).expect(200);
    const expense = await user.createExpense(draft.id, {
      description: `Súper; ${'ñ'.repeat(100)}`,
      payment_method_id: card.id,
      currency: 'MXN',
      amount: '812.35',
      due_date: '2026-01-25',
    });
    const paid = await user.createExpense(active.id, { due_date: '2026-01-31', amount: '.5' });
    await user.put(`/cycles/${active.id}/expenses/${paid.id}`, { paid: true }).expect(200);
    const income = await user.createIncome(active.id, { payment_method_id: card.id });
    const received = await user.createIncome(draft.id, { income_date: '2999-12-31' });
    await user.put(`/cycles/${draft.id}/incomes/${received.id}`, { received: true }).expect(200);
    const cancelled = await user.createExpense(active.id);
    await user
      .put(`/cycles/${active.id}/expenses/${cancelled.id}`, { status: 'cancelled' })
      .expect(200);
    const deleted = await user.createExpense(active.id);
    await user.delete(`/cycles/${active.id}/expenses/${deleted.id}`).expect(204);
    await user.createExpense(completed.id);
    await user.createIncome(completed.id);
    await user.put(`/cycles/${completed.id}`, { status: 'completed' }).expect(200);
    const removed = await user.createCycle();
    await user.createExpense(removed.id);
    await user.delete(`/cycles/${removed.id}`).expect(204);
    return {
      user,
      ids: {
        card: card.id,
        expense: expense.id,
        paid: paid.id,
        income: income.id,
        received: received.id,
      },
    };
  }

  it('has an all-day event for each expense and income of draft and active cycles', async () => {
    const { user, ids } = await userWithEntries();
    const feed = await user.createCalendarFeed({ name: 'Gastos; casa\nEND:VCALENDAR' });
    const response = await readCalendar(tokenOf(feed)).expect(200);
    expect(response.get('Content-Type')).toBe('text/calendar; charset=utf-8');
    expect(response.get('Cache-Control')).toBe('no-store');
    const common = {
      dtstamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      'last-modified': expect.stringMatching(/Z$/),
      transp: 'TRANSPARENT',
    };
    expect(eventsOf(response.text)).toEqual([
      {
        ...common,
        uid: ids.expense,
        dtstart: '2026-01-25',
        summary: `Súper; ${'ñ'.repeat(100)} 812.35 MXN`,
        description: 'Payment method: Card, blue\nStatus: overdue\nAmount: 40.62 USD',
        status: 'TENTATIVE',
      },
      {
        ...common,
        uid: ids.paid,
        dtstart: '2026-01-31',
        summary: 'Dinner 0.50 USD',
        description: expect.stringMatching(
          /^Payment method: Card \d+\nStatus: paid\nAmount: 0\.50 USD$/,
        ),
        status: 'CONFIRMED',
      },
      {
        ...common,
        uid: ids.income,
        dtstart: '2026-02-01',
        summary: 'Refund 100.00 USD',
        description: 'Payment method: Card, blue\nStatus: expected\nAmount: 100.00 USD',
        status: 'CONFIRMED',
      },
      {
        ...common,
        uid: ids.received,
        dtstart: '2999-12-31',
        summary: 'Refund 100.00 USD',
        description: 'Status: received\nAmount: 100.00 USD',
        status: 'TENTATIVE',
      },
    ]);
    // This reader leaves the value of an X- property as it is written.
    const calendar = new ICAL.Component(ICAL.parse(response.text) as unknown[]);
    expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe(
      String.raw`Gastos\; casa\nEND:VCALENDAR`,
    );
  });

  it('has lines of at most 75 octets, all ended by CRLF', async () => {
    const { user } = await userWithEntries();
    const text = await read(await user.createCalendarFeed());
    const lines = text.split('\r\n');
    expect(lines.pop()).toBe('');
    for (const line of lines) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      // A property with parameters, or the continuation of one; no control characters.
      expect(line).toMatch(/^(?:[A-Z-]+(?:;[A-Z-]+=[A-Z]+)*:| )[^\p{Cc}]*$/u);
    }
  });

  it('has the entries of one payment method, with the same UIDs', async () => {
    const { user, ids } = await userWithEntries();
    const feed = await user.createCalendarFeed({ payment_method_id: ids.card });
    const uids = eventsOf(await read(feed)).map(({ uid }) => uid);
    expect(uids).toEqual([ids.expense, ids.income]);
  });

  it('is the same until something changes', async () => {
    const { user, ids } = await userWithEntries();
    const feed = await user.createCalendarFeed();
    const before = await read(feed);
    expect(await read(feed)).toBe(before);
    expect(await read(await user.createCalendarFeed())).toBe(before);
    await user.put(`/payment-methods/${ids.card ?? ''}`, { name: 'Card, gold' }).expect(200);
    expect(await read(feed)).toBe(before.replaceAll('blue', 'gold'));
  });

  it('is valid without an event', async () => {
    const user = await service.signUp();
    const { id } = await user.createPaymentMethod();
    const feed = await user.createCalendarFeed({ payment_method_id: id });
    expect(eventsOf(await read(feed))).toEqual([]);
  });

  it('responds to HEAD, and to other methods with 405', async () => {
    const user = await service.signUp();
    const path = `/calendar/${tokenOf(await user.createCalendarFeed())}.ics`;
    await request(service.server).head(path).expect(200);
    const response = await request(service.server).delete(path);
    expect([response.status, response.get('Allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('takes one statement, however many entries there are', async () => {
    const statements: string[] = [];
    class Counter extends AbstractLogger {
      override logQuery(query: string): void {
        statements.push(query);
      }

      protected writeLog(): void {
        // Only the statements matter here.
      }
    }
    const { user } = await userWithEntries();
    const feed = await user.createCalendarFeed();
    const { logger } = service.dataSource;
    service.dataSource.logger = new Counter();
    try {
      await read(feed);
      expect(statements).toHaveLength(1);
    } finally {
      service.dataSource.logger = logger;
    }
  });

  const expectNotFound = (response: Response): unknown =>
    expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'calendar_feed' });

  it('of a wrong token is not found', async () => {
    const user = await service.signUp();
    const token = tokenOf(await user.createCalendarFeed());
    const [stored] = await service.query<{ token_hash: string }>(
      'SELECT token_hash FROM calendar_feeds ORDER BY seq DESC LIMIT 1',
    );
    const wrong = [
      'x',
      token.slice(1),
      `${token}x`,
      `${token.slice(1)}${token.startsWith('A') ? 'B' : 'A'}`,
      token.toUpperCase() === token ? token.toLowerCase() : token.toUpperCase(),
      stored?.token_hash ?? '',
      UNKNOWN_UUID,
      '%00',
      '%27',
      '.ics',
    ];
    for (const one of wrong) expectNotFound(await readCalendar(one));
  });

  it('ends when the feed is revoked', async () => {
    const user = await service.signUp();
    const other = await service.signUp();
    const feed = await user.createCalendarFeed();
    const kept = await user.createCalendarFeed();
    expectError(await other.delete(`/calendar-feeds/${feed.id}`), 404, 'RESOURCE_NOT_FOUND', {
      resource: 'calendar_feed',
    });
    await read(feed);
    await user.delete(`/calendar-feeds/${feed.id}`).expect(204);
    expectNotFound(await readCalendar(tokenOf(feed)));
    expectNotFound(await user.delete(`/calendar-feeds/${feed.id}`));
    await read(kept);
  });

  it('ends while its user is deactivated', async () => {
    const user = await service.signUp();
    const feed = await user.createCalendarFeed();
    await service.query('UPDATE users SET active = false WHERE email = $1', [user.email]);
    expectNotFound(await readCalendar(tokenOf(feed)));
    await service.query('UPDATE users SET active = true WHERE email = $1', [user.email]);
    await read(feed);
    await expectIntegrity(service.dataSource);
  });
});
