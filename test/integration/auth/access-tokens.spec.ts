import { describe, expect, it } from '@jest/globals';
import { request as openRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Client } from '../../support/client.js';
import { expectError } from '../../support/errors.js';
import { forgeClaims, FORGERIES, inSeconds, validToken } from '../../support/forged-tokens.js';
import { useService } from '../../support/service.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Each sends a valid token in a wrong place, or together with other text. */
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
  'a valid header before an invalid one': (token) => [
    ...['Authorization', `Bearer ${token}`],
    ...['Authorization', 'Bearer x'],
  ],
  'an invalid header before a valid one': (token) => [
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

/** Headers that RFC 6750 and RFC 9110 allow. */
const VALID_HEADERS: Record<string, (token: string) => string[]> = {
  'the scheme as it is written': (token) => ['Authorization', `Bearer ${token}`],
  'the scheme in lower case': (token) => ['Authorization', `bearer ${token}`],
  'the scheme in capitals': (token) => ['authorization', `BEARER ${token}`],
  'several spaces after the scheme': (token) => ['Authorization', `Bearer   ${token}`],
  'white space around the header value': (token) => ['Authorization', `\t Bearer ${token} \t`],
};

interface TokenResponse {
  status: number | undefined;
  challenge: string | undefined;
  body: unknown;
}

const REFUSED: TokenResponse = {
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

  /** Sends exactly these headers, as a list of names and values. */
  async function get(path: string, headers: readonly string[]): Promise<TokenResponse> {
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

  const requestWith = (token: string): Promise<TokenResponse> =>
    get('/auth/me', ['Authorization', `Bearer ${token}`]);

  async function newUser(): Promise<{ user: Client; token: string; id: string }> {
    const user = await service.signUp();
    const { id } = (await user.get('/auth/me').expect(200)).body as { id: string };
    return { user, token: user.token ?? '', id };
  }

  it('an access token is accepted as the service issues it', async () => {
    const { id } = await newUser();
    expect(await requestWith(validToken(id))).toMatchObject({ status: 200, body: { id } });
  });

  it.each(Object.entries(FORGERIES))('an access token that %s is refused', async (_what, forge) => {
    const { id } = await newUser();
    expect(await requestWith(forge(id))).toEqual(REFUSED);
  });

  it('an access token is refused with any of its characters changed', async () => {
    const { token } = await newUser();
    const accepted: string[] = [];
    for (const [at, letter] of [...token].entries()) {
      // Two last characters of a segment may decode to the same bytes; such a token is refused too.
      const other = ALPHABET.at(ALPHABET.indexOf(letter) ^ 1) ?? 'A';
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      if ((await requestWith(changed)).status !== 401) accepted.push(changed);
    }
    expect(accepted).toEqual([]);
  });

  it('an access token is accepted with an issue time in the future, because the clocks of replicas differ', async () => {
    const { id } = await newUser();
    const early = forgeClaims(id, { iat: inSeconds(30) });
    expect(await requestWith(early)).toMatchObject({ status: 200, body: { id } });
  });

  it.each(Object.entries(INVALID_HEADERS))(
    'an access token is refused with %s',
    async (_what, headers) => {
      const { token } = await newUser();
      expect(await get('/auth/me', headers(token))).toEqual(REFUSED);
    },
  );

  it.each(Object.entries(VALID_HEADERS))(
    'an access token is accepted with %s',
    async (_what, headers) => {
      const { token, id } = await newUser();
      expect(await get('/auth/me', headers(token))).toMatchObject({ status: 200, body: { id } });
    },
  );

  it.each(['access_token', 'token', 'Authorization'])(
    'an access token is not read from the query or the body as %s',
    async (name) => {
      const { token } = await newUser();
      expect(await get(`/auth/me?${name}=${token}`, [])).toEqual(REFUSED);
      const response = await service.anonymous.put('/auth/me', { [name]: token });
      expectError(response, 401, 'INVALID_TOKEN', {});
    },
  );

  it('an access token is refused with 431 in a header above the size limit', async () => {
    const { status, body } = await requestWith('x'.repeat(20_000));
    expect({ status, body }).toEqual({
      status: 431,
      body: {
        success: false,
        error: { code: 'VALIDATION_ERROR', message: expect.any(String), details: {} },
      },
    });
  });

  it('an access token is refused when its user is deleted', async () => {
    const { id, token } = await newUser();
    await service.query('DELETE FROM users WHERE id = $1', [id]);
    expect(await requestWith(token)).toEqual(REFUSED);
  });

  it('an access token of a deactivated user is refused with INACTIVE_USER until the account is active again', async () => {
    const { user, id } = await newUser();
    await service.query('UPDATE users SET active = false WHERE id = $1', [id]);
    await service.invalidateUserCache(user);
    expectError(await user.get('/auth/me'), 403, 'INACTIVE_USER');
    await service.query('UPDATE users SET active = true WHERE id = $1', [id]);
    await user.get('/auth/me').expect(200);
  });
});
