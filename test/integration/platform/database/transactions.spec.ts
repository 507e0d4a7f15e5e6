import { afterEach, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import type { EntityManager } from 'typeorm';
import { ActivityService } from '../../../../src/activity/activity.service.js';
import type { CycleResponse } from '../../../../src/cycles/dto/cycle.dto.js';
import { Database } from '../../../../src/platform/database/database.js';
import { Metrics } from '../../../../src/platform/metrics/metrics.js';
import { inCommand } from '../../../../src/platform/values/requester.js';
import type { UserId } from '../../../../src/platform/values/user-id.js';
import { expectError } from '../../../support/errors.js';
import { splitName } from '../../../support/operations.js';
import { databaseState } from '../../../support/rejected-requests.js';
import { createSampleEntities } from '../../../support/sample-entities.js';
import { useService } from '../../../support/service.js';
import { describeOnOneServer } from '../../../support/test-database.js';

describe('a transaction', () => {
  const service = useService({ logLevel: 'fatal' });
  const someone = inCommand({
    timeZone: 'UTC',
    id: '00000000-0000-4000-8000-000000000001' as UserId,
    email: 'someone@example.com',
    householdId: '00000000-0000-4000-8000-000000000002',
    role: 'admin' as const,
  });

  it('a transaction is rolled back when the work fails after its first write', async () => {
    const database = service.app.get(Database);
    const work = database.systemTransaction(async (manager) => {
      await manager.query(`INSERT INTO households (name) VALUES ('partial write')`);
      throw new Error('after the first write');
    });
    await expect(work).rejects.toThrow('after the first write');
    expect(await service.query(`SELECT 1 FROM households WHERE name = 'partial write'`)).toEqual(
      [],
    );
  });

  it('a transaction encloses what is called in it, without a snapshot', async () => {
    const database = service.app.get(Database);
    const name = 'enclosed';
    const find = (manager: EntityManager): Promise<unknown[]> =>
      manager.query('SELECT name FROM households WHERE name = $1', [name]);
    const work = database.enclosingTransaction(someone, async (manager) => {
      await database.systemTransaction((inner) =>
        inner.query('INSERT INTO households (name) VALUES ($1)', [name]),
      );
      expect(await find(manager)).toEqual([{ name }]);
      await expect(database.read(someone, (scope) => find(scope.manager))).rejects.toThrow(
        'In a transaction, use its scope',
      );
      await database.snapshot(someone, ({ manager: snapshot }) => find(snapshot));
    });
    await expect(work).rejects.toThrow('a transaction of its own');
    expect(await database.systemQuery(find)).toEqual([]);
  });

  it('a transaction calls what is to follow its commit once, also after attempts that conflict', async () => {
    const database = service.app.get(Database);
    const conflict = `DO $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END $$`;
    const calls: string[] = [];
    let attempts = 0;
    await database.enclosingTransaction(someone, async () => {
      await database.systemTransaction((manager) => {
        database.afterCommit(manager, () => calls.push('inner'));
        return Promise.resolve();
      });
      attempts += 1;
      await database.systemTransaction(async (manager) => {
        if (attempts < 3) await manager.query(conflict);
        database.afterCommit(manager, () => calls.push('last'));
      });
      expect(calls).toEqual([]);
    });
    expect(calls).toEqual(['inner', 'last']);
  });

  it('a transaction is not run again for an error of what follows its commit', async () => {
    let attempts = 0;
    const work = service.app.get(Database).systemTransaction(async (manager) => {
      attempts += 1;
      service.app.get(Database).afterCommit(manager, () => {
        throw Object.assign(new Error('conflict'), { code: '40001' });
      });
      await manager.query('SELECT 1');
    });
    await expect(work).rejects.toThrow('conflict');
    expect(attempts).toBe(1);
  });

  it('a transaction that is rolled back has no commit that anything follows', async () => {
    const database = service.app.get(Database);
    const calls: string[] = [];
    const work = database.enclosingTransaction(someone, async () => {
      await database.systemTransaction((manager) => {
        database.afterCommit(manager, () => calls.push('inner'));
        return Promise.resolve();
      });
      throw new Error('after the inner one');
    });
    await expect(work).rejects.toThrow('after the inner one');
    expect(calls).toEqual([]);
    const outside = database.systemQuery((manager) => {
      database.afterCommit(manager, () => calls.push('outside'));
      return Promise.resolve();
    });
    await expect(outside).rejects.toThrow('no transaction');
  });

  it('a transaction counts the expenses that it generates when the request is committed, once', async () => {
    const user = await service.signUp();
    await user.createTemplate();
    const { registry } = service.app.get(Metrics, { strict: false });
    const count = async (): Promise<unknown> => {
      const counter = registry.getSingleMetric('expenses_generated_total');
      return (await counter?.get())?.values[0]?.value;
    };
    const cycle = { name: 'Cycle', start_date: '2026-01-19', end_date: '2026-03-01' };
    const create = (): Test =>
      user.post('/cycles', { ...cycle, income_amount: '1.00' }).set('Idempotency-Key', 'cycle');
    await service.query(
      'ALTER TABLE idempotency_keys ADD CONSTRAINT unused CHECK (status <> 201) NOT VALID',
    );
    try {
      expectError(await create(), 500, 'INTERNAL_SERVER_ERROR');
    } finally {
      await service.query('ALTER TABLE idempotency_keys DROP CONSTRAINT unused');
    }
    expect(await count()).toBe(0);
    for (let n = 0; n < 2; n += 1) {
      const created = (await create().expect(201)).body as CycleResponse;
      expect(created.summary.expense_count).toBe(2);
      expect(await count()).toBe(2);
    }
  });

  it('a transaction refuses reads, transactions and snapshots that would use another connection', async () => {
    const database = service.app.get(Database);
    const nothing = (): Promise<void> => Promise.resolve();
    const nested = [
      () => database.read(someone, nothing),
      () => database.systemQuery(nothing),
      () => database.transaction(someone, nothing),
      () => database.snapshot(someone, nothing),
    ];
    for (const call of nested) {
      const work = database.transaction(someone, call);
      await expect(work).rejects.toThrow('In a transaction, use its scope');
    }
  });

  it('a transaction is not reported as committed when one of its statements failed', async () => {
    const database = service.app.get(Database);
    const work = database.systemTransaction(async (manager) => {
      await manager.query(`INSERT INTO households (name) VALUES ('partial write')`);
      await manager.query('SELECT 1 / 0').catch(() => undefined);
    });
    await expect(work).rejects.toThrow('division by zero');
    expect(await service.query(`SELECT 1 FROM households WHERE name = 'partial write'`)).toEqual(
      [],
    );
  });

  it('a transaction is required to record activity', async () => {
    const activity = service.app.get(ActivityService);
    const database = service.app.get(Database);
    const entry = {
      entityType: 'cycle' as const,
      entityId: someone.id,
      action: 'deactivated' as const,
      changes: {},
    };
    const record = database.read(someone, async (scope) => {
      activity.record(scope, [entry]);
      await scope.manager.query('SELECT 1');
    });
    await expect(record).rejects.toThrow('in a transaction');
  });

  it.each<[operation: string, body: object]>([
    ['POST /payment-methods', {}],
    ['PUT /payment-methods/{id}', { name: 'Renamed' }],
    ['DELETE /payment-methods/{id}', {}],
    ['POST /budgets', {}],
    ['PUT /budgets/{id}', { limit: null }],
    ['DELETE /budgets/{id}', {}],
    ['POST /balances', {}],
    ['DELETE /balances/{id}', {}],
    ['POST /expense-templates', {}],
    ['PUT /expense-templates/{id}', { description: 'Loft' }],
    ['DELETE /expense-templates/{id}', {}],
    ['POST /cycles', {}],
    ['PUT /cycles/{id}', { name: 'Renamed' }],
    ['DELETE /cycles/{id}', {}],
    ['POST /cycles/{cycle_id}/expenses', {}],
    ['PUT /cycles/{cycle_id}/expenses/{expense_id}', { paid: true }],
    ['DELETE /cycles/{cycle_id}/expenses/{expense_id}', {}],
    ['POST /comments', {}],
    ['PATCH /comments/{id}', {}],
    ['DELETE /comments/{id}', {}],
  ])(
    'a transaction of %s is rolled back when its activity cannot be recorded',
    async (operation, body) => {
      const { user, fill, validBody } = await createSampleEntities(service);
      const { method, path } = splitName(operation);
      const before = await databaseState(service);
      await service.query('ALTER TABLE activity_log RENAME TO activity_log_away');
      try {
        const sent = user.send(method, fill(path)).send({ ...validBody(operation), ...body });
        expectError(await sent, 500, 'INTERNAL_SERVER_ERROR');
      } finally {
        await service.query('ALTER TABLE activity_log_away RENAME TO activity_log');
      }
      expect(await databaseState(service)).toEqual(before);
    },
  );
});

describeOnOneServer('a transaction that conflicts with another', () => {
  const service = useService({ logLevel: 'fatal' });
  const CARD = { name: 'Card', method_type: 'debit', default_currency: 'USD' };
  const MAX_ATTEMPTS = 5;

  /**
   * Makes the first inserts fail with this error code. They are counted by a sequence, which a
   * rollback does not reset.
   */
  async function failFirstInserts(code: string, { times }: { times: number }): Promise<void> {
    await service.query('CREATE SEQUENCE attempts');
    await service.query(`
      CREATE FUNCTION fail_first_inserts() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('attempts') <= ${times} THEN
            RAISE EXCEPTION 'simulated failure' USING ERRCODE = '${code}';
          END IF;
          RETURN NULL;
        END $$`);
    await service.query(
      `CREATE TRIGGER fail_first_inserts AFTER INSERT ON activity_log FOR EACH ROW EXECUTE FUNCTION fail_first_inserts()`,
    );
  }

  afterEach(async () => {
    await service.query('DROP FUNCTION fail_first_inserts CASCADE');
    await service.query('DROP SEQUENCE attempts');
  });

  it.each([
    ['serialization failures', '40001'],
    ['deadlocks', '40P01'],
  ])('a transaction is retried after %s and takes effect once', async (_what, code) => {
    const user = await service.signUp();
    await failFirstInserts(code, { times: MAX_ATTEMPTS - 1 });
    const created = await user.post('/payment-methods', CARD).expect(201);
    const { id } = created.body as { id: string };
    expect((await user.get('/payment-methods')).body).toEqual([created.body]);
    const actions = (await user.activityOf('payment_method', id)).map(({ action }) => action);
    expect(actions).toEqual(['created']);
  });

  it('a transaction is retried with the handler of a request with an idempotency key', async () => {
    const user = await service.signUp();
    const target = { entity_type: 'cycle', entity_id: (await user.createCycle()).id };
    // The record of the activity is the last statement: it fails after the handler has returned.
    await failFirstInserts('40P01', { times: MAX_ATTEMPTS - 1 });
    const send = (): Test =>
      user.post('/comments', { ...target, body: 'Once' }).set('Idempotency-Key', 'retried');
    const created = await send().expect(201);
    const again = await send().expect(201);
    expect([again.get('Idempotent-Replayed'), again.text]).toEqual(['true', created.text]);
    expect((await user.get(`/comments?cycle_id=${target.entity_id}`)).body).toEqual([created.body]);
  });

  it('a transaction that conflicts with another fails with 503 after the last retry and stores nothing', async () => {
    const user = await service.signUp();
    await failFirstInserts('40001', { times: 1000 });
    const refused = await user.post('/payment-methods', CARD);
    expectError(refused, 503, 'SERVICE_UNAVAILABLE', { request_id: refused.get('X-Request-Id') });
    expect(refused.get('Retry-After')).toBe('1');
    const [{ attempts } = { attempts: '' }] = await service.query<{ attempts: string }>(
      'SELECT last_value AS attempts FROM attempts',
    );
    expect(Number(attempts)).toBe(MAX_ATTEMPTS);
    expect((await user.get('/payment-methods')).body).toEqual([]);
    expect((await user.get('/activity')).body).toEqual([]);
  });

  it.each([
    ['a lock timeout', '55P03'],
    ['a statement timeout', '57014'],
    ['a full disk', '53100'],
    ['exhausted memory', '53200'],
  ])('a transaction is not retried after %s: 503', async (_what, code) => {
    const user = await service.signUp();
    await failFirstInserts(code, { times: 1 });
    const refused = await user.post('/payment-methods', CARD);
    expectError(refused, 503, 'SERVICE_UNAVAILABLE', { request_id: refused.get('X-Request-Id') });
    expect((await user.get('/payment-methods')).body).toEqual([]);
  });
});
