import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { JwtService } from '@nestjs/jwt';
import argon2 from 'argon2';
import type { Test } from 'supertest';
import type { TokenResponse } from '../../../src/auth/dto/auth.dto.js';
import { todayInUtc } from '../../../src/platform/values/calendar-date.js';
import type { UserResponse } from '../../../src/users/dto/user.dto.js';
import { Client, uniqueName } from '../../support/client.js';
import { passMidnight } from '../../support/clock.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { restorePasswordCost } from '../../support/password-cost.js';
import { TEST_PASSWORD, TEST_SECRET, useService } from '../../support/service.js';

const UNKNOWN_UUID = '00000000-0000-4000-8000-000000000000';
const PAST_TIME = '2020-01-01T00:00:00.000Z';

const uniqueEmail = (): string => `${uniqueName('person').replace(' ', '-')}@example.com`;

restorePasswordCost();
await passMidnight();

const service = useService();

const register = (body: object): Test => service.anonymous.post('/auth/register', body);

const login = (form: object): Test =>
  service.anonymous.send('post', '/auth/login').type('form').send(form);

async function profileOf(user: Client): Promise<UserResponse> {
  return (await user.get('/auth/me').expect(200)).body as UserResponse;
}

async function storedHash(email: string): Promise<string | undefined> {
  const rows = await service.query<{ password_hash: string }>(
    'SELECT password_hash FROM users WHERE email = $1',
    [email],
  );
  return rows[0]?.password_hash;
}

async function deactivate({ email }: Client): Promise<void> {
  await service.query('UPDATE users SET active = false WHERE email = $1', [email]);
}

async function backdate({ email }: Client): Promise<void> {
  await service.query('UPDATE users SET updated_at = $1 WHERE email = $2', [PAST_TIME, email]);
}

