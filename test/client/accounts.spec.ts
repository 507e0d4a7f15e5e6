import { describe, expect, it, jest } from '@jest/globals';
import {
  ExpenseClient,
  type AccessToken,
  type ApiError,
} from '../../clients/typescript/src/index.js';
import { PasswordResetsService } from '../../src/accounts/password-resets.service.js';
import { UsersService } from '../../src/users/users.service.js';
import { LOSE_RESPONSE, respondWith } from '../support/http-relay.js';
import { useRelayedClients } from '../support/relayed-client.js';
import { CONFIRM_PATH, NEW_PASSWORD, RESET_PATH } from '../support/service-with-mail.js';
import { TEST_PASSWORD, useService } from '../support/service.js';

const OPTIONS = 'GET /account';
const REQUEST = `POST ${RESET_PATH}`;
const CONFIRM = `POST ${CONFIRM_PATH}`;
const REFRESH = 'POST /auth/refresh';

describe('registration and forgotten passwords with the TypeScript client', () => {
  const service = useService({ mail: { kind: 'print', print: () => undefined } });
  const clients = useRelayedClients(service);
  const { relay } = clients;

  /** The token in a link of an operator. */
  async function tokenFor(email: string): Promise<string> {
    const user = await service.app.get(UsersService, { strict: false }).getByEmail(email);
    const resets = service.app.get(PasswordResetsService, { strict: false });
    const { link } = await resets.createLink(user);
    return new URL(link).hash.slice(1);
  }

  const confirm = (client: ExpenseClient, token: string): ReturnType<typeof client.POST> =>
    client.POST(CONFIRM_PATH, { body: { token, new_password: NEW_PASSWORD } });

  it('the TypeScript client asks without a session what a sign-in page can offer', async () => {
    const { data } = await clients.create().GET('/account');
    expect(data).toEqual({ registration: 'open', password_reset: true, reminders: false });
  });

  it('the TypeScript client requests a link and sets a new password with it', async () => {
    const { email } = await service.signUp();
    const client = clients.create();
    const requested = await client.POST(RESET_PATH, { body: { email } });
    expect([requested.response.status, requested.data]).toEqual([202, {}]);
    const confirmed = await confirm(client, await tokenFor(email));
    expect([confirmed.response.status, confirmed.data]).toEqual([204, undefined]);
    await expect(client.signIn({ email, password: TEST_PASSWORD })).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    await client.signIn({ email, password: NEW_PASSWORD });
    expect((await client.GET('/auth/me')).data.email).toBe(email);
  });

  it('the TypeScript client sends neither its token nor a key outside the prefix', async () => {
    const client = await clients.signUp();
    await client.GET('/account');
    await client.POST(RESET_PATH, { body: { email: 'nobody@example.com' } });
    await expect(confirm(client, 'x')).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    for (const operation of [OPTIONS, REQUEST, CONFIRM]) {
      const requests = relay.requestsOf(operation);
      expect(requests).toHaveLength(1);
      expect(requests[0]?.headers).not.toHaveProperty('authorization');
      expect(requests[0]?.headers).not.toHaveProperty('idempotency-key');
    }
  });

  it('the TypeScript client keeps its session when the token of a link is refused', async () => {
    const { email } = await service.signUp();
    const token = await tokenFor(email);
    await confirm(clients.create(), token);
    const onToken = jest.fn<(token: AccessToken | undefined) => void>();
    const onSessionEnd = jest.fn<(error: ApiError) => void>();
    const client = await clients.signUp({ onToken, onSessionEnd });
    const current = client.token;
    await expect(confirm(client, token)).rejects.toMatchObject({
      code: 'INVALID_TOKEN',
      status: 401,
      isRepeated: false,
    });
    expect(client.token).toEqual(current);
    expect((await client.GET('/auth/me')).response.status).toBe(200);
    expect(onToken).toHaveBeenCalledTimes(1);
    expect(onSessionEnd).not.toHaveBeenCalled();
    expect(relay.requestsOf(REFRESH)).toHaveLength(0);
    expect(relay.requestsOf(CONFIRM)).toHaveLength(2);
  });

  it('the TypeScript client keeps its session when it sets the password of another user', async () => {
    const { email } = await service.signUp();
    const client = await clients.signUp();
    await confirm(client, await tokenFor(email));
    expect((await client.GET('/auth/me')).response.status).toBe(200);
  });

  it('the TypeScript client reports the end of its session at the next request after a new password', async () => {
    const { email } = await service.signUp();
    const onSessionEnd = jest.fn<(error: ApiError) => void>();
    const client = clients.create({ onSessionEnd });
    await client.signIn({ email, password: TEST_PASSWORD });
    await confirm(client, await tokenFor(email));
    expect(onSessionEnd).not.toHaveBeenCalled();
    await expect(client.GET('/auth/me')).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    expect(onSessionEnd).toHaveBeenCalledTimes(1);
    expect(client.token).toBeUndefined();
  });

  it('the TypeScript client does not send a new password again, which may be set although the response is lost', async () => {
    const { email } = await service.signUp();
    const client = clients.create();
    relay.inject(CONFIRM, LOSE_RESPONSE);
    await expect(confirm(client, await tokenFor(email))).rejects.toMatchObject({
      name: 'NetworkError',
      idempotencyKey: undefined,
    });
    expect(relay.requestsOf(CONFIRM)).toHaveLength(1);
    await client.signIn({ email, password: NEW_PASSWORD });
  });

  it('the TypeScript client does not request a second mail after a lost response, but asks again for the options', async () => {
    const client = clients.create();
    relay.inject(REQUEST, LOSE_RESPONSE);
    const body = { email: 'nobody@example.com' };
    await expect(client.POST(RESET_PATH, { body })).rejects.toMatchObject({ name: 'NetworkError' });
    expect(relay.requestsOf(REQUEST)).toHaveLength(1);
    relay.inject(OPTIONS, LOSE_RESPONSE);
    await client.GET('/account');
    expect(relay.requestsOf(OPTIONS)).toHaveLength(2);
  });

  it('the TypeScript client waits for Retry-After before it sends a new password beyond the rate limit', async () => {
    const { email } = await service.signUp();
    const details = { retry_after: 1 };
    const error = { code: 'RATE_LIMIT_EXCEEDED', message: 'x', details };
    relay.inject(CONFIRM, respondWith(429, { success: false, error }, { 'Retry-After': '1' }));
    const { response } = await confirm(clients.create(), await tokenFor(email));
    expect(response.status).toBe(204);
    expect(relay.requestsOf(CONFIRM)).toHaveLength(2);
  });

  it.each([
    ['https://example.com', '/account', 'https://example.com/account'],
    ['https://example.com/gastos/', '/account', 'https://example.com/gastos/account'],
    ['https://example.com/gastos', '/enums', 'https://example.com/gastos/api/v1/enums'],
  ] as const)(
    'the TypeScript client with the base address %s sends a request of %s to %s',
    async (baseUrl, path, url) => {
      const fetch = jest.fn<typeof globalThis.fetch>().mockResolvedValue(Response.json({}));
      await new ExpenseClient({ baseUrl, fetch }).GET(path);
      expect((fetch.mock.calls[0]?.[0] as Request).url).toBe(url);
    },
  );
});
