import { describe, expect, it, jest } from '@jest/globals';
import request, { type Response, type Test } from 'supertest';
import { uniqueName } from '../../../support/client.js';
import { expectError } from '../../../support/errors.js';
import { NO_LIMITS, TEST_PASSWORD, useService, type Service } from '../../../support/service.js';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const newEmail = (): string => `${uniqueName('limited').replace(' ', '-')}@example.com`;

function signIn(service: Service, email: string, password = 'wrong password'): Test {
  const login = request(service.server).post('/api/v1/auth/login').type('form');
  return login.send({ username: email, password });
}

/** The RateLimit header without the seconds, which depend on the speed of the machine. */
function rateLimitOf(response: Response): string {
  return (response.get('RateLimit') ?? '').replaceAll(/t=\d+/g, 't=…');
}

function expectLimited(response: Response, windowSeconds: number): void {
  expectError(response, 429, 'RATE_LIMIT_EXCEEDED');
  const retryAfter = Number(response.get('Retry-After'));
  expect(Number.isInteger(retryAfter)).toBe(true);
  expect(retryAfter).toBeGreaterThan(0);
  expect(retryAfter).toBeLessThanOrEqual(windowSeconds);
}

describe('limits on authenticated requests', () => {
  const service = useService({
    rateLimits: { ...NO_LIMITS, enabled: true, authenticatedPerHour: 3, reportsPerHour: 2 },
  });

  it('limits on authenticated requests are reported in headers, and refuse requests beyond the quota', async () => {
    const user = await service.signUp();
    const remaining: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const response = await user.get('/auth/me').expect(200);
      expect(response.get('RateLimit-Policy')).toBe('"authenticated";q=3;w=3600');
      remaining.push(rateLimitOf(response));
    }
    expect(remaining).toEqual([2, 1, 0].map((r) => `"authenticated";r=${r};t=…`));
    const refused = await user.get('/auth/me');
    expectLimited(refused, 3600);
    expect(refused.get('RateLimit-Policy')).toBe('"authenticated";q=3;w=3600');
    expect(refused.get('RateLimit')).toMatch(/^"authenticated";r=0;t=\d+$/);
  });

  it('limits on authenticated requests count each user separately', async () => {
    const [one, other] = [await service.signUp(), await service.signUp()];
    for (let n = 0; n < 4; n += 1) await one.get('/auth/me');
    expect((await one.get('/auth/me')).status).toBe(429);
    expect((await other.get('/auth/me')).status).toBe(200);
  });

  it('limits on authenticated requests count failed requests, and send no statement for refused ones', async () => {
    const user = await service.signUp();
    // The user stays cached.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    for (let n = 0; n < 3; n += 1) await user.get(`/cycles/${UNKNOWN_ID}`).expect(404);
    await service.query('ALTER TABLE users RENAME TO users_away');
    try {
      expectLimited(await user.get('/auth/me'), 3600);
    } finally {
      await service.query('ALTER TABLE users_away RENAME TO users');
      jest.restoreAllMocks();
    }
  });

  it('limits on authenticated requests count reports in both limits', async () => {
    const user = await service.signUp();
    const path = `/cycles/${UNKNOWN_ID}/summary`;
    const first = await user.get(path);
    expect(first.get('RateLimit-Policy')).toBe('"authenticated";q=3;w=3600, "reports";q=2;w=3600');
    expect(rateLimitOf(first)).toBe('"authenticated";r=2;t=…, "reports";r=1;t=…');
    await user.get(`/reports/cycles-comparison?cycle_ids=${UNKNOWN_ID}`).expect(404);
    const refused = await user.get(path);
    expectLimited(refused, 3600);
    expect(refused.get('RateLimit')).toContain('"reports";r=0');
  });

  it('limits on authenticated requests do not apply to a request without a valid token, whose response has no limit headers', async () => {
    for (let n = 0; n < 5; n += 1) {
      const response = await service.anonymous.get('/auth/me');
      expect(response.status).toBe(401);
      expect(response.get('RateLimit')).toBeUndefined();
    }
  });
});

