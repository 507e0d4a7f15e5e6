import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Test } from 'supertest';
import { TEST_PASSWORD, type Client } from '../support/client.js';
import { MailServer, tokenIn } from '../support/mail-server.js';
import { race, repeat, useReplicas } from '../support/races.js';
import { repetitions } from '../support/repetitions.js';
import { countOutcomes } from '../support/response-counts.js';
import { CONFIRM_PATH, NEW_PASSWORD, RESET_PATH } from '../support/service-with-mail.js';

const ROUNDS = repetitions(5);
const AT_ONCE = 10;

interface StoredToken {
  is_valid: boolean;
  is_newer: boolean;
}

describe('password resets at two processes', () => {
  const server = new MailServer();
  beforeAll(() => server.start());
  const replicas = useReplicas(() => ({
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    MAIL_FROM: 'gastos@example.com',
    PASSWORD_RESET_URL: 'https://app.example.com/reset-password#{token}',
  }));
  afterAll(() => server.stop());

  const originOf = (n: number): string => replicas.origins[n % replicas.origins.length] ?? '';

  const requestReset = ({ email }: Client, n: number): Test =>
    request(originOf(n)).post(RESET_PATH).send({ email });

  const confirm = (token: string, n: number): Test =>
    request(originOf(n)).post(CONFIRM_PATH).send({ token, new_password: NEW_PASSWORD });

  async function newToken(user: Client, before = 0): Promise<string> {
    await requestReset(user, 0).expect(202);
    const [mail] = (await server.mailsTo(user.email, before + 1)).slice(-1);
    return mail ? tokenIn(mail) : '';
  }

  /** Waits until both processes have worked on what was requested before. */
  async function settle(): Promise<void> {
    for (const [n] of replicas.origins.entries()) {
      const user = await replicas.signUp();
      await requestReset(user, n).expect(202);
      await server.mailsTo(user.email);
    }
  }

  const tokensOf = ({ email }: Client): Promise<StoredToken[]> =>
    replicas.query(`
      SELECT ended_at IS NULL AS is_valid,
        t.created_at >= coalesce(u.password_changed_at, t.created_at) AS is_newer
      FROM password_reset_tokens t JOIN users u ON u.id = t.user_id WHERE u.email = '${email}'`);

  it('password resets at two processes keep to five tokens of a user in an hour, and three valid ones', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const user = await replicas.signUp();
      const responses = await race(repeat(AT_ONCE, (n) => requestReset(user, n)));
      expect(countOutcomes(responses)).toEqual({ '202': AT_ONCE });
      await server.mailsTo(user.email, 5);
      await settle();
      expect(await server.mailsTo(user.email)).toHaveLength(5);
      const tokens = await tokensOf(user);
      expect(tokens).toHaveLength(5);
      expect(tokens.filter((token) => token.is_valid)).toHaveLength(3);
    }
  });

  it('password resets at two processes do not conflict with each other, of one user or of several', async () => {
    const users = [await replicas.signUp(), await replicas.signUp(), await replicas.signUp()];
    const retries = await replicas.retries();
    await race(users.flatMap((user) => repeat(3, (n) => requestReset(user, n))));
    await settle();
    expect(await replicas.retries()).toBe(retries);
  });

  it('password resets at two processes use a token once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const token = await newToken(await replicas.signUp());
      const responses = await race(repeat(AT_ONCE, (n) => confirm(token, n)));
      expect(countOutcomes(responses)).toEqual({ '204': 1, '401 INVALID_TOKEN': AT_ONCE - 1 });
    }
  });

  it('password resets at two processes leave no token from before a password change', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const user = await replicas.signUp();
      const body = { current_password: TEST_PASSWORD, new_password: 'changed by the user' };
      const [changed] = await race([
        user.put('/auth/me/password', body),
        ...repeat(4, (n) => requestReset(user, n)),
      ]);
      expect(changed?.status).toBe(200);
      await server.mailsTo(user.email, 4);
      const valid = (await tokensOf(user)).filter((token) => token.is_valid);
      expect(valid.filter((token) => !token.is_newer)).toEqual([]);
    }
  });

  it('password resets at two processes leave one new password of a confirmation and a change', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const user = await replicas.signUp();
      const token = await newToken(user);
      const body = { current_password: TEST_PASSWORD, new_password: 'changed by the user' };
      const [confirmed, changed] = await race([
        confirm(token, round),
        user.put('/auth/me/password', body),
      ]);
      const outcomes = [confirmed?.status === 204, changed?.status === 200];
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      const winner = confirmed?.status === 204 ? NEW_PASSWORD : body.new_password;
      await replicas.signIn(user.email, winner);
      expect((await tokensOf(user)).filter((each) => each.is_valid)).toEqual([]);
    }
  });
});
