import { beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout } from 'node:timers/promises';
import { signUp, type Client } from '../support/client.js';
import { residentMegabytes } from '../support/resident-memory.js';
import { useProcesses, type ServiceProcess } from '../support/service-process.js';
import {
  HAS_PYTHON,
  SlowClients,
  type Outcome,
  type SlowReading,
} from '../support/slow-clients.js';

/** That of the image in a container of 512 MB; a process that needs more is ended. */
const HEAP = '--max-old-space-size=154';
/** Since the start of the process. */
const MAX_GROWTH_MB = 180;
const WATCHED_MS = 20_000;

/** The longest text in JSON, where each character takes six. */
const controls = (length: number): string => `a${'\u0001'.repeat(length - 2)}b`;

const get = (path: string, token = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;

/** @returns the path of a page of 30 MB */
async function addComments(user: Client): Promise<string> {
  const { id } = await user.createPaymentMethod();
  for (let n = 0; n < 500; n += 1) {
    const comment = { entity_type: 'payment_method', entity_id: id, body: controls(10_000) };
    await user.post('/comments', comment).expect(201);
  }
  return '/api/v1/changes?limit=500';
}

/** @returns the path of a list of 28 MB */
async function addExpenses(user: Client): Promise<string> {
  const { name } = await user.createPaymentMethod();
  const { id } = await user.createCycle({ generate_from_templates: false });
  const [description, text] = [controls(255), controls(1000)];
  const row = `2026-01-05,${description},fixed,USD,1.00,${name},${text},${text}`;
  const header =
    'due_date,description,category,currency,amount,payment_method,comments,autopay_info';
  for (let n = 0; n < 5; n += 1) {
    await user
      .send('post', `/cycles/${id}/expenses/import`)
      .type('text/csv')
      .send([header, ...Array<string>(400).fill(row)].join('\n'))
      .expect(200);
  }
  return `/api/v1/cycles/${id}/expenses`;
}

const describeWithPython = HAS_PYTHON ? describe : describe.skip;

describeWithPython('a process with the memory of a container of 512 MB (needs python3)', () => {
  const processes = useProcesses(
    () => ({ NODE_OPTIONS: HEAP, MALLOC_MMAP_THRESHOLD_: '131072' }),
    'file',
  );
  let service: ServiceProcess;
  let other: Client;
  let initial: number;

  beforeAll(async () => {
    service = await processes.start();
    initial = residentMegabytes(service);
    other = await signUp(service.origin);
  });

  /** Watches the memory of the process, and that others are served, while clients read slowly. */
  async function survive(reading: SlowReading): Promise<Outcome> {
    const clients = new SlowClients(service, { ...reading, seconds: 4 });
    const outcome = watch(clients).then(() => clients.end());
    await outcome.catch(() => clients.end());
    return outcome;
  }

  async function watch(clients: SlowClients): Promise<void> {
    for (let waited = 0; waited < WATCHED_MS; waited += 100) {
      await setTimeout(100);
      expect(residentMegabytes(service) - initial).toBeLessThan(MAX_GROWTH_MB);
      if (waited % 1000 === 0) await other.get('/auth/me').expect(200);
    }
    await clients.sent();
  }

  it('serves others while 700 clients read the OpenAPI document slowly', async () => {
    const request = get('/docs/openapi.json');
    expect(await survive({ connections: 700, request, bytes: 2048 })).toEqual({
      statuses: { 200: 700 },
      closed: 0,
    });
  });

  it('serves others while 1,500 clients send 99 requests each and read nothing', async () => {
    const request = get('/docs/openapi.json') + get('/health/live').repeat(99);
    const { closed } = await survive({ connections: 1500, request });
    expect(closed).toBeGreaterThan(1400);
  });

  it.each<[what: string, add: (user: Client) => Promise<string>]>([
    ['500 comments of control characters', addComments],
    ['2,000 expenses with the longest texts', addExpenses],
  ])('serves others while 50 clients of a user read %s slowly', async (_what, add) => {
    const user = await signUp(service.origin);
    const request = get(await add(user), user.token);
    const { statuses } = await survive({ connections: 50, request, bytes: 2048 });
    expect(Object.keys(statuses)).toEqual(['200', '503']);
  });
});
