import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { AuthService } from '../../../../src/auth/auth.service.js';
import { UsersService } from '../../../../src/users/users.service.js';
import { Client, TEST_PASSWORD } from '../../../support/client.js';
import { sampleDocument } from '../../../support/data-document.js';
import { forgeClaims, inSeconds } from '../../../support/forged-tokens.js';
import { useService } from '../../../support/service.js';
import { SlowRequest } from '../../../support/slow-request.js';

const NEW_METHOD = JSON.stringify({ name: 'Late', method_type: 'cash', default_currency: 'USD' });

/** Personal access tokens are looked up again after bodies that took over a second. */
const LONG_BODY_MS = 1100;

describe('a body that arrives after the token of its request has ended', () => {
  const service = useService();

  /** The outcome of a request whose body arrives after something else has happened. */
  async function outcomeAfter(
    user: Client,
    happens: () => Promise<unknown>,
    { path = '/payment-methods', body = NEW_METHOD } = {},
  ): Promise<string> {
    const arrival = once(service.server, 'request');
    const request = new SlowRequest(service.origin, user, { path });
    request.write(body.slice(0, 1));
    await arrival;
    await setTimeout(LONG_BODY_MS);
    await happens();
    const { status, text } = await request.end(body.slice(1));
    const { error } = JSON.parse(text) as { error?: { code: string } };
    return `${status} ${error?.code ?? ''}`.trim();
  }

  const changePassword = (user: Client): PromiseLike<unknown> =>
    user
      .put('/auth/me/password', {
        current_password: TEST_PASSWORD,
        new_password: 'another password',
      })
      .expect(200);

  const setActive = async ({ email }: Client, active: boolean): Promise<void> => {
    const stored = await service.app.get(UsersService, { strict: false }).getByEmail(email);
    await service.app.get(AuthService, { strict: false }).setActive(stored, active);
  };

  it('a body is refused after the sign-out of its session, and nothing is stored', async () => {
    const user = await service.signUp();
    const writer = await user.signInAgain();
    const signOut = async (): Promise<unknown> => writer.post('/auth/logout').expect(204);
    expect(await outcomeAfter(writer, signOut)).toBe('401 INVALID_TOKEN');
    expect(await user.read('/payment-methods')).toEqual([]);
  });

  it.each<[what: string, path: string, body: string]>([
    ['a payment method', '/payment-methods', NEW_METHOD],
    ['a calendar feed', '/calendar-feeds', '{"name":"Gastos"}'],
    ['an invitation', '/households/current/invitations', '{}'],
    ['a personal access token', '/auth/tokens', '{"name":"Script"}'],
    ['an import', '/import', JSON.stringify(sampleDocument())],
  ])('a body is refused after a change of the password: %s', async (_what, path, body) => {
    const user = await service.signUp();
    const other = await user.signInAgain();
    const change = async (): Promise<unknown> => changePassword(other);
    expect(await outcomeAfter(user, change, { path, body })).toBe('401 INVALID_TOKEN');
  });

  it('a body is refused after the deactivation of its user', async () => {
    const user = await service.signUp();
    expect(await outcomeAfter(user, () => setActive(user, false))).toBe('403 INACTIVE_USER');
    await setActive(user, true);
    const again = await service.signIn(user.email);
    expect(await again.read('/payment-methods')).toEqual([]);
  });

  it('a body is refused after the end of its personal access token, by itself or with the password', async () => {
    const user = await service.signUp();
    const { id, token } = await user.createToken({ access: 'write' });
    const script = new Client(service.server, user.email, token);
    const end = async (): Promise<unknown> => user.delete(`/auth/tokens/${id}`).expect(204);
    expect(await outcomeAfter(script, end)).toBe('401 INVALID_TOKEN');
    const second = await user.script();
    const change = async (): Promise<unknown> => changePassword(user);
    expect(await outcomeAfter(second, change)).toBe('401 INVALID_TOKEN');
  });

  it('a body is taken after its tokens have expired, which counts when the headers arrive', async () => {
    const user = await service.signUp();
    const { id } = await user.read<{ id: string }>('/auth/me');
    const expiring = new Client(service.server, user.email, forgeClaims(id, { exp: inSeconds(5) }));
    await expiring.get('/auth/me').expect(200);
    const wait = (): Promise<unknown> => setTimeout(5000);
    expect(await outcomeAfter(expiring, wait)).toBe('201');
    const script = await user.script();
    await script.get('/auth/me').expect(200);
    const expire = (): Promise<unknown> =>
      service.query('UPDATE personal_access_tokens SET expires_at = $1', [
        new Date(Date.now() + 5000),
      ]);
    await expire();
    const body = NEW_METHOD.replace('Late', 'Later');
    expect(await outcomeAfter(script, wait, { body })).toBe('201');
    expect((await script.get('/auth/me')).status).toBe(401);
  });

  it('a body is taken when its session goes on', async () => {
    const user = await service.signUp();
    const refresh = async (): Promise<unknown> => user.post('/auth/refresh').expect(200);
    expect(await outcomeAfter(user, refresh)).toBe('201');
  });
});
