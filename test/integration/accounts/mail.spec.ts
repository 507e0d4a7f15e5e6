import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { SMTPServerOptions } from 'smtp-server';
import type { SmtpSettings } from '../../../src/platform/config/mail-settings.js';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { hashOfToken } from '../../../src/platform/values/secret-token.js';
import type { Client } from '../../support/client.js';
import { eventually } from '../../support/eventually.js';
import { MailServer, parseMail, refusal, tokenIn } from '../../support/mail-server.js';
import { ScriptedMailServer } from '../../support/scripted-mail-server.js';
import { useServiceWithServer } from '../../support/service-with-mail.js';
import type { Service } from '../../support/service.js';

/** Of this machine, and yet of another host for the service. */
const OTHER_HOST = '127.0.0.2';
const USER = 'gastos@mail.example';
const PASSWORD = 'mail-tr0mbone';
const CREDENTIALS: Partial<SmtpSettings> = { user: USER, password: PASSWORD };

const LOG = { logLevel: 'info' } as const;

let output = '';

beforeEach(() => {
  output = '';
  for (const stream of [process.stdout, process.stderr]) {
    jest.spyOn(stream, 'write').mockImplementation((text) => {
      output += String(text);
      return true;
    });
  }
});

afterEach(() => {
  jest.restoreAllMocks();
  // Neither an address nor a token.
  expect(output).not.toMatch(/@|[\w-]{43}/);
});

/** What is logged about mails. */
const mailLog = (): string[] =>
  output
    .split('\n')
    .filter((line) => line.includes('[Mail]'))
    .map((line) => line.replace(/.*\[Mail\] /, ''));

const metricsOf = ({ app }: Service): Promise<string> => app.get(Metrics).registry.metrics();

/** The number of mails with a result. */
async function mailsWith(service: Service, result: string): Promise<number> {
  const sample = new RegExp(`^mails_total\\{result="${result}"\\} (\\d+)$`, 'm');
  return Number(sample.exec(await metricsOf(service))?.[1] ?? 0);
}

const countedMails = (service: Service, result: string, number: number): Promise<boolean> =>
  eventually(
    `${number} mails ${result}`,
    async () => (await mailsWith(service, result)) === number || undefined,
    200_000,
  );

/** Options of a server that takes mails with {@link CREDENTIALS} alone. */
const authenticating = (options: SMTPServerOptions = {}): SMTPServerOptions => ({
  authOptional: false,
  onAuth: ({ username = '', password }, _session, done) => {
    if (username === USER && password === PASSWORD) done(null, { user: username });
    else done(refusal(535, `${username} has another password than ${String(password)}`));
  },
  ...options,
});

describe('a mail to a server with STARTTLS and authentication', () => {
  const server = new MailServer(authenticating());
  const { service, requestReset } = useServiceWithServer(server, LOG, CREDENTIALS);

  it('a mail to a server with STARTTLS and authentication is sent encrypted', async () => {
    const { email } = await service.signUp();
    await requestReset(email).expect(202);
    const [mail] = await server.mailsTo(email);
    expect(mail).toMatchObject({ to: [email], isEncrypted: true, user: USER });
    await countedMails(service, 'sent', 1);
    const metrics = await metricsOf(service);
    for (const secret of [email, mail && tokenIn(mail), PASSWORD]) {
      expect(metrics).not.toContain(secret);
    }
  });
});

describe('a mail with a wrong password', () => {
  const server = new MailServer(authenticating());
  const wrong = { ...CREDENTIALS, password: 'mail-accordion' };
  const { service, requestReset } = useServiceWithServer(server, LOG, wrong);

  it('a mail with a wrong password is not sent, and the log does not have the answer', async () => {
    await requestReset((await service.signUp()).email).expect(202);
    await countedMails(service, 'failed', 1);
    expect(server.mails).toEqual([]);
    expect(mailLog()).toEqual(['A mail is not sent: EAUTH 535 AUTH PLAIN']);
    expect(output).not.toContain(wrong.password);
  });
});

describe('a mail to a server with TLS from the start', () => {
  const server = new MailServer(authenticating({ secure: true }));
  const { service, requestReset } = useServiceWithServer(server, LOG, {
    ...CREDENTIALS,
    isSecure: true,
  });

  it('a mail to a server with TLS from the start is sent', async () => {
    const { email } = await service.signUp();
    await requestReset(email).expect(202);
    expect(await server.mailsTo(email)).toMatchObject([{ isEncrypted: true, user: USER }]);
  });
});

