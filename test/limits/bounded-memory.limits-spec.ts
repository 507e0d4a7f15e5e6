import { beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { addDays, todayInUtc } from '../../src/platform/values/calendar-date.js';
import { signUp, signUpMany, type Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { openSocket, parseResponses, receiveAll } from '../support/raw-http.js';
import { residentMegabytes } from '../support/resident-memory.js';
import { useProcesses, type ServiceProcess } from '../support/service-process.js';
import { SlowRequest, type SlowResponse } from '../support/slow-request.js';

/** Of Node in a container of 512 MB; a process that needs more of it is ended. */
const HEAP = '--max-old-space-size=256';
const MAX_GROWTH_MB = 120;
/** One document, its text, and garbage. */
const MAX_UNFINISHED_GROWTH_MB = 60;

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('a process with a heap of 256 MB', () => {
  const processes = useProcesses(
    () => ({ NODE_OPTIONS: HEAP, RATE_LIMIT_AUTH_PER_ADDRESS_PER_MINUTE: '100000' }),
    'file',
  );
  let service: ServiceProcess;
  let user: Client;
  let users: Client[];

  beforeAll(async () => {
    service = await processes.start();
    user = await signUp(service.origin);
    users = await signUpMany(service.origin, 60);
  });

  /** How much the memory grows at most meanwhile, in MB. */
  async function growthDuring(work: () => Promise<void>): Promise<number> {
    const before = residentMegabytes(service);
    let largest = before;
    let isDone = false;
    const watch = async (): Promise<void> => {
      while (!isDone) {
        largest = Math.max(largest, residentMegabytes(service));
        await setTimeout(20);
      }
    };
    const watching = watch();
    await work().finally(() => (isDone = true));
    await watching;
    return largest - before;
  }

  async function statusOfImport(json: string): Promise<number> {
    const response = await fetch(`${service.api}/import`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${user.token ?? ''}`,
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
      },
      body: gzipSync(json),
    });
    await response.text();
    return response.status;
  }

  it.each<[what: string, json: () => string]>([
    ['five million nested arrays', () => nested(5_000_000).slice(0, 9_999_999)],
    [
      'a depth of 100 in every expense',
      () => `{"expenses":[${`${nested(100)},`.repeat(45_000)}1]}`,
    ],
    ['four million values', () => `[${'0,'.repeat(4_000_000)}0]`],
    ['half a million values of as many names', () => `{${members(500_000)}"a":1}`],
  ])('a process with a heap of 256 MB refuses an import with %s', async (_what, json) => {
    for (let n = 0; n < 3; n += 1) expect(await statusOfImport(json())).toBe(422);
    await user.get('/auth/me').expect(200);
  });

  /** Sends a document but for its end. */
  function beginImport(client: Client, document: Buffer, coding = 'identity'): SlowRequest {
    const request = new SlowRequest(service.origin, client, {
      path: '/import',
      headers: { 'Content-Encoding': coding, 'Content-Length': String(document.length) },
    });
    request.write(document.subarray(0, -10));
    return request;
  }

  it('a process with a heap of 256 MB does not decompress imports whose end has not arrived', async () => {
    const document = gzipSync(' '.repeat(9_900_000));
    const growth = await growthDuring(async () => {
      const requests = users.map((client) => beginImport(client, document, 'gzip'));
      await setTimeout(3000);
      expect(await statusOfImport(' '.repeat(9_900_000))).toBe(400);
      for (const request of requests) request.destroy();
    });
    expect(growth).toBeLessThan(MAX_UNFINISHED_GROWTH_MB);
  }, 300_000);

  it('a process with a heap of 256 MB holds 32 MB of unfinished imports, of which the oldest gives way after 30 s', async () => {
    const document = Buffer.alloc(9_900_000, ' ');
    const begin = (client: Client): SlowRequest => beginImport(client, document);
    const growth = await growthDuring(async () => {
      const first = begin(users[0] ?? user);
      // Until it has arrived, so that the next ones are refused in its place.
      await setTimeout(5000);
      const requests = users.slice(1).map(begin);
      const refused: SlowResponse[] = [];
      for (const { response } of requests)
        void response.then(
          (one) => refused.push(one),
          () => undefined,
        );
      await eventually('all but three are refused', () => refused.length >= 57);
      expect(refused).toHaveLength(57);
      for (const { status, headers } of refused) {
        expect([status, headers['retry-after']]).toEqual([503, '5']);
      }
      await user.get('/auth/me').expect(200);
      await setTimeout(30_000);
      const next = begin(user);
      expect((await first.response).status).toBe(408);
      for (const request of [...requests, next]) request.destroy();
    });
    expect(growth).toBeLessThan(MAX_GROWTH_MB);
    await eventually('a large body is accepted again', async () => {
      return (await statusOfImport(' '.repeat(9_900_000))) === 400;
    });
  }, 300_000);

  it('a process with a heap of 256 MB keeps bodies that arrive byte by byte in little memory', async () => {
    const head = [
      ...['POST /api/v1/cycles HTTP/1.1', 'Host: x', 'Content-Type: application/json'],
      ...[`Authorization: Bearer ${user.token ?? ''}`, 'Transfer-Encoding: chunked'],
      ...['Connection: close', '', ''],
    ].join('\r\n');
    const growth = await growthDuring(async () => {
      // Few, because Node itself takes a third of a second of CPU for each.
      const sockets = await Promise.all(
        Array.from({ length: 12 }, async () => {
          const socket = await openSocket(Number(new URL(service.origin).port));
          if (!socket.write(head + '1\r\nx\r\n'.repeat(131_000))) await once(socket, 'drain');
          return socket;
        }),
      );
      await setTimeout(1000);
      const responses = await Promise.all(
        sockets.map(async (socket) => {
          const received = receiveAll(socket);
          socket.write('0\r\n\r\n');
          return parseResponses(await received)[0]?.status;
        }),
      );
      expect(responses).toEqual(Array(12).fill(400));
    });
    expect(growth).toBeLessThan(MAX_GROWTH_MB);
  }, 180_000);

  it('a process with a heap of 256 MB serves or refuses simultaneous requests of calendars with 5,000 events', async () => {
    const { name } = await user.createPaymentMethod();
    for (let cycle = 0; cycle < 3; cycle += 1) {
      const { id } = await user.createCycle({
        ...{ name: `Full ${cycle}`, start_date: todayInUtc(), end_date: addDays(todayInUtc(), 40) },
        generate_from_templates: false,
      });
      await user
        .send('post', `/cycles/${id}/expenses/import`)
        .type('text/csv')
        .send(csvOf(2000, name))
        .expect(200);
    }
    const { url } = await user.createCalendarFeed();
    const { url: other } = await user.createCalendarFeed();
    const read = async (feed: string): Promise<[number, number]> => {
      const response = await fetch(new URL(new URL(feed).pathname, service.origin));
      return [response.status, (await response.text()).split('BEGIN:VEVENT').length - 1];
    };
    const growth = await growthDuring(async () => {
      const read55 = Array.from({ length: 55 }, (_, n) => read(n % 2 ? url : other));
      const outcomes = await Promise.all(read55);
      const kinds = new Set(outcomes.map(String));
      expect([...kinds].filter((kind) => kind !== '200,5000' && kind !== '503,0')).toEqual([]);
      expect(kinds).toContain('200,5000');
    });
    expect(growth).toBeLessThan(MAX_GROWTH_MB);
    expect(await read(url)).toEqual([200, 5000]);
    expect(service.hasEnded).toBe(false);
  });
});

/** Members of an object, each with a name of its own. */
const members = (count: number): string =>
  Array.from({ length: count }, (_, n) => `"${n.toString(36)}":0,`).join('');

const csvOf = (rows: number, method: string): string =>
  [
    'due_date,description,category,currency,amount,payment_method',
    ...Array.from(
      { length: rows },
      (_, n) =>
        `${addDays(todayInUtc(), n % 40)},Expense ${n} ${'ñ'.repeat(60)},fixed,USD,1.00,${method}`,
    ),
  ].join('\n');
