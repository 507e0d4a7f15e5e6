import { describe, expect, it } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import { SERVER_LIMITS, MAX_CONNECTIONS } from '#http-host';
import { eventually } from '../../../support/eventually.js';
import {
  openSocket,
  parseResponses,
  receiveAll,
  sendRaw,
  type RawResponse,
} from '../../../support/raw-http.js';
import { TEST_PASSWORD, useService } from '../../../support/service.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('a connection', () => {
  const service = useService();
  const port = (): number => (service.server.address() as AddressInfo).port;

  async function responsesTo(bytes: string | Buffer, isCutShort = false): Promise<RawResponse[]> {
    return parseResponses(await sendRaw(port(), bytes, isCutShort));
  }

  /** Expects one response, the error envelope, which closes the connection. */
  function expectRefused(responses: RawResponse[], status: number, message: RegExp): void {
    expect(
      responses.map((response) => ({ ...response, body: JSON.parse(response.body) as unknown })),
    ).toEqual([
      {
        status,
        headers: expect.objectContaining({
          connection: 'close',
          'x-request-id': expect.stringMatching(UUID),
        }),
        body: {
          success: false,
          error: {
            code: status === 404 ? 'RESOURCE_NOT_FOUND' : 'VALIDATION_ERROR',
            message: expect.stringMatching(message),
            details: expect.any(Object),
          },
        },
      },
    ]);
  }

  const register = (email: string): string =>
    JSON.stringify({ email, password: TEST_PASSWORD, first_name: 'Smuggled' });

  const post = (fields: string[], body: string): string =>
    [
      'POST /api/v1/auth/register HTTP/1.1',
      'Host: x',
      'Content-Type: application/json',
      ...fields,
      '',
      body,
    ].join('\r\n');

  const usersNamed = async (email: string): Promise<number> =>
    (await service.query('SELECT 1 FROM users WHERE email = $1', [email])).length;

  it('a connection has the configured timeouts and maximum number of connections', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout, maxConnections } = service.server;
    expect({ headersTimeout, requestTimeout, keepAliveTimeout, maxConnections }).toEqual({
      headersTimeout: SERVER_LIMITS.headersTimeout,
      requestTimeout: SERVER_LIMITS.requestTimeout,
      keepAliveTimeout: SERVER_LIMITS.keepAliveTimeout,
      maxConnections: MAX_CONNECTIONS,
    });
  });

  it.each([
    ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
    ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 5']],
    ['two lengths', ['Content-Length: 5', 'Content-Length: 50']],
    ['the same length twice', ['Content-Length: 5', 'Content-Length: 5']],
    ['a list of lengths', ['Content-Length: 5, 50']],
    ['a signed length', ['Content-Length: +5']],
    ['a hexadecimal length', ['Content-Length: 0x5']],
    ['chunks that are not the last encoding', ['Transfer-Encoding: chunked, identity']],
    ['an unknown transfer encoding', ['Transfer-Encoding: xchunked']],
    [
      'an encoding after a line feed without a carriage return',
      ['X: y\n Transfer-Encoding: chunked'],
    ],
    ['a space before the colon', ['Transfer-Encoding : chunked']],
    ['a folded header', ['X: y', ' folded']],
    ['a line that ends without a carriage return', ['X: y\nContent-Length: 5']],
    ['a null byte in a header', ['X: a\u0000b']],
  ])(
    'a connection refuses requests that a proxy could interpret differently: %s',
    async (_what, fields) => {
      const email = 'smuggled@example.com';
      const inner = post([`Content-Length: ${register(email).length}`], register(email));
      const responses = await responsesTo(post([...fields], `0\r\n\r\n${inner}`), true);
      expectRefused(responses, 400, /Malformed HTTP/);
      expect(await usersNamed(email)).toBe(0);
    },
  );

  it.each([
    ['bytes that are not HTTP', 'HELLO\r\n\r\n', 400, /Malformed HTTP/],
    [
      'a request without a Host header',
      'GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n',
      400,
      /Malformed request: its URL, its headers/,
    ],
    [
      'an invalid URL',
      'GET http://[x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      404,
      /Route not found/,
    ],
    ['another protocol', '\u0016\u0003\u0001\u0000\u00a5\u0001\u0000', 400, /Malformed HTTP/],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, /Malformed HTTP/],
    [
      'a URL above the size limit',
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      /header of the request is too large/,
    ],
    [
      'a header above the size limit',
      `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}`,
      431,
      /header of the request is too large/,
    ],
    ['a broken chunk', post(['Transfer-Encoding: chunked'], 'zz\r\n'), 400, /Malformed HTTP/],
  ] as const)(
    'a connection responds to %s with the error envelope',
    async (_what, bytes, status, message) => {
      expectRefused(await responsesTo(bytes), status, message);
    },
  );

  it('a connection serves a request with an unknown Expect header', async () => {
    const [response] = await responsesTo(
      'GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n',
    );
    expect(response?.status).toBe(200);
  });

  it('a connection responds to Expect: 100-continue with 100, then serves the request', async () => {
    const email = 'continued@example.com';
    const fields = [
      `Content-Length: ${register(email).length}`,
      'Expect: 100-continue',
      'Connection: close',
    ];
    const received = await sendRaw(port(), post(fields, register(email)));
    expect(received.toString()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  });

  it('a connection responds to pipelined requests in order', async () => {
    const paths = ['/health/live', '/api/v1/enums', '/nowhere', '/health/ready'];
    const requests = paths.map((path, index) => {
      const close = index === paths.length - 1 ? 'Connection: close\r\n' : '';
      return `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: n${index}\r\n${close}\r\n`;
    });
    const responses = await responsesTo(requests.join(''));
    expect(responses.map(({ status, headers }) => [status, headers['x-request-id']])).toEqual([
      [200, 'n0'],
      [401, 'n1'],
      [404, 'n2'],
      [200, 'n3'],
    ]);
  });

  it('a connection returns the complete response of a request before it refuses invalid bytes after it', async () => {
    const get = `GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n`;
    const [expected] = await responsesTo(`${get}Connection: close\r\n\r\n`);
    const [fullResponse, ...rest] = await responsesTo(`${get}\r\nrubbish\r\n\r\n`);
    expect(fullResponse?.body === expected?.body).toBe(true);
    expectRefused(rest, 400, /Malformed HTTP/);
  });

  it('a connection returns both responses to a mutation with invalid bytes after it', async () => {
    const email = 'rubbish@example.com';
    const fields = [`Content-Length: ${register(email).length}`];
    const [created, ...rest] = await responsesTo(`${post(fields, register(email))}rubbish\r\n\r\n`);
    expect(created?.status).toBe(201);
    expectRefused(rest, 400, /Malformed HTTP/);
  });

  it.each(['HEAD /api/v1/calendar-feeds/x', 'GET /nowhere', 'GET /health/live'])(
    'a connection has no response after that to its last request, %s',
    async (request) => {
      const last = `${request} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const [expected = ''] = (await sendRaw(port(), last)).toString().split('\r\n');
      const received = (await sendRaw(port(), `${last}{}`)).toString();
      expect(received.match(/^HTTP.*$/gm)).toEqual([expected]);
    },
  );

  it('a connection is closed after the keep-alive timeout', async () => {
    const { keepAliveTimeout } = service.server;
    service.server.keepAliveTimeout = 1;
    try {
      const responses = await responsesTo('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
      expect(responses.map(({ status }) => status)).toEqual([200]);
    } finally {
      service.server.keepAliveTimeout = keepAliveTimeout;
    }
  });

  it('a connection completes the request when the client half-closes the connection', async () => {
    const email = 'half-closed@example.com';
    const fields = [`Content-Length: ${register(email).length}`];
    await sendRaw(port(), post(fields, register(email)), true);
    await eventually('the user', async () => (await usersNamed(email)) === 1);
  });

  it('a connection stores nothing when the client disconnects in the middle of a body', async () => {
    const email = 'halved@example.com';
    const fields = [`Content-Length: ${register(email).length + 1}`];
    await sendRaw(port(), post(fields, register(email)), true);
    expect(await usersNamed(email)).toBe(0);
  });
});

describe('a slow client', () => {
  const service = useService();
  const register = 'POST /api/v1/auth/register HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n';

  /** Sends the first bytes, then one every 100 ms until the service closes the connection. */
  async function sendSlowly(start: string): Promise<RawResponse[]> {
    const socket = await openSocket((service.server.address() as AddressInfo).port);
    const received = receiveAll(socket);
    socket.write(start);
    const timer = setInterval(() => socket.writable && socket.write('a'), 100);
    try {
      return parseResponses(await received);
    } finally {
      clearInterval(timer);
    }
  }

  it.each([
    ['headers', 408, 'GET / HTTP/1.1\r\nHost: x\r\nX: '],
    ['body', 408, `${register}Content-Type: application/json\r\n\r\n`],
    ['body that is already refused', 415, `${register}\r\n`],
  ])(
    'a slow client gets one error response for a slow %s and is disconnected: %i',
    async (_what, status, start) => {
      // Shorter than in production, so that the test is fast.
      service.server.headersTimeout = 1000;
      service.server.requestTimeout = 1500;
      const results = await Promise.all(Array.from({ length: 20 }, () => sendSlowly(start)));
      expect(results.map((responses) => responses.map((response) => response.status))).toEqual(
        results.map(() => [status]),
      );
      await service.anonymous.get('/auth/me').expect(401);
    },
  );
});

describe('connections', () => {
  const service = useService();

  it('connections are closed beyond the limit, and served within it', async () => {
    const { port } = service.server.address() as AddressInfo;
    service.server.maxConnections = 50;
    const sockets = await Promise.all(Array.from({ length: 200 }, () => openSocket(port)));
    await eventually('150 are closed', () => sockets.filter(({ closed }) => closed).length === 150);
    const open = sockets.filter(({ closed }) => !closed);
    const responses = await Promise.all(
      open.map(async (socket) => {
        const received = receiveAll(socket);
        socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
        return parseResponses(await received).map(({ status }) => status);
      }),
    );
    expect(responses).toEqual(open.map(() => [200]));
    await service.anonymous.get('/auth/me').expect(401);
  });
});
