import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import request, { type Response, type Test } from 'supertest';
import { AuthService } from '../../../src/auth/auth.service.js';
import type {
  CreatedPersonalAccessTokenResponse,
  PersonalAccessTokenResponse,
} from '../../../src/auth/dto/personal-access-token.dto.js';
import { ExpiredRows } from '../../../src/platform/database/expired-rows.js';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { UsersService } from '../../../src/users/users.service.js';
import { Client, TEST_PASSWORD } from '../../support/client.js';
import { expectError, expectLimitReached } from '../../support/errors.js';
import { validToken } from '../../support/forged-tokens.js';
import { expectIntegrity } from '../../support/integrity.js';
import { operationsOf, splitName } from '../../support/operations.js';
import { databaseState } from '../../support/rejected-requests.js';
import { assertAsDocumented } from '../../support/response-contract.js';
import { countOutcomes } from '../../support/response-counts.js';
import { createSampleEntities, UNKNOWN_UUID } from '../../support/sample-entities.js';
import { NO_LIMITS, useService, type Service } from '../../support/service.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

type Tokens = PersonalAccessTokenResponse[];

const NEEDS_NO_TOKEN = /^\/(account|auth\/(register|login))/;

const unknownToken = (): string => `pat_${randomBytes(32).toString('base64url')}`;

const withToken = (service: Service, token: string): Client =>
  new Client(service.server, '', token);

const authService = (service: Service): AuthService =>
  service.app.get(AuthService, { strict: false });

const storedUser = (service: Service, { email }: Client) =>
  service.app.get(UsersService, { strict: false }).getByEmail(email);

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

describe('POST /auth/tokens', () => {
  const service = useService();

  it('POST /auth/tokens responds with a new token once', async () => {
    const user = await service.signUp();
    const response = await user.post('/auth/tokens', { name: ' Spreadsheet ' }).expect(201);
    const { token, ...shown } = response.body as CreatedPersonalAccessTokenResponse;
    expect(token).toMatch(/^pat_[\w-]{43}$/);
    expect(shown).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Spreadsheet',
      access: 'read',
      created_at: expect.stringMatching(/Z$/),
      expires_at: new Date(Date.parse(shown.created_at) + 90 * DAY_MS).toISOString(),
      last_used_at: null,
    });
    const other = await user.createToken({ name: 'Home', access: 'write', expires_in_days: 365 });
    expect(other).toMatchObject({ name: 'Home', access: 'write' });
    expect(Date.parse(other.expires_at) - Date.parse(other.created_at)).toBe(365 * DAY_MS);
    const [first, ...others] = await user.read<Tokens>('/auth/tokens');
    expect({ ...first, token: other.token }).toEqual(other);
    expect(others).toEqual([shown]);
    expect(await (await service.signUp()).read('/auth/tokens')).toEqual([]);
  });

  it('POST /auth/tokens takes null as the default, and makes two tokens of two requests', async () => {
    const user = await service.signUp();
    const send = (): Test =>
      user
        .post('/auth/tokens', { name: 'x', access: null, expires_in_days: null })
        .set('Idempotency-Key', 'token');
    const [first, second] = [await send().expect(201), await send().expect(201)];
    expect((first.body as { access: string }).access).toBe('read');
    expect(second.get('Idempotent-Replayed')).toBeUndefined();
    expect(await user.read<Tokens>('/auth/tokens')).toHaveLength(2);
  });

  it.each([
    ['name', {}],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['access', { name: 'x', access: 'admin' }],
    ['expires_in_days', { name: 'x', expires_in_days: 0 }],
    ['expires_in_days', { name: 'x', expires_in_days: 366 }],
    ['expires_in_days', { name: 'x', expires_in_days: 1.5 }],
    ['expires_in_days', { name: 'x', expires_in_days: '30' }],
    ['scope', { name: 'x', scope: 'all' }],
  ])('POST /auth/tokens refuses a wrong %s: %j', async (field, body) => {
    const user = await service.signUp();
    const response = await user.post('/auth/tokens', body);
    expectError(response, 422, 'VALIDATION_ERROR', {
      fields: { [field]: [expect.any(String)] },
      reasons: { [field]: [expect.any(String)] },
    });
  });

  it('POST /auth/tokens allows 50 unexpired tokens of a user, also for concurrent requests', async () => {
    const user = await service.signUp();
    const other = await service.signUp();
    const { id } = await user.createToken();
    await service.query(
      `INSERT INTO personal_access_tokens
         (household_id, user_id, name, access, token_hash, expires_at)
       SELECT household_id, user_id, 'x', 'read', n::text,
         now() + CASE WHEN n > 48 THEN interval '-1 minute' ELSE interval '1 day' END
       FROM personal_access_tokens, generate_series(1, 60) AS n WHERE id = $1`,
      [id],
    );
    const creations = Array.from({ length: 3 }, () => user.post('/auth/tokens', { name: 'x' }));
    const responses = await Promise.all(creations);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const refused = await user.post('/auth/tokens', { name: 'x' });
    expectLimitReached(refused, 'personal_access_token', 50);
    const [newest] = await user.read<Tokens>('/auth/tokens');
    await user.delete(`/auth/tokens/${newest?.id ?? ''}`).expect(204);
    await user.createToken();
    await other.createToken();
  });

  it('POST /auth/tokens accepts the token of a version without sessions', async () => {
    const user = await service.signUp();
    const { id } = await user.read<{ id: string }>('/auth/me');
    await withToken(service, validToken(id)).createToken();
  });

  it('POST /auth/tokens is refused when the session has ended since it was cached', async () => {
    const user = await service.signUp();
    await user.get('/auth/me').expect(200);
    await service.query(
      'DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = $1)',
      [user.email],
    );
    expectError(await user.post('/auth/tokens', { name: 'x' }), 401, 'INVALID_TOKEN');
  });

  it('POST /auth/tokens is refused when the user has been deactivated since it was cached', async () => {
    const user = await service.signUp();
    await user.get('/auth/me').expect(200);
    await service.query('UPDATE users SET active = false WHERE email = $1', [user.email]);
    expectError(await user.post('/auth/tokens', { name: 'x' }), 403, 'INACTIVE_USER');
  });
});

