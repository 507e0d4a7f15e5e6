import { expect } from '@jest/globals';
import { setTimeout } from 'node:timers/promises';
import type { Response, Test } from 'supertest';
import type { DataSource } from 'typeorm';
import { Client, signUp, uniqueName } from './client.js';
import { eventually } from './eventually.js';
import { expectIntegrity } from './integrity.js';
import { isSuccess, outcomeOf } from './response-counts.js';

const PERIOD = { start_date: '2026-01-05', end_date: '2026-02-01', income_amount: '5000.00' };
/** The number of expenses generated for every cycle: four Mondays and the first of the month. */
const GENERATED_EXPENSES = 5;

const PAUSE_MS = 5;

/** The body of a successful response; null after a deletion. */
type Acknowledged = object | null;

/** The client does not know whether the request took effect. */
class UnknownOutcomeError extends Error {}

/**
 * Users who write concurrently, one request at a time each, and store the successful responses for
 * comparison.
 */
export class WriteLoad {
  /** The number of responses 2xx and 503. */
  readonly counts = { acknowledged: 0, unavailable: 0 };
  /** Descriptions of other responses and errors. */
  readonly unexpected: string[] = [];
  private readonly writers: Writer[] = [];
  private running: Promise<unknown> = Promise.resolve();
  private isOver = false;

  /** @param ClientOfVersion of the version that the users write to */
  constructor(readonly ClientOfVersion = Client) {}

  async add(user: Client): Promise<void> {
    this.writers.push(await Writer.join(this, user));
  }

  /**
   * The users write until they are stopped or the connection breaks; new ones are added up to a
   * number of users.
   */
  async start(origin: string, users = 4): Promise<void> {
    while (this.writers.length < users) {
      await this.add(await signUp(origin, {}, this.ClientOfVersion));
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

  /** Waits for this number of further responses of a kind. */
  async waitForMore(kind: keyof WriteLoad['counts'], count: number): Promise<void> {
    const expected = this.counts[kind] + count;
    await eventually(`${count} more requests are ${kind}`, () => {
      expect(this.unexpected).toEqual([]);
      return this.counts[kind] >= expected;
    });
  }

  /** Expects the service to return every entity as it was acknowledged. */
  async expectPersisted(origin: string): Promise<void> {
    expect(this.unexpected).toEqual([]);
    for (const writer of this.writers) await writer.expectPersisted(origin);
  }
}

class Writer {
  /** Expected bodies by path, without those that a request of unknown outcome may have changed. */
  private readonly acknowledged = new Map<string, Acknowledged>();
  private cycleCount = 0;

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
    const { ClientOfVersion } = this.load;
    this.user = new ClientOfVersion(origin, this.user.email, this.user.token);
    while (!this.load.isStopping) {
      try {
        await this.writeCycle();
      } catch (error) {
        if (isConnectionError(error)) return;
        if (!(error instanceof UnknownOutcomeError)) this.load.unexpected.push(String(error));
      }
      await setTimeout(PAUSE_MS);
    }
  }

  async expectPersisted(origin: string): Promise<void> {
    const user = new Client(origin, this.user.email, this.user.token);
    const found = new Map<string, Acknowledged>();
    for (const path of this.acknowledged.keys()) {
      const response = await user.get(path);
      const body = response.body as object;
      const isDeleted = response.status === 404 || (Array.isArray(body) && body.length === 0);
      found.set(path, isDeleted ? null : withoutDerivedFields(body));
    }
    if (this.load.ClientOfVersion === Client) expect(found).toEqual(this.acknowledged);
    // A later version may have more fields.
    else expect(Object.fromEntries(found)).toMatchObject(Object.fromEntries(this.acknowledged));
  }

  /** Creates a cycle, changes it and its expenses, and completes, deletes or keeps it. */
  private async writeCycle(): Promise<void> {
    this.cycleCount += 1;
    const { user } = this;
    const name = uniqueName('Written');
    const created = await this.send<{ id: string }>(user.post('/cycles', { ...PERIOD, name }));
    const cycle = `/cycles/${created.id}`;
    this.acknowledged.set(cycle, withoutDerivedFields(created));

    const kept = await this.addExpense(cycle);
    const deleted = await this.addExpense(cycle);
    await this.put(kept, { amount: '77.10' });
    await this.put(kept, { paid: true });
    await this.put(cycle, { income_amount: '6000.00' });
    await this.remove(deleted, [deleted]);
    const comments = await this.comment(created.id);

    const end = this.cycleCount % 3;
    if (end === 1) await this.put(cycle, { status: 'completed' });
    if (end === 2) await this.remove(cycle, [cycle, kept, deleted, comments]);
  }

  /** @returns the path of the expense */
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
    // The response to POST shows the stored status, later ones the derived `overdue`.
    this.acknowledged.set(path, { ...expense, status: 'overdue' });
    return path;
  }

