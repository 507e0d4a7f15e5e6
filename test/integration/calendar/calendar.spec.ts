import { describe, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import request, { type Response, type Test } from 'supertest';
import type { CreatedCalendarFeedResponse } from '../../../src/calendar/dto/calendar-feed.dto.js';
import { addDays, todayInUtc } from '../../../src/platform/values/calendar-date.js';
import type { Client } from '../../support/client.js';
import { passMidnight } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { recordStatements } from '../../support/operation-statements.js';
import { assertAsDocumented } from '../../support/response-contract.js';
import { tokenOf, UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

await passMidnight();

const service = useService();

/** The first and the last day of a calendar, and days between. */
const DATES = {
  first: addDays(todayInUtc(), -400),
  paid: addDays(todayInUtc(), -5),
  today: todayInUtc(),
  last: addDays(todayInUtc(), 800),
};

const readCalendar = (token: string): Test =>
  request(service.server)
    .get(`/calendar/${token}.ics`)
    .expect((response) => assertAsDocumented('get', response));

const read = async (feed: CreatedCalendarFeedResponse): Promise<string> =>
  (await readCalendar(tokenOf(feed)).expect(200)).text;

/** A calendar without the times of changes. */
const withoutTimes = (text: string): string =>
  text.replaceAll(/^(?:DTSTAMP|LAST-MODIFIED):.*\r\n/gm, '');

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
      due_date: DATES.first,
    });
    const paid = await user.createExpense(active.id, { due_date: DATES.paid, amount: '.5' });
    await user.put(`/cycles/${active.id}/expenses/${paid.id}`, { paid: true }).expect(200);
    const income = await user.createIncome(active.id, {
      payment_method_id: card.id,
      income_date: DATES.today,
    });
    const received = await user.createIncome(draft.id, { income_date: DATES.last });
    await user.put(`/cycles/${draft.id}/incomes/${received.id}`, { received: true }).expect(200);
    const cancelled = await user.createExpense(active.id, { due_date: DATES.today });
    await user
      .put(`/cycles/${active.id}/expenses/${cancelled.id}`, { status: 'cancelled' })
      .expect(200);
    const deleted = await user.createExpense(active.id, { due_date: DATES.today });
    await user.delete(`/cycles/${active.id}/expenses/${deleted.id}`).expect(204);
    await user.createExpense(completed.id, { due_date: DATES.today });
    await user.createIncome(completed.id, { income_date: DATES.today });
    await user.put(`/cycles/${completed.id}`, { status: 'completed' }).expect(200);
    const removed = await user.createCycle();
    await user.createExpense(removed.id, { due_date: DATES.today });
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

  it('GET /calendar/{token}.ics has an all-day event for each expense and income of draft and active cycles', async () => {
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
        dtstart: DATES.first,
        summary: `Súper; ${'ñ'.repeat(100)} 812.35 MXN`,
        description: 'Payment method: Card, blue\nStatus: overdue\nAmount: 40.62 USD',
        status: 'TENTATIVE',
      },
      {
        ...common,
        uid: ids.paid,
        dtstart: DATES.paid,
        summary: 'Dinner 0.50 USD',
        description: expect.stringMatching(
          /^Payment method: Card \d+\nStatus: paid\nAmount: 0\.50 USD$/,
        ),
        status: 'CONFIRMED',
      },
      {
        ...common,
        uid: ids.income,
        dtstart: DATES.today,
        summary: 'Refund 100.00 USD',
        description: 'Payment method: Card, blue\nStatus: expected\nAmount: 100.00 USD',
        status: 'CONFIRMED',
      },
      {
        ...common,
        uid: ids.received,
        dtstart: DATES.last,
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

  it('GET /calendar/{token}.ics has lines of at most 75 octets, all ended by CRLF', async () => {
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

  it('GET /calendar/{token}.ics has the entries of one payment method, with the same UIDs', async () => {
    const { user, ids } = await userWithEntries();
    const feed = await user.createCalendarFeed({ payment_method_id: ids.card });
    const uids = eventsOf(await read(feed)).map(({ uid }) => uid);
    expect(uids).toEqual([ids.expense, ids.income]);
  });

  it('GET /calendar/{token}.ics has an alarm for each open expense, if the feed has alarms', async () => {
    const { user, ids } = await userWithEntries();
    const pending = await user.createExpense((await user.createCycle()).id, {
      due_date: DATES.today,
      description: 'Luz, agua',
    });
    const alarmsOf = (text: string): unknown =>
      new ICAL.Component(ICAL.parse(text) as unknown[]).getAllSubcomponents().flatMap((event) =>
        event.getAllSubcomponents().map((alarm) => ({
          event: event.getFirstPropertyValue('uid'),
          name: alarm.name,
          ...Object.fromEntries(
            alarm
              .getAllProperties()
              .map((property) => [property.name, String(property.getFirstValue())]),
          ),
        })),
      );
    const feed = await user.createCalendarFeed();
    expect(alarmsOf(await read(feed))).toEqual([]);
    for (const [alarm_days, trigger] of [
      [0, 'PT9H'],
      [3, '-P2DT15H'],
    ] as const) {
      await user.put(`/calendar-feeds/${feed.id}`, { alarm_days }).expect(200);
      const common = { name: 'valarm', action: 'DISPLAY', trigger };
      expect(alarmsOf(await read(feed))).toEqual([
        // It is overdue.
        { ...common, event: ids.expense, description: `Súper; ${'ñ'.repeat(100)} 812.35 MXN` },
        { ...common, event: pending.id, description: 'Luz, agua 100.00 USD' },
      ]);
    }
    await user.put(`/calendar-feeds/${feed.id}`, { alarm_days: null }).expect(200);
    expect(alarmsOf(await read(feed))).toEqual([]);
  });

  it('GET /calendar/{token}.ics has no entry outside its days', async () => {
    const user = await service.signUp();
    const { id } = await user.createCycle();
    await user.createExpense(id, { due_date: addDays(DATES.first, -1) });
    await user.createIncome(id, { income_date: addDays(DATES.last, 1) });
    expect(eventsOf(await read(await user.createCalendarFeed()))).toEqual([]);
  });

  it('GET /calendar/{token}.ics is the same until something changes', async () => {
    const { user, ids } = await userWithEntries();
    const feed = await user.createCalendarFeed();
    const before = await read(feed);
    expect(await read(feed)).toBe(before);
    expect(withoutTimes(await read(await user.createCalendarFeed()))).toBe(withoutTimes(before));
    await user.put(`/payment-methods/${ids.card ?? ''}`, { name: 'Card, gold' }).expect(200);
    expect(withoutTimes(await read(feed))).toBe(withoutTimes(before).replaceAll('blue', 'gold'));
  });

  const LONG_AGO = '2020-01-01T00:00:00.000Z';
  const SINCE = '2020-06-01T12:00:00Z';

  /** Sets when a record was last changed. */
  const backdate = (table: string, id: string, instant = LONG_AGO): Promise<unknown[]> =>
    service.query(`UPDATE ${table} SET updated_at = $2 WHERE id = $1`, [id, instant]);

  /** A user with one pending expense and a feed, all changed long ago, and their ids. */
  async function unchangedForLong(): Promise<{
    user: Client;
    feed: CreatedCalendarFeedResponse;
    ids: Record<'user' | 'feed' | 'card' | 'cycle' | 'expense', string>;
  }> {
    const user = await service.signUp();
    const card = await user.createPaymentMethod();
    const cycle = await user.createCycle();
    const expense = await user.createExpense(cycle.id, {
      payment_method_id: card.id,
      due_date: DATES.last,
    });
    const feed = await user.createCalendarFeed();
    const account = await user.read<{ id: string }>('/auth/me');
    const ids = {
      user: account.id,
      feed: feed.id,
      card: card.id,
      cycle: cycle.id,
      expense: expense.id,
    };
    for (const [table, id] of [
      ['users', ids.user],
      ['calendar_feeds', ids.feed],
      ['payment_methods', ids.card],
      ['cycles', ids.cycle],
      ['cycle_expenses', ids.expense],
    ] as const) {
      await backdate(table, id);
    }
    return { user, feed, ids };
  }

  /** The time in the only event. */
  async function changedAt(feed: CreatedCalendarFeedResponse): Promise<string> {
    const [event, ...others] = eventsOf(await read(feed));
    expect(others).toEqual([]);
    expect(event?.dtstamp).toBe(event?.['last-modified']);
    return String(event?.dtstamp);
  }

  type Ids = Awaited<ReturnType<typeof unchangedForLong>>['ids'];

  it.each<[string, (user: Client, ids: Ids) => Test]>([
    [
      'the entry',
      (user, { cycle, expense }) =>
        user.put(`/cycles/${cycle}/expenses/${expense}`, { paid: true }),
    ],
    ['its cycle', (user, { cycle }) => user.put(`/cycles/${cycle}`, { status: 'active' })],
    [
      'its payment method',
      (user, { card }) => user.put(`/payment-methods/${card}`, { name: 'New' }),
    ],
    ['the feed', (user, { feed }) => user.put(`/calendar-feeds/${feed}`, { alarm_days: 1 })],
    ['the user', (user) => user.put('/auth/me', { locale: 'es-MX' })],
  ])(
    'GET /calendar/{token}.ics has the time of the last change of %s in its event',
    async (_, change) => {
      const { user, feed, ids } = await unchangedForLong();
      expect(await changedAt(feed)).toBe('2020-01-01T00:00:00Z');
      const before = await read(feed);
      const start = Date.now();
      await change(user, ids).expect(200);
      const end = Date.now();
      const changed = Date.parse(await changedAt(feed));
      expect(changed).toBeGreaterThanOrEqual(start);
      expect(changed).toBeLessThan(end + 1000);
      expect(await read(feed)).not.toBe(before);
    },
  );

  it.each([
    ['users', 'user'],
    ['calendar_feeds', 'feed'],
    ['payment_methods', 'card'],
    ['cycles', 'cycle'],
    ['cycle_expenses', 'expense'],
  ] as const)(
    'GET /calendar/{token}.ics rounds the time of a change in %s up to a second',
    async (table, key) => {
      const { feed, ids } = await unchangedForLong();
      for (const [stored, shown] of [
        ['2020-06-01T11:59:59.001Z', SINCE],
        ['2020-06-01T11:59:59.999Z', SINCE],
        ['2020-06-01T12:00:00.000Z', SINCE],
      ]) {
        await backdate(table, ids[key], stored);
        expect(await changedAt(feed)).toBe(shown);
      }
    },
  );

  it('GET /calendar/{token}.ics has the beginning of the day on which an expense became overdue', async () => {
    const { user, feed, ids } = await unchangedForLong();
    const update = async (change: object): Promise<void> => {
      await user.put(`/cycles/${ids.cycle}/expenses/${ids.expense}`, change).expect(200);
      await backdate('cycle_expenses', ids.expense);
      await backdate('cycles', ids.cycle);
    };
    await update({ due_date: DATES.today });
    expect(await changedAt(feed)).toBe('2020-01-01T00:00:00Z');
    await update({ due_date: addDays(DATES.today, -1) });
    expect(await changedAt(feed)).toBe(`${DATES.today}T00:00:00Z`);
    await update({ due_date: DATES.paid });
    expect(await changedAt(feed)).toBe(`${addDays(DATES.paid, 1)}T00:00:00Z`);
    await update({ paid: true });
    expect(await changedAt(feed)).toBe('2020-01-01T00:00:00Z');
  });

  it('GET /calendar/{token}.ics has the time of the last change of an income too', async () => {
    const { user, feed, ids } = await unchangedForLong();
    const income = await user.createIncome(ids.cycle, { income_date: DATES.today });
    await user.delete(`/cycles/${ids.cycle}/expenses/${ids.expense}`).expect(204);
    await backdate('cycles', ids.cycle);
    await backdate('cycle_incomes', income.id, '2020-06-01T11:59:59.001Z');
    expect(await changedAt(feed)).toBe(SINCE);
    await backdate('cycle_incomes', income.id);
    // It has no payment method.
    expect(await changedAt(feed)).toBe('2020-01-01T00:00:00Z');
  });

  it('GET /calendar/{token}.ics has no tag that would say that nothing has changed', async () => {
    const { feed } = await unchangedForLong();
    const response = await readCalendar(tokenOf(feed))
      .set({ 'If-None-Match': '*', 'If-Modified-Since': new Date().toUTCString() })
      .expect(200);
    expect([response.get('ETag'), response.get('Last-Modified')]).toEqual([undefined, undefined]);
  });

  it('GET /calendar/{token}.ics is valid without an event', async () => {
    const user = await service.signUp();
    const { id } = await user.createPaymentMethod();
    const feed = await user.createCalendarFeed({ payment_method_id: id });
    expect(eventsOf(await read(feed))).toEqual([]);
  });

  it('GET /calendar/{token}.ics responds to HEAD, and to other methods with 405', async () => {
    const user = await service.signUp();
    const path = `/calendar/${tokenOf(await user.createCalendarFeed())}.ics`;
    await request(service.server).head(path).expect(200);
    const response = await request(service.server).delete(path);
    expect([response.status, response.get('Allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('GET /calendar/{token}.ics reads its entries with a cursor, however many there are', async () => {
    const { user } = await userWithEntries();
    const feed = await user.createCalendarFeed();
    const statements = await recordStatements(service, () => read(feed));
    // The feed; then a transaction that reads cards, the last change and a page, and that there is
    // no other.
    const fetches = statements.filter(({ sql }) => sql.startsWith('FETCH 500'));
    expect([fetches.length, statements.length]).toEqual([2, 11]);
  });

  const expectNotFound = (response: Response): unknown =>
    expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'calendar_feed' });

  it('GET /calendar/{token}.ics of a wrong token is not found', async () => {
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

  it('GET /calendar/{token}.ics ends when the feed is revoked', async () => {
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

  it('GET /calendar/{token}.ics ends while its user is deactivated', async () => {
    const user = await service.signUp();
    const feed = await user.createCalendarFeed();
    await service.query('UPDATE users SET active = false WHERE email = $1', [user.email]);
    expectNotFound(await readCalendar(tokenOf(feed)));
    await service.query('UPDATE users SET active = true WHERE email = $1', [user.email]);
    await read(feed);
    await expectIntegrity(service.dataSource);
  });
});
