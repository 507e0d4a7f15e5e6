import { describe, expect, it } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import { LIMITS, MAX_CONNECTIONS } from '../../src/common/http/connection-limits.js';
import { eventually } from '../support/eventually.js';
import {
  openSocket,
  parseAnswers,
  receiveAll,
  sendRaw,
  type RawAnswer,
} from '../support/raw-http.js';
import { TEST_PASSWORD, useService } from '../support/service.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('a connection', () => {
  const service = useService();
  const port = (): number => (service.server.address() as AddressInfo).port;

  async function answersTo(bytes: string | Buffer, isCutShort = false): Promise<RawAnswer[]> {
    return parseAnswers(await sendRaw(port(), bytes, isCutShort));
  }

  /** Expects the one answer to be the error envelope, and the connection to be closed with it. */
  function expectRefused(answers: RawAnswer[], status: number, message: RegExp): void {
    expect(
      answers.map((answer) => ({ ...answer, body: JSON.parse(answer.body) as unknown })),
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

  it('has limits that suit a proxy in front', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout, maxConnections } = service.server;
    expect({ headersTimeout, requestTimeout, keepAliveTimeout, maxConnections }).toEqual({
      headersTimeout: LIMITS.headersTimeout,
      requestTimeout: LIMITS.requestTimeout,
      keepAliveTimeout: LIMITS.keepAliveTimeout,
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
    ['chunks under another name', ['Transfer-Encoding: xchunked']],
    ['chunks that only a line says', ['X: y\n Transfer-Encoding: chunked']],
    ['a space before the colon', ['Transfer-Encoding : chunked']],
    ['a folded header', ['X: y', ' folded']],
    ['a line that ends in no carriage return', ['X: y\nContent-Length: 5']],
    ['a null byte in a header', ['X: a\u0000b']],
  ])('that a proxy could read otherwise is refused: %s', async (_what, fields) => {
    const email = 'smuggled@example.com';
    const inner = post([`Content-Length: ${register(email).length}`], register(email));
    const answers = await answersTo(post([...fields], `0\r\n\r\n${inner}`), true);
    expectRefused(answers, 400, /not readable HTTP/);
    expect(await usersNamed(email)).toBe(0);
  });

  it.each([
    ['what is no HTTP', 'HELLO\r\n\r\n', 400, /not readable/],
    ['no host', 'GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n', 400, /malformed/],
    [
      'an address that is none',
      'GET http://[x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      404,
      /route/,
    ],
    ['another protocol', '\u0016\u0003\u0001\u0000\u00a5\u0001\u0000', 400, /not readable/],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, /not readable/],
    [
      'an endless address',
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      /not readable/,
    ],
    ['an endless header', `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}`, 431, /not readable/],
    ['a broken chunk', post(['Transfer-Encoding: chunked'], 'zz\r\n'), 400, /not readable/],
  ] as const)(
    'with %s is answered with the error envelope',
    async (_what, bytes, status, message) => {
      expectRefused(await answersTo(bytes), status, message);
    },
  );

  it('with an expectation that nobody knows is served', async () => {
    const [answer] = await answersTo(
      'GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n',
    );
    expect(answer?.status).toBe(200);
  });

  it('with an expectation to go on is told to, and then served', async () => {
    const email = 'continued@example.com';
    const fields = [
      `Content-Length: ${register(email).length}`,
      'Expect: 100-continue',
      'Connection: close',
    ];
    const received = await sendRaw(port(), post(fields, register(email)));
    expect(received.toString()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  });

  it('answers requests that are sent at once in their order', async () => {
    const paths = ['/health/live', '/api/v1/enums', '/nowhere', '/health/ready'];
    const requests = paths.map((path, index) => {
      const close = index === paths.length - 1 ? 'Connection: close\r\n' : '';
      return `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: n${index}\r\n${close}\r\n`;
    });
    const answers = await answersTo(requests.join(''));
    expect(answers.map(({ status, headers }) => [status, headers['x-request-id']])).toEqual([
      [200, 'n0'],
      [401, 'n1'],
      [404, 'n2'],
      [200, 'n3'],
    ]);
  });

  it('with rubbish behind a request gets the answer whole before it is refused', async () => {
    const get = `GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n`;
    const [whole] = await answersTo(`${get}Connection: close\r\n\r\n`);
    const [bundle, ...rest] = await answersTo(`${get}\r\nrubbish\r\n\r\n`);
    expect(bundle?.body === whole?.body).toBe(true);
    expectRefused(rest, 400, /not readable HTTP/);
  });

  it('with rubbish behind a request that changes something tells both', async () => {
    const email = 'rubbish@example.com';
    const fields = [`Content-Length: ${register(email).length}`];
    const [made, ...rest] = await answersTo(`${post(fields, register(email))}rubbish\r\n\r\n`);
    expect(made?.status).toBe(201);
    expectRefused(rest, 400, /not readable HTTP/);
  });

  it('that the client half closes ends, and what it asked for is done', async () => {
    const email = 'half-closed@example.com';
    const fields = [`Content-Length: ${register(email).length}`];
    await sendRaw(port(), post(fields, register(email)), true);
    await eventually('the user', async () => (await usersNamed(email)) === 1);
  });

  it('that ends in the middle of a body stores nothing', async () => {
    const email = 'halved@example.com';
    const fields = [`Content-Length: ${register(email).length + 1}`];
    await sendRaw(port(), post(fields, register(email)), true);
    expect(await usersNamed(email)).toBe(0);
  });
});

describe('a slow client', () => {
  const service = useService();
  const register = 'POST /api/v1/auth/register HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n';

  /** Sends the first bytes, then one now and then, until the other side has enough of it. */
  async function dribble(start: string): Promise<RawAnswer[]> {
    const socket = await openSocket((service.server.address() as AddressInfo).port);
    const received = receiveAll(socket);
    socket.write(start);
    const drip = setInterval(() => socket.writable && socket.write('a'), 100);
    try {
      return parseAnswers(await received);
    } finally {
      clearInterval(drip);
    }
  }

  it.each([
    ['headers', 408, 'GET / HTTP/1.1\r\nHost: x\r\nX: '],
    ['body', 408, `${register}Content-Type: application/json\r\n\r\n`],
    ['body, which was refused before,', 415, `${register}\r\n`],
  ])('whose %s only trickles in is told so once and left: %i', async (_what, status, start) => {
    // The service would wait longer.
    service.server.headersTimeout = 1000;
    service.server.requestTimeout = 1500;
    const crowd = await Promise.all(Array.from({ length: 20 }, () => dribble(start)));
    expect(crowd.map((answers) => answers.map((answer) => answer.status))).toEqual(
      crowd.map(() => [status]),
    );
    await service.anonymous.get('/auth/me').expect(401);
  });
});

describe('a flood of connections', () => {
  const service = useService();

  it('beyond the limit is turned away, and those within it are served', async () => {
    const { port } = service.server.address() as AddressInfo;
    service.server.maxConnections = 50;
    const sockets = await Promise.all(Array.from({ length: 200 }, () => openSocket(port)));
    await eventually('150 are closed', () => sockets.filter(({ closed }) => closed).length === 150);
    const open = sockets.filter(({ closed }) => !closed);
    const answers = await Promise.all(
      open.map(async (socket) => {
        const received = receiveAll(socket);
        socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
        return parseAnswers(await received).map(({ status }) => status);
      }),
    );
    expect(answers).toEqual(open.map(() => [200]));
    await service.anonymous.get('/auth/me').expect(401);
  });
});
