import { expect } from '@jest/globals';
import { setTimeout } from 'node:timers/promises';
import type { Response, Test } from 'supertest';
import type { DataSource } from 'typeorm';
import { Client, signUp, uniqueName } from './client.js';
import { eventually } from './eventually.js';
import { expectIntegrity } from './integrity.js';
import { isSuccess, outcomeOf } from './outcomes.js';

const PERIOD = { start_date: '2026-01-05', end_date: '2026-02-01', income_amount: '5000.00' };
/** What every cycle of the load is generated with: four Mondays and the first of the month. */
const GENERATED = 5;

const PAUSE_MS = 5;

/** A body as it was acknowledged; null for what is deleted. */
type Acknowledged = object | null;

/** A request whose outcome its sender does not know. */
class UnansweredError extends Error {}

/** People who write, each one request after the other, and remember what they were told. */
export class WriteLoad {
  /** Requests by how they were answered: 2xx, and 503. */
  readonly counts = { acknowledged: 0, unavailable: 0 };
  /** What there must not be. */
  readonly unexpected: string[] = [];
  private readonly writers: Writer[] = [];
  private running: Promise<unknown> = Promise.resolve();
  private isOver = false;

  /** All of them write to what they have, until they are stopped or their connection breaks off. */
  async start(origin: string, people = 4): Promise<void> {
    while (this.writers.length < people) {
      this.writers.push(await Writer.join(this, await signUp(origin)));
    }
    this.isOver = false;
    this.running = Promise.all(this.writers.map((writer) => writer.write(origin)));
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  get isStopping(): boolean {
    return this.isOver;
  }

  /** Waits until so many more requests are answered so. */
  async goesOn(answered: keyof WriteLoad['counts'], more: number): Promise<void> {
    const enough = this.counts[answered] + more;
    await eventually(`${more} more requests are ${answered}`, () => {
      expect(this.unexpected).toEqual([]);
      return this.counts[answered] >= enough;
    });
  }

  /** Expects all that was acknowledged to be there as it was, by the answers of the service. */
  async expectKept(origin: string): Promise<void> {
    expect(this.unexpected).toEqual([]);
    for (const writer of this.writers) await writer.expectKept(origin);
  }
}

class Writer {
  /** By the path that reads it. What an unanswered request may have changed is not in it. */
  private readonly known = new Map<string, Acknowledged>();
  private turn = 0;

  private constructor(
    private readonly load: WriteLoad,
    private user: Client,
    private readonly methodId: string,
  ) {}

  static async join(load: WriteLoad, user: Client): Promise<Writer> {
    const { id } = await user.createPaymentMethod();
    const weekly = { recurrence_type: 'weekly', recurrence_config: { day_of_week: 1 } };
    await user.createTemplate({ ...weekly, payment_method_id: id, currency: 'MXN' });
    await user.createTemplate({ payment_method_id: id });
    return new Writer(load, user, id);
  }

  async write(origin: string): Promise<void> {
    this.user = new Client(origin, this.user.email, this.user.token);
    while (!this.load.isStopping) {
      try {
        await this.writeCycle();
      } catch (error) {
        if (isBroken(error)) return;
        if (!(error instanceof UnansweredError)) this.load.unexpected.push(String(error));
      }
      await setTimeout(PAUSE_MS);
    }
  }

  async expectKept(origin: string): Promise<void> {
    const user = new Client(origin, this.user.email, this.user.token);
    const found = new Map<string, Acknowledged>();
    for (const path of this.known.keys()) {
      const answer = await user.get(path);
      const body = answer.body as object;
      const isGone = answer.status === 404 || (Array.isArray(body) && body.length === 0);
      found.set(path, isGone ? null : lasting(body));
    }
    expect(found).toEqual(this.known);
  }

