import { afterEach, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import { EntityManager } from 'typeorm';
import type { SessionResponse, TokenResponse } from '../../../src/auth/dto/auth.dto.js';
import { ExpiredRows } from '../../../src/platform/database/expired-rows.js';
import { Client, TEST_PASSWORD } from '../../support/client.js';
import { expectError } from '../../support/errors.js';
import { forgeClaims, validToken } from '../../support/forged-tokens.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const NEW_PASSWORD = 'a new password';
const HOUR_MS = 3_600_000;

afterEach(() => {
  jest.useRealTimers();
});

describe('sessions', () => {
  const service = useService();

  const withToken = (user: Client, token: string): Client =>
    new Client(service.server, user.email, token);

  async function refresh(user: Client): Promise<Client> {
    const response = await user.post('/auth/refresh').expect(200);
    return withToken(user, (response.body as TokenResponse).access_token);
  }

  const sessionsOf = (user: Client): Promise<SessionResponse[]> => user.read('/auth/sessions');

  async function currentSession(user: Client): Promise<SessionResponse> {
    const current = (await sessionsOf(user)).find((session) => session.current);
    if (!current) throw new Error('No current session');
    return current;
  }

  async function withoutSession(user: Client): Promise<Client> {
    const { id } = await user.read<{ id: string }>('/auth/me');
    return withToken(user, validToken(id));
  }

  /**
   * Ends the session in the database alone, as another process does: the cache of this one keeps
   * it.
   */
  async function endInAnotherProcess(session: SessionResponse): Promise<void> {
    await service.query('DELETE FROM sessions WHERE id = $1', [session.id]);
  }

  it('sessions are listed newest first, with the user agent of the sign-in', async () => {
    const first = await service.signUp();
    const agent = 'x'.repeat(300);
    const login = request(service.server).post('/api/v1/auth/login').type('form');
    await login
      .set('User-Agent', agent)
      .send({ username: first.email, password: TEST_PASSWORD })
      .expect(200);
    const loginWithoutAgent = request(service.server).post('/api/v1/auth/login').type('form');
    await loginWithoutAgent
      .set('User-Agent', '')
      .send({ username: first.email, password: TEST_PASSWORD })
      .expect(200);
    const sessions = await sessionsOf(first);
    expect(sessions).toEqual(
      [null, agent.slice(0, 200), null].map((user_agent, index) => ({
        id: expect.any(String),
        created_at: expect.any(String),
        last_refreshed_at: null,
        user_agent,
        current: index === 2,
      })),
    );
    expect(await sessionsOf(await service.signUp())).toHaveLength(1);
  });

  it('sessions are at most 100 of a user: a sign-in ends the oldest, at once in this process', async () => {
    const oldest = await service.signUp();
    const [second, other] = [await service.signIn(oldest.email), await service.signUp()];
    await service.query(
      `INSERT INTO sessions (household_id, user_id, expires_at)
       SELECT household_id, user_id, expires_at FROM sessions, generate_series(1, 98) WHERE id = $1`,
      [(await currentSession(oldest)).id],
    );
    expect(await sessionsOf(oldest)).toHaveLength(100);
    const newest = await service.signIn(oldest.email);
    expectError(await oldest.get('/auth/me'), 401, 'INVALID_TOKEN');
    await second.get('/auth/me').expect(200);
    const sessions = await sessionsOf(newest);
    expect(sessions).toHaveLength(100);
    expect(sessions[0]?.current).toBe(true);
    await other.get('/auth/me').expect(200);
  });

  describe('POST /auth/refresh', () => {
    it('POST /auth/refresh returns another token of the same session; the earlier one stays valid', async () => {
      const user = await service.signUp();
      const response = await user.post('/auth/refresh').expect(200);
      expect(response.body).toEqual({
        access_token: expect.any(String),
        token_type: 'bearer',
        expires_in: 1800,
      });
      const refreshed = withToken(user, (response.body as TokenResponse).access_token);
      const [session, ...others] = await sessionsOf(refreshed);
      expect(others).toEqual([]);
      expect(session).toMatchObject({ current: true, last_refreshed_at: expect.any(String) });
      await user.get('/auth/me').expect(200);
    });

    it('the session of a refreshed token ends 30 days after the sign-in; the last tokens do not outlive the session', async () => {
      const user = await service.signUp();
      const end = Date.parse((await currentSession(user)).created_at) + 720 * HOUR_MS;
      await service.query('UPDATE sessions SET expires_at = $2 WHERE id = $1', [
        (await currentSession(user)).id,
        new Date(end - 719 * HOUR_MS - 50 * 60_000),
      ]);
      const { expires_in } = (await user.post('/auth/refresh').expect(200)).body as TokenResponse;
      expect(expires_in).toBeGreaterThan(590);
      expect(expires_in).toBeLessThanOrEqual(600);
      jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'], now: end });
      expectError(await user.post('/auth/refresh'), 401, 'INVALID_TOKEN');
    });

    it('POST /auth/refresh is refused for a token without a session, which other endpoints accept', async () => {
      const user = await withoutSession(await service.signUp());
      expectError(await user.post('/auth/refresh'), 401, 'INVALID_TOKEN');
      expectError(await user.post('/auth/logout'), 401, 'INVALID_TOKEN');
      await user.get('/auth/me').expect(200);
      expect((await sessionsOf(user)).map(({ current }) => current)).toEqual([false]);
    });
  });

  describe('POST /auth/logout', () => {
    it('POST /auth/logout ends the session with all its tokens at once, and no other session', async () => {
      const user = await service.signUp();
      const other = await service.signIn(user.email);
      const refreshed = await refresh(user);
      await refreshed.get('/auth/me').expect(200);
      await user.post('/auth/logout').expect(204);
      for (const client of [user, refreshed]) {
        expectError(await client.get('/auth/me'), 401, 'INVALID_TOKEN');
        expectError(await client.post('/auth/refresh'), 401, 'INVALID_TOKEN');
        expectError(await client.post('/auth/logout'), 401, 'INVALID_TOKEN');
      }
      expect(await sessionsOf(other)).toHaveLength(1);
    });
  });

  describe('DELETE /auth/sessions/{id}', () => {
    it('DELETE /auth/sessions/{id} ends one session', async () => {
      const user = await service.signUp();
      const other = await service.signIn(user.email);
      const { id } = await currentSession(other);
      await user.delete(`/auth/sessions/${id}`).expect(204);
      expectError(await other.get('/auth/me'), 401, 'INVALID_TOKEN');
      const resource = { resource: 'session' };
      expectError(await user.delete(`/auth/sessions/${id}`), 404, 'RESOURCE_NOT_FOUND', resource);
      await user.get('/auth/me').expect(200);
    });

    it("DELETE /auth/sessions/{id} finds no other user's session and no expired one", async () => {
      const user = await service.signUp();
      const { id } = await currentSession(await service.signUp());
      for (const unknown of [id, UNKNOWN_UUID]) {
        expectError(await user.delete(`/auth/sessions/${unknown}`), 404, 'RESOURCE_NOT_FOUND');
      }
      const expired = await currentSession(await service.signIn(user.email));
      await service.query(
        "UPDATE sessions SET expires_at = now() - interval '1 second' WHERE id = $1",
        [expired.id],
      );
      expectError(await user.delete(`/auth/sessions/${expired.id}`), 404, 'RESOURCE_NOT_FOUND');
      expect(await sessionsOf(user)).toHaveLength(1);
    });
  });

  describe('PUT /auth/me/password', () => {
    const change = { current_password: TEST_PASSWORD, new_password: NEW_PASSWORD };

    it('PUT /auth/me/password ends every session and starts one for the user who changed the password', async () => {
      const user = await service.signUp();
      const other = await service.signIn(user.email);
      const response = await user.put('/auth/me/password', change).expect(200);
      expect(response.body).toEqual({
        message: 'Password updated successfully',
        access_token: expect.any(String),
        token_type: 'bearer',
        expires_in: 1800,
      });
      const fresh = withToken(user, (response.body as TokenResponse).access_token);
      expect(await sessionsOf(fresh)).toEqual([expect.objectContaining({ current: true })]);
      for (const client of [user, other]) {
        expectError(await client.get('/auth/me'), 401, 'INVALID_TOKEN');
      }
    });

    it('PUT /auth/me/password ends tokens without a session too', async () => {
      const user = await service.signUp();
      const old = await withoutSession(user);
      await old.get('/auth/me').expect(200);
      // A token issued in the second of the change counts as older.
      await user.put('/auth/me/password', change).expect(200);
      expectError(await old.get('/auth/me'), 401, 'INVALID_TOKEN');
    });

    it('PUT /auth/me/password leaves no session of the old password after concurrent sign-ins', async () => {
      const user = await service.signUp();
      const signIns = Array.from({ length: 5 }, () =>
        request(service.server)
          .post('/api/v1/auth/login')
          .type('form')
          .send({ username: user.email, password: TEST_PASSWORD }),
      );
      const [changed, ...responses] = await Promise.all([
        user.put('/auth/me/password', change),
        ...signIns,
      ]);
      expect(changed.status).toBe(200);
      const fresh = withToken(user, (changed.body as TokenResponse).access_token);
      expect(await sessionsOf(fresh)).toHaveLength(1);
      for (const { status, body } of responses) {
        expect([200, 401]).toContain(status);
        const { access_token: token } = body as TokenResponse;
        if (token) expectError(await withToken(user, token).get('/auth/me'), 401, 'INVALID_TOKEN');
      }
    });
  });

  it("sessions of another user are refused in a token, also where both users' sessions are cached", async () => {
    const [user, other] = [await service.signUp(), await service.signUp()];
    const { id } = await user.read<{ id: string }>('/auth/me');
    const sid = (await currentSession(other)).id;
    const mixed = withToken(user, forgeClaims(id, { sid }));
    expectError(await mixed.get('/auth/me'), 401, 'INVALID_TOKEN');
    expectError(await mixed.post('/auth/logout'), 401, 'INVALID_TOKEN');
    await other.get('/auth/me').expect(200);
  });

  it('sessions are refused within three seconds after another process ended them', async () => {
    const user = await service.signUp();
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now);
    await endInAnotherProcess(await currentSession(user));
    await user.get('/auth/me').expect(200);
    clock.mockReturnValue(now + 3001);
    expectError(await user.get('/auth/me'), 401, 'INVALID_TOKEN');
    jest.restoreAllMocks();
  });

  it('sessions are not cached as open by a read that began before they ended', async () => {
    const user = await service.signUp();
    const session = await currentSession(user);
    await service.invalidateUserCache(user);
    const query = jest.spyOn(EntityManager.prototype, 'query');
    query.mockImplementationOnce(async (...args) => {
      const rows: unknown = await service.query(...(args as [string, unknown[]]));
      await endInAnotherProcess(session);
      await service.invalidateUserCache(user);
      return rows;
    });
    await user.get('/auth/me').expect(200);
    expectError(await user.get('/auth/me'), 401, 'INVALID_TOKEN');
    jest.restoreAllMocks();
  });

  it('sessions end atomically for concurrent requests', async () => {
    const user = await service.signUp();
    const writer = await service.signIn(user.email);
    const { id } = await currentSession(writer);
    const body = { name: 'Card', method_type: 'cash', default_currency: 'USD' };
    const writes = Array.from({ length: 20 }, (_, n) =>
      writer.post('/payment-methods', { ...body, name: `Card ${n}` }),
    );
    const ends = [user.delete(`/auth/sessions/${id}`), writer.post('/auth/logout')];
    const refreshes = Array.from({ length: 5 }, () => writer.post('/auth/refresh'));
    const responses = await Promise.all([...writes, ...ends, ...refreshes]);
    const statuses = responses.map(({ status }) => status);
    for (const status of statuses) expect([200, 201, 204, 401, 404]).toContain(status);
    const written = statuses.filter((status) => status === 201).length;
    const methods = await user.read<{ id: string }[]>('/payment-methods');
    expect(methods).toHaveLength(written);
    for (const method of methods) {
      const records = await user.activityOf('payment_method', method.id);
      expect(records.map(({ action }) => action)).toEqual(['created']);
    }
  });

  it('sessions are deleted some time after they expired', async () => {
    await service.query('DELETE FROM sessions');
    const user = await service.signUp();
    const { id } = await currentSession(user);
    await service.query(
      `INSERT INTO sessions (household_id, user_id, expires_at)
       SELECT household_id, user_id, now() - interval '1 minute'
       FROM sessions, generate_series(1, 1001)`,
    );
    await service.app.get(ExpiredRows, { strict: false }).remove();
    expect(await service.query('SELECT id FROM sessions')).toEqual([{ id }]);
  });
});
