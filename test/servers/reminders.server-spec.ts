import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import request from 'supertest';
import type { ForecastResponse } from '../../src/forecast/dto/forecast.dto.js';
import { signIn, type Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { MailServer, parseMail, refusal, type ReceivedMail } from '../support/mail-server.js';
import {
  remindersOf,
  signUpWithPlan,
  TODAY,
  turnOn,
  unsubscribeAddress,
  useReminderProcesses,
} from '../support/reminders.js';
import { EXIM, Exim, startPostgres, type PostgresServer } from '../support/servers.js';
import type { ServiceProcess } from '../support/service-process.js';

/** Of this machine, and yet of another host for the service. */
const OTHER_HOST = '127.0.0.2';

/** What a test with Exim lacks here. */
const MISSING = [
  ...(process.getuid?.() === 0 ? [] : ['root']),
  ...(existsSync(EXIM) ? [] : [EXIM]),
];

/** Longer than a process waits for the response to a step. */
const SLOW_STEP_MS = 15_000;

/** Longer than some looks at who is to be reminded, and than three tries of a mail. */
const MAX_MS = 360_000;

/** What mail applications send (RFC 8058). */
const ONE_CLICK = 'List-Unsubscribe=One-Click';

const ON = { enabled: true, hour: 0, days_before: 3, confirmed: true };

const TEXTS = {
  'en-US': {
    subject: '1 overdue, 1 due by Sat Mar 5',
    lines: `You can spend $380.75 until Friday Mar 11,
your next pay day.

Overdue
  Fri Feb 25  Water                         385.00 MXN

Due by Saturday Mar 5
  Fri Mar 4   Rent                             $100.00

https://app.example.com
`,
  },
  'es-MX': {
    subject: '1 vencido, 1 por pagar hasta el sáb 5 mar',
    lines: `Puedes gastar US$380.75 hasta que te paguen,
el viernes 11 de marzo.

Vencido
  Vie 25 feb  Water                        $385.00 MXN

Por pagar hasta el sábado 5 de marzo
  Vie 4 mar   Rent                           US$100.00

https://app.example.com
`,
  },
};

/** The subject of a mail, of which UTF-8 is encoded (RFC 2047). */
const subjectOf = ({ headers }: ReceivedMail): string =>
  (headers.subject ?? '')
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?B\?(.*?)\?=/g, (_, text: string) =>
      Buffer.from(text, 'base64').toString(),
    );

