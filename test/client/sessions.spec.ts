import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { isApiError, type AccessToken, type ApiError } from '../../clients/typescript/src/index.js';
import { eventually } from '../support/eventually.js';
import { REFUSE, respondWith, respondWithChanged } from '../support/http-relay.js';
import { useRelayedClients } from '../support/relayed-client.js';
import { TEST_PASSWORD, useService } from '../support/service.js';

const LOGIN = 'POST /auth/login';
const REFRESH = 'POST /auth/refresh';
const ME = 'GET /auth/me';
const MINUTE_MS = 60_000;

/** Sets the clock of the client and of the service, which run in this process. */
function advanceClock(minutes: number): void {
  const now = Date.now() + minutes * MINUTE_MS;
  jest.useFakeTimers({
    now,
    doNotFake: [
      ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setTimeout'] as const),
      ...(['clearTimeout', 'setInterval', 'clearInterval'] as const),
      ...(['setImmediate', 'clearImmediate'] as const),
    ],
  });
}

afterEach(() => {
  jest.useRealTimers();
});

describe('a session of the TypeScript client', () => {
  const service = useService();
  const clients = useRelayedClients(service);
  const { relay } = clients;

  it('a session of the TypeScript client begins with e-mail and password, and ends with the sign-out', async () => {
    const { email } = await service.signUp();
    const onToken = jest.fn<(token: AccessToken | undefined) => void>();
    const client = clients.create({ onToken });
    await client.signIn({ email, password: TEST_PASSWORD });
    expect(client.token).toEqual({ value: expect.any(String), expiresAt: expect.any(Number) });
    const minutes = ((client.token?.expiresAt ?? 0) - Date.now()) / MINUTE_MS;
    expect(Math.round(minutes)).toBe(30);
    expect((await client.GET('/auth/me')).data.email).toBe(email);

    const token = client.token;
    await client.signOut();
    expect(client.token).toBeUndefined();
    expect(onToken.mock.calls).toEqual([[token], [undefined]]);
    // The service has ended the session, too.
    const other = clients.create({ token });
    await expect(other.GET('/auth/me')).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  });

  it('a session of the TypeScript client does not begin with a wrong password', async () => {
    const { email } = await service.signUp();
    const client = clients.create();
    const error: unknown = await client
      .signIn({ email, password: 'wrong password' })
      .catch((thrown: unknown) => thrown);
    expect(isApiError(error, 'INVALID_CREDENTIALS')).toBe(true);
    expect(client.token).toBeUndefined();
  });

  it('a session of the TypeScript client reports the errors of a sign-in at the fields that signIn takes', async () => {
    const error: unknown = await clients
      .create()
      .signIn({ email: '', password: '' })
      .catch((thrown: unknown) => thrown);
    if (!isApiError(error, 'VALIDATION_ERROR')) throw error;
    expect(error.details.reasons).toEqual({ email: ['too_short'], password: ['too_short'] });
  });

  it('a session of the TypeScript client goes on with a stored token', async () => {
    const { token } = await clients.signUp();
    const restored = clients.create({ token: JSON.parse(JSON.stringify(token)) as AccessToken });
    expect((await restored.GET('/auth/me')).response.status).toBe(200);
  });

  it('a session of the TypeScript client removes the token at a sign-out without connection', async () => {
    const client = await clients.signUp({ maxRetries: 0 });
    relay.inject('POST /auth/logout', REFUSE);
    await expect(client.signOut()).rejects.toMatchObject({ name: 'NetworkError' });
    expect(client.token).toBeUndefined();
  });

  it('a session of the TypeScript client is refreshed before it ends, once for concurrent requests', async () => {
    const onToken = jest.fn<(token: AccessToken | undefined) => void>();
    const client = await clients.signUp({ onToken });
    const first = client.token;
    advanceClock(20);
    await client.GET('/auth/me');
    expect(relay.requestsOf(REFRESH)).toHaveLength(0);

    advanceClock(5);
    await Promise.all(Array.from({ length: 5 }, () => client.GET('/auth/me')));
    await eventually('a new token', () => client.token !== first);
    expect(relay.requestsOf(REFRESH)).toHaveLength(1);
    expect(onToken).toHaveBeenLastCalledWith(client.token);

    // The first token has expired by now.
    advanceClock(10);
    expect((await client.GET('/auth/me')).response.status).toBe(200);
    expect(relay.requestsOf(REFRESH)).toHaveLength(1);
  });

  it('a session of the TypeScript client keeps a token that is still valid when the refresh fails, and tries again later', async () => {
    const client = await clients.signUp({ maxRetries: 0 });
    const first = client.token;
    advanceClock(25);
    relay.inject(REFRESH, REFUSE);
    await client.GET('/auth/me');
    await eventually('the refresh', () => relay.requestsOf(REFRESH).length === 1);
    expect((await client.GET('/auth/me')).response.status).toBe(200);
    expect(client.token).toEqual(first);
    advanceClock(4.5);
    await client.GET('/auth/me');
    await eventually('a new token', () => client.token !== first);
  });

  it('a session of the TypeScript client refreshes a token that the service refuses, once for concurrent requests, and repeats them', async () => {
    const client = await clients.signUp();
    const refused = { success: false, error: { code: 'INVALID_TOKEN', message: 'x', details: {} } };
    relay.inject(ME, ...Array.from({ length: 3 }, () => respondWith(401, refused)));
    const responses = await Promise.all([1, 2, 3].map(() => client.GET('/auth/me')));
    expect(responses.map(({ response }) => response.status)).toEqual([200, 200, 200]);
    expect(relay.requestsOf(REFRESH)).toHaveLength(1);
    expect(relay.requestsOf(ME)).toHaveLength(6);
  });

  it('a session of the TypeScript client has ended when the token has expired, which is reported once, with the error of the request', async () => {
    const onSessionEnd = jest.fn<(error: ApiError) => void>();
    const onToken = jest.fn<(token: AccessToken | undefined) => void>();
    const client = await clients.signUp({ onSessionEnd, onToken });
    advanceClock(31);
    const errors = await Promise.all(
      [1, 2, 3].map(() => client.GET('/auth/me').catch((error: unknown) => error)),
    );
    expect(errors.map((error) => isApiError(error, 'INVALID_TOKEN'))).toEqual([true, true, true]);
    expect(onSessionEnd).toHaveBeenCalledTimes(1);
    expect(errors).toContain(onSessionEnd.mock.calls[0]?.[0]);
    expect(onToken).toHaveBeenLastCalledWith(undefined);
    expect(client.token).toBeUndefined();
    expect(relay.requestsOf(REFRESH)).toHaveLength(1);
  });

  it('a session of the TypeScript client is kept without requests with keepAlive', async () => {
    relay.inject(LOGIN, respondWithChanged({ expires_in: 2 }));
    const client = await clients.signUp({ keepAlive: true });
    const first = client.token;
    await eventually('a new token', () => client.token !== first);
    expect(relay.requestsOf(REFRESH)).toHaveLength(1);
    await client.signOut();
  });

  it('a session of the TypeScript client is that of the response to a password change', async () => {
    const client = await clients.signUp();
    const first = client.token;
    await client.PUT('/auth/me/password', {
      body: { current_password: TEST_PASSWORD, new_password: 'another password' },
    });
    expect(client.token).not.toEqual(first);
    expect((await client.GET('/auth/me')).response.status).toBe(200);
  });

  it('a personal access token replaces a sign-in, is never refreshed, and its refusal is final', async () => {
    const user = await service.signUp();
    const { id, token } = await user.createToken({ expires_in_days: 365 });
    const onToken = jest.fn();
    const onSessionEnd = jest.fn<(error: ApiError) => void>();
    const script = clients.create({ token, onToken, onSessionEnd, keepAlive: true });
    advanceClock(2 * 24 * 60);
    const { data } = await script.GET('/auth/me');
    expect(data.email).toBe(user.email);
    jest.useRealTimers();
    await user.delete(`/auth/tokens/${id}`).expect(204);
    await expect(script.GET('/auth/me')).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    await expect(script.GET('/auth/me')).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    expect(onSessionEnd).toHaveBeenCalledTimes(1);
    expect(script.token).toBeUndefined();
    expect(relay.requestsOf(REFRESH)).toHaveLength(0);
  });

  it('the TypeScript client does not repeat a request of one user as another', async () => {
    const client = await clients.signUp();
    const { token } = await clients.signUp();
    advanceClock(31);
    const pending = client.GET('/auth/me');
    client.token = token;
    await expect(pending).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    expect(client.token).toEqual(token);
  });
});
