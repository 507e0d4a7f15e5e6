import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openSocket, parseResponses, receiveAll } from '../../test/support/raw-http.js';
import { MAX_DISCARD_MS } from './connection-limits.js';
import { awaitsBody, endAfterBody } from './unread-body.js';

const post = (length: number): string =>
  `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

describe('a response before the body of its request has arrived', () => {
  let server: Server;

  beforeEach(async () => {
    server = createServer((request, response) => {
      response.setHeader('Content-Length', 7);
      if (!awaitsBody(request)) response.end('arrived');
      else void endAfterBody(response, 'refused', (onSent) => response.end(onSent));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is sent at once, and the connection remains for the next request when the body arrives', async () => {
    const socket = await openSocket((server.address() as AddressInfo).port);
    const received = receiveAll(socket);
    socket.write(post(1_000_000));
    await once(socket, 'data');
    socket.write(Buffer.alloc(1_000_000));
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const responses = parseResponses(await received);
    expect(responses.map(({ body }) => body)).toEqual(['refused', 'arrived']);
  });

  it('is sent at once, and the connection closed when the body does not arrive in time', async () => {
    const socket = await openSocket((server.address() as AddressInfo).port);
    const received = receiveAll(socket);
    const start = performance.now();
    socket.write(post(2) + 'x');
    await once(socket, 'data');
    expect(socket.closed).toBe(false);
    expect(parseResponses(await received).map(({ body }) => body)).toEqual(['refused']);
    // A timer may fire a millisecond early.
    expect(performance.now() - start).toBeGreaterThan(MAX_DISCARD_MS - 10);
  });
});
