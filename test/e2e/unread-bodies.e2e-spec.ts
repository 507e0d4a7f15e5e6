import { beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { signUp } from '../support/client.js';
import { openSocket, parseResponses, receiveAll } from '../support/raw-http.js';
import { residentMegabytes } from '../support/resident-memory.js';
import { useProcesses, type ServiceProcess } from '../support/service-process.js';

const CONNECTIONS = 1500;
/** With bodies of almost a megabyte. */
const CSV_CONNECTIONS = 300;
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
  const processes = useProcesses(
    () => ({ RATE_LIMIT_AUTH_PER_ADDRESS_PER_MINUTE: '100000' }),
    'file',
  );
  let service: ServiceProcess;
  const port = (): number => Number(new URL(service.origin).port);

  beforeAll(async () => {
    service = await processes.start();
    await signUp(service.origin);
  });

  /** Sends the beginning of a request on each connection and waits until it is closed. */
  async function sendUnfinished(
    bytes: Buffer,
    connections: number,
  ): Promise<{ statuses: Map<number | undefined, number>; grownBy: number }> {
    const before = residentMegabytes(service);
    const statuses = new Map<number | undefined, number>();
    let largest = before;
    const send = async (delay: number): Promise<void> => {
      await setTimeout(delay);
      const socket = await openSocket(port());
      const received = receiveAll(socket);
      socket.write(bytes);
      const [response] = parseResponses(await received);
      statuses.set(response?.status, (statuses.get(response?.status) ?? 0) + 1);
      largest = Math.max(largest, residentMegabytes(service));
    };
    await Promise.all(Array.from({ length: connections }, (_, n) => send(n)));
    return { statuses, grownBy: largest - before };
  }

  it.each(PATHS)(
    'clients that send a body without its end cost little memory without a token: %s',
    async (path, type, status) => {
      const start = head(path, type, 'Content-Encoding: gzip', 'Content-Length: 1200');
      const bytes = Buffer.concat([Buffer.from(start), COMPRESSED]);
      const { statuses, grownBy } = await sendUnfinished(bytes, CONNECTIONS);
      expect(statuses).toEqual(new Map([[status, CONNECTIONS]]));
      expect(grownBy).toBeLessThan(MAX_GROWTH_MB);
      expect((await fetch(`${service.origin}/health/live`)).status).toBe(200);
    },
  );

  it('clients that send a body without its end cost little memory with a token, and are limited in number', async () => {
    const user = await signUp(service.origin);
    const { id } = await user.createCycle();
    const token = `Authorization: Bearer ${user.token ?? ''}`;
    const start = head(
      `/cycles/${id}/expenses/import`,
      'text/csv',
      token,
      'Content-Length: 990000',
    );
    const bytes = Buffer.concat([Buffer.from(start), Buffer.alloc(900_000, 'a')]);
    const { statuses, grownBy } = await sendUnfinished(bytes, CSV_CONNECTIONS);
    expect(statuses).toEqual(
      new Map([
        [429, CSV_CONNECTIONS - 1],
        [408, 1],
      ]),
    );
    expect(grownBy).toBeLessThan(MAX_GROWTH_MB);
  });

  it('clients that send a body without its end get 408 after 30 s', async () => {
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