describe('the reminders of a process', () => {
  let postgres: PostgresServer;
  let url: string;
  let server: MailServer;
  const { setTime, startWith } = useReminderProcesses(() => url);

  beforeAll(async () => {
    postgres = await startPostgres();
  });

  afterAll(() => postgres.remove());

  beforeEach(async () => {
    url = await postgres.createDatabase();
    server = new MailServer();
    await server.start();
  });

  afterEach(() => server.stop());

  const forecastOf = (user: Client): Promise<ForecastResponse> =>
    user.read('/forecast?set_aside=budgets&include=entries,days');

  /** The mails to a user without the first, which has the link that confirms reminders. */
  const remindersTo = async ({ email }: Client, number = 1): Promise<ReceivedMail[]> =>
    (await server.mailsTo(email, number + 1)).slice(1);

  /** Waits until a process has looked at who is to be reminded, and has sent the mails. */
  async function nextLook(service: ServiceProcess): Promise<void> {
    const other = await signUpWithPlan(service);
    await turnOn(other, server);
    await remindersTo(other);
  }

  it(
    'the reminders of a process say what the forecast says, in the language of the user',
    async () => {
      const service = await startWith(server);
      const locales = ['en-US', 'es-MX'] as const;
      const users = await Promise.all(locales.map((locale) => signUpWithPlan(service, { locale })));
      for (const user of users) await turnOn(user, server);
      for (const [n, locale] of locales.entries()) {
        const user = users[n];
        if (!user) throw new Error('There is no user');
        const [mail] = await remindersTo(user);
        if (!mail) throw new Error('There is no mail');
        const { subject, lines } = TEXTS[locale];
        expect(subjectOf(mail)).toBe(subject);
        expect(mail.text.slice(0, lines.length)).toBe(lines);
        const address = unsubscribeAddress(service, mail);
        expect(mail.headers).toMatchObject({
          from: 'gastos@example.com',
          to: user.email,
          'list-unsubscribe-post': ONE_CLICK,
          'auto-submitted': 'auto-generated',
        });
        const [, shown = ''] = /^<(.*)>$/.exec(mail.headers['list-unsubscribe'] ?? '') ?? [];
        expect(mail.text.trimEnd().split('\n').at(-1)).toBe(shown);
        const [, token = ''] = /token=(.*)$/.exec(address) ?? [];
        expect(service.output).not.toContain(token);

        const { pay_windows, entries } = await forecastOf(user);
        expect(pay_windows.slice(0, 2)).toMatchObject([{ free: '380.75' }, { from: '2050-03-11' }]);
        const due = (entries ?? []).filter(({ entry_date: date }) => date <= '2050-03-05');
        expect(due).toMatchObject([
          { entry_date: '2050-02-25', description: 'Water', amount: '385.00', currency: 'MXN' },
          { entry_date: '2050-03-04', description: 'Rent', amount: '100.00', currency: 'USD' },
        ]);
      }
    },
    MAX_MS,
  );

  it(
    'the reminders of a process arrive once when the mail server refuses them for a while, and requests are served',
    async () => {
      const service = await startWith(server);
      const user = await signUpWithPlan(service);
      await turnOn(user, server, { hour: 13 });
      let refused = 0;
      server.onStep = (step) => {
        if (step !== 'recipient' || refused > 0) return;
        refused += 1;
        throw refusal(451, 'Try again later');
      };
      setTime(`${TODAY}T13:00:00Z`);
      await service.waitForOutput('A mail is not sent, another try follows: EENVELOPE 451 RCPT TO');
      const again = await signIn(service.origin, user.email);
      await forecastOf(again);
      await remindersTo(user);
      await nextLook(service);
      expect(await remindersTo(user)).toHaveLength(1);
    },
    MAX_MS,
  );

  it(
    'the reminders of a process arrive once at a mail server that takes them slowly',
    async () => {
      const service = await startWith(server);
      const user = await signUpWithPlan(service);
      await turnOn(user, server, { hour: 13 });
      let isSlow = true;
      server.onStep = async (step) => {
        if (step === 'text' && isSlow) await setTimeout(SLOW_STEP_MS);
      };
      setTime('2050-03-02T13:00:00Z');
      await remindersTo(user);
      isSlow = false;
      // Longer than the wait before another try.
      await nextLook(service);
      expect(await remindersTo(user)).toHaveLength(1);
    },
    MAX_MS,
  );

  const withExim =
    'the reminders of a process arrive at Exim, and end by the address in their header';
  (MISSING.length === 0 ? it : it.skip)(
    MISSING.length === 0 ? withExim : `${withExim}; missing: ${MISSING.join(', ')}`,
    async () => {
      const exim = await Exim.start(OTHER_HOST, 'gastos', 'mail-tr0mbone');
      try {
        const service = await startWith(server, {
          SMTP_URL: `smtp://gastos:mail-tr0mbone@${OTHER_HOST}:${exim.port}`,
          NODE_EXTRA_CA_CERTS: exim.certificate,
        });
        const mails = (): ReceivedMail[] =>
          exim.mails.map((source) => parseMail(source.replaceAll('\n', '\r\n')) as ReceivedMail);
        const user = await signUpWithPlan(service, { locale: 'es-MX' });
        await turnOn(user, {
          mailsTo: () => eventually('a mail', () => mails().length > 0 && mails()),
        });
        const reminder = await eventually('a reminder', () =>
          mails().find(({ headers }) => headers['list-unsubscribe'] !== undefined),
        );
        expect(subjectOf(reminder)).toBe(TEXTS['es-MX'].subject);
        expect(reminder.text).toContain(TEXTS['es-MX'].lines);
        expect(reminder.headers).toMatchObject({
          'list-unsubscribe-post': ONE_CLICK,
          received: expect.stringContaining('with esmtpsa'),
        });
        const address = unsubscribeAddress(service, reminder);
        await request(address).post('').type('form').send(ONE_CLICK).expect(200, {});
        expect(await remindersOf(service, user.email)).toEqual({ ...ON, enabled: false });
      } finally {
        await exim.remove();
      }
    },
    MAX_MS,
  );
});