describe('a personal access token', () => {
  const service = useService();

  it('a personal access token acts for its user', async () => {
    const user = await service.signUp();
    const writer = await user.script();
    const { id } = await writer.createCycle();
    expect((await user.cycle(id)).id).toBe(id);
    const profile = await writer.read('/auth/me');
    expect(profile).toEqual(await user.read('/auth/me'));
    const [record] = await user.activityOf('cycle', id);
    expect(record).toMatchObject({ actor: { email: user.email } });
    await expectIntegrity(service.dataSource);
  });

  it('a personal access token with read access can GET and HEAD, and use three other operations that write nothing', async () => {
    const { user, fill, sendBody } = await createSampleEntities(service);
    const reader = await user.script({ access: 'read' });
    await reader.get(fill('/payment-methods/{id}')).expect(200);
    await request(service.server)
      .head('/api/v1/payment-methods')
      .set('Authorization', `Bearer ${reader.token ?? ''}`)
      .expect(200);
    const before = await databaseState(service);
    const accepted: string[] = [];
    for (const { name } of operationsOf(service.app)) {
      const { method, path } = splitName(name);
      if (method === 'get' || NEEDS_NO_TOKEN.test(path)) continue;
      const response = await sendBody(reader.send(method, fill(path)), name);
      if (response.status === 200) accepted.push(name);
      else expectError(response, 403, 'FORBIDDEN', {});
    }
    expect(accepted.sort()).toEqual([
      'POST /cycles/preview',
      'POST /forecast',
      'POST /occurrences',
    ]);
    expect(await databaseState(service)).toEqual(before);
  });

  it('a personal access token with read access is refused for dry runs', async () => {
    const { user, fill, sendBody } = await createSampleEntities(service);
    const reader = await user.script({ access: 'read' });
    const upload = 'POST /cycles/{cycle_id}/expenses/import';
    for (const response of [
      await reader.post(fill('/cycles/{id}/reprice'), { dry_run: true }),
      await sendBody(reader.post(fill('/cycles/{cycle_id}/expenses/import?dry_run=true')), upload),
    ]) {
      expectError(response, 403, 'FORBIDDEN', {});
    }
  });

  it.each(['/forecast', '/cycles/preview', '/occurrences'])(
    'a personal access token with read access gets the errors of %s, and one that has ended a 401',
    async (path) => {
      const user = await service.signUp();
      const { id, token } = await user.createToken({ access: 'read' });
      const reader = withToken(service, token);
      const refused = await reader.post(path, { typo: 1 });
      expectError(refused, 422, 'VALIDATION_ERROR');
      await user.delete(`/auth/tokens/${id}`).expect(204);
      expectError(await reader.post(path, { typo: 1 }), 401, 'INVALID_TOKEN');
    },
  );

  it('a personal access token is checked after the path and the method, and before the limits and the body', async () => {
    const user = await service.signUp();
    const reader = await user.script({ access: 'read' });
    expectError(await reader.post('/unknown', '{'), 404, 'RESOURCE_NOT_FOUND');
    expect((await reader.post('/enums')).status).toBe(405);
    const malformed = reader.post('/cycles').type('json').send('{');
    expectError(await malformed, 403, 'FORBIDDEN', {});
    const large = reader.put('/auth/me').send({ first_name: 'x'.repeat(200_000) });
    expectError(await large, 403, 'FORBIDDEN', {});
    const missing = `/payment-methods/${UNKNOWN_UUID}`;
    expectError(await reader.put(missing, { name: '' }), 403, 'FORBIDDEN', {});
  });

  it('a personal access token can only delete comments of its own user, also if the user is an admin', async () => {
    const admin = await service.signUp();
    const member = await service.signUpMember(admin);
    const writer = await admin.script();
    const { id } = await member.createPaymentMethod();
    const comment = async (author: Client): Promise<string> => {
      const body = { entity_type: 'payment_method', entity_id: id, body: 'Hello' };
      return ((await author.post('/comments', body).expect(201)).body as { id: string }).id;
    };
    const theirs = await comment(member);
    expectError(await writer.delete(`/comments/${theirs}`), 403, 'FORBIDDEN', {});
    await writer.delete(`/comments/${await comment(admin)}`).expect(204);
    await admin.delete(`/comments/${theirs}`).expect(204);
  });

  it('a personal access token shares the idempotency keys of its user', async () => {
    const user = await service.signUp();
    const writer = await user.script();
    const body = { name: 'Card', method_type: 'cash', default_currency: 'USD' };
    const send = (client: Client): Test =>
      client.post('/payment-methods', body).set('Idempotency-Key', 'card');
    const first = await send(user).expect(201);
    const again = await send(writer).expect(201);
    expect(again.body).toEqual(first.body);
    expect(again.get('Idempotent-Replayed')).toBe('true');
  });

  it('a personal access token is refused at once, also by other processes, when it has ended or expired', async () => {
    const user = await service.signUp();
    const [ended, expired] = [await user.createToken(), await user.createToken()];
    for (const { token } of [ended, expired]) {
      await withToken(service, token).get('/auth/me').expect(200);
    }
    await user.delete(`/auth/tokens/${ended.id}`).expect(204);
    await service.query(
      "UPDATE personal_access_tokens SET expires_at = now() - interval '1 second' WHERE id = $1",
      [expired.id],
    );
    for (const { token, id } of [ended, expired]) {
      const response = await withToken(service, token).get('/auth/me');
      expectError(response, 401, 'INVALID_TOKEN', {});
      expect(response.get('WWW-Authenticate')).toBe('Bearer');
      const details = { resource: 'personal_access_token' };
      expectError(await user.delete(`/auth/tokens/${id}`), 404, 'RESOURCE_NOT_FOUND', details);
    }
    expect(await user.read('/auth/tokens')).toEqual([]);
  });

  it.each(['pat_', 'pat_x', `pat_${'x'.repeat(43)}`, `pat_${'x'.repeat(43)}=`, 'PAT_x'])(
    'a personal access token is refused if it is unknown: %s',
    async (token) => {
      expectError(await withToken(service, token).get('/auth/me'), 401, 'INVALID_TOKEN', {});
    },
  );

  it('a personal access token of another user cannot be ended', async () => {
    const [user, other] = [await service.signUp(), await service.signUp()];
    const { id, token } = await other.createToken();
    for (const missing of [id, UNKNOWN_UUID]) {
      const details = { resource: 'personal_access_token' };
      expectError(await user.delete(`/auth/tokens/${missing}`), 404, 'RESOURCE_NOT_FOUND', details);
    }
    await withToken(service, token).get('/auth/me').expect(200);
  });

  it('a personal access token expires on time', async () => {
    const user = await service.signUp();
    const { token, expires_at } = await user.createToken({ expires_in_days: 1 });
    const end = Date.parse(expires_at);
    const reader = withToken(service, token);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'], now: end - 1 });
    await reader.get('/auth/me').expect(200);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'], now: end });
    expectError(await reader.get('/auth/me'), 401, 'INVALID_TOKEN');
  });

  it('a personal access token ends when the password is changed, and when an operator sets it', async () => {
    const user = await service.signUp();
    const [reader, other] = [await user.script(), await (await service.signUp()).script()];
    const change = { current_password: TEST_PASSWORD, new_password: 'a new password' };
    await user.put('/auth/me/password', change).expect(200);
    expectError(await reader.get('/auth/me'), 401, 'INVALID_TOKEN');
    const fresh = await service.signIn(user.email, 'a new password');
    expect(await fresh.read('/auth/tokens')).toEqual([]);
    const second = await fresh.script();
    const { id } = await storedUser(service, user);
    await authService(service).setPassword(id, TEST_PASSWORD);
    expectError(await second.get('/auth/me'), 401, 'INVALID_TOKEN');
    await other.get('/auth/me').expect(200);
  });

  it('a personal access token of a deactivated user is refused with 403, and stays ended after the reactivation', async () => {
    const user = await service.signUp();
    const reader = await user.script();
    const stored = await storedUser(service, user);
    await authService(service).setActive(stored, false);
    expectError(await reader.get('/auth/me'), 403, 'INACTIVE_USER');
    await authService(service).setActive(stored, true);
    expectError(await reader.get('/auth/me'), 401, 'INVALID_TOKEN');
    const again = await service.signIn(user.email);
    expect(await again.read('/auth/tokens')).toEqual([]);
  });

  it('a personal access token is refused with 403 if the user is deactivated in the database alone', async () => {
    const user = await service.signUp();
    const reader = await user.script();
    await service.query('UPDATE users SET active = false WHERE email = $1', [user.email]);
    expectError(await reader.get('/auth/me'), 403, 'INACTIVE_USER');
  });

  it('a personal access token ends with its user', async () => {
    const user = await service.signUp();
    const reader = await user.script();
    await service.query('DELETE FROM users WHERE email = $1', [user.email]);
    expectError(await reader.get('/auth/me'), 401, 'INVALID_TOKEN');
  });

  it('a personal access token has a time of the last use that is at most an hour behind', async () => {
    const user = await service.signUp();
    const reader = await user.script({ access: 'read' });
    const lastUse = async (): Promise<string | null | undefined> =>
      (await user.read<Tokens>('/auth/tokens'))[0]?.last_used_at;
    expectError(await reader.post('/cycles', {}), 403, 'FORBIDDEN');
    expect(await lastUse()).toBeNull();
    await reader.get('/auth/me').expect(200);
    const first = await lastUse();
    expect(Date.now() - Date.parse(first ?? '')).toBeLessThan(60_000);
    await reader.get('/auth/me').expect(200);
    expect(await lastUse()).toBe(first);
    await service.query(`UPDATE personal_access_tokens SET last_used_at = $1`, [
      new Date(Date.now() - HOUR_MS),
    ]);
    await reader.get('/auth/me').expect(200);
    expect((await lastUse()) ?? '').toMatch(/Z$/);
    expect(Date.now() - Date.parse((await lastUse()) ?? '')).toBeLessThan(60_000);
  });

  it('a personal access token is accepted when the time of its use cannot be written', async () => {
    const user = await service.signUp();
    const reader = await user.script({ access: 'read' });
    await service.query(
      'ALTER TABLE personal_access_tokens ADD CONSTRAINT unused CHECK (last_used_at IS NULL) NOT VALID',
    );
    await reader.get('/auth/me').expect(200);
    await service.query('ALTER TABLE personal_access_tokens DROP CONSTRAINT unused');
    expect((await user.read<Tokens>('/auth/tokens'))[0]?.last_used_at).toBeNull();
  });

  it("a personal access token is in no export of its user's data", async () => {
    const user = await service.signUp();
    const { token, id, name } = await user.createToken({ name: 'Spreadsheet of the export' });
    const { text } = await user.get('/export').expect(200);
    for (const part of [token, id, name, 'token']) expect(text).not.toContain(part);
  });

  it('a personal access token is deleted some time after it expired', async () => {
    await service.query('DELETE FROM personal_access_tokens');
    const user = await service.signUp();
    const [kept, expired] = [await user.createToken(), await user.createToken()];
    await service.query(
      "UPDATE personal_access_tokens SET expires_at = now() - interval '1 second' WHERE id = $1",
      [expired.id],
    );
    await service.app.get(ExpiredRows, { strict: false }).remove();
    const rows = await service.query('SELECT id FROM personal_access_tokens');
    expect(rows).toEqual([{ id: kept.id }]);
  });
});

