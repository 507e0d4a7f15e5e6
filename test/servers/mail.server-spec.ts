import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import request from 'supertest';
import { signIn, signUp, signUpMany, type Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { MailServer, parseMail, refusal, tokenIn } from '../support/mail-server.js';
import { EXIM, Exim, startPostgres, type PostgresServer } from '../support/servers.js';
import { metricsAt, useProcesses, type ServiceProcess } from '../support/service-process.js';
import { CONFIRM_PATH, NEW_PASSWORD, RESET_PATH } from '../support/service-with-mail.js';

const IS_ROOT = process.getuid?.() === 0;

/** Of this machine, and yet of another host for the service. */
const OTHER_HOST = '127.0.0.2';

/** Longer than three tries and the waits between them. */
const MAX_TRIES_MS = 360_000;

/** What a test with Exim lacks here. */
const MISSING = [...(IS_ROOT ? [] : ['root']), ...(existsSync(EXIM) ? [] : [EXIM])];

describe('the mails of a process', () => {
  let postgres: PostgresServer;
  let url: string;
  const servers: MailServer[] = [];
  const { start } = useProcesses(() => ({
    DATABASE_URL: url,
    METRICS_PORT: '0',
    RATE_LIMIT_ENABLED: 'false',
    MAIL_FROM: 'gastos@example.com',
    PASSWORD_RESET_URL: 'https://app.example.com/reset-password#{token}',
  }));

  beforeAll(async () => {
    postgres = await startPostgres();
  });

  afterAll(async () => {
    for (const server of servers) await server.stop();
    await postgres.remove();
  });

  beforeEach(async () => {
    url = await postgres.createDatabase();
  });

  async function startMailServer(): Promise<MailServer> {
    const server = new MailServer();
    await server.start();
    servers.push(server);
    return server;
  }

  /** Starts a process that sends its mails to a server. */
  const startWith = ({ port }: MailServer, env = {}): Promise<ServiceProcess> =>
    start({ SMTP_URL: `smtp://127.0.0.1:${port}`, ...env });

  const requestReset = async ({ origin }: ServiceProcess, { email }: Client): Promise<void> => {
    await request(origin).post(RESET_PATH).send({ email }).expect(202);
  };

  const mailsWith = async ({ metricsUrl }: ServiceProcess, result: string): Promise<number> =>
    (await metricsAt(metricsUrl)).get(`mails_total{result="${result}"}`) ?? 0;

  /** What is logged about mails. */
  const mailLog = ({ output }: ServiceProcess): string[] =>
    output
      .split('\n')
      .filter((line) => line.includes('[Mail]'))
      .map((line) => line.replace(/.*\[Mail\] /, ''));

  it(
    'the mails of a process are tried three times, until the server takes them',
    async () => {
      const [closing, refusing] = [await startMailServer(), await startMailServer()];
      closing.connectionsToClose = 1;
      let refused = 0;
      refusing.onStep = (step) => {
        if (step !== 'recipient') return;
        refused += 1;
        throw refusal(451, 'Not now');
      };
      await Promise.all([
        (async () => {
          const service = await startWith(closing);
          const user = await signUp(service.origin);
          await requestReset(service, user);
          const isSent = async (): Promise<boolean> => (await mailsWith(service, 'sent')) === 1;
          await eventually('the mail is sent', isSent, MAX_TRIES_MS);
          expect(await closing.mailsTo(user.email)).toHaveLength(1);
          expect(mailLog(service)).toEqual([
            'A mail is not sent, another try follows: ECONNECTION CONN',
          ]);
        })(),
        (async () => {
          const service = await startWith(refusing, {
            DATABASE_URL: await postgres.createDatabase(),
          });
          await requestReset(service, await signUp(service.origin));
          const hasFailed = async (): Promise<boolean> =>
            (await mailsWith(service, 'failed')) === 1;
          await eventually('the mail has failed', hasFailed, MAX_TRIES_MS);
          const another = 'A mail is not sent, another try follows: EENVELOPE 451 RCPT TO';
          expect(mailLog(service)).toEqual([
            another,
            another,
            'A mail is not sent: EENVELOPE 451 RCPT TO',
          ]);
          expect(refused).toBe(3);
          expect(await mailsWith(service, 'sent')).toBe(0);
        })(),
      ]);
    },
    MAX_TRIES_MS,
  );

  it.each([
    ['', {}],
    [' with a short time for requests', { SHUTDOWN_TIMEOUT_SECONDS: '1' }],
    [
      ' of several workers with a short time for requests',
      { SHUTDOWN_TIMEOUT_SECONDS: '1', WEB_CONCURRENCY: '2' },
    ],
  ])('the mails of a process that are being sent at a shutdown%s arrive', async (_case, env) => {
    const server = await startMailServer();
    const service = await startWith(server, env);
    const user = await signUp(service.origin);
    let isSending = false;
    // Before the server has the text, which it would keep without the process.
    server.onStep = async (step) => {
      if (step !== 'recipient') return;
      isSending = true;
      await setTimeout(3000);
    };
    await requestReset(service, user);
    await eventually('the mail is being sent', () => isSending);
    expect(await service.stop()).toBe(0);
    expect(await server.mailsTo(user.email)).toHaveLength(1);
    expect(service.output).not.toContain('still in progress');
    expect(service.output).not.toContain('killing it');
    expect(mailLog(service)).toEqual([]);
  });

  it.each([
    ['', {}],
    [' with a short time for requests', { SHUTDOWN_TIMEOUT_SECONDS: '1' }],
  ])(
    'the mails of a process to a server that never answers do not prevent a shutdown%s',
    async (_case, env) => {
      const server = await startMailServer();
      const service = await startWith(server, env);
      const user = await signUp(service.origin);
      let isConnected = false;
      server.onStep = () => {
        isConnected = true;
        return new Promise(() => undefined);
      };
      await requestReset(service, user);
      await eventually('the process has connected', () => isConnected);
      expect(await service.stop()).toBe(0);
      expect(mailLog(service)).toEqual(['A mail is not sent: EABORT']);
      expect(server.mails).toEqual([]);
    },
  );

  it('the mails of a process that wait for another try are tried once more at a shutdown', async () => {
    const [closing, refusing] = [await startMailServer(), await startMailServer()];
    closing.connectionsToClose = 1;
    let refused = 0;
    refusing.onStep = (step) => {
      if (step !== 'recipient') return;
      refused += 1;
      throw refusal(451, 'Not now');
    };
    const service = await startWith(closing);
    const other = await startWith(refusing, { DATABASE_URL: await postgres.createDatabase() });
    const user = await signUp(service.origin);
    await requestReset(service, user);
    await requestReset(other, await signUp(other.origin));
    for (const each of [service, other]) await each.waitForOutput('another try follows');
    expect([await service.stop(), await other.stop()]).toEqual([0, 0]);
    expect(await closing.mailsTo(user.email)).toHaveLength(1);
    expect(mailLog(service)).toHaveLength(1);
    expect(refused).toBe(2);
    expect(mailLog(other).at(-1)).toBe('A mail is not sent: EENVELOPE 451 RCPT TO');
  });

  it('the mails of a process whose users are still looked up at a shutdown arrive', async () => {
    const server = await startMailServer();
    const service = await startWith(server);
    const users = await signUpMany(service.origin, 6);
    const lockHolder = await postgres.connect(url);
    await lockHolder.query('BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    for (const user of users) await requestReset(service, user);
    await eventually('a look-up waits', async () => {
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
      return (await postgres.query(waiting)).length > 0;
    });
    service.child.kill('SIGTERM');
    await eventually('it stops listening', () =>
      fetch(`${service.origin}/health/live`).then(
        () => false,
        () => true,
      ),
    );
    await lockHolder.query('COMMIT');
    await lockHolder.end();
    expect((await service.end()).code).toBe(0);
    expect(server.mails.flatMap(({ to }) => to).sort()).toEqual(
      users.map(({ email }) => email).sort(),
    );
    expect(mailLog(service)).toEqual([]);
  });

  const withExim = 'the mails of a process arrive at Exim, encrypted, and their tokens are taken';
  (MISSING.length === 0 ? it : it.skip)(
    MISSING.length === 0 ? withExim : `${withExim}; missing: ${MISSING.join(', ')}`,
    async () => {
      const exim = await Exim.start(OTHER_HOST, 'gastos', 'mail-tr0mbone');
      try {
        const env = { SMTP_URL: `smtp://gastos:mail-tr0mbone@${OTHER_HOST}:${exim.port}` };
        const service = await start({ ...env, NODE_EXTRA_CA_CERTS: exim.certificate });
        const user = await signUp(service.origin);
        await requestReset(service, user);
        const [source = ''] = await eventually('a mail', () => exim.mails.length > 0 && exim.mails);
        const { headers, text } = parseMail(source.replaceAll('\n', '\r\n'));
        expect(headers).toMatchObject({
          from: 'gastos@example.com',
          to: user.email,
          // SMTP with encryption and authentication.
          received: expect.stringContaining('with esmtpsa'),
        });
        const body = { token: tokenIn({ text }), new_password: NEW_PASSWORD };
        await request(service.origin).post(CONFIRM_PATH).send(body).expect(204);
        await signIn(service.origin, user.email, NEW_PASSWORD);
        expect(mailLog(service)).toEqual([]);

        // Without trust in the certificate.
        const distrustful = await start(env);
        await requestReset(distrustful, user);
        await distrustful.waitForOutput('A mail is not sent, another try follows');
        expect(exim.mails).toHaveLength(1);
      } finally {
        await exim.remove();
      }
    },
  );
});
