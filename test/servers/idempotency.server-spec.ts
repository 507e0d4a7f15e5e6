import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import type { Response } from 'supertest';
import { Client, signUp, uniqueName } from '../support/client.js';
import { race, repeat, useReplicas } from '../support/races.js';
import { repetitions } from '../support/repetitions.js';
import { countOutcomes } from '../support/response-counts.js';
import { startPostgres, type PostgresServer } from '../support/servers.js';
import { useProcesses } from '../support/service-process.js';

const KILLS = repetitions(3);
const WRITERS = 8;
const ROUNDS = repetitions(10);

/** A POST of one user with its key, and what came back. */
interface SentRequest {
  path: string;
  key: string;
  body: object;
  response?: Response;
}

/** A user who sends one POST after the other until the service is killed. */
class Writer {
  readonly sent: SentRequest[] = [];

  constructor(
    private user: Client,
    private readonly cycleId: string,
    private readonly methodId: string,
  ) {}

  static async create(origin: string): Promise<Writer> {
    const user = await signUp(origin);
    const { id: methodId } = await user.createPaymentMethod();
    const { id: cycleId } = await user.createCycle({ generate_from_templates: false });
    return new Writer(user, cycleId, methodId);
  }

  async writeUntilKilled(origin: string): Promise<void> {
    this.use(origin);
    for (;;) {
      const request = this.next();
      this.sent.push(request);
      try {
        request.response = await this.post(request);
      } catch {
        return;
      }
      expect(request.response.status).toBe(201);
    }
  }

  async repeatAll(origin: string): Promise<void> {
    this.use(origin);
    for (const request of this.sent) {
      const again = await this.post(request);
      expect(again.status).toBe(201);
      if (!request.response) continue;
      expect(again.text).toBe(request.response.text);
      expect(again.get('Idempotent-Replayed')).toBe('true');
    }
  }

  /** Each request has had its effect exactly once. */
  async expectOnce(): Promise<void> {
    const { expenses } = await this.user.expenses(this.cycleId);
    const comments = await this.user.read<{ body: string }[]>(
      `/comments?cycle_id=${this.cycleId}&limit=200`,
    );
    const found = [
      ...expenses.map(({ description }) => description),
      ...comments.map(({ body }) => body),
    ];
    expect(found.sort()).toEqual(this.sent.map(({ key }) => key).sort());
    const cycle = await this.user.cycle(this.cycleId);
    expect(cycle.remaining_balance).toBe(`${5000 - expenses.length}.00`);
  }

  private use(origin: string): void {
    this.user = new Client(origin, this.user.email, this.user.token);
  }

  private next(): SentRequest {
    const key = uniqueName('key').replace(' ', '-');
    if (this.sent.length % 2 === 0) {
      const target = { entity_type: 'cycle', entity_id: this.cycleId };
      return { path: '/comments', key, body: { ...target, body: key } };
    }
    const fields = { currency: 'USD', amount: '1.00', due_date: '2999-02-01', category: 'fixed' };
    return {
      path: `/cycles/${this.cycleId}/expenses`,
      key,
      body: { ...fields, description: key, payment_method_id: this.methodId },
    };
  }

  private async post({ path, key, body }: SentRequest): Promise<Response> {
    return this.user.post(path, body).set('Idempotency-Key', key);
  }
}

describe('a service that is killed under load', () => {
  const processes = useProcesses();
  let postgres: PostgresServer;

  beforeAll(async () => {
    postgres = await startPostgres({ fsync: 'on' });
  });

  afterAll(() => postgres.remove());

  it.each(['the embedded engine', 'a PostgreSQL server'])(
    'a service that is killed under load with %s: every request, sent again with its key, has had one effect',
    async (engine) => {
      const database: Record<string, string> =
        engine === 'the embedded engine'
          ? { DATA_DIR: join(processes.folder, 'data') }
          : { DATABASE_URL: await postgres.createDatabase() };
      const env = {
        ...database,
        AUTH_SECRET: 'the same after every start, 32 characters',
        RATE_LIMIT_ENABLED: 'false',
      };
      let service = await processes.start(env);
      const writers: Writer[] = [];
      for (let n = 0; n < WRITERS; n += 1) writers.push(await Writer.create(service.origin));
      for (let kill = 0; kill < KILLS; kill += 1) {
        const { origin } = service;
        const load = Promise.all(writers.map((writer) => writer.writeUntilKilled(origin)));
        await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 300));
        await service.stop('SIGKILL');
        await load;
        service = await processes.start(env);
        for (const writer of writers) await writer.repeatAll(service.origin);
      }
      for (const writer of writers) await writer.expectOnce();
      const all = writers.flatMap(({ sent }) => sent);
      expect(all.length).toBeGreaterThan(WRITERS * KILLS);
      expect(all.some(({ response }) => !response)).toBe(true);
    },
  );
});

describe('two processes that get the same key at once', () => {
  const track = useReplicas();

  afterEach(() => track.expectIntegrity());

  it('two processes that get the same key at once run the request once', async () => {
    const user = await track.signUp();
    for (let round = 0; round < ROUNDS; round += 1) {
      const card = { name: uniqueName('Card'), method_type: 'cash', default_currency: 'USD' };
      const key = `key-${round}`;
      const responses = await race(
        repeat(6, () => user.post('/payment-methods', card).set('Idempotency-Key', key)),
      );
      const { '201': created = 0, ...others } = countOutcomes(responses);
      expect(created).toBeGreaterThan(0);
      expect(Object.keys(others)).toEqual(created === 6 ? [] : ['409 IDEMPOTENCY_KEY_IN_USE']);
      const bodies = responses.filter(({ status }) => status === 201).map(({ text }) => text);
      expect(new Set(bodies).size).toBe(1);
    }
    expect(await user.read<unknown[]>('/payment-methods')).toHaveLength(ROUNDS);
  });
});

describe('a session that one of two processes ends', () => {
  const track = useReplicas();

  it('a session that one of two processes ends is refused by the other one within three seconds', async () => {
    const [first = '', second = ''] = track.origins;
    const here = await signUp(first);
    const there = new Client(second, here.email, here.token);
    await there.get('/auth/me').expect(200);
    await here.post('/auth/logout').expect(204);
    await here.get('/auth/me').expect(401);
    const ended = performance.now();
    while ((await there.get('/auth/me')).status === 200) {
      // With a margin for requests on a busy machine.
      expect(performance.now() - ended).toBeLessThan(5000);
    }
    await there.get('/auth/me').expect(401);
  });
});