describe('a mail on its way', () => {
  const server = new ScriptedMailServer();
  const { service, requestReset } = useServiceWithServer(server, {
    ...LOG,
    passwordResetUrl: `https://app.example.com/${'long/'.repeat(30)}reset-password#{token}`,
  });

  it.each(['en-US', 'es-MX'])(
    'a mail on its way, in %s, has no link that is broken over lines, and greets with the name of the service',
    async (locale) => {
      server.received = '';
      await requestReset((await service.signUp({ locale })).email).expect(202);
      await eventually('the mail', () => server.received.includes('\r\n.\r\n'));
      expect(server.received).toMatch(/^EHLO expenses\.example\.com\r\n/);
      const [, source = ''] = /\r\nDATA\r\n(.*)\r\n\.\r\n/s.exec(server.received) ?? [];
      expect(Math.max(...source.split('\r\n').map(({ length }) => length))).toBeLessThan(200);
      expect(source).toMatch(/^Content-Transfer-Encoding: (7bit|base64)\r$/m);
      const mail = parseMail(source);
      expect(tokenIn(mail)).toMatch(/^[\w-]{43}$/);
      expect(mail.text).toContain(`\n\nhttps://app.example.com/${'long/'.repeat(30)}reset-`);
      expect(mail.text).toMatch(locale === 'es-MX' ? /contraseña nueva/ : /a new password/);
    },
  );
});

describe('a mail to another host', () => {
  const server = new ScriptedMailServer(OTHER_HOST);
  const { service, requestReset } = useServiceWithServer(server, LOG, CREDENTIALS);

  it.each([
    ['offers no STARTTLS', '250 AUTH PLAIN LOGIN', '502 Unknown command'],
    ['refuses STARTTLS', '250-STARTTLS\r\n250 AUTH PLAIN LOGIN', '454 Not now'],
    ['says STARTTLS and goes on without', '250-STARTTLS\r\n250 AUTH PLAIN LOGIN', '220 Go on'],
  ])(
    'a mail to another host that %s is not sent, nor is the password',
    async (_case, offer, answer) => {
      server.answers = { EHLO: `250-other.example\r\n${offer}`, STARTTLS: answer };
      server.received = '';
      await requestReset((await service.signUp()).email).expect(202);
      await eventually('a failed try', () => server.received !== '' && mailLog().length > 0);
      // A client may have begun a handshake after it.
      const [clear = ''] = server.received.split('STARTTLS\r\n');
      expect(clear).toMatch(/^EHLO \S+\r\n$/);
      expect(server.received).not.toMatch(/AUTH|MAIL FROM|RCPT TO|DATA/);
      for (const encoding of ['utf8', 'base64'] as const) {
        for (const secret of [PASSWORD, USER]) {
          const encoded = Buffer.from(secret).toString(encoding);
          expect(server.received).not.toContain(encoded);
        }
      }
      expect(await mailsWith(service, 'sent')).toBe(0);
    },
  );
});

describe.each([
  ['STARTTLS', false],
  ['TLS from the start', true],
])('a mail to another host with %s and an untrusted certificate', (name, isSecure) => {
  const passwords: unknown[] = [];
  const server = new MailServer(
    authenticating({
      secure: isSecure,
      onAuth: ({ password }, _session, done) => {
        passwords.push(password);
        done(null, { user: USER });
      },
    }),
    OTHER_HOST,
  );
  const { service, requestReset } = useServiceWithServer(server, LOG, { ...CREDENTIALS, isSecure });

  it(`a mail to another host with ${name} and an untrusted certificate is not sent, nor is the password`, async () => {
    await requestReset((await service.signUp()).email).expect(202);
    await eventually('a failed try', () => mailLog().length > 0);
    expect(await mailsWith(service, 'sent')).toBe(0);
    expect({ mails: server.mails, passwords }).toEqual({ mails: [], passwords: [] });
  });
});

