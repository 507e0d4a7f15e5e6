import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout } from 'node:timers/promises';
import request from 'supertest';
import { signUp, type Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { MailServer } from '../support/mail-server.js';
import { signUpWithPlan, TODAY, turnOn, useReminderProcesses } from '../support/reminders.js';
import { startPostgres, type PostgresServer } from '../support/servers.js';
import { RESET_PATH } from '../support/service-with-mail.js';

/** The reminders of a process that wait. */
const MAX_WAITING = 50;
const USERS = 60;

/** Longer than the time between two looks at who is to be reminded. */
const LOOK_MS = 6_000;

const MAX_MS = 480_000;

describe('the reminders of many users', () => {
  let postgres: PostgresServer;
  let url: string;
  const users: Client[] = [];
  const server = new MailServer();
  const { setTime, startWith } = useReminderProcesses(() => url, 'file');

  beforeAll(async () => {
    postgres = await startPostgres();
    url = await postgres.createDatabase();
    await server.start();
    setTime(`${TODAY}T12:00:00Z`);
    const service = await startWith(server);
    for (let n = 0; n < USERS; n += 1) users.push(await signUpWithPlan(service));
    await Promise.all(users.map((user) => turnOn(user, server, { hour: 13, days_before: 14 })));
    await service.stop();
    server.mails.length = 0;
  }, MAX_MS);

  afterEach(() => {
    server.onStep = () => undefined;
    server.mails.length = 0;
  });

  afterAll(async () => {
    await server.stop();
    await postgres.remove();
  });

  const recipients = (): string[] => server.mails.flatMap(({ to }) => to).sort();
  const all = (): string[] => users.map(({ email }) => email).sort();

  /** The e-mails of users who count as reminded on a day. */
  async function takenOn(day: string): Promise<string[]> {
    const sql = `SELECT email FROM users WHERE reminded_on = '${day}'`;
    return (await postgres.query<{ email: string }>(sql, url)).map(({ email }) => email).sort();
  }

  const awaitTaken = (day: string, number: number): Promise<string[]> =>
    eventually(
      `${number} are taken`,
      async () => {
        const taken = await takenOn(day);
        return taken.length >= number && taken;
      },
      MAX_MS,
    );

  const awaitMails = (number: number): Promise<boolean> =>
    eventually(`${number} mails`, () => server.mails.length >= number, MAX_MS);

  it(
    'the reminders of many users are sent once by two processes, each after its day is taken',
    async () => {
      const day = '2050-03-03';
      setTime(`${day}T12:59:00Z`);
      const services = [await startWith(server), await startWith(server)];
      const taken: boolean[] = [];
      server.onStep = async (step, value) => {
        if (step === 'recipient') taken.push((await takenOn(day)).includes(value));
      };
      await setTimeout(LOOK_MS);
      expect(recipients()).toEqual([]);
      setTime(`${day}T13:00:00Z`);
      await awaitMails(USERS);
      for (const service of services) await service.stop();
      expect(recipients()).toEqual(all());
      expect(taken).toEqual(users.map(() => true));
    },
    MAX_MS,
  );

  it(
    'the reminders of many users are sent once at most when a process is killed while it sends them',
    async () => {
      const day = '2050-03-04';
      setTime(`${day}T13:00:00Z`);
      server.onStep = (step) => step === 'recipient' && setTimeout(50);
      const services = [await startWith(server), await startWith(server)];
      await awaitMails(1 + Math.floor(Math.random() * (USERS / 2)));
      await services[0]?.stop('SIGKILL');
      services[0] = await startWith(server);
      await awaitTaken(day, USERS);
      // What they send has ended, and what others would send again had time.
      await setTimeout(LOOK_MS);
      for (const service of services) await service.stop();
      expect(recipients()).toEqual([...new Set(recipients())]);
      expect(recipients().length).toBeGreaterThanOrEqual(USERS - MAX_WAITING);
    },
    MAX_MS,
  );

  it(
    'the reminders of many users do not delay a mail that somebody has requested, wait 50 at a time, and not until the next day',
    async () => {
      const day = '2050-03-05';
      setTime(`${day}T23:59:00Z`);
      const held = all();
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      server.onStep = (step, value) =>
        step === 'recipient' && held.includes(value) ? released : undefined;
      const service = await startWith(server);
      await awaitTaken(day, MAX_WAITING);
      const { email } = await signUp(service.origin);
      await request(service.origin).post(RESET_PATH).send({ email }).expect(202);
      await server.mailsTo(email);
      expect(recipients()).toEqual([email]);
      // A few more, as the service gives up some of those that the server holds.
      expect((await takenOn(day)).length).toBeLessThan(USERS);
      setTime('2050-03-06T00:00:00Z');
      release();
      // Of those that the server held some ended without an answer, and are not sent again.
      await setTimeout(LOOK_MS);
      const first = recipients();
      expect(first).toEqual([...new Set(first)]);
      expect([email, ...(await takenOn(day))]).toEqual(expect.arrayContaining(first));
      setTime('2050-03-06T13:00:00Z');
      await awaitMails(first.length + USERS);
      await service.stop();
      expect(recipients()).toEqual([...first, ...all()].sort());
    },
    MAX_MS,
  );
});
