import { describe, expect, it } from '@jest/globals';
import { request as openRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Client } from '../support/client.js';
import { expectError } from '../support/errors.js';
import { forgeClaims, FORGERIES, inSeconds, validToken } from '../support/forged-tokens.js';
import { useService } from '../support/service.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Each puts a token that is right where it does not belong, or beside something else. */
const INVALID_HEADERS: Record<string, (token: string) => string[]> = {
  'no header': () => [],
  'an empty header': () => ['Authorization', ''],
  'the scheme alone': () => ['Authorization', 'Bearer'],
  'the token without a scheme': (token) => ['Authorization', token],
  'the scheme Basic': (token) => ['Authorization', `Basic ${token}`],
  'the scheme JWT': (token) => ['Authorization', `JWT ${token}`],
  'a colon after the scheme': (token) => ['Authorization', `Bearer: ${token}`],
  'the scheme twice': (token) => ['Authorization', `Bearer Bearer ${token}`],
  'a tab after the scheme': (token) => ['Authorization', `Bearer\t${token}`],
  'more text after the token': (token) => ['Authorization', `Bearer ${token} x`],
  'a comma after the token': (token) => ['Authorization', `Bearer ${token},`],
  'two tokens in one header': (token) => ['Authorization', `Bearer ${token}, Bearer ${token}`],
  'the token in quotes': (token) => ['Authorization', `Bearer "${token}"`],
  'white space within the token': (token) => [
    'Authorization',
    `Bearer ${token.replace('.', ' .')}`,
  ],
  'letters that are not ASCII': (token) => ['Authorization', `Bearer ${token}\u00e9`],
  'a right header before a wrong one': (token) => [
    ...['Authorization', `Bearer ${token}`],
    ...['Authorization', 'Bearer x'],
  ],
  'a wrong header before a right one': (token) => [
    ...['Authorization', 'Bearer x'],
    ...['Authorization', `Bearer ${token}`],
  ],
  'the same header twice': (token) => [
    ...['Authorization', `Bearer ${token}`],
    ...['authorization', `Bearer ${token}`],
  ],
  'a header for proxies': (token) => ['Proxy-Authorization', `Bearer ${token}`],
  'a header of another name': (token) => ['X-Access-Token', token],
  'a cookie': (token) => ['Cookie', `access_token=${token}; Authorization=Bearer ${token}`],
};

/** What RFC 6750 and RFC 9110 allow. */
const VALID_HEADERS: Record<string, (token: string) => string[]> = {
  'the scheme as it is written': (token) => ['Authorization', `Bearer ${token}`],
  'the scheme in lower case': (token) => ['Authorization', `bearer ${token}`],
  'the scheme in capitals': (token) => ['authorization', `BEARER ${token}`],
  'several spaces after the scheme': (token) => ['Authorization', `Bearer   ${token}`],
  'white space around it all': (token) => ['Authorization', `\t Bearer ${token} \t`],
};

interface Answer {
  status: number | undefined;
  challenge: string | undefined;
  body: unknown;
}

const REFUSED: Answer = {
  status: 401,
  challenge: 'Bearer',
  body: {
    success: false,
    error: {
      code: 'INVALID_TOKEN',
      message: 'Invalid authentication credentials',
      details: {},
    },
  },
};

describe('an access token', () => {
  const service = useService();

  /** With exactly these headers, each name before its value. */
  async function get(path: string, headers: readonly string[]): Promise<Answer> {
    const { port } = service.server.address() as AddressInfo;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path: `/api/v1${path}` };
      openRequest({ ...options, headers: ['Host', 'localhost', ...headers] }, resolve)
        .on('error', reject)
        .end();
    });
    return {
      status: response.statusCode,
      challenge: response.headers['www-authenticate'],
      body: await json(response),
    };
  }

  const present = (token: string): Promise<Answer> =>
    get('/auth/me', ['Authorization', `Bearer ${token}`]);

  async function newUser(): Promise<{ user: Client; token: string; id: string }> {
    const user = await service.signUp();
    const { id } = (await user.get('/auth/me').expect(200)).body as { id: string };
    return { user, token: user.token ?? '', id };
  }

  it('is accepted as the service issues it', async () => {
    const { id } = await newUser();
    expect(await present(validToken(id))).toMatchObject({ status: 200, body: { id } });
  });

  it.each(Object.entries(FORGERIES))('that %s is refused', async (_what, make) => {
    const { id } = await newUser();
    expect(await present(make(id))).toEqual(REFUSED);
  });

  it('is refused with any of its characters changed', async () => {
    const { token } = await newUser();
    const believed: string[] = [];
    for (const [at, letter] of [...token].entries()) {
      // The last letters of a part may say the same bytes: they are not the same token all the same.
      const other = ALPHABET.at(ALPHABET.indexOf(letter) ^ 1) ?? 'A';
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      if ((await present(changed)).status !== 401) believed.push(changed);
    }
    expect(believed).toEqual([]);
  });

  it('is accepted with an issue time in the future, because the clocks of replicas differ', async () => {
    const { id } = await newUser();
    const early = forgeClaims(id, { iat: inSeconds(30) });
    expect(await present(early)).toMatchObject({ status: 200, body: { id } });
  });

  it.each(Object.entries(INVALID_HEADERS))('is refused with %s', async (_what, headers) => {
    const { token } = await newUser();
    expect(await get('/auth/me', headers(token))).toEqual(REFUSED);
  });

  it.each(Object.entries(VALID_HEADERS))('is accepted with %s', async (_what, headers) => {
    const { token, id } = await newUser();
    expect(await get('/auth/me', headers(token))).toMatchObject({ status: 200, body: { id } });
  });

  it.each(['access_token', 'token', 'Authorization'])(
    'is not looked for in the query, nor in the body, as %s',
    async (name) => {
      const { token } = await newUser();
      expect(await get(`/auth/me?${name}=${token}`, [])).toEqual(REFUSED);
      const response = await service.anonymous.put('/auth/me', { [name]: token });
      expectError(response, 401, 'INVALID_TOKEN', {});
    },
  );

  it('is refused unread in a header above the size limit', async () => {
    const { status, body } = await present('x'.repeat(20_000));
    expect({ status, body }).toEqual({
      status: 431,
      body: {
        success: false,
        error: { code: 'VALIDATION_ERROR', message: expect.any(String), details: {} },
      },
    });
  });

  it('is refused when its user is deleted', async () => {
    const { id, token } = await newUser();
    await service.query('DELETE FROM users WHERE id = $1', [id]);
    expect(await present(token)).toEqual(REFUSED);
  });

  it('of a deactivated user gives INACTIVE_USER, until the account is active again', async () => {
    const { user, id } = await newUser();
    await service.query('UPDATE users SET active = false WHERE id = $1', [id]);
    await service.invalidateUserCache(user);
    expectError(await user.get('/auth/me'), 403, 'INACTIVE_USER');
    await service.query('UPDATE users SET active = true WHERE id = $1', [id]);
    await user.get('/auth/me').expect(200);
  });
});