describe('the text of a personal access token', () => {
  const service = useService({ logLevel: 'info' });

  it('the text of a personal access token is stored as a hash, and is neither logged nor a label of a metric', async () => {
    const written: string[] = [];
    for (const stream of [process.stdout, process.stderr]) {
      jest.spyOn(stream, 'write').mockImplementation((text) => {
        written.push(String(text));
        return true;
      });
    }
    const user = await service.signUp();
    const { id, token } = await user.createToken();
    const reader = withToken(service, token);
    await reader.get('/auth/me').expect(200);
    await reader.get('/unknown').expect(404);
    await reader.post('/cycles', {}).expect(403);
    await user.delete(`/auth/tokens/${id}`).expect(204);
    const again = await user.createToken();
    await reader.get('/auth/me').expect(401);
    expect(written.join('')).toContain('/auth/tokens');
    const { registry } = service.app.get(Metrics, { strict: false });
    const [stored] = await service.query<{ token_hash: string }>(
      'SELECT * FROM personal_access_tokens WHERE id = $1',
      [again.id],
    );
    expect(stored?.token_hash).toMatch(/^[0-9a-f]{64}$/);
    for (const text of [written.join(''), await registry.metrics(), JSON.stringify(stored)]) {
      for (const secret of [token, again.token]) expect(text).not.toContain(secret.slice(4));
    }
  });
});

