import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { eventually } from '../../test/support/eventually.js';
import { openSocket, parseResponses, receiveAll } from '../../test/support/raw-http.js';
import { clientMemory } from './client-memory.js';
import { handleSequentially } from './request-queue.js';

/** More than the system buffers for a client that does not read. */
const LARGE = Buffer.alloc(20_000_000);

const get = (path: string, ...fields: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: x', ...fields, '', ''].join('\r\n');

describe('the requests of a connection', () => {
  let server: Server;

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function connect(
    handle: (request: IncomingMessage, response: ServerResponse) => void,
  ): Promise<Socket> {
    server = createServer(handleSequentially(handle)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return openSocket((server.address() as AddressInfo).port);
  }

  it('are handled one after another, in their order', async () => {
    let running = 0;
    const handled: string[] = [];
    const socket = await connect(({ url = '' }, response) => {
      handled.push(url);
      running += 1;
      expect(running).toBe(1);
      void setImmediate().then(() => {
        running -= 1;
        response.end(url);
      });
    });
    const received = receiveAll(socket);
    socket.write(get('/1') + get('/2') + get('/3', 'Connection: close'));
    const bodies = parseResponses(await received).map(({ body }) => body);
    expect(bodies).toEqual(['/1', '/2', '/3']);
    expect(handled).toEqual(bodies);
  });

  it('are not handled on after the connection is closed', async () => {
    const handled: string[] = [];
    const socket = await connect(({ url = '', socket: accepted }) => {
      handled.push(url);
      accepted.destroy();
    });
    const received = receiveAll(socket);
    socket.write(get('/1') + get('/2'));
    await received;
    expect(handled).toEqual(['/1']);
  });

  it('are read no further while they wait, and again when none does', async () => {
    const responses: ServerResponse[] = [];
    const socket = await connect((_request, response) => responses.push(response));
    const received = receiveAll(socket);
    socket.write(get('/1') + get('/2'));
    while (responses.length === 0) await setImmediate();
    const accepted = responses[0]?.socket;
    await eventually('it is paused', () => accepted?.isPaused() === true);
    responses[0]?.end();
    while (responses.length === 1) await setImmediate();
    expect(accepted?.isPaused()).toBe(false);
    socket.write(get('/3', 'Connection: close'));
    responses[1]?.end();
    while (responses.length === 2) await setImmediate();
    responses[2]?.end('3');
    expect(parseResponses(await received).map(({ body }) => body)).toEqual(['', '', '3']);
  });

  it.each([
    [3, false],
    [4, true],
  ])(
    'close it where they do not fit into the memory for their client: %i of them, %s',
    async (count, isClosed) => {
      const memory = clientMemory.open({ network: '127.0.0.1' });
      // Enough for the two that wait.
      expect(memory.resize(3_990_000)).toBe(true);
      const handled: string[] = [];
      const socket = await connect(({ url = '' }) => handled.push(url));
      socket.write(get('/').repeat(count));
      while (handled.length === 0) await setImmediate();
      // The system reports the closed connection later.
      for (let n = 0; n < 100; n += 1) await setImmediate();
      memory.release();
      expect(socket.closed).toBe(isClosed);
      expect(handled).toEqual(['/']);
      socket.destroy();
    },
  );

  it('close it when the client does not read a response in time', async () => {
    const responses: ServerResponse[] = [];
    const socket = await connect((_request, response) => {
      responses.push(response);
      if (responses.length === 1) response.flushHeaders();
      else response.end(LARGE);
    });
    socket.write(get('/'));
    await once(socket, 'data');
    socket.pause();
    const [first] = responses;
    const accepted = first?.socket;
    // Nothing waits for the client, but for the handler.
    first?.emit('timeout');
    expect(accepted?.destroyed).toBe(false);
    first?.end();
    socket.write(get('/'));
    while (responses.length === 1) await setImmediate();
    responses[1]?.emit('timeout');
    expect(accepted?.destroyed).toBe(true);
    socket.destroy();
  });
});
