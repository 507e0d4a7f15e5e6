import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import ICAL from 'ical.js';
import request from 'supertest';
import type { CreatedCalendarFeedResponse } from '../../../src/calendar/dto/calendar-feed.dto.js';
import type { ChangesResponse } from '../../../src/changes/dto/changes.dto.js';
import type { NextCycleResponse } from '../../../src/cycles/dto/next-cycle.dto.js';
import type { ExpensePageResponse } from '../../../src/expenses/dto/expense-search.dto.js';
import type { ExpenseResponse } from '../../../src/expenses/dto/expense.dto.js';
import { addDays, type CalendarDate } from '../../../src/platform/values/calendar-date.js';
import type { CycleSummaryResponse } from '../../../src/reports/dto/cycle-summary.dto.js';
import type { UserResponse } from '../../../src/users/dto/user.dto.js';
import type { Client } from '../../support/client.js';
import { setTime } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { StatementLogger } from '../../support/operation-statements.js';
import { tokenOf } from '../../support/sample-entities.js';
import { TEST_PASSWORD, useService, type Service } from '../../support/service.js';

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** A user with one pending expense and a calendar feed. */
interface Debtor {
  email: string;
  cycle: string;
  expense: string;
  feed: CreatedCalendarFeedResponse;
}

async function createDebtor(user: Client, due_date: CalendarDate): Promise<Debtor> {
  const { id: cycle } = await user.createCycle();
  const { id: expense } = await user.createExpense(cycle, { due_date });
  return { email: user.email, cycle, expense, feed: await user.createCalendarFeed() };
}

async function eventOf(service: Service, feed: CreatedCalendarFeedResponse): Promise<unknown[]> {
  const { text } = await request(service.server)
    .get(`/calendar/${tokenOf(feed)}.ics`)
    .expect(200);
  const [event] = new ICAL.Component(ICAL.parse(text) as unknown[]).getAllSubcomponents();
  return ['description', 'dtstamp', 'last-modified'].map((name) =>
    String(event?.getFirstPropertyValue(name)),
  );
}

/** The status of the expense, if it is the same everywhere. */
async function statusOf(service: Service, debtor: Debtor): Promise<string> {
  // The token of an earlier sign-in may have expired by the clock of the test.
  const user = await service.signIn(debtor.email);
  const { cycle, expense, feed } = debtor;
  const path = `/cycles/${cycle}/expenses/${expense}`;
  const get = await user.get(path).expect(200);
  const { status, updated_at } = get.body as ExpenseResponse;
  const other = status === 'overdue' ? 'pending' : 'overdue';

  const put = await user
    .put(path, {})
    .set('If-Match', String(get.get('ETag')))
    .expect(200);
  expect([put.body, put.get('ETag')]).toEqual([get.body, get.get('ETag')]);
  const patch = await user.patch(`/cycles/${cycle}/expenses`, {
    expenses: [{ id: expense, if_match: get.get('ETag') }],
  });
  expect((patch.body as { expenses: unknown[] }).expenses).toEqual([get.body]);

  const found = { ...(get.body as ExpenseResponse), cycle: expect.anything() };
  expect((await user.expenses(cycle)).expenses).toEqual([get.body]);
  expect((await user.expenses(cycle, `?status=${status}`)).expenses).toEqual([get.body]);
  expect((await user.expenses(cycle, `?status=${other}`)).summary.total_count).toBe(0);
  const search = (query: string): Promise<ExpensePageResponse> => user.read(`/expenses${query}`);
  expect((await search('')).expenses).toEqual([found]);
  expect((await search(`?status=${status}`)).expenses).toEqual([found]);
  expect((await search(`?status=${other}`)).summary.total_count).toBe(0);

  const { changes } = await user.read<ChangesResponse>('/changes');
  expect(changes.find(({ entity_id }) => entity_id === expense)?.representation).toEqual(get.body);
  const csv = (await user.get(`/cycles/${cycle}/expenses.csv`).expect(200)).text;
  const [header = '', row = ''] = csv.split('\r\n');
  expect(row.split(',')[header.split(',').indexOf('status')]).toBe(status);
  const summary = await user.read<CycleSummaryResponse>(`/cycles/${cycle}/summary`);
  const counts = { pending: 0, paid: 0, overdue: 0, cancelled: 0 };
  expect(summary.status_breakdown).toEqual({ ...counts, [status]: 1 });

  // Nothing but the day has changed: the event has the time of the last change, or of the day.
  const [description, ...times] = await eventOf(service, feed);
  expect(description).toContain(`Status: ${status}`);
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const changedAt = new Date(Math.ceil(Date.parse(updated_at) / 1000) * 1000).toISOString();
  const expected = status === 'overdue' ? now : `${changedAt.slice(0, 19)}Z`;
  expect(times).toEqual([expected, expected]);
  return status;
}