  private async put(path: string, body: object): Promise<void> {
    this.acknowledged.delete(path);
    this.acknowledged.set(path, withoutDerivedFields(await this.send(this.user.put(path, body))));
  }

  private async remove(path: string, deleted: readonly string[]): Promise<void> {
    for (const each of deleted) this.acknowledged.delete(each);
    await this.send(this.user.delete(path));
    for (const each of deleted) this.acknowledged.set(each, null);
  }

  /** @returns the path that lists the comment alone */
  private async comment(cycleId: string): Promise<string> {
    const target = { entity_type: 'cycle', entity_id: cycleId };
    const { id } = await this.send<{ id: string }>(
      this.user.post('/comments', { ...target, body: 'Written' }),
    );
    const edit = this.user.send('patch', `/comments/${id}`).send({ body: 'Edited' });
    const path = `/comments?entity_type=cycle&entity_id=${cycleId}`;
    this.acknowledged.set(path, [await this.send<object>(edit)]);
    return path;
  }

  /**
   * @throws UnknownOutcomeError for a response other than 2xx; the connection's error if the
   *   connection broke
   */
  private async send<Body>(request: Test): Promise<Body> {
    const response: Response = await request;
    if (isSuccess(response)) {
      this.load.counts.acknowledged += 1;
      return response.body as Body;
    }
    if (response.status === 503) this.load.counts.unavailable += 1;
    else this.load.unexpected.push(`${request.method} ${request.url} ${outcomeOf(response)}`);
    throw new UnknownOutcomeError();
  }
}

/** Leaves out the fields of a cycle that are derived from its expenses. */
function withoutDerivedFields(body: object): object {
  const { remaining_balance, summary, ...rest } = body as Record<string, unknown>;
  const isCycle = remaining_balance !== undefined && summary !== undefined;
  return isCycle ? rest : body;
}

/** Whether the connection to the service broke. */
function isConnectionError(error: unknown): boolean {
  const { code } = error as { code?: string };
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code ?? '');
}

/** Expects no partial mutation, and the integrity check to find no problem. */
export async function expectConsistent(dataSource: DataSource): Promise<void> {
  await expectIntegrity(dataSource);
  const partiallyGenerated = await dataSource.query<unknown[]>(
    `SELECT name FROM cycles c WHERE ${GENERATED_EXPENSES} <> (
       SELECT count(*) FROM cycle_expenses e
       WHERE e.household_id = c.household_id AND e.cycle_id = c.id AND template_id IS NOT NULL)`,
  );
  expect(partiallyGenerated).toEqual([]);
  const orphanedRecords = await dataSource.query<unknown[]>(
    `SELECT entity_type, action FROM activity_log a
     WHERE ${['payment_methods', 'expense_templates', 'cycles', 'cycle_expenses']
       .map(
         (table) =>
           `NOT EXISTS (SELECT FROM ${table} t WHERE t.household_id = a.household_id AND t.id = a.entity_id)`,
       )
       .join(' AND ')}`,
  );
  expect(orphanedRecords).toEqual([]);
}