  /** From its creation to one of several ends. */
  private async writeCycle(): Promise<void> {
    this.turn += 1;
    const { user } = this;
    const name = uniqueName('Written');
    const created = await this.send<{ id: string }>(user.post('/cycles', { ...PERIOD, name }));
    const cycle = `/cycles/${created.id}`;
    this.known.set(cycle, lasting(created));

    const kept = await this.addExpense(cycle);
    const deleted = await this.addExpense(cycle);
    await this.put(kept, { amount: '77.10' });
    await this.put(kept, { paid: true });
    await this.put(cycle, { income_amount: '6000.00' });
    await this.remove(deleted, [deleted]);
    const comments = await this.comment(created.id);

    const end = this.turn % 3;
    if (end === 1) await this.put(cycle, { status: 'completed' });
    if (end === 2) await this.remove(cycle, [cycle, kept, deleted, comments]);
  }

  /** @returns its path */
  private async addExpense(cycle: string): Promise<string> {
    const expense = await this.send<{ id: string }>(
      this.user.post(`${cycle}/expenses`, {
        description: 'Dinner',
        currency: 'MXN',
        payment_method_id: this.methodId,
        amount: '100.00',
        due_date: '2026-01-20',
        category: 'variable',
      }),
    );
    const path = `${cycle}/expenses/${expense.id}`;
    this.known.set(path, expense);
    return path;
  }

  private async put(path: string, body: object): Promise<void> {
    this.known.delete(path);
    this.known.set(path, lasting(await this.send(this.user.put(path, body))));
  }

  private async remove(path: string, gone: readonly string[]): Promise<void> {
    for (const each of gone) this.known.delete(each);
    await this.send(this.user.delete(path));
    for (const each of gone) this.known.set(each, null);
  }

  /** @returns the path that reads it, beside no other */
  private async comment(cycleId: string): Promise<string> {
    const target = { entity_type: 'cycle', entity_id: cycleId };
    const { id } = await this.send<{ id: string }>(
      this.user.post('/comments', { ...target, body: 'Written' }),
    );
    const edit = this.user.send('patch', `/comments/${id}`).send({ body: 'Edited' });
    const path = `/comments?entity_type=cycle&entity_id=${cycleId}`;
    this.known.set(path, [await this.send<object>(edit)]);
    return path;
  }

  /** @throws UnansweredError when it is answered 503; what broke the connection off, when that broke off */
  private async send<Body>(request: Test): Promise<Body> {
    const answer: Response = await request;
    if (isSuccess(answer)) {
      this.load.counts.acknowledged += 1;
      return answer.body as Body;
    }
    if (answer.status === 503) this.load.counts.unavailable += 1;
    else this.load.unexpected.push(`${request.method} ${request.url} ${outcomeOf(answer)}`);
    throw new UnansweredError();
  }
}

/** Of a cycle, what does not change with its expenses. */
function lasting(body: object): object {
  const { remaining_balance, summary, ...rest } = body as Record<string, unknown>;
  const isCycle = remaining_balance !== undefined && summary !== undefined;
  return isCycle ? rest : body;
}

/** The process at the other end is gone. */
function isBroken(error: unknown): boolean {
  const { code } = error as { code?: string };
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code ?? '');
}

/** Expects no mutation of the load to be there by half, and all data to be sound. */
export async function expectWhole(dataSource: DataSource): Promise<void> {
  await expectIntegrity(dataSource);
  const halfGenerated = await dataSource.query<unknown[]>(
    `SELECT name FROM cycles WHERE ${GENERATED} <> (
       SELECT count(*) FROM cycle_expenses
       WHERE cycle_id = cycles.id AND template_id IS NOT NULL)`,
  );
  expect(halfGenerated).toEqual([]);
  const recordsOfNothing = await dataSource.query<unknown[]>(
    `SELECT entity_type, action FROM activity_log WHERE entity_id NOT IN (
       SELECT id FROM payment_methods UNION ALL SELECT id FROM expense_templates
       UNION ALL SELECT id FROM cycles UNION ALL SELECT id FROM cycle_expenses)`,
  );
  expect(recordsOfNothing).toEqual([]);
}
