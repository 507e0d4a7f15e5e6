import { afterEach, describe, expect, it, jest } from '@jest/globals';
import request, { type Response } from 'supertest';
import { useService } from '../../../support/service.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('every response', () => {
  const service = useService();

  /** One response of each kind, and its expected status. */
  async function responses(): Promise<[status: number, response: Response][]> {
    const user = await service.signUp();
    return [
      [200, await user.get('/auth/me')],
      [401, await service.anonymous.get('/auth/me')],
      [404, await user.get('/nowhere')],
      [422, await user.get('/cycles?page=0')],
      [400, await user.post('/cycles', '{').type('json')],
    ];
  }

  async function requestIdFor(requestId: string): Promise<string | undefined> {
    return (await service.anonymous.get('/health').set('X-Request-Id', requestId)).get(
      'X-Request-Id',
    );
  }

  it('every response under the prefix forbids caching', async () => {
    for (const [status, response] of await responses()) {
      expect({ status: response.status, cache: response.get('Cache-Control') }).toEqual({
        status,
        cache: 'no-store',
      });
    }
  });

  it('every response with data forbids framing and content sniffing', async () => {
    const all = (await responses()).map(([, response]) => response);
    all.push(await request(service.server).get('/health/live'));
    for (const { headers } of all) {
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
    }
  });

  it.each(['/docs', '/Docs'])(
    'every response with the documentation page %s allows it to load files of its origin',
    async (path) => {
      const { headers } = await request(service.server).get(path).expect(200);
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringContaining("default-src 'self'"),
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
      });
    },
  );

  it('every response has a unique request id', async () => {
    const all = (await responses()).map(([, response]) => response);
    all.push(await request(service.server).get('/docs'), await request(service.server).get('/x'));
    const ids = all.map((response) => response.get('X-Request-Id'));
    expect(ids).toEqual(ids.map(() => expect.stringMatching(UUID)));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('every response has a request id for a preflight request too', async () => {
    const preflight = request(service.server).options('/api/v1/cycles');
    const response = await preflight.set('Access-Control-Request-Method', 'POST').expect(204);
    expect(response.get('X-Request-Id')).toMatch(UUID);
  });

  it.each(['/api/v1/auth/me', '/health/live'])(
    'every response of %s has a body, also for a request with If-None-Match',
    async (path) => {
      const { token } = await service.signUp();
      const sent = request(service.server).get(path).set('Authorization', `Bearer ${token}`);
      const response = await sent.set('If-None-Match', '*').expect(200);
      expect(response.body).toEqual(expect.objectContaining({}));
    },
  );

  it.each(['a', 'Req_1.2-3', 'x'.repeat(64)])(
    'every response keeps the request id %s',
    async (id) => {
      expect(await requestIdFor(id)).toBe(id);
    },
  );

  it.each(['x'.repeat(65), 'a b', 'a/b', 'é', '<b>'])(
    'every response replaces the request id %s',
    async (id) => {
      expect(await requestIdFor(id)).toMatch(UUID);
    },
  );

  it('every response has no CORS headers when no origin is allowed', async () => {
    const response = await service.anonymous.get('/health').set('Origin', 'https://app.example');
    expect(response.get('Access-Control-Allow-Origin')).toBeUndefined();
  });
});

describe('a browser of another origin', () => {
  const service = useService({
    corsOrigins: ['https://app.example', 'http://localhost:5173', 'capacitor://localhost'],
  });

  it('a browser of another origin may read responses and their headers when its origin is allowed', async () => {
    for (const origin of [
      'https://app.example',
      'http://localhost:5173',
      'capacitor://localhost',
    ]) {
      const response = await service.anonymous.get('/health').set('Origin', origin);
      expect(response.get('Access-Control-Allow-Origin')).toBe(origin);
      expect(response.get('Access-Control-Expose-Headers')?.split(',').sort()).toEqual([
        ...['Content-Disposition', 'Deprecation', 'ETag', 'Idempotent-Replayed', 'Link'],
        ...['Location', 'Operation-Id', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'Sunset'],
        ...['WWW-Authenticate', 'X-Request-Id'],
      ]);
    }
  });

  it('a browser of another origin may read the headers of an error response too', async () => {
    const sent = service.anonymous.get('/auth/me').set('Origin', 'https://app.example');
    const response = await sent.expect(401);
    expect(response.get('Access-Control-Allow-Origin')).toBe('https://app.example');
    expect(response.get('Access-Control-Expose-Headers')).toContain('WWW-Authenticate');
  });

  it('a browser of another origin may cache a preflight response for ten minutes', async () => {
    const response = await request(service.server)
      .options('/api/v1/cycles')
      .set('Origin', 'https://app.example')
      .set('Access-Control-Request-Method', 'PUT')
      .set('Access-Control-Request-Headers', 'authorization,content-type,if-match')
      .expect(204);
    expect(response.get('Access-Control-Max-Age')).toBe('600');
    expect(response.get('Access-Control-Allow-Origin')).toBe('https://app.example');
    expect(response.get('Access-Control-Allow-Methods')).toContain('PUT');
    expect(response.get('Access-Control-Allow-Headers')).toBe(
      'authorization,content-type,if-match',
    );
  });

  it('a browser of another origin may not read responses when its origin is not allowed', async () => {
    const response = await service.anonymous.get('/health').set('Origin', 'https://evil.example');
    expect(response.get('Access-Control-Allow-Origin')).toBeUndefined();
  });

  it('a browser of another origin gets no cached response of another origin', async () => {
    for (const headers of [
      {},
      { Origin: 'https://app.example' },
      { Origin: 'https://evil.example' },
    ]) {
      const response = await service.anonymous.get('/health').set(headers);
      expect(response.get('Vary')).toBe('Origin');
    }
  });
});

describe.each([
  ['error', /request-7 .*cycles/],
  ['fatal', /^$/],
] as const)('the log of a service at level %s', (logLevel, expectedLog) => {
  const service = useService({ logLevel });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('the log contains a failure with its request id, unless the level hides failures', async () => {
    const user = await service.signUp();
    await service.query('ALTER TABLE cycles RENAME TO cycles_away');
    const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      await user.get('/cycles').set('X-Request-Id', 'request-7').expect(500);
    } finally {
      await service.query('ALTER TABLE cycles_away RENAME TO cycles');
    }
    expect(written.mock.calls.map(([text]) => String(text)).join('')).toMatch(expectedLog);
  });
});