describe('the time zone of a user', () => {
  const service = useService();
  const signUp = (time_zone: string): Promise<Client> => service.signUp({ time_zone });

  it.each([
    ['UTC', '2026-02-10', '2026-02-11T00:00:00Z'],
    ['America/Mexico_City', '2026-02-10', '2026-02-11T06:00:00Z'],
    ['Pacific/Kiritimati', '2026-02-10', '2026-02-10T10:00:00Z'],
    ['Etc/GMT+12', '2026-02-10', '2026-02-11T12:00:00Z'],
    // Summer time begins on 29 March and ends on 25 October.
    ['Europe/Madrid', '2026-03-28', '2026-03-28T23:00:00Z'],
    ['Europe/Madrid', '2026-03-29', '2026-03-29T22:00:00Z'],
    ['Europe/Madrid', '2026-10-24', '2026-10-24T22:00:00Z'],
    ['Europe/Madrid', '2026-10-25', '2026-10-25T23:00:00Z'],
  ])(
    'the time zone of a user decides when an expense is overdue, everywhere: in %s one of %s from %s',
    async (time_zone, due_date, midnight) => {
      const before = new Date(Date.parse(midnight) - 1).toISOString();
      // Six hours earlier it was the same day there, but in some zones not in UTC.
      setTime(new Date(Date.parse(midnight) - 6 * 3_600_000).toISOString());
      const user = await signUp(time_zone);
      expect(await user.read('/auth/me')).toMatchObject({ time_zone, today: due_date });
      const debtor = await createDebtor(user, due_date);
      expect(await statusOf(service, debtor)).toBe('pending');
      jest.setSystemTime(new Date(before));
      expect(await statusOf(service, debtor)).toBe('pending');
      jest.setSystemTime(new Date(midnight));
      expect(await statusOf(service, debtor)).toBe('overdue');
      const account = await (await service.signIn(user.email)).read<UserResponse>('/auth/me');
      expect(account.today).toBe(addDays(due_date, 1));
    },
  );

  it('the time zone of a user counts as UTC where Intl does not know its name, with one warning', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    setTime('2026-02-10T18:00:00Z');
    const user = await signUp('America/Mexico_City');
    const debtor = await createDebtor(user, '2026-02-10');
    const gone = 'America/Renamed';
    await service.query('UPDATE users SET time_zone = $2 WHERE email = $1', [user.email, gone]);
    await service.invalidateUserCache(user);
    jest.setSystemTime(new Date('2026-02-10T23:59:59.999Z'));
    expect(await statusOf(service, debtor)).toBe('pending');
    jest.setSystemTime(new Date('2026-02-11T00:00:00Z'));
    expect(await statusOf(service, debtor)).toBe('overdue');
    const again = await service.signIn(user.email);
    const put = await again.put('/auth/me', { first_name: 'Ana' }).expect(200);
    expect(put.body).toMatchObject({ time_zone: gone, today: '2026-02-11' });
    expect(warn.mock.calls).toEqual([[expect.stringContaining(gone)]]);
  });

  it('the time zone of a user is that of each member of a household', async () => {
    setTime('2026-02-10T12:00:00Z');
    const ana = await signUp('America/Mexico_City');
    const bob = await service.signUpMember(ana, { time_zone: 'Pacific/Kiritimati' });
    const debts = [await createDebtor(ana, '2026-02-10'), await createDebtor(bob, '2026-02-10')];
    const shown = async (user: Client): Promise<string[]> =>
      (await user.read<ExpensePageResponse>('/expenses')).expenses.map(({ status }) => status);
    expect([await shown(ana), await shown(bob)]).toEqual([['pending'], ['overdue']]);
    const [ofAna, ofBob] = await Promise.all(debts.map(({ feed }) => eventOf(service, feed)));
    expect(ofAna?.[0]).toContain('Status: pending');
    // The feed was created two hours after the expense had become overdue there.
    expect(ofBob).toEqual([
      expect.stringContaining('Status: overdue'),
      ...['2026-02-10T12:00:00Z', '2026-02-10T12:00:00Z'],
    ]);
  });

  it('the time zone of a user is changed at once, for sessions, scripts and feeds, and recorded nowhere', async () => {
    setTime('2026-02-11T00:30:00Z');
    const user = await signUp('UTC');
    const script = await user.script();
    const { cycle, expense, feed } = await createDebtor(user, '2026-02-10');
    const path = `/cycles/${cycle}/expenses/${expense}`;
    const old = await user.get(path).expect(200);
    expect(old.body).toMatchObject({ status: 'overdue' });
    const countRecords = (): Promise<unknown[]> =>
      service.query('SELECT count(*) FROM activity_log');
    const records = await countRecords();

    const time_zone = 'America/Mexico_City';
    const put = await user.put('/auth/me', { time_zone: ` ${time_zone} ` }).expect(200);
    expect(put.body).toMatchObject({ time_zone, today: '2026-02-10' });
    for (const client of [user, script]) {
      expect(await client.read('/auth/me')).toEqual(put.body);
      expect(await client.read(path)).toMatchObject({ status: 'pending' });
    }
    expect((await eventOf(service, feed))[0]).toContain('Status: pending');
    expect(await countRecords()).toEqual(records);

    // The tag of before is that of another status.
    const change = { description: 'Late dinner' };
    const stale = await user.put(path, change).set('If-Match', String(old.get('ETag')));
    expectError(stale, 412, 'PRECONDITION_FAILED');
    const { updated_at } = old.body as ExpenseResponse;
    const changed = await user.put(path, change).set('If-Match', `"${updated_at}"`).expect(200);
    expect(changed.get('ETag')).toBe((await user.get(path)).get('ETag'));
  });

  it('the time zone of a user may change between two pages', async () => {
    setTime('2026-02-11T00:30:00Z');
    const user = await signUp('UTC');
    const { id: cycle } = await user.createCycle();
    for (const due_date of ['2026-02-08', '2026-02-09', '2026-02-10', '2026-02-11']) {
      await user.createExpense(cycle, { due_date, description: due_date });
    }
    const page = async (number: number): Promise<[string[], number]> => {
      const query = `?status=overdue&per_page=2&page=${number}`;
      const { expenses, summary } = await user.read<ExpensePageResponse>(`/expenses${query}`);
      for (const { id, cycle: of } of expenses) {
        const path = `/cycles/${of.id}/expenses/${id}`;
        const tag = String((await user.get(path).expect(200)).get('ETag'));
        await user.put(path, {}).set('If-Match', tag).expect(200);
      }
      return [expenses.map(({ description }) => description), summary.total_count];
    };
    expect(await page(1)).toEqual([['2026-02-08', '2026-02-09'], 3]);
    await user.put('/auth/me', { time_zone: 'America/Mexico_City' }).expect(200);
    expect(await page(2)).toEqual([[], 2]);
    await user.put('/auth/me', { time_zone: 'Pacific/Kiritimati' }).expect(200);
    expect(await page(2)).toEqual([['2026-02-10'], 3]);
  });

  it('the time zone of a user decides the tag of an expense that is created late', async () => {
    setTime('2026-02-11T05:00:00Z');
    for (const [zone, status] of [
      ['America/Mexico_City', 'pending'],
      ['UTC', 'overdue'],
    ] as const) {
      const user = await signUp(zone);
      const { id: cycle } = await user.createCycle();
      const { id: payment_method_id } = await user.createPaymentMethod();
      const body = { description: 'Dinner', currency: 'USD', amount: '1.00', category: 'fixed' };
      const create = await user
        .post(`/cycles/${cycle}/expenses`, { ...body, payment_method_id, due_date: '2026-02-10' })
        .set('Idempotency-Key', 'late')
        .expect(201);
      expect(create.body).toMatchObject({ status: 'pending' });
      const { id } = create.body as ExpenseResponse;
      const get = await user.get(`/cycles/${cycle}/expenses/${id}`).expect(200);
      expect(get.body).toMatchObject({ status });
      expect(create.get('ETag')).toBe(get.get('ETag'));
    }
  });

  it('the time zone of a user decides on which day the first cycle is proposed to start', async () => {
    setTime('2026-02-10T12:00:00Z');
    for (const [zone, start_date] of [
      ['Etc/GMT+12', '2026-02-10'],
      ['Pacific/Kiritimati', '2026-02-11'],
    ] as const) {
      const next = await (await signUp(zone)).read<NextCycleResponse>('/cycles/next');
      expect(next.start_date).toBe(start_date);
    }
  });

  it('the time zone of a user decides which days a calendar has', async () => {
    setTime('2026-02-10T12:00:00Z');
    const shown: Record<string, number> = {};
    for (const zone of ['Etc/GMT+12', 'Pacific/Kiritimati']) {
      const user = await signUp(zone);
      const { id } = await user.createCycle();
      for (const days of [-400, 801]) {
        await user.createExpense(id, { due_date: addDays('2026-02-10', days) });
      }
      const feed = await user.createCalendarFeed();
      const calendar = `/calendar/${tokenOf(feed)}.ics`;
      const { text } = await request(service.server).get(calendar).expect(200);
      shown[zone] = Number(/DTSTART;VALUE=DATE:(\d+)/.exec(text)?.[1]);
      expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(1);
    }
    expect(shown).toEqual({ 'Etc/GMT+12': 20250106, 'Pacific/Kiritimati': 20280421 });
  });

  it('the time zone of a user is in no statement', async () => {
    setTime('2026-02-11T12:00:00Z');
    const debtor = await createDebtor(await signUp('Europe/Madrid'), '2026-02-10');
    jest.setSystemTime(new Date('2026-02-10T23:00:00Z'));
    const { logger } = service.dataSource;
    const recorded = new StatementLogger();
    service.dataSource.logger = recorded;
    try {
      const user = await service.signIn(debtor.email);
      await user.read('/expenses?status=overdue');
      await user.read(`/cycles/${debtor.cycle}/summary`);
      await eventOf(service, debtor.feed);
    } finally {
      service.dataSource.logger = logger;
    }
    expect(recorded.statements.length).toBeGreaterThan(5);
    expect(JSON.stringify(recorded.statements)).not.toContain('Madrid');
  });
});

describe('DEFAULT_TIME_ZONE', () => {
  const service = useService({ defaultTimeZone: 'Pacific/Kiritimati' });

  it.each([[{}], [{ time_zone: null }]])(
    'DEFAULT_TIME_ZONE is that of a user who registers with %j',
    async (body) => {
      setTime('2026-02-10T10:00:00Z');
      const user = await service.signUp(body);
      const expected = { time_zone: 'Pacific/Kiritimati', today: '2026-02-11' };
      expect(await user.read('/auth/me')).toMatchObject(expected);
    },
  );

  it('DEFAULT_TIME_ZONE is not that of a user who registers with another one', async () => {
    const email = 'other@example.com';
    const body = { email, password: TEST_PASSWORD, time_zone: 'UTC' };
    const response = await service.anonymous.post('/auth/register', body).expect(201);
    expect(response.body).toMatchObject({ time_zone: 'UTC' });
  });
});
