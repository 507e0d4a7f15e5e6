import { describe, expect, it } from '@jest/globals';
import { PasswordResetsService } from '../../../src/accounts/password-resets.service.js';
import { AuthService } from '../../../src/auth/auth.service.js';
import { ExpiredRows } from '../../../src/platform/database/expired-rows.js';
import { hashOfToken } from '../../../src/platform/values/secret-token.js';
import { UsersService } from '../../../src/users/users.service.js';
import type { Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { linkIn, tokenIn } from '../../support/mail-server.js';
import { countOutcomes } from '../../support/response-counts.js';
import { NEW_PASSWORD, useServiceWithMail } from '../../support/service-with-mail.js';
import { TEST_PASSWORD } from '../../support/service.js';

const HOUR_MS = 3_600_000;

describe('a password reset', () => {
  const { service, server, requestReset, confirm } = useServiceWithMail();

  /** The token in the newest mail of the user, who has had so many before. */
  async function newToken({ email }: Client, before = 0): Promise<string> {
    await requestReset(email).expect(202);
    const mails = await server.mailsTo(email, before + 1);
    const [mail] = mails.slice(-1);
    if (!mail) throw new Error('No mail');
    return tokenIn(mail);
  }

  const logIn = (email: string, password: string) =>
    service.anonymous.post('/auth/login').type('form').send({ username: email, password });

  const userOf = ({ email }: Client) =>
    service.app.get(UsersService, { strict: false }).getByEmail(email);

  const operatorToken = async (user: Client): Promise<string> => {
    const resets = service.app.get(PasswordResetsService, { strict: false });
    const { link } = await resets.createLink(await userOf(user));
    return /[\w-]{43}/.exec(link)?.[0] ?? '';
  };

  it('a password reset sends a link, which sets a new password once', async () => {
    const user = await service.signUp();
    const response = await requestReset(` ${user.email.toUpperCase()} `);
    expect({ status: response.status, text: response.text }).toEqual({ status: 202, text: '{}' });
    const [mail] = await server.mailsTo(user.email);
    if (!mail) throw new Error('No mail');
    expect(linkIn(mail)).toMatch(/^https:\/\/app\.example\.com\/reset-password#[\w-]{43}$/);
    const token = tokenIn(mail);
    const confirmed = await confirm(token);
    expect({ status: confirmed.status, text: confirmed.text }).toEqual({ status: 204, text: '' });
    expectError(await confirm(token), 401, 'INVALID_TOKEN', {});
    expectError(await logIn(user.email, TEST_PASSWORD), 401, 'INVALID_CREDENTIALS');
    expect((await logIn(user.email, NEW_PASSWORD)).status).toBe(200);
  });

  it.each(['America/No_City', 'EST'])(
    'a password reset sends a link to a user with the zone %s, which counts as UTC',
    async (zone) => {
      const user = await service.signUp();
      await service.query('UPDATE users SET time_zone = $2 WHERE email = $1', [user.email, zone]);
      await requestReset(user.email).expect(202);
      const [mail] = await server.mailsTo(user.email);
      expect(mail?.text).toMatch(/until \S+ \d+, \d{4} at \d+:\d\d [AP]M UTC\./);
      await confirm(mail && tokenIn(mail)).expect(204);
    },
  );

  it('a password reset ends all sessions, personal access tokens and reset tokens', async () => {
    const user = await service.signUp();
    const other = await user.signInAgain();
    const script = await user.script();
    const tokens = [await newToken(user), await newToken(user, 1), await operatorToken(user)];
    await confirm(tokens[0]).expect(204);
    for (const client of [user, other, script]) {
      expectError(await client.get('/auth/me'), 401, 'INVALID_TOKEN');
    }
    for (const token of tokens) expectError(await confirm(token), 401, 'INVALID_TOKEN');
  });

  it('a password reset changes nothing of another user', async () => {
    const [user, other] = [await service.signUp(), await service.signUp()];
    const token = await newToken(other);
    await confirm(await newToken(user)).expect(204);
    await other.get('/auth/me').expect(200);
    await confirm(token).expect(204);
  });

  it('a password reset says nothing of whether there is an account, and sends nothing then', async () => {
    const [known, inactive] = [await service.signUp(), await service.signUp()];
    await service.app.get(AuthService, { strict: false }).setActive(await userOf(inactive), false);
    const visible = [];
    for (const email of [known.email, 'nobody@example.com', inactive.email]) {
      const { status, text, headers } = await requestReset(email);
      const common = { ...(headers as object), 'x-request-id': '', date: '' };
      visible.push({ status, text, headers: common });
    }
    expect(visible[0]).toMatchObject({ status: 202, text: '{}' });
    expect(visible[1]).toEqual(visible[0]);
    expect(visible[2]).toEqual(visible[0]);
    await server.mailsTo(known.email);
    const rows = await service.query<{ email: string }>(
      'SELECT email FROM password_reset_tokens t JOIN users u ON u.id = t.user_id WHERE email = ANY($1)',
      [[known.email, inactive.email]],
    );
    expect(rows).toEqual([{ email: known.email }]);
  });

  it('a password reset leaves the token valid after an invalid password', async () => {
    const token = await newToken(await service.signUp());
    expectInvalid(await confirm(token, 'short'), 'new_password');
    expectInvalid(await confirm(token, ''), 'new_password');
    expectInvalid(await confirm(token, 'x'.repeat(129)), 'new_password');
    await confirm(token).expect(204);
  });

  it('a password reset refuses a token that is unknown', async () => {
    for (const token of ['x', 'q'.repeat(43), 'ñ'.repeat(200)]) {
      const response = await confirm(token);
      expectError(response, 401, 'INVALID_TOKEN', {});
      expect(response.headers).not.toHaveProperty('www-authenticate');
    }
  });

  it('a password reset refuses a token after its hour, and one of an operator after a day', async () => {
    const user = await service.signUp();
    const tokens = [await newToken(user), await operatorToken(user)];
    const lifetimes = await service.query<{ lifetime: number }>(
      'SELECT extract(epoch FROM expires_at - created_at)::int AS lifetime FROM password_reset_tokens WHERE token_hash = ANY($1) ORDER BY seq',
      [tokens.map(hashOfToken)],
    );
    expect(lifetimes.map(({ lifetime }) => lifetime * 1000)).toEqual([HOUR_MS, 24 * HOUR_MS]);
    await service.query(
      `UPDATE password_reset_tokens SET expires_at = now() - interval '1 second' WHERE token_hash = ANY($1)`,
      [tokens.map(hashOfToken)],
    );
    for (const token of tokens) expectError(await confirm(token), 401, 'INVALID_TOKEN');
    await service.app.get(ExpiredRows, { strict: false }).remove();
    expect(
      await service.query('SELECT FROM password_reset_tokens WHERE token_hash = ANY($1)', [
        tokens.map(hashOfToken),
      ]),
    ).toEqual([]);
  });

  it.each([
    [
      'a changed password',
      async (user: Client) => {
        const body = { current_password: TEST_PASSWORD, new_password: 'changed by the user' };
        await user.put('/auth/me/password', body).expect(200);
      },
    ],
    [
      "an operator's new password",
      async (user: Client) => {
        const { id } = await userOf(user);
        await service.app.get(AuthService, { strict: false }).setPassword(id, 'set by operator');
      },
    ],
    [
      'a new e-mail',
      async (user: Client) => {
        const found = await userOf(user);
        const email = `new-${user.email}`;
        await service.app.get(AuthService, { strict: false }).changeEmail(found, email);
      },
    ],
    [
      'a deactivation, even if the user is active again',
      async (user: Client) => {
        const auth = service.app.get(AuthService, { strict: false });
        await auth.setActive(await userOf(user), false);
        await auth.setActive(await userOf(user), true);
      },
    ],
  ])('a password reset refuses a token after %s', async (_case, end) => {
    const user = await service.signUp();
    const tokens = [await newToken(user), await operatorToken(user)];
    await end(user);
    for (const token of tokens) expectError(await confirm(token), 401, 'INVALID_TOKEN');
  });

  it('a password reset refuses a token of an inactive user, and takes it once the user is active', async () => {
    const user = await service.signUp();
    const auth = service.app.get(AuthService, { strict: false });
    await auth.setActive(await userOf(user), false);
    const token = await operatorToken(user);
    expectError(await confirm(token), 403, 'INACTIVE_USER');
    await auth.setActive(await userOf(user), true);
    await confirm(token).expect(204);
  });

  it('a password reset has at most three valid tokens of a user, and five made in an hour', async () => {
    const user = await service.signUp();
    const ofOperator = await operatorToken(user);
    const tokens: string[] = [];
    for (let n = 0; n < 5; n += 1) tokens.push(await newToken(user, n));
    expect(new Set(tokens).size).toBe(5);
    await requestReset(user.email).expect(202);
    // The request after it has been worked on as well.
    const next = await service.signUp();
    await newToken(next);
    expect(await server.mailsTo(user.email)).toHaveLength(5);
    expectError(await confirm(tokens[0]), 401, 'INVALID_TOKEN');
    expectError(await confirm(tokens[1]), 401, 'INVALID_TOKEN');
    // The refused request has ended none.
    await confirm(tokens[2]).expect(204);
    for (const token of [ofOperator, ...tokens]) {
      expectError(await confirm(token), 401, 'INVALID_TOKEN');
    }
    const earlier = new Date(Date.now() - 1.1 * HOUR_MS);
    await service.query('UPDATE password_reset_tokens SET created_at = $2 WHERE token_hash = $1', [
      hashOfToken(tokens[0] ?? ''),
      earlier,
    ]);
    await newToken(user, 5);
    await requestReset(user.email).expect(202);
    await newToken(next, 1);
    expect(await server.mailsTo(user.email)).toHaveLength(6);
  });

  it("a password reset counts an operator's token neither in the three nor in the five", async () => {
    const user = await service.signUp();
    const ofOperator = [await operatorToken(user), await operatorToken(user)];
    for (let n = 0; n < 3; n += 1) ofOperator.push(await operatorToken(user));
    const tokens: string[] = [];
    for (let n = 0; n < 5; n += 1) tokens.push(await newToken(user, n));
    await confirm(ofOperator[0]).expect(204);
  });

  it('a password reset takes one of 20 confirmations of a token at once', async () => {
    const user = await service.signUp();
    const token = await newToken(user);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => confirm(token, `new password ${n}`)),
    );
    expect(countOutcomes(responses)).toEqual({ '204': 1, '401 INVALID_TOKEN': 19 });
    const set = responses.findIndex(({ status }) => status === 204);
    expect((await logIn(user.email, `new password ${set}`)).status).toBe(200);
  });

  it('a password reset that races sign-ins with the old password leaves no session of them', async () => {
    const user = await service.signUp();
    const token = await newToken(user);
    const [confirmed, ...signIns] = await Promise.all([
      confirm(token),
      ...Array.from({ length: 8 }, () => logIn(user.email, TEST_PASSWORD)),
    ]);
    expect(confirmed.status).toBe(204);
    for (const { status, body } of signIns) {
      if (status !== 200) continue;
      const { access_token } = body as { access_token: string };
      const me = service.anonymous.get('/auth/me').set('Authorization', `Bearer ${access_token}`);
      expect((await me).status).toBe(401);
    }
    const [sessions] = await service.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1',
      [user.email],
    );
    expect(sessions?.count).toBe(0);
  });

  it('a password reset and a password change at once: one of them wins', async () => {
    const user = await service.signUp();
    const token = await newToken(user);
    const body = { current_password: TEST_PASSWORD, new_password: 'changed by the user' };
    const [confirmed, changed] = await Promise.all([
      confirm(token),
      user.put('/auth/me/password', body),
    ]);
    const [winner] = confirmed.status === 204 ? [NEW_PASSWORD] : [body.new_password];
    if (confirmed.status === 204) expect([400, 401]).toContain(changed.status);
    else expectError(confirmed, 401, 'INVALID_TOKEN');
    expect((await logIn(user.email, winner)).status).toBe(200);
  });

  it('a password reset that races a deactivation never lets the user in', async () => {
    const user = await service.signUp();
    const token = await newToken(user);
    const auth = service.app.get(AuthService, { strict: false });
    const [confirmed] = await Promise.all([
      confirm(token),
      auth.setActive(await userOf(user), false),
    ]);
    expect([204, 401, 403]).toContain(confirmed.status);
    expectError(await confirm(token), 401, 'INVALID_TOKEN');
    for (const password of [TEST_PASSWORD, NEW_PASSWORD]) {
      expect([401, 403]).toContain((await logIn(user.email, password)).status);
    }
  });

  it('a password reset has neither tokens nor addresses in errors, /changes and activity', async () => {
    const user = await service.signUp();
    const token = await newToken(user);
    const answers = [
      await confirm(token, 'short'),
      await confirm(`${token}x`),
      await requestReset(`${user.email}\r\nBcc: other@example.com`),
      await requestReset([user.email]),
    ].map(({ text }) => text);
    const [changes, activity] = [await user.get('/changes'), await user.get('/activity')];
    for (const text of [...answers, changes.text, activity.text]) {
      expect(text).not.toContain(token);
      expect(text).not.toContain('Bcc');
    }
  });

  it.each([
    'ana@example.com\r\nBcc: other@example.com',
    'ana@example.com\nSubject: x',
    'ana@example.com, other@example.com',
    '<ana@example.com>',
    'ana@example.com\u0000',
    'Ana <ana@example.com>',
  ])('a password reset takes no address that is more than one: %j', async (email) => {
    expectInvalid(await requestReset(email), 'email');
  });

  it('a password reset is written in the language and the time zone of the user', async () => {
    const profiles = [
      { locale: 'es-MX', time_zone: 'America/Mexico_City' },
      { locale: 'es', time_zone: 'UTC' },
      { locale: 'en-US', time_zone: 'America/Mexico_City' },
      { locale: 'de-DE', time_zone: 'Europe/Berlin' },
    ];
    const mails = await Promise.all(
      profiles.map(async (profile) => {
        const { email } = await service.signUp(profile);
        await requestReset(email).expect(202);
        const [mail] = await server.mailsTo(email);
        return { email, ...mail };
      }),
    );
    expect(mails.map(({ headers }) => headers?.subject)).toEqual([
      ...Array<string>(2).fill('=?UTF-8?B?UmVzdGFibGVjZSB0dSBjb250cmFzZcOxYQ==?='),
      ...Array<string>(2).fill('Reset your password'),
    ]);
    for (const { email, from, headers, text } of mails) {
      expect(from).toBe('gastos@example.com');
      expect(headers?.['content-type']).toBe('text/plain; charset=utf-8');
      expect(headers?.['auto-submitted']).toBe('auto-generated');
      expect(headers?.from).toBe('"Gastos: Casa" <gastos@example.com>');
      expect(headers?.to).toBe(email);
      expect(text).toContain(email);
    }
    expect(mails[0]?.text).toMatch(/hasta el \d+ de \p{L}+ de 20\d\d a las .*GMT-6\./u);
    expect(mails[0]?.text).toContain('Si no fuiste tú, ignora este correo');
    expect(mails[3]?.text).toMatch(/until \p{L}+ \d+, 20\d\d at .* GMT\+[12]/u);
    expect(mails[3]?.text).toContain('If it was not you, ignore this mail');
  });

  it('a password reset takes the host of the link from its setting, whatever the headers say', async () => {
    const user = await service.signUp();
    await requestReset(user.email)
      .set('Host', 'evil.example')
      .set('X-Forwarded-Host', 'evil.example')
      .set('Forwarded', 'host=evil.example')
      .set('Origin', 'https://evil.example')
      .expect(202);
    const [mail] = await server.mailsTo(user.email);
    expect(mail && linkIn(mail)).toMatch(/^https:\/\/app\.example\.com\//);
    expect(JSON.stringify(mail)).not.toContain('evil');
  });

  it('a password reset ignores a token in the header', async () => {
    const user = await service.signUp();
    for (const header of [`Bearer ${user.token}`, 'Bearer x', 'Basic eDp5']) {
      const response = await requestReset(user.email).set('Authorization', header);
      expect(response.status).toBe(202);
    }
  });
});