describe('a mail', () => {
  const server = new MailServer();
  const { service, requestReset, confirm } = useServiceWithServer(server, LOG);

  afterEach(() => {
    server.onStep = () => undefined;
  });

  it('a mail whose recipient is refused is not sent again, and the log does not have the answer', async () => {
    const { email } = await service.signUp();
    const failed = await mailsWith(service, 'failed');
    let refused = 0;
    server.onStep = (step, address) => {
      if (step !== 'recipient') return;
      refused += 1;
      throw refusal(550, `<${address}>: no such mailbox, ${address}`);
    };
    await requestReset(email).expect(202);
    await countedMails(service, 'failed', failed + 1);
    expect(mailLog()).toEqual(['A mail is not sent: EENVELOPE 550 RCPT TO']);
    expect(output).not.toContain('mailbox');
    expect(refused).toBe(1);
  });

  it('a mail whose text is refused is not sent again, and the log does not have the answer', async () => {
    const { email } = await service.signUp();
    const failed = await mailsWith(service, 'failed');
    const tokens: string[] = [];
    server.onStep = (step, text) => {
      if (step !== 'text') return;
      const token = tokenIn({ text });
      tokens.push(token);
      throw refusal(554, `${email} does not want ${token}`);
    };
    await requestReset(email).expect(202);
    await countedMails(service, 'failed', failed + 1);
    expect(mailLog()).toEqual(['A mail is not sent: EMESSAGE 554 DATA']);
    expect(tokens).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
    const metrics = await metricsOf(service);
    for (const secret of [email, tokens[0]]) expect(metrics).not.toContain(secret);
    // It is valid all the same.
    await confirm(tokens[0]).expect(204);
  });

  it('a mail to a server that closes the connection at once waits for another try', async () => {
    const { email } = await service.signUp();
    const counts = (): Promise<number[]> =>
      Promise.all(['sent', 'failed', 'dropped'].map((result) => mailsWith(service, result)));
    const before = await counts();
    server.connectionsToClose = 1;
    await requestReset(email).expect(202);
    await eventually('a failed try', () => mailLog().length > 0);
    expect(mailLog()).toEqual(['A mail is not sent, another try follows: ECONNECTION CONN']);
    expect(server.mails.filter(({ to }) => to.includes(email))).toEqual([]);
    expect(await counts()).toEqual(before);
  });

  it('a mail to a server that answers slowly is sent', async () => {
    const { email } = await service.signUp();
    server.onStep = () => setTimeout(1000);
    await requestReset(email).expect(202);
    await server.mailsTo(email);
    expect(mailLog()).toEqual([]);
  });
});

describe('a mail when 100 wait', () => {
  const server = new MailServer();
  const { service, requestReset, confirm } = useServiceWithServer(server, LOG);

  it('a mail when 100 wait is dropped, and its token is valid', async () => {
    const takesMails = new AbortController();
    const { signal } = takesMails;
    server.onStep = () => signal.aborted || once(signal, 'abort');
    const users: Client[] = [];
    for (let n = 0; n < 20; n += 1) users.push(await service.signUp());
    // A user gets five in an hour.
    for (const { email } of users) {
      for (let n = 0; n < 5; n += 1) await requestReset(email).expect(202);
    }
    // In the order of their random times: the others come after all of them.
    await eventually('100 mails wait', async () => {
      const tokens = await service.query('SELECT FROM password_reset_tokens');
      return tokens.length === 100;
    });
    const [late, later] = [await service.signUp(), await service.signUp()];
    for (const { email } of [late, later]) await requestReset(email).expect(202);
    await countedMails(service, 'dropped', 2);
    expect(mailLog().filter((line) => line.includes('dropped'))).toEqual(
      Array(2).fill('A mail is dropped: too many wait'),
    );

    // The service stores hashes alone: a known one takes the place of the dropped one.
    const token = 'k'.repeat(43);
    const changed = await service.query<{ count: string }>(
      `WITH changed AS (
         UPDATE password_reset_tokens SET token_hash = $1 WHERE ended_at IS NULL AND
           user_id = (SELECT id FROM users WHERE email = $2) RETURNING 1)
       SELECT count(*) FROM changed`,
      [hashOfToken(token), late.email],
    );
    expect(Number(changed[0]?.count)).toBe(1);
    await confirm(token).expect(204);

    takesMails.abort();
    await countedMails(service, 'sent', 100);
    expect(await mailsWith(service, 'failed')).toBe(0);
    for (const { email } of users) expect(await server.mailsTo(email, 5)).toHaveLength(5);
    for (const { email } of [late, later]) {
      expect(server.mails.filter(({ to }) => to.includes(email))).toEqual([]);
    }
  }, 240_000);
});