describe('the limits on personal access tokens', () => {
  const service = useService({
    trustProxy: 1,
    rateLimits: { ...NO_LIMITS, enabled: true, authenticatedPerHour: 20 },
  });

  const read = (token: string, network: string): Test =>
    request(service.server)
      .get('/api/v1/auth/me')
      .set('Authorization', `Bearer ${token}`)
      .set('X-Forwarded-For', network)
      .expect((response) => assertAsDocumented('get', response));

  it('the limits on personal access tokens allow 100 unknown tokens a minute for each client network, and known ones beyond', async () => {
    const network = '203.0.113.1';
    const user = await service.signUp();
    const [known, ended] = [await user.createToken(), await user.createToken()];
    await user.delete(`/auth/tokens/${ended.id}`).expect(204);
    const guesses: Response[] = [await read(ended.token, network), await read('pat_x', network)];
    for (let n = 0; n < 100; n += 1) guesses.push(await read(unknownToken(), network));
    expect(countOutcomes(guesses)).toEqual({
      '401 INVALID_TOKEN': 100,
      '429 RATE_LIMIT_EXCEEDED': 2,
    });
    expect(guesses[0]?.get('RateLimit-Policy')).toBe('"unknown-access-token";q=100;w=60');
    const [refused] = guesses.slice(100);
    const retryAfter = Number(refused?.get('Retry-After'));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    await read(known.token, network).expect(200);
    expectError(await read(unknownToken(), '203.0.113.2'), 401, 'INVALID_TOKEN');
    // A token of another form is no guess of one.
    expectError(await read('x', network), 401, 'INVALID_TOKEN');
  });

  it('the limits on personal access tokens count the requests of a user together, whatever token they have', async () => {
    const user = await service.signUp();
    const response = await user.post('/auth/tokens', { name: 'x' }).expect(201);
    const { token } = response.body as CreatedPersonalAccessTokenResponse;
    expect(response.get('RateLimit-Policy')).toBe('"authenticated";q=20;w=3600');
    expect(response.get('RateLimit')).toContain('r=19;');
    const other = await user.createToken();
    const reads = [await read(token, '203.0.113.3'), await read(other.token, '203.0.113.4')];
    expect(reads.map((one) => one.get('RateLimit')?.split(';')[1])).toEqual(['r=17', 'r=16']);
  });
});
