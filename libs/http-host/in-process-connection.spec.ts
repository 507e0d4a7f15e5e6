import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import {
  createServer,
  request,
  type ClientRequest,
  type IncomingMessage,
  type Server,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { connectInProcess } from './in-process-connection.js';

describe('connectInProcess', () => {
  let server: Server;
  let connections: Duplex[];

  const send = (path: string, signal?: AbortSignal): ClientRequest =>
    request({
      ...{ path, method: 'POST', signal },
      createConnection: () => connectInProcess(server, '203.0.113.7'),
    });

  beforeEach(async () => {
    connections = [];
    server = createServer((received, response) => {
      response.setTimeout(1000);
      if (received.url === '/') response.end(`for ${received.socket.remoteAddress ?? ''}`);
    });
    server.on('connection', (connection: Duplex) => connections.push(connection));
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('sends a request for the address of a client', async () => {
    const [response] = (await once(send('/').end('{}'), 'response')) as [IncomingMessage];
    expect(await text(response)).toBe('for 203.0.113.7');
  });

  it('closes both ends after the response', async () => {
    for (let n = 0; n < 100; n += 1) {
      const [response] = (await once(send('/').end('{}'), 'response')) as [IncomingMessage];
      await text(response);
    }
    await Promise.all(
      connections.filter(({ closed }) => !closed).map((connection) => once(connection, 'close')),
    );
    expect(connections).toHaveLength(100);
  });

  it('closes the end of the server when the client leaves', async () => {
    const controller = new AbortController();
    const sent = send('/unanswered', controller.signal).end();
    const [, response] = (await once(server, 'request')) as [unknown, NodeJS.EventEmitter];
    const closed = once(response, 'close');
    controller.abort();
    await expect(once(sent, 'response')).rejects.toThrow('aborted');
    await closed;
    expect(connections.map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  it('closes the end of the client when the server closes all connections', async () => {
    const response = once(send('/unanswered').end(), 'response');
    await once(server, 'request');
    server.closeAllConnections();
    await expect(response).rejects.toThrow('socket hang up');
  });
});
