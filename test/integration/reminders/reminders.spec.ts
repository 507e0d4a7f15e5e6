import { beforeAll, describe, expect, it } from '@jest/globals';
import { AuthService } from '../../../src/auth/auth.service.js';
import type { ForecastResponse } from '../../../src/forecast/dto/forecast.dto.js';
import { MailQueue } from '../../../src/platform/mail/mail-queue.js';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { RemindersSchedule } from '../../../src/reminders/reminders.schedule.js';
import { RemindersService } from '../../../src/reminders/reminders.service.js';
import { UsersService } from '../../../src/users/users.service.js';
import type { Client } from '../../support/client.js';
import { expectError } from '../../support/errors.js';
import { tokenIn, type ReceivedMail } from '../../support/mail-server.js';
import { useServiceWithMail } from '../../support/service-with-mail.js';

/** A Wednesday. */
const TODAY = '2026-11-25';

const isReminder = ({ headers }: ReceivedMail): boolean => 'list-unsubscribe' in headers;

describe('reminders', () => {
  let today = TODAY;
  const { service, server } = useServiceWithMail({
    remindersUrl: 'https://app.example.com/reminders/confirm#{token}',
    publicUrl: 'https://api.example.com/gastos',
    todayIn: () => today,
  });

  const setDay = (day: string): void => {
    today = day;
  };

  /** What is being sent. */
  const sending: Promise<unknown>[] = [];

  beforeAll(async () => {
    // The test decides when it is looked.
    await service.app.get(RemindersSchedule, { strict: false }).onModuleDestroy();
    const queue = service.app.get(MailQueue, { strict: false });
    const addBulk = queue.addBulk.bind(queue);
    queue.addBulk = (mail) => {
      const result = addBulk(mail);
      sending.push(result);
      return result;
    };
  });

  /** Looks who is to be reminded, and waits for the mails. */
  async function run(): Promise<void> {
    const reminders = service.app.get(RemindersService, { strict: false });
    await reminders.sendDue(new AbortController().signal);
    await Promise.all(sending.splice(0));
  }

  const remindersTo = ({ email }: Client): ReceivedMail[] =>
    server.mails.filter((mail) => mail.to.includes(email) && isReminder(mail));

  /** What is sent to a user on a day: nothing, or one mail. */
  async function sentOn(day: string, user: Client): Promise<ReceivedMail | undefined> {
    const before = remindersTo(user).length;
    setDay(day);
    await run();
    const mails = remindersTo(user).slice(before);
    expect(mails.length).toBeLessThanOrEqual(1);
    return mails[0];
  }

  /** Of all mails, and of reminders. */
  async function sentCounts(): Promise<number[]> {
    const text = await service.app.get(Metrics).registry.metrics();
    return ['mails_total', 'reminders_total'].map((name) =>
      Number(new RegExp(`^${name}\\{result="sent"\\} (\\d+)$`, 'm').exec(text)?.[1]),
    );
  }

  async function confirm(user: Client): Promise<void> {
    const [mail] = await server.mailsTo(user.email);
    const body = { token: mail && tokenIn(mail) };
    await service.anonymous.post('/account/reminders/confirm', body).expect(204);
  }

  /** A user who wants reminders from midnight on. */
  async function signUpReminded(
    profile: Record<string, unknown> = {},
    reminders: object = {},
  ): Promise<Client> {
    const user = await service.signUp(profile);
    await user.put('/auth/me', { reminders: { enabled: true, hour: 0, ...reminders } }).expect(200);
    await confirm(user);
    return user;
  }

  /** An expense of 100.00 on a day, and 1000.00 to pay it from. */
  async function planRent(
    user: Client,
    due_date = '2026-11-27',
  ): Promise<{ pay: () => Promise<void> }> {
    const { id: payment_method_id } = await user.createPaymentMethod({ name: 'Debit' });
    const stated_at = '2026-11-24T12:00:00Z';
    await user.createBalance({ payment_method_id, amount: '1000.00', stated_at });
    const cycle = await user.createCycle({
      ...{ start_date: '2026-11-04', end_date: '2026-12-15' },
      ...{ income_amount: '0.00', generate_from_templates: false },
    });
    const { id } = await user.createExpense(cycle.id, {
      ...{ description: 'Rent', amount: '100.00', due_date, payment_method_id },
    });
    return {
      pay: async () => {
        await user.put(`/cycles/${cycle.id}/expenses/${id}`, { paid: true }).expect(200);
      },
    };
  }

  it('reminders say once a day what is due, in the words and with the numbers of the forecast', async () => {
    setDay(TODAY);
    const user = await signUpReminded();
    await planRent(user);
    const mail = await sentOn(TODAY, user);
    const forecast = (await user.get('/forecast?set_aside=budgets').expect(200))
      .body as ForecastResponse;
    expect(forecast.pay_windows[0]?.free).toBe('900.00');
    expect(mail?.headers).toMatchObject({
      subject: '1 due by Sat Nov 28',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'list-unsubscribe': expect.stringMatching(
        /^<https:\/\/api\.example\.com\/gastos\/account\/reminders\/unsubscribe\?token=[\w-]{43}>$/,
      ),
    });
    expect(mail?.text).toContain('$900.00');
    expect(mail?.text).toContain('Rent');
    expect(mail?.text).toContain('\nhttps://app.example.com\n');
    expect(await sentOn(TODAY, user)).toBeUndefined();
    expect(await sentOn('2026-11-26', user)).toBeDefined();
  });

  it('reminders are sent when something is due or became overdue, and on Mondays when it still is', async () => {
    setDay(TODAY);
    const user = await signUpReminded({}, { days_before: 1 });
    const rent = await planRent(user);
    const days = [
      '2026-11-25',
      '2026-11-26',
      '2026-11-27',
      '2026-11-28',
      '2026-11-29',
      '2026-11-30',
    ];
    const sent: string[] = [];
    for (const day of [...days, '2026-12-01']) if (await sentOn(day, user)) sent.push(day);
    // Thursday to Saturday, and Monday.
    expect(sent).toEqual(['2026-11-26', '2026-11-27', '2026-11-28', '2026-11-30']);
    await rent.pay();
    expect(await sentOn('2026-12-07', user)).toBeUndefined();
  });

  it('reminders say that the balance falls below zero, the first time alone', async () => {
    setDay(TODAY);
    const user = await signUpReminded({ locale: 'es-MX' });
    await planRent(user, '2026-12-14');
    const { id } = await user.createPaymentMethod({ name: 'Other' });
    expect(await sentOn('2026-11-25', user)).toBeUndefined();
    await user.createBalance({
      payment_method_id: id,
      amount: '-950.00',
      stated_at: '2026-11-25T12:00:00Z',
    });
    const first = await sentOn('2026-11-26', user);
    expect(first?.text).toContain('50.00');
    expect(await sentOn('2026-11-27', user)).toBeUndefined();
    await user.createBalance({
      payment_method_id: id,
      amount: '0.00',
      stated_at: '2026-11-27T12:00:00Z',
    });
    expect(await sentOn('2026-11-28', user)).toBeUndefined();
    await user.createBalance({
      payment_method_id: id,
      amount: '-960.00',
      stated_at: '2026-11-28T12:00:00Z',
    });
    expect(await sentOn('2026-11-29', user)).toBeDefined();
  });

  it('reminders are not made up for on a later day', async () => {
    setDay(TODAY);
    const user = await signUpReminded({}, { days_before: 0 });
    await planRent(user, '2026-11-26');
    expect(await sentOn('2026-11-25', user)).toBeUndefined();
    // Nothing runs on the day on which it is due, nor on the next.
    expect(await sentOn('2026-11-28', user)).toBeUndefined();
  });

  it('reminders are sent to users who want them, are active and have confirmed, alone', async () => {
    setDay(TODAY);
    const [off, unconfirmed, inactive, unsubscribed, wanting] = [
      await signUpReminded(),
      await service.signUp(),
      await signUpReminded(),
      await signUpReminded(),
      await signUpReminded(),
    ];
    const users = [off, unconfirmed, inactive, unsubscribed, wanting];
    for (const user of users) await planRent(user);
    await off.put('/auth/me', { reminders: { enabled: false } }).expect(200);
    await unconfirmed.put('/auth/me', { reminders: { enabled: true, hour: 0 } }).expect(200);
    const { email } = inactive;
    const stored = await service.app.get(UsersService, { strict: false }).getByEmail(email);
    await service.app.get(AuthService, { strict: false }).setActive(stored, false);
    const first = await sentOn(TODAY, unsubscribed);
    const [, url = ''] =
      /^<https:\/\/api\.example\.com\/gastos(.*)>$/.exec(
        first?.headers['list-unsubscribe'] ?? '',
      ) ?? [];
    await service.anonymous.post(url).type('form').send('List-Unsubscribe=One-Click').expect(200);
    setDay('2026-11-26');
    await run();
    expect(users.map((user) => remindersTo(user).length)).toEqual([0, 0, 0, 1, 2]);
  });

  it('reminders count as mails, and by themselves', async () => {
    setDay(TODAY);
    const user = await signUpReminded();
    await planRent(user);
    const before = [await sentCounts(), server.mails.length] as const;
    expect(await sentOn(TODAY, user)).toBeDefined();
    const sent = server.mails.length - before[1];
    expect(await sentCounts()).toEqual(before[0].map((count) => count + sent));
  });

  it('reminders of a user whose forecast cannot be made do not keep others waiting', async () => {
    setDay(TODAY);
    const [broken, user] = [await signUpReminded(), await signUpReminded()];
    await planRent(user);
    await broken.createTemplate({ currency: 'MXN' });
    await broken.createCycle({ start_date: '2026-11-04', end_date: '2026-12-15' });
    await service.query('DELETE FROM exchange_rates');
    expectError(await broken.get('/forecast'), 422, 'CYCLE_GENERATION_ERROR');
    expect(await sentOn(TODAY, user)).toBeDefined();
  });
});
