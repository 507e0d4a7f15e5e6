import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '../../test/support/eventually.js';
import { openSocket, parseResponses, receiveAll, sendRaw } from '../../test/support/raw-http.js';
import { MAX_SENDING_MS } from './connection-limits.js';
import { MAX_CONNECTIONS, SERVER_LIMITS, StablePrototypeAdapter } from './index.js';

/** More than the system buffers for a client that does not read. */
const LARGE = Buffer.alloc(20_000_000);

const get = (path: string, ...fields: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...fields, '', ''].join('\r\n');

describe('the adapter', () => {
  let adapter: StablePrototypeAdapter;
  let server: Server;
  const serialize = jest.fn((_response: Response, body: object): string | Promise<StreamableFile> =>
    JSON.stringify(body),
  );
  const port = (): number => (server.address() as AddressInfo).port;

  beforeEach(async () => {
    adapter = new StablePrototypeAdapter(
      (error, _request, response) => {
        response.status(error ? 500 : 404).end(error ? 'failed' : 'unknown');
      },
      (status) => ({ headers: {}, body: { failed: status } }),
      serialize,
    );
    adapter.initHttpServer();
    server = adapter.getHttpServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    jest.useRealTimers();
    server.closeAllConnections();
    server.close();
  });

  const respond = async (bytes: string): Promise<[status: number, body: string][]> =>
    parseResponses(await sendRaw(port(), bytes)).map(({ status, body }) => [status, body]);

  it('limits connections', () => {
    expect(server).toMatchObject({
      maxConnections: MAX_CONNECTIONS,
      headersTimeout: SERVER_LIMITS.headersTimeout,
      requestTimeout: SERVER_LIMITS.requestTimeout,
      keepAliveTimeout: SERVER_LIMITS.keepAliveTimeout,
    });
  });

  it('responds as it is told to what no handler matched, what failed, and what cannot be parsed', async () => {
    adapter.get('/fails', () => {
      throw new Error();
    });
    expect(await respond(get('/nowhere'))).toEqual([[404, 'unknown']]);
    expect(await respond(get('/fails'))).toEqual([[500, 'failed']]);
    expect(await respond('rubbish\r\n\r\n')).toEqual([[400, '{"failed":400}']]);
  });

  it('sends JSON and text whatever the client has cached, and takes any Expect header', async () => {
    adapter.get('/json', (_request: Request, response: Response) => {
      adapter.reply(response, { a: 1 }, 201);
    });
    adapter.get('/text', (_request: Request, response: Response) => {
      adapter.reply(response, 'año', 200);
    });
    expect(await respond(get('/json', 'If-None-Match: *'))).toEqual([[201, '{"a":1}']]);
    expect(await respond(get('/text', 'If-None-Match: *'))).toEqual([[200, 'año']]);
    expect(await respond(get('/json', 'Expect: wonders'))).toEqual([[201, '{"a":1}']]);
  });

  it('gives every request and response the prototype that Express would set', async () => {
    const before: unknown[] = [];
    server.prependListener('request', (...objects) => before.push(...objects.map(prototypeOf)));
    const within: unknown[] = [];
    adapter.get('/', (request: Request, response: Response) => {
      within.push(prototypeOf(request), prototypeOf(response));
      response.end();
    });
    await respond(get('/'));
    expect(before).toHaveLength(2);
    expect(within[0]).toBe(before[0]);
    expect(within[1]).toBe(before[1]);
  });

  it('handles pipelined requests one after another', async () => {
    const open = new Set<string>();
    adapter.get('/', async (_request: Request, response: Response) => {
      expect(open.size).toBe(0);
      open.add('it');
      await setTimeout(5);
      open.clear();
      response.end('done');
    });
    const bytes = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3) + get('/');
    expect(await respond(bytes)).toEqual(Array(4).fill([200, 'done']));
  });

  it('keeps what arrives byte by byte, before the body is read, as one part', async () => {
    let begin = (): void => undefined;
    const parts: string[] = [];
    adapter.post('/', (request: Request, response: Response) => {
      begin = () => {
        request.on('data', (part: Buffer) => parts.push(part.toString()));
        request.on('end', () => response.end('read'));
      };
    });
    const connection = once(server, 'connection') as Promise<[Socket]>;
    const socket = await openSocket(port());
    const [accepted] = await connection;
    const received = receiveAll(socket);
    const bytes =
      'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n' +
      '1\r\nx\r\n'.repeat(1000);
    socket.write(bytes);
    await eventually('all has arrived', () => accepted.bytesRead === bytes.length);
    begin();
    socket.write('3\r\nend\r\n0\r\n\r\n');
    expect(parseResponses(await received).map(({ body }) => body)).toEqual(['read']);
    expect(parts).toEqual(['x'.repeat(1000), 'end']);
  });

  it('sends a stream in place of JSON, or responds to its failure', async () => {
    const stream = new StreamableFile(Buffer.from('from a file'));
    for (const [path, json] of Object.entries({
      '/stream': Promise.resolve(stream),
      '/failed': Promise.reject(new Error()),
    })) {
      adapter.get(path, async (_request: Request, response: Response) => {
        serialize.mockReturnValueOnce(json);
        await adapter.reply(response, {}, 201);
      });
    }
    expect(await respond(get('/stream'))).toEqual([[201, 'from a file']]);
    expect(await respond(get('/failed'))).toEqual([[500, 'failed']]);
  });

  it('closes a connection whose client has not read a response in time, also if it reads some of it', async () => {
    jest.useFakeTimers({
      doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'],
    });
    adapter.get('/', (_request: Request, response: Response) => response.end(LARGE));
    const connection = once(server, 'connection') as Promise<[Socket]>;
    const socket = await openSocket(port());
    const [accepted] = await connection;
    socket.write(get('/'));
    await once(socket, 'data');
    socket.pause();
    jest.advanceTimersByTime(MAX_SENDING_MS - 1);
    expect(accepted.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(accepted.destroyed).toBe(true);
    socket.destroy();
  });

  it('responds before a body that is not read, and keeps the connection when it has arrived', async () => {
    adapter.post('/', (_request: Request, response: Response) => {
      adapter.reply(response, { refused: true }, 401);
    });
    const socket = await openSocket(port());
    const received = receiveAll(socket);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n');
    await once(socket, 'data');
    socket.write(`body${get('/nowhere')}`);
    const responses = parseResponses(await received);
    expect(responses.map(({ status }) => status)).toEqual([401, 404]);
  });
});

const prototypeOf = (value: object): unknown => Object.getPrototypeOf(value);
