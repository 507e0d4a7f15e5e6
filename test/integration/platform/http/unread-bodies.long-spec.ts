import { beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import request from 'supertest';
import { eventually } from '../../../support/eventually.js';
import { openSocket, parseResponses, receiveAll } from '../../../support/raw-http.js';
import { UNKNOWN_UUID } from '../../../support/sample-entities.js';
import { useService } from '../../../support/service.js';

/** The service discards the rest of a body for 2 s after its response. */
const MIN_DISCARD_MS = 1000;
const MAX_DISCARD_MS = 3500;

const JSON_BODY = ['Content-Type: application/json', 'Content-Length: 100000'];
const CSV_PATH = `/api/v1/cycles/${UNKNOWN_UUID}/expenses/import`;

describe('a request that is refused before its body has arrived', () => {
  const service = useService();
  let token: string;
  const port = (): number => (service.server.address() as AddressInfo).port;

  beforeAll(async () => {
    token = `Authorization: Bearer ${(await service.signUp()).token ?? ''}`;
  });

  const head = (line: string, ...fields: string[]): string =>
    [`${line} HTTP/1.1`, 'Host: x', ...fields, '', ''].join('\r\n');

  const REFUSED: [name: string, status: number, bytes: () => string][] = [
    ['to an unknown path', 404, () => head('POST /api/v1/nowhere', ...JSON_BODY)],
    ['with another method', 405, () => head('DELETE /api/v1/auth/login', ...JSON_BODY)],
    ['without a token', 401, () => head('POST /api/v1/import', ...JSON_BODY)],
    [
      'of another type',
      415,
      () => head('POST /api/v1/cycles', token, 'Content-Type: text/csv', 'Content-Length: 9'),
    ],
    [
      'that is compressed',
      415,
      () => head('POST /api/v1/cycles', token, ...JSON_BODY, 'Content-Encoding: gzip'),
    ],
    [
      'that says it is too large',
      413,
      () => head(`POST ${CSV_PATH}`, token, 'Content-Type: text/csv', 'Content-Length: 1000001'),
    ],
    [
      'that turns out to be too large',
      413,
      () =>
        head('POST /api/v1/cycles', token, JSON_BODY[0] ?? '', 'Transfer-Encoding: chunked') +
        `20001\r\n${' '.repeat(0x20001)}`,
    ],
    [
      'that says it is too large with its compression',
      413,
      () =>
        head(
          'POST /api/v1/import',
          token,
          JSON_BODY[0] ?? '',
          'Content-Encoding: gzip',
          'Content-Length: 10000001',
        ),
    ],
  ];

  it.each(REFUSED)(
    '%s gets %i before its body has arrived and is disconnected 2 s later',
    async (_name, status, bytes) => {
      const socket = await openSocket(port());
      const received = receiveAll(socket);
      socket.write(bytes());
      await once(socket, 'data');
      const respondedAt = performance.now();
      const responses = parseResponses(await received);
      expect(responses.map((response) => response.status)).toEqual([status]);
      // Had the service responded only when it stops discarding, there would be no time between.
      expect(performance.now() - respondedAt).toBeGreaterThan(MIN_DISCARD_MS);
      expect(performance.now() - respondedAt).toBeLessThan(MAX_DISCARD_MS);
    },
  );

  it('a request that is refused before its body has arrived gets its response also while it is still sending, and then is disconnected', async () => {
    const socket = await openSocket(port());
    const received = receiveAll(socket);
    socket.write(head('POST /api/v1/nowhere', 'Content-Length: 1000000000', 'Connection: close'));
    const chunk = Buffer.alloc(64 * 1024);
    const start = performance.now();
    const timer = setInterval(() => socket.writable && socket.write(chunk), 20);
    const responses = parseResponses(await received).map(({ status }) => status);
    clearInterval(timer);
    expect(responses).toEqual([404]);
    expect(performance.now() - start).toBeLessThan(MAX_DISCARD_MS);
  });

  it.each(['keep-alive', 'close'])(
    'a request that is refused before its body has arrived gets its response after a large body with Connection: %s',
    async (connection) => {
      for (let n = 0; n < 5; n += 1) {
        await request(service.server)
          .post('/api/v1/import')
          .set({ 'Content-Type': 'application/json', Connection: connection })
          .send(' '.repeat(5_000_000))
          .expect(401);
      }
    },
  );

  it('a request that is refused before its body has arrived keeps its connection if the body has arrived whole', async () => {
    const socket = await openSocket(port());
    const received = receiveAll(socket);
    const refused = (path: string): string =>
      `${head(`POST ${path}`, 'Content-Type: application/json', 'Content-Length: 2')}{}`;
    socket.write(refused('/api/v1/nowhere'));
    await once(socket, 'data');
    socket.write(refused('/api/v1/cycles'));
    await once(socket, 'data');
    socket.write(head('GET /health/live', 'Connection: close'));
    expect(parseResponses(await received).map(({ status }) => status)).toEqual([404, 401, 200]);
  });

  it.each([
    ['that is not HTTP', 400, 'rubbish\r\n\r\n'],
    [
      'whose body is not HTTP',
      400,
      `${head('POST /api/v1/auth/login', 'Transfer-Encoding: chunked')}zz`,
    ],
  ])(
    '%s gets %i and is disconnected by a client that never closes, too',
    async (_name, status, bytes) => {
      const connection = once(service.server, 'connection') as Promise<[Socket]>;
      const client = connect({ port: port(), host: '127.0.0.1', allowHalfOpen: true });
      client.on('error', () => undefined);
      try {
        client.write(bytes);
        const [accepted] = await connection;
        const [data] = (await once(client, 'data')) as [Buffer];
        expect(data.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
        await eventually('the connection is closed', () => accepted.destroyed, MAX_DISCARD_MS);
      } finally {
        client.destroy();
      }
    },
  );
});