describe('POST /auth/register', () => {
  it('POST /auth/register requires only an e-mail and a password', async () => {
    const email = uniqueEmail();
    const response = await register({ email, password: TEST_PASSWORD }).expect(201);
    const { id, created_at } = response.body as UserResponse;
    expect(response.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      email,
      first_name: null,
      last_name: null,
      preferred_currency: 'USD',
      locale: 'en-US',
      time_zone: 'UTC',
      minimum_balance: '0.00',
      next_income_amount: 'same',
      reminders: { enabled: false, hour: 8, days_before: 3, confirmed: false },
      active: true,
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      updated_at: created_at,
      today: todayInUtc(),
    });
    const user = await service.signIn(email);
    expect(await profileOf(user)).toEqual({ ...(response.body as UserResponse), id });
  });

  it('POST /auth/register accepts a profile and trims its texts', async () => {
    const email = uniqueEmail();
    const response = await register({
      email,
      password: TEST_PASSWORD,
      first_name: '  José Ángel ',
      last_name: '\tRuiz\n',
      preferred_currency: 'MXN',
      locale: ' es-MX ',
      time_zone: ' America/Mexico_City ',
      minimum_balance: '250.5',
      next_income_amount: 'zero',
    }).expect(201);
    expect(response.body).toMatchObject({
      first_name: 'José Ángel',
      last_name: 'Ruiz',
      preferred_currency: 'MXN',
      locale: 'es-MX',
      time_zone: 'America/Mexico_City',
      minimum_balance: '250.50',
      next_income_amount: 'zero',
    });
  });

  it('POST /auth/register accepts names of 100 characters and a locale of 10', async () => {
    const longest = {
      first_name: 'x'.repeat(100),
      last_name: 'y'.repeat(100),
      locale: 'zh-Hant-TW',
    };
    const response = await register({ email: uniqueEmail(), password: TEST_PASSWORD, ...longest });
    expect(response.body).toMatchObject(longest);
  });

  it('POST /auth/register treats null like an omitted optional field', async () => {
    const names = { first_name: null, last_name: null };
    const optional = {
      ...{ ...names, preferred_currency: null, locale: null, time_zone: null },
      ...{ minimum_balance: null, next_income_amount: null },
    };
    const response = await register({
      email: uniqueEmail(),
      password: TEST_PASSWORD,
      ...optional,
    }).expect(201);
    expect(response.body).toMatchObject({
      ...optional,
      preferred_currency: 'USD',
      locale: 'en-US',
      time_zone: 'UTC',
      minimum_balance: '0.00',
      next_income_amount: 'same',
    });
  });

  it('POST /auth/register counts characters, not UTF-16 units, in names', async () => {
    const body = { email: uniqueEmail(), password: TEST_PASSWORD };
    expectInvalid(await register({ ...body, first_name: '😀'.repeat(101) }), 'first_name');
    const response = await register({ ...body, first_name: '😀'.repeat(100) }).expect(201);
    expect(response.body).toMatchObject({ first_name: '😀'.repeat(100) });
  });

  it('POST /auth/register trims and lower-cases the e-mail', async () => {
    const email = uniqueEmail();
    const credentials = { email: `  ${email.toUpperCase()} `, password: TEST_PASSWORD };
    expect((await register(credentials).expect(201)).body).toMatchObject({ email });
  });

  it('POST /auth/register refuses a registered e-mail in any case, and stores nothing', async () => {
    const email = uniqueEmail();
    await register({ email, password: TEST_PASSWORD }).expect(201);
    const counts = 'SELECT (SELECT count(*) FROM users) u, (SELECT count(*) FROM households) h';
    const before = await service.query(counts);
    for (const taken of [email, email.toUpperCase(), ` ${email}`]) {
      const response = await register({ email: taken, password: TEST_PASSWORD });
      expectError(response, 409, 'USER_ALREADY_EXISTS');
    }
    expect(await service.query(counts)).toEqual(before);
  });

  it('POST /auth/register accepts one of two concurrent registrations of an e-mail', async () => {
    const body = { email: uniqueEmail(), password: TEST_PASSWORD };
    const responses = await Promise.all([register(body), register(body)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it.each([
    ['8 characters', '12345678'],
    ['8 characters of two UTF-16 units', '😀'.repeat(8)],
    ['128 characters', 'x'.repeat(128)],
    ['128 characters of four bytes', '😀'.repeat(128)],
    ['spaces at its ends', '  secret  '],
  ])(
    'POST /auth/register accepts a password of %s, and only that signs in',
    async (_kind, password) => {
      const email = uniqueEmail();
      await register({ email, password }).expect(201);
      await service.signIn(email, password);
      for (const other of [password.slice(0, -1), password.trim() + ' ', `${password} `]) {
        expectError(await login({ username: email, password: other }), 401, 'INVALID_CREDENTIALS');
      }
    },
  );

  it.each([
    ['7 characters', '1234567'],
    ['7 characters of two UTF-16 units', '😀'.repeat(7)],
    ['129 characters', 'x'.repeat(129)],
  ])('POST /auth/register refuses a password of %s', async (_kind, password) => {
    expectInvalid(await register({ email: uniqueEmail(), password }), 'password');
  });

  it('POST /auth/register accepts the longest valid e-mail, and refuses invalid ones', async () => {
    // 255 characters.
    const longest = `${'x'.repeat(64)}@${'y'.repeat(62)}.${'z'.repeat(62)}.${'w'.repeat(60)}.com`;
    for (const email of ['text', 'a@@example.com', 'a@', '@example.com', `x${longest}`]) {
      expectInvalid(await register({ email, password: TEST_PASSWORD }), 'email');
    }
    await register({ email: longest, password: TEST_PASSWORD }).expect(201);
  });

  it('POST /auth/register names every refused field at once, unknown ones too', async () => {
    const response = await register({ password: 'short', locale: '', role: 'admin', id: 1 });
    expectInvalid(response, 'email', 'password', 'locale', 'role', 'id');
  });

  it('POST /auth/register stores an Argon2id hash with a random salt', async () => {
    const emails = [uniqueEmail(), uniqueEmail()];
    for (const email of emails) await register({ email, password: TEST_PASSWORD }).expect(201);
    const hashes = await Promise.all(emails.map(storedHash));
    const salts = hashes.map(
      (hash) => /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$([^$]+)\$[^$]+$/.exec(hash ?? '')?.[1],
    );
    expect(salts).toEqual([expect.any(String), expect.any(String)]);
    expect(salts[0]).not.toBe(salts[1]);
  });

  it('POST /auth/register creates a household with the user as its admin', async () => {
    const users = [await service.signUp({ first_name: 'Ana' }), await service.signUp()];
    const households = await service.query<{ household_id: string; role: string; members: number }>(
      `SELECT household_id, role,
         (SELECT count(*)::int FROM users m WHERE m.household_id = u.household_id) AS members
       FROM users u JOIN households h ON h.id = u.household_id WHERE email = ANY($1)`,
      [users.map(({ email }) => email)],
    );
    expect(households.map(({ role, members }) => ({ role, members }))).toEqual([
      { role: 'admin', members: 1 },
      { role: 'admin', members: 1 },
    ]);
    expect(households[0]?.household_id).not.toBe(households[1]?.household_id);
  });
});

describe('a password', () => {
  const COMPOSED = 'contrase\u00f1a segura';
  const DECOMPOSED = COMPOSED.normalize('NFD');

  const signUpWith = async (password: string): Promise<string> => {
    const email = uniqueEmail();
    await register({ email, password }).expect(201);
    return email;
  };

  /** Stores the hash of the password as typed, as versions before did. */
  const storeAsTyped = async (email: string, password: string): Promise<void> => {
    const hash = await argon2.hash(password, { memoryCost: 1024, timeCost: 2, parallelism: 1 });
    await service.query('UPDATE users SET password_hash = $1 WHERE email = $2', [hash, email]);
  };

  it('a password signs in in any Unicode form, whichever one set it', async () => {
    for (const set of [COMPOSED, DECOMPOSED]) {
      const email = await signUpWith(set);
      for (const typed of [COMPOSED, DECOMPOSED]) {
        const user = await service.signIn(email, typed);
        const change = { current_password: typed, new_password: `${set} 2` };
        await user.put('/auth/me/password', change).expect(200);
        await service.signIn(email, `${COMPOSED} 2`);
        const again = await service.signIn(email, `${DECOMPOSED} 2`);
        const back = { current_password: `${DECOMPOSED} 2`, new_password: set };
        await again.put('/auth/me/password', back).expect(200);
      }
    }
  });

  it('a password that a version before hashed as typed signs in as typed, and can be changed', async () => {
    const email = await signUpWith(TEST_PASSWORD);
    await storeAsTyped(email, DECOMPOSED);
    expectError(await login({ username: email, password: COMPOSED }), 401, 'INVALID_CREDENTIALS');
    const user = await service.signIn(email, DECOMPOSED);
    const change = { current_password: COMPOSED, new_password: DECOMPOSED };
    expectError(await user.put('/auth/me/password', change), 400, 'INCORRECT_PASSWORD');
    await user.put('/auth/me/password', { ...change, current_password: DECOMPOSED }).expect(200);
    await service.signIn(email, COMPOSED);
  });

  it('a password has its length counted in NFC', async () => {
    for (const [length, status] of [
      [7, 422],
      [8, 201],
      [128, 201],
      [129, 422],
    ] as const) {
      const password = 'n\u0303'.repeat(length);
      const email = uniqueEmail();
      await register({ email, password }).expect(status);
      if (status === 201) await service.signIn(email, password);
    }
  });

  it('a password may have white space and invisible characters alone', async () => {
    const password = '\u200b '.repeat(4);
    await service.signIn(await signUpWith(password), password);
  });
});

describe('POST /auth/login', () => {
  it.each(['username', 'email'])(
    'POST /auth/login accepts the e-mail as %s, in any case',
    async (field) => {
      const { email } = await service.signUp();
      const form = { [field]: ` ${email.toUpperCase()} `, password: TEST_PASSWORD };
      const response = await login(form).expect(200);
      expect(response.body).toEqual({
        access_token: expect.any(String),
        token_type: 'bearer',
        expires_in: 1800,
      });
      const { access_token: token } = response.body as TokenResponse;
      expect(await profileOf(new Client(service.server, email, token))).toMatchObject({ email });
    },
  );

  it('POST /auth/login ignores the other fields of the OAuth2 password form', async () => {
    const { email } = await service.signUp();
    const form = { grant_type: 'password', scope: '', client_id: 'docs', client_secret: 'x' };
    await login({ ...form, username: email, password: TEST_PASSWORD }).expect(200);
  });

  it('POST /auth/login issues a token with the user, the type and an expiry of 30 minutes', async () => {
    const user = await service.signUp();
    const claims = new JwtService().verify<{ iat: number }>(user.token ?? '', {
      secret: TEST_SECRET,
      algorithms: ['HS256'],
    });
    const { id } = await profileOf(user);
    expect(claims).toEqual({
      sub: id,
      sid: expect.any(String),
      type: 'access',
      iat: expect.any(Number),
      exp: claims.iat + 1800,
    });
  });

  it('POST /auth/login refuses a JSON body and names the expected content type', async () => {
    const { email } = await service.signUp();
    const body = { username: email, password: TEST_PASSWORD };
    const message = expectError(
      await service.anonymous.post('/auth/login', body),
      422,
      'VALIDATION_ERROR',
    );
    expect(message).toContain('application/x-www-form-urlencoded');
    expect(message).toContain('username and password');
  });

  it('POST /auth/login names both missing fields of an empty form and of a request without a body', async () => {
    const message = 'username is required; password is required';
    for (const response of [await login({}), await service.anonymous.post('/auth/login')]) {
      expect(expectError(response, 422, 'VALIDATION_ERROR')).toBe(message);
    }
    const noName = await login({ password: TEST_PASSWORD });
    expect(expectError(noName, 422, 'VALIDATION_ERROR')).toBe('username is required');
  });

  it('POST /auth/login responds to a wrong password and to an unknown e-mail with identical bodies', async () => {
    const { email } = await service.signUp();
    const wrong = await login({ username: email, password: 'wrong password' });
    const unknown = await login({ username: uniqueEmail(), password: TEST_PASSWORD });
    expectError(wrong, 401, 'INVALID_CREDENTIALS', {});
    expectError(unknown, 401, 'INVALID_CREDENTIALS', {});
    expect(unknown.text).toBe(wrong.text);
  });

  describe('for an unknown e-mail', () => {
    afterEach(() => {
      jest.restoreAllMocks();
    });

    it.each([
      ['in NFC', ['wrong contrase\u00f1a']],
      ['in another form', ['wrong contrase\u00f1a', 'wrong contrasen\u0303a']],
    ])(
      'POST /auth/login for an unknown e-mail verifies hashes as for a wrong password %s, so that the time reveals nothing',
      async (_form, tried) => {
        const { email } = await service.signUp();
        const verify = jest.spyOn(argon2, 'verify');
        const cost = expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) as unknown;
        for (const username of [email, uniqueEmail()]) {
          verify.mockClear();
          await login({ username, password: tried.at(-1) }).expect(401);
          expect(verify.mock.calls).toEqual(tried.map((password) => [cost, password]));
        }
      },
    );
  });

  it('POST /auth/login responds with INACTIVE_USER only for the correct password', async () => {
    const user = await service.signUp();
    await deactivate(user);
    const accepted = await login({ username: user.email, password: TEST_PASSWORD });
    expectError(accepted, 403, 'INACTIVE_USER');
    const wrong = await login({ username: user.email, password: 'wrong password' });
    expectError(wrong, 401, 'INVALID_CREDENTIALS');
  });

  it.each([
    ['no user name', { password: TEST_PASSWORD }, ['username']],
    ['no password', { username: 'ana@example.com' }, ['password']],
    ['two passwords', { username: 'a@example.com', password: ['x', 'y'] }, ['password']],
    ['unknown fields', { username: 'a@example.com', password: 'x', otp: '1' }, ['otp']],
  ])('POST /auth/login refuses a form with %s', async (_kind, form, fields) => {
    expectInvalid(await login(form), ...fields);
  });
});

describe('PUT /auth/me', () => {
  it('changes only the given fields, trimmed', async () => {
    const user = await service.signUp({ first_name: 'Ana', last_name: 'Ruiz', locale: 'es-MX' });
    await backdate(user);
    const before = await profileOf(user);
    const response = await user.put('/auth/me', { first_name: ' Ana María ' }).expect(200);
    const { updated_at } = response.body as UserResponse;
    expect(response.body).toEqual({ ...before, first_name: 'Ana María', updated_at });
    expect(updated_at > PAST_TIME).toBe(true);
    expect(await profileOf(user)).toEqual(response.body);
  });

  it('changes every field, to the longest values too', async () => {
    const user = await service.signUp();
    const before = await profileOf(user);
    const names = { first_name: 'x'.repeat(100), last_name: 'y'.repeat(100) };
    const fields = {
      ...names,
      ...{ preferred_currency: 'MXN', locale: 'zh-Hant-TW', time_zone: 'Etc/Greenwich' },
      ...{ minimum_balance: '999999999.99', next_income_amount: 'zero' },
    };
    const response = await user.put('/auth/me', fields).expect(200);
    const { updated_at } = response.body as UserResponse;
    expect(response.body).toEqual({ ...before, ...fields, updated_at });
    expect(await profileOf(user)).toEqual(response.body);
  });

  it('PUT /auth/me clears the names with null', async () => {
    const user = await service.signUp({ first_name: 'Ana', last_name: 'Ruiz' });
    const names = { first_name: null, last_name: null };
    const response = await user.put('/auth/me', names).expect(200);
    expect(response.body).toMatchObject(names);
  });

  it('PUT /auth/me refuses null for required fields', async () => {
    const user = await service.signUp();
    const fields = [
      ...['preferred_currency', 'locale', 'time_zone'],
      ...['minimum_balance', 'next_income_amount'],
    ];
    const body = Object.fromEntries(fields.map((field) => [field, null]));
    expectInvalid(await user.put('/auth/me', body), ...fields);
  });

  it.each([
    ['nothing', {}],
    ['what is there already', { first_name: ' Ana ', locale: 'en-US', minimum_balance: 0 }],
  ])('changes nothing, not even updated_at, when the body has %s', async (_kind, body) => {
    const user = await service.signUp({ first_name: 'Ana' });
    await backdate(user);
    const before = await profileOf(user);
    expect(before.updated_at).toBe(PAST_TIME);
    expect((await user.put('/auth/me', body).expect(200)).body).toEqual(before);
    expect(await profileOf(user)).toEqual(before);
  });

  it('changes neither e-mail nor password, state, role or household', async () => {
    const user = await service.signUp();
    const body = { email: 'a@example.com', password: 'x', active: false, role: 'member' };
    const response = await user.put('/auth/me', { ...body, household_id: UNKNOWN_UUID });
    expectInvalid(response, 'email', 'password', 'active', 'role', 'household_id');
  });
});

describe('PUT /auth/me/password', () => {
  it('PUT /auth/me/password replaces the password', async () => {
    const user = await service.signUp();
    await backdate(user);
    const change = { current_password: TEST_PASSWORD, new_password: '  a new password  ' };
    const response = await user.put('/auth/me/password', change).expect(200);
    expect(response.body).toMatchObject({ message: 'Password updated successfully' });

    const old = await login({ username: user.email, password: TEST_PASSWORD });
    expectError(old, 401, 'INVALID_CREDENTIALS');
    const renewed = await service.signIn(user.email, change.new_password);
    expect((await profileOf(renewed)).updated_at > PAST_TIME).toBe(true);
    expect(await storedHash(user.email)).toMatch(/^\$argon2id\$/);
  });

  it('PUT /auth/me/password refuses a wrong current password and keeps the old one', async () => {
    const user = await service.signUp();
    const change = { current_password: 'wrong password', new_password: 'a new password' };
    expectError(await user.put('/auth/me/password', change), 400, 'INCORRECT_PASSWORD');
    await service.signIn(user.email);
  });

  it('PUT /auth/me/password accepts 8 to 128 characters as the new password', async () => {
    const user = await service.signUp();
    for (const password of ['1234567', '😀'.repeat(7), 'x'.repeat(129)]) {
      const change = { current_password: TEST_PASSWORD, new_password: password };
      expectInvalid(await user.put('/auth/me/password', change), 'new_password');
    }
    const change = { current_password: TEST_PASSWORD, new_password: '😀'.repeat(8) };
    await user.put('/auth/me/password', change).expect(200);
  });

  it('PUT /auth/me/password requires both passwords', async () => {
    const user = await service.signUp();
    expectInvalid(await user.put('/auth/me/password', {}), 'current_password', 'new_password');
  });
});
