import { beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { signUp } from '../support/client.js';
import { openSocket, parseResponses, receiveAll } from '../support/raw-http.js';
import { residentMegabytes } from '../support/resident-memory.js';
import { useProcesses, type ServiceProcess } from '../support/service-process.js';

const CONNECTIONS = 1500;
const MAX_GROWTH_MB = 100;

/** The beginning of a body of a megabyte. */
const COMPRESSED = gzipSync(Buffer.alloc(1_000_000, 'a')).subarray(0, 992);

const head = (path: string, type: string, ...fields: string[]): string =>
  [`POST /api/v1${path} HTTP/1.1`, 'Host: x', `Content-Type: ${type}`, ...fields, '', ''].join(
    '\r\n',
  );

const PATHS = [
  ['/nowhere', 'text/csv', 404],
  ['/import', 'application/json', 401],
  ['/auth/login', 'application/x-www-form-urlencoded', 415],
] as const;

describe('clients that send a body without its end', () => {
  const processes = useProcesses(() => ({ RATE_LIMIT_ENABLED: 'false' }), 'file');
  let service: ServiceProcess;
  const port = (): number => Number(new URL(service.origin).port);

  beforeAll(async () => {
    service = await processes.start();
    await signUp(service.origin);
  });

  it.each(PATHS)('cost little memory without a token: %s', async (path, type, status) => {
    const start = head(path, type, 'Content-Encoding: gzip', 'Content-Length: 1200');
    const before = residentMegabytes(service);
    let largest = before;
    const responses = await Promise.all(
      Array.from({ length: CONNECTIONS }, async (_, n) => {
        await setTimeout(n);
        const socket = await openSocket(port());
        const received = receiveAll(socket);
        socket.write(start);
        socket.write(COMPRESSED);
        const bytes = await received;
        largest = Math.max(largest, residentMegabytes(service));
        return parseResponses(bytes).map((response) => response.status);
      }),
    );
    expect(responses.filter(([one]) => one !== status)).toEqual([]);
    expect(largest - before).toBeLessThan(MAX_GROWTH_MB);
    expect((await fetch(`${service.origin}/health/live`)).status).toBe(200);
  });

  it('get 408 after 30 s', async () => {
    const user = await signUp(service.origin);
    const token = `Authorization: Bearer ${user.token ?? ''}`;
    const socket = await openSocket(port());
    const received = receiveAll(socket);
    const begin = performance.now();
    socket.write(`${head('/cycles', 'application/json', token, 'Content-Length: 100')}{`);
    const responses = parseResponses(await received);
    const seconds = (performance.now() - begin) / 1000;
    expect(responses.map(({ status, body }) => [status, body.slice(0, 16)])).toEqual([
      [408, '{"success":false'],
    ]);
    expect(seconds).toBeGreaterThan(29);
    expect(seconds).toBeLessThan(40);
  });
});
