import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout } from 'node:timers/promises';
import { AuthService } from '../../../src/auth/auth.service.js';
import { SignedTokens } from '../../../src/platform/values/signed-token.js';
import { UsersService } from '../../../src/users/users.service.js';
import type { Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { linkIn, tokenIn } from '../../support/mail-server.js';
import { useServiceWithMail } from '../../support/service-with-mail.js';
import { TEST_SECRET, useService } from '../../support/service.js';

const CONFIRM = '/account/reminders/confirm';
const UNSUBSCRIBE = '/account/reminders/unsubscribe';
const OFF = { enabled: false, hour: 8, days_before: 3, confirmed: false };
const HOUR_MS = 3_600_000;

/** Longer than a mail that should not be sent would take. */
const NO_MAIL_MS = 1500;

afterEach(() => {
  jest.useRealTimers();
});

const remindersOf = async (user: Client): Promise<unknown> =>
  ((await user.get('/auth/me').expect(200)).body as { reminders: unknown }).reminders;

const choose = (user: Client, reminders: unknown) => user.put('/auth/me', { reminders });

describe('reminders of a user', () => {
  const { service, server } = useServiceWithMail({
    remindersUrl: 'https://app.example.com/reminders/confirm#{token}',
  });

  const confirm = (token: unknown) => service.anonymous.post(CONFIRM, { token });

  const userOf = ({ email }: Client) =>
    service.app.get(UsersService, { strict: false }).getByEmail(email);

  /** The token in the newest of so many mails. */
  async function tokenSentTo({ email }: Client, number = 1): Promise<string> {
    const [mail] = (await server.mailsTo(email, number)).slice(-1);
    if (!mail) throw new Error('No mail');
    return tokenIn(mail);
  }

  async function unsubscribeTokenOf(user: Client): Promise<string> {
    const { id } = await userOf(user);
    return new SignedTokens(TEST_SECRET, 'unsubscribe from reminders').sign({ id });
  }

  it('reminders of a user are off, and members that are left out are kept', async () => {
    const user = await service.signUp();
    expect(await remindersOf(user)).toEqual(OFF);
    await choose(user, { hour: 0 }).expect(200);
    const response = await choose(user, { days_before: 14 }).expect(200);
    expect(response.body).toMatchObject({ reminders: { ...OFF, hour: 0, days_before: 14 } });
    expect(await remindersOf(user)).toEqual({ ...OFF, hour: 0, days_before: 14 });
    await choose(user, {}).expect(200);
    await user.put('/auth/me', { first_name: 'Ana' }).expect(200);
    expect(await remindersOf(user)).toEqual({ ...OFF, hour: 0, days_before: 14 });
  });

  it.each([
    [{ enabled: null }, 'reminders.enabled'],
    [{ enabled: 'true' }, 'reminders.enabled'],
    [{ hour: null }, 'reminders.hour'],
    [{ hour: 24 }, 'reminders.hour'],
    [{ hour: -1 }, 'reminders.hour'],
    [{ hour: 8.5 }, 'reminders.hour'],
    [{ days_before: 15 }, 'reminders.days_before'],
    [{ days_before: -1 }, 'reminders.days_before'],
    [{ confirmed: true }, 'reminders.confirmed'],
    [null, 'reminders'],
    [[], 'reminders'],
    [true, 'reminders'],
  ])('reminders of a user are not %j', async (reminders, field) => {
    const user = await service.signUp();
    expectInvalid(await choose(user, reminders), field);
    expect(await remindersOf(user)).toEqual(OFF);
  });

  it('reminders of a user are confirmed by the link in a mail, once', async () => {
    const user = await service.signUp({ locale: 'es-MX' });
    const before = await user.get('/auth/me').expect(200);
    await choose(user, { enabled: true }).expect(200);
    const [mail] = await server.mailsTo(user.email);
    expect(mail && linkIn(mail)).toMatch(
      /^https:\/\/app\.example\.com\/reminders\/confirm#[\w-]{43}$/,
    );
    expect(mail?.headers).not.toHaveProperty('list-unsubscribe');
    expect(mail?.text).toContain('recordatorios');
    expect(await remindersOf(user)).toEqual({ ...OFF, enabled: true });
    const token = await tokenSentTo(user);
    const confirmed = await confirm(token);
    expect({ status: confirmed.status, text: confirmed.text }).toEqual({ status: 204, text: '' });
    expect(await remindersOf(user)).toEqual({ ...OFF, enabled: true, confirmed: true });
    const again = await confirm(token);
    expectError(again, 401, 'INVALID_TOKEN', {});
    expect(again.headers).not.toHaveProperty('www-authenticate');
    const after = await user.get('/auth/me').expect(200);
    const updatedAt = (body: unknown) => (body as { updated_at: string }).updated_at;
    expect(updatedAt(after.body) > updatedAt(before.body)).toBe(true);
  });

  it('reminders of a user need no other link once they are confirmed', async () => {
    const user = await service.signUp();
    await choose(user, { enabled: true }).expect(200);
    await confirm(await tokenSentTo(user)).expect(204);
    await choose(user, { enabled: false }).expect(200);
    await choose(user, { enabled: true }).expect(200);
    expect(await remindersOf(user)).toEqual({ ...OFF, enabled: true, confirmed: true });
    await setTimeout(NO_MAIL_MS);
    expect(await server.mailsTo(user.email)).toHaveLength(1);
  });

  it('reminders of a user get at most 3 links in 24 hours, each of which is valid', async () => {
    const user = await service.signUp();
    for (let n = 1; n <= 3; n += 1) {
      await choose(user, { enabled: true }).expect(200);
      await tokenSentTo(user, n);
    }
    const { updated_at: updatedAt } = (await user.get('/auth/me')).body as { updated_at: string };
    await choose(user, { enabled: true }).expect(200);
    await choose(user, { enabled: true, hour: 9 }).expect(200);
    await setTimeout(NO_MAIL_MS);
    const mails = await server.mailsTo(user.email);
    expect(mails).toHaveLength(3);
    await service.query(
      `UPDATE users SET reminder_links_since = now() - interval '24 hours' WHERE email = $1`,
      [user.email],
    );
    await choose(user, { enabled: true }).expect(200);
    await tokenSentTo(user, 4);
    const [oldest] = mails;
    await confirm(oldest && tokenIn(oldest)).expect(204);
    const after = (await user.get('/auth/me')).body as { updated_at: string };
    expect(after.updated_at > updatedAt).toBe(true);
  });

  it('reminders of a user are not confirmed by a link that has expired', async () => {
    const user = await service.signUp();
    await choose(user, { enabled: true }).expect(200);
    const token = await tokenSentTo(user);
    const now = Date.now();
    jest.useFakeTimers({
      now: now + 25 * HOUR_MS,
      doNotFake: [
        'nextTick',
        'setImmediate',
        'setTimeout',
        'setInterval',
        'clearTimeout',
        'clearInterval',
        'queueMicrotask',
        'performance',
      ],
    });
    expectError(await confirm(token), 401, 'INVALID_TOKEN', {});
    jest.setSystemTime(now + 23 * HOUR_MS);
    await confirm(token).expect(204);
  });

  it('reminders of a user are not confirmed by a token that is unknown', async () => {
    const user = await service.signUp();
    await choose(user, { enabled: true }).expect(200);
    const token = await tokenSentTo(user);
    const forged = new SignedTokens(TEST_SECRET, 'another purpose').sign(
      { id: (await userOf(user)).id },
      user.email,
    );
    const ofNobody = new SignedTokens(TEST_SECRET, 'confirm reminders').sign({
      id: '00000000-0000-4000-8000-000000000000',
    });
    for (const other of ['x', 'q'.repeat(43), forged, ofNobody, await unsubscribeTokenOf(user)]) {
      expectError(await confirm(other), 401, 'INVALID_TOKEN', {});
    }
    expectInvalid(await confirm(''), 'token');
    expectInvalid(await confirm('x'.repeat(201)), 'token');
    expect(await remindersOf(user)).toMatchObject({ confirmed: false });
    await confirm(token).expect(204);
  });

  it('reminders of a user need a confirmation of a new e-mail', async () => {
    const user = await service.signUp();
    await choose(user, { enabled: true }).expect(200);
    await confirm(await tokenSentTo(user)).expect(204);
    const email = `new-${user.email}`;
    await service.app.get(AuthService, { strict: false }).changeEmail(await userOf(user), email);
    expect(await remindersOf(user)).toEqual({ ...OFF, enabled: true });
    await choose(user, { enabled: true }).expect(200);
    const [mail] = await server.mailsTo(email);
    await confirm(mail && tokenIn(mail)).expect(204);
  });

  it('reminders of a user are not confirmed by a link to a former e-mail, or when inactive', async () => {
    const user = await service.signUp();
    const auth = service.app.get(AuthService, { strict: false });
    await choose(user, { enabled: true }).expect(200);
    const token = await tokenSentTo(user);
    const stored = await userOf(user);
    await auth.setActive(stored, false);
    expectError(await confirm(token), 401, 'INVALID_TOKEN', {});
    await auth.setActive(await userOf(user), true);
    await auth.changeEmail(stored, `other-${user.email}`);
    expectError(await confirm(token), 401, 'INVALID_TOKEN', {});
  });

  describe('unsubscribe', () => {
    it('unsubscribe turns reminders off by one POST, with any body', async () => {
      const user = await service.signUp();
      const address = `${UNSUBSCRIBE}?token=${await unsubscribeTokenOf(user)}`;
      const bodies: [string, string | object][] = [
        ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
        [
          'multipart/form-data; boundary=x',
          '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
        ],
        ['application/json', '{"broken'],
        ['text/plain', 'x'.repeat(100_000)],
      ];
      for (const [type, body] of bodies) {
        await choose(user, { enabled: true }).expect(200);
        const response = await service.anonymous.post(address).type(type).send(body);
        expect({ status: response.status, text: response.text }).toEqual({
          status: 200,
          text: '{}',
        });
        expect(await remindersOf(user)).toEqual(OFF);
      }
    });

    it('unsubscribe does not show whether the token is valid', async () => {
      const user = await service.signUp();
      await choose(user, { enabled: true }).expect(200);
      const valid = await unsubscribeTokenOf(user);
      const queries = [
        '?token=x',
        '',
        '?token=',
        `?token=${valid}x`,
        '?token=a&token=b',
        '?token[a]=b',
      ];
      for (const text of queries) {
        const response = await service.anonymous.post(UNSUBSCRIBE + text);
        expect({ status: response.status, text: response.text }).toEqual({
          status: 200,
          text: '{}',
        });
      }
      expect(await remindersOf(user)).toMatchObject({ enabled: true });
    });

    it.each([
      ['en-US,en;q=0.9', 'en', 'Turn reminders off', 'You get no more reminders'],
      [
        'es-MX,es;q=0.9,en;q=0.8',
        'es',
        'Desactivar los recordatorios',
        'Ya no recibirás recordatorios',
      ],
      ['fr', 'en', 'Turn reminders off', 'You get no more reminders'],
    ])(
      'unsubscribe asks in a browser with the languages %s, and changes nothing until the press of the button',
      async (languages, lang, button, done) => {
        const user = await service.signUp();
        await choose(user, { enabled: true }).expect(200);
        const address = `${UNSUBSCRIBE}?token=${await unsubscribeTokenOf(user)}`;
        const page = await service.anonymous.get(address).set('Accept-Language', languages);
        expect(page.status).toBe(200);
        expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
        expect(page.headers['cache-control']).toBe('no-store');
        expect(page.text).toContain(`<html lang="${lang}">`);
        expect(page.text.match(/<button>[^<]*<\/button>/g)).toEqual([`<button>${button}</button>`]);
        expect(page.text).toContain('<form method="post">');
        const head = await fetch(service.origin + address, { method: 'HEAD' });
        expect(head.status).toBe(200);
        expect(await remindersOf(user)).toMatchObject({ enabled: true });
        const answer = await service.anonymous
          .post(address)
          .set('Accept', 'text/html,application/xhtml+xml,*/*;q=0.8')
          .set('Accept-Language', languages)
          .type('form')
          .send('');
        expect(answer.status).toBe(200);
        expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
        expect(answer.text).toContain(done);
        expect(await remindersOf(user)).toMatchObject({ enabled: false });
      },
    );
  });

  it('reminders of a user can be sent, as a sign-in page can see', async () => {
    expect((await service.anonymous.get('/account').expect(200)).body).toMatchObject({
      reminders: true,
    });
  });
});

describe('reminders without a page or a mail server', () => {
  const withoutPage = useServiceWithMail({});
  const service = useService({ mail: undefined, remindersUrl: 'https://app.example.com/#{token}' });

  it.each([
    ['a page', () => withoutPage.service],
    ['a mail server', () => service],
  ])('reminders without %s are stored, and nothing is sent', async (_case, serviceOf) => {
    const user = await serviceOf().signUp();
    await choose(user, { enabled: true, hour: 7 }).expect(200);
    expect(await remindersOf(user)).toEqual({ ...OFF, enabled: true, hour: 7 });
    const account = await serviceOf().anonymous.get('/account').expect(200);
    expect(account.body).toMatchObject({ reminders: false });
    await setTimeout(NO_MAIL_MS);
    expect(withoutPage.server.mails).toEqual([]);
  });
});
