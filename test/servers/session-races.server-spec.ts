import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Test } from 'supertest';
import type { SessionResponse, TokenResponse } from '../../src/auth/dto/auth.dto.js';
import { advisoryLockId } from '../../src/platform/database/advisory-lock.js';
import { Client, TEST_PASSWORD } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { race, repeat, useReplicas } from '../support/races.js';
import { repetitions } from '../support/repetitions.js';
import { countOutcomes } from '../support/response-counts.js';

const ROUNDS = repetitions(5);
const AT_ONCE = 10;

interface Created {
  token?: string;
}

describe('concurrent sign-ins at two processes', () => {
  const replicas = useReplicas();

  const signIn = (email: string, password: string): Test =>
    replicas.anonymous.post('/auth/login').type('form').send({ username: email, password });

  it('concurrent sign-ins at two processes do not conflict with each other, of one user or of several', async () => {
    const full = await replicas.signUp();
    // So many sessions that each sign-in of the user ends others.
    await replicas.query(`INSERT INTO sessions (household_id, user_id, expires_at)
      SELECT household_id, user_id, expires_at FROM sessions, generate_series(2, 100)`);
    const users = [full, await replicas.signUp(), await replicas.signUp()];
    const retries = await replicas.retries();
    for (let round = 0; round < ROUNDS; round += 1) {
      const responses = await race(
        repeat(AT_ONCE, (n) => signIn(users[n % users.length]?.email ?? '', TEST_PASSWORD)),
      );
      expect(countOutcomes(responses)).toEqual({ '200': AT_ONCE });
    }
    expect(await replicas.retries()).toBe(retries);
  });

  it('concurrent sign-ins at two processes leave no session with a password that is changed at the same time', async () => {
    let user = await replicas.signUp();
    let current = TEST_PASSWORD;
    for (let round = 0; round < ROUNDS; round += 1) {
      const next = `new password ${round}`;
      const body = { current_password: current, new_password: next };
      const [changed, ...signIns] = await race([
        user.put('/auth/me/password', body),
        ...repeat(AT_ONCE, () => signIn(user.email, current)),
      ]);
      expect(changed?.status).toBe(200);
      const outcomes = countOutcomes(signIns);
      const { '200': earlier = 0, '401 INVALID_CREDENTIALS': later = 0 } = outcomes;
      expect(earlier + later).toBe(AT_ONCE);
      current = next;
      const token = (changed?.body as TokenResponse).access_token;
      user = new Client(replicas.origins[round % 2] ?? '', user.email, token);
      const sessions = await user.read<SessionResponse[]>('/auth/sessions');
      expect(sessions.map(({ current: isCurrent }) => isCurrent)).toEqual([true]);
    }
  });

  it('concurrent sign-ins at two processes leave no session of a user who is deactivated at the same time', async () => {
    const { email } = await replicas.signUp();
    const [user] = await replicas.query<{ id: string }>(
      `SELECT id FROM users WHERE email = '${email}'`,
    );
    const operator = new pg.Client({ connectionString: replicas.url });
    await operator.connect();
    // As a deactivation, which ends the sessions before it commits.
    await operator.query('BEGIN');
    await operator.query('SELECT pg_advisory_xact_lock($1)', [advisoryLockId(user?.id ?? '')]);
    const signedIn = race([signIn(email, TEST_PASSWORD)]);
    await eventually('the sign-in waits, with its password verified', async () => {
      const waiting = await replicas.query(`SELECT FROM pg_locks
        WHERE locktype = 'advisory' AND mode = 'ShareLock' AND NOT granted`);
      return waiting.length > 0;
    });
    await operator.query('UPDATE users SET active = false WHERE email = $1', [email]);
    await operator.query('DELETE FROM sessions WHERE user_id = $1', [user?.id]);
    await operator.query('COMMIT');
    await operator.end();
    expect(countOutcomes(await signedIn)).toEqual({ '401 INVALID_CREDENTIALS': 1 });
    expect(await replicas.query(`SELECT FROM sessions WHERE user_id = '${user?.id}'`)).toEqual([]);
  });

  it('concurrent sign-ins at two processes leave no personal access token that was created while the password was changed', async () => {
    let user = await replicas.signUp();
    let current = TEST_PASSWORD;
    for (let round = 0; round < ROUNDS; round += 1) {
      const next = `new password ${round}`;
      const body = { current_password: current, new_password: next };
      const others = replicas.origins.map((origin) => new Client(origin, user.email, user.token));
      const [changed, ...creations] = await race([
        user.put('/auth/me/password', body),
        ...others.flatMap((one) => repeat(5, () => one.post('/auth/tokens', { name: 'x' }))),
      ]);
      expect(changed?.status).toBe(200);
      const { '201': earlier = 0, '401 INVALID_TOKEN': later = 0 } = countOutcomes(creations);
      expect(earlier + later).toBe(creations.length);
      current = next;
      const session = (changed?.body as TokenResponse).access_token;
      user = new Client(replicas.origins[round % 2] ?? '', user.email, session);
      expect(await user.read('/auth/tokens')).toEqual([]);
      for (const { body } of creations) {
        const { token } = body as Created;
        if (token === undefined) continue;
        const script = new Client(replicas.origins[0] ?? '', user.email, token);
        expect((await script.get('/auth/me')).status).toBe(401);
      }
    }
  });
});
