import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openSocket, parseResponses, receiveAll, sendRaw } from '../../test/support/raw-http.js';
import { respondToClientError, trackResponse } from './client-errors.js';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const UNREADABLE = 'rubbish\r\n\r\n';

describe('a request that cannot be parsed', () => {
  let server: Server;
  const waiting: ServerResponse[] = [];
  const port = (): number => (server.address() as AddressInfo).port;

  beforeEach(async () => {
    const limits = { maxHeaderSize: 1000, headersTimeout: 200, connectionsCheckingInterval: 20 };
    server = createServer(limits, (request, response) => {
      trackResponse(request, response);
      waiting.push(response);
    });
    server.on('clientError', (error, socket) => {
      const describeError = (status: number): { headers: Record<string, string>; body: object } => {
        return { headers: { 'X-Id': '7' }, body: { failed: status } };
      };
      respondToClientError(describeError, error, socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    waiting.length = 0;
    server.closeAllConnections();
    server.close();
  });

  it.each([
    [400, UNREADABLE],
    [431, `GET / HTTP/1.1\r\nX: ${'x'.repeat(2000)}\r\n\r\n`],
  ])('gets %i as the host describes it, and its connection is closed', async (status, bytes) => {
    expect(parseResponses(await sendRaw(port(), bytes))).toEqual([
      {
        status,
        headers: {
          connection: 'close',
          'x-id': '7',
          'content-type': 'application/json; charset=utf-8',
          'content-length': '14',
        },
        body: `{"failed":${status}}`,
      },
    ]);
  });

  it.each([
    ['gets 408 where its headers do not arrive in time', 'GET / HTTP/1.1\r\n', [408]],
    ['gets no response before it has begun', '', []],
  ])('%s', async (_what, bytes, statuses) => {
    const socket = await openSocket(port());
    const received = receiveAll(socket);
    socket.write(bytes);
    expect(parseResponses(await received).map(({ status }) => status)).toEqual(statuses);
  });

  it('gets its response after that of the request before it', async () => {
    const socket = await openSocket(port());
    const received = receiveAll(socket);
    socket.write(GET + UNREADABLE);
    await once(server, 'clientError');
    waiting[0]?.end('first');
    const responses = parseResponses(await received);
    expect(responses.map(({ status, body }) => [status, body])).toEqual([
      [200, 'first'],
      [400, '{"failed":400}'],
    ]);
  });

  it('gets its response after that of the request before it, also if only its body cannot', async () => {
    const socket = await openSocket(port());
    const received = receiveAll(socket);
    socket.write(
      `${GET}POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${UNREADABLE}`,
    );
    await once(server, 'clientError');
    waiting[0]?.end('first');
    const responses = parseResponses(await received);
    expect(responses.map(({ status, body }) => [status, body])).toEqual([
      [200, 'first'],
      [400, '{"failed":400}'],
    ]);
  });

  it('gets no second response where the first one has begun', async () => {
    const socket = await openSocket(port());
    const received = receiveAll(socket);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    await once(server, 'request');
    waiting[0]?.writeHead(200, { 'Content-Length': 5 }).flushHeaders();
    socket.write(UNREADABLE);
    await once(server, 'clientError');
    waiting[0]?.end('first');
    expect(parseResponses(await received).map(({ body }) => body)).toEqual(['first']);
  });

  it('gets none after a request that closes the connection', async () => {
    const socket = await openSocket(port());
    const received = receiveAll(socket);
    socket.write(GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n') + UNREADABLE);
    await once(server, 'request');
    waiting[0]?.end('first');
    expect(parseResponses(await received).map(({ body }) => body)).toEqual(['first']);
  });
});