describe('limits on operations with a password', () => {
  const service = useService({
    trustProxy: 1,
    rateLimits: { ...NO_LIMITS, enabled: true, authPerMinute: 3, authPerAddressPerMinute: 8 },
  });

  const from = (test: Test, address: string): Test => test.set('X-Forwarded-For', address);

  it('limits on operations with a password count by address and account, for any spelling of the e-mail', async () => {
    const email = newEmail();
    const address = '198.51.100.1';
    const first = await from(signIn(service, email), address);
    expect(first.status).toBe(401);
    expect(first.get('RateLimit-Policy')).toBe('"auth-address";q=8;w=60, "auth";q=3;w=60');
    expect(rateLimitOf(first)).toBe('"auth-address";r=7;t=…, "auth";r=2;t=…');
    await from(signIn(service, ` ${email.toUpperCase()} `), address);
    await from(signIn(service, email), address);
    expectLimited(await from(signIn(service, email), address), 60);
    expect((await from(signIn(service, newEmail()), address)).status).toBe(401);
    expect((await from(signIn(service, email), '198.51.100.2')).status).toBe(401);
  });

  it('limits on operations with a password count a reset token by address, for any spelling of it', async () => {
    const token = `${'t'.repeat(42)}\u00f1`;
    const confirm = (given: string): Test =>
      from(
        request(service.server)
          .post('/account/password-reset/confirm')
          .send({ token: given, new_password: TEST_PASSWORD }),
        '198.51.100.7',
      );
    for (const given of [token, ` ${token}\n`, token.normalize('NFD')]) {
      expect((await confirm(given)).status).toBe(401);
    }
    for (const given of [token, `\u00a0${token}`]) expectLimited(await confirm(given), 60);
    expect((await confirm('another')).status).toBe(401);
  });

  it('limits on operations with a password are shared by registration, sign-in and password change', async () => {
    const email = newEmail();
    const address = '198.51.100.3';
    const post = (path: string): Test =>
      from(request(service.server).post(`/api/v1${path}`), address);
    await post('/auth/register').send({ email, password: TEST_PASSWORD }).expect(201);
    const login = await from(signIn(service, email, TEST_PASSWORD), address).expect(200);
    const { access_token: token } = login.body as { access_token: string };
    const change = (): Test =>
      from(request(service.server).put('/api/v1/auth/me/password'), address)
        .set('Authorization', `Bearer ${token}`)
        .send({ current_password: 'wrong', new_password: TEST_PASSWORD });
    const third = await change();
    expect(third.status).toBe(400);
    expect(third.get('RateLimit')).toContain('"auth";r=0;');
    expect(third.get('RateLimit')).toContain('"authenticated";r=');
    expectLimited(await change(), 60);
    expectLimited(await from(signIn(service, email, TEST_PASSWORD), address), 60);
  });

  it('limits on operations with a password apply to requests with and without a token', async () => {
    const address = '198.51.100.6';
    const { token = '' } = await service.signUp();
    const email = newEmail();
    const attempt = (): Test =>
      from(signIn(service, email), address).set('Authorization', `Bearer ${token}`);
    for (let n = 0; n < 3; n += 1) expect((await attempt()).status).toBe(401);
    expectLimited(await attempt(), 60);
  });

  it('limits on operations with a password limit the attempts of one address for all accounts together', async () => {
    const address = '198.51.100.4';
    for (let n = 0; n < 8; n += 1) {
      expect((await from(signIn(service, newEmail()), address)).status).toBe(401);
    }
    const refused = await from(signIn(service, newEmail()), address);
    expectLimited(refused, 60);
    expect(refused.get('RateLimit')).toContain('"auth-address";r=0');
  });

  it('limits on operations with a password count the addresses of an IPv6 network of 64 bits as one client', async () => {
    const email = newEmail();
    const statuses: number[] = [];
    for (let n = 1; n <= 300; n += 1) {
      const address = `2001:db8:0:1:${n.toString(16)}:${(n * 7).toString(16)}::${n % 10}`;
      statuses.push((await from(signIn(service, email), address)).status);
    }
    expect(statuses).toEqual([401, 401, 401, ...Array<number>(297).fill(429)]);
    const refused = await from(signIn(service, newEmail()), '2001:DB8:0000:1:ffff::');
    expectLimited(refused, 60);
    expect(refused.get('RateLimit')).toContain('"auth-address";r=0');
  });

  it('limits on operations with a password of one network do not block sign-ins to the same account from another', async () => {
    const email = newEmail();
    const network = (n: number): string => `2001:db8:0:2::${n.toString(16)}`;
    await from(
      request(service.server)
        .post('/api/v1/auth/register')
        .send({ email, password: TEST_PASSWORD }),
      '198.51.100.20',
    ).expect(201);
    for (let n = 1; n <= 20; n += 1) await from(signIn(service, email), network(n));
    expectLimited(await from(signIn(service, email, TEST_PASSWORD), network(21)), 60);
    for (const other of ['2001:db8:0:3::1', '2001:db8::2', '198.51.100.21']) {
      await from(signIn(service, email, TEST_PASSWORD), other).expect(200);
    }
  });

  it.each([
    ['198.51.100.30', ['198.51.100.30:50123', '::ffff:198.51.100.30', '[::ffff:c633:641e]:1']],
    ['2001:db8:0:4::1', ['[2001:db8:0:4::1]:50123', '[2001:db8:0:4::2]', '2001:db8:0:4::1%eth0']],
  ])(
    'limits on operations with a password recognize %s in every notation of a proxy',
    async (address, spellings) => {
      const email = newEmail();
      for (const spelling of spellings) {
        await from(signIn(service, email), spelling).expect(401);
      }
      expectLimited(await from(signIn(service, email), address), 60);
    },
  );

  it('limits on operations with a password count all invalid addresses together', async () => {
    const email = newEmail();
    for (const text of ['unknown', '_hidden', '198.51.100']) {
      await from(signIn(service, email), text).expect(401);
    }
    expectLimited(await from(signIn(service, email), 'x'.repeat(5000)), 60);
  });

  it('limits on operations with a password use the address from the last proxy only', async () => {
    const email = newEmail();
    for (let n = 0; n < 3; n += 1) {
      await from(signIn(service, email), `203.0.113.${n}, 198.51.100.5`);
    }
    expectLimited(await from(signIn(service, email), '203.0.113.9, 198.51.100.5'), 60);
  });
});

describe('without a proxy', () => {
  const service = useService({ rateLimits: { ...NO_LIMITS, enabled: true, authPerMinute: 1 } });

  it('a service without a proxy ignores the address in X-Forwarded-For', async () => {
    const email = newEmail();
    await signIn(service, email).set('X-Forwarded-For', '198.51.100.1').expect(401);
    expectLimited(await signIn(service, email).set('X-Forwarded-For', '198.51.100.2'), 60);
  });
});

describe('with the limits turned off', () => {
  const service = useService({ rateLimits: { ...NO_LIMITS, authenticatedPerHour: 1 } });

  it('a service with the limits turned off accepts all requests and sends no limit headers', async () => {
    const user = await service.signUp();
    for (let n = 0; n < 3; n += 1) {
      const response = await user.get('/auth/me').expect(200);
      expect(response.get('RateLimit')).toBeUndefined();
    }
  });
});
