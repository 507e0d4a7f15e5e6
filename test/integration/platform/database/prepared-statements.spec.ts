import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import sql from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { Database } from '../../../../src/platform/database/database.js';
import { query, type Statement } from '../../../../src/platform/database/query.js';
import { awaitUnanswered, send } from '../../../../src/platform/database/send.js';
import { ENGINE } from '../../../support/cli.js';
import { sentBatches } from '../../../support/sent-statements.js';
import { useService } from '../../../support/service.js';
import { isDistributed } from '../../../support/test-database.js';

const service = useService({ logLevel: 'fatal' });

/** A value that the driver cannot send. */
const circular: { toPostgres?: () => unknown } = {};
circular.toPostgres = () => circular;

/**
 * A column of the prepared statement that lists cycles. One request at a time uses one connection.
 */
const readListStatement = (column: string): Promise<object[]> =>
  service.query(`SELECT ${column} FROM pg_prepared_statements WHERE statement LIKE $1`, [
    '%FROM cycles%LIMIT%',
  ]);

it('a connection parses a statement once for several runs', async () => {
  const user = await service.signUp();
  for (let n = 0; n < 3; n += 1) await user.get('/cycles').expect(200);
  const prepared = await readListStatement('(generic_plans + custom_plans)::int AS runs');
  expect(prepared).toEqual([{ runs: 3 }]);
});

if (ENGINE === 'server' && !isDistributed) {
  it('a server uses a generic plan instead of planning every run', async () => {
    const user = await service.signUp();
    await user.get('/cycles').expect(200);
    await service.query('ANALYZE');
    await user.get('/cycles').expect(200);
    expect(await readListStatement('custom_plans::int AS planned')).toEqual([{ planned: 0 }]);
  });
}

describe('a statement with parameters', () => {
  it('a statement with parameters can be run again after a failed run, including the first', async () => {
    const divide = (by: number): Promise<object[]> =>
      service.query(`SELECT 6 / $1::int AS result`, [by]);
    await expect(divide(0)).rejects.toThrow('division by zero');
    expect(await divide(2)).toEqual([{ result: 3 }]);
    await expect(divide(0)).rejects.toThrow('division by zero');
    expect(await divide(3)).toEqual([{ result: 2 }]);
  });

  it('a statement with parameters and a syntax error leaves the connection usable', async () => {
    await expect(service.query('SELEC $1', [1])).rejects.toThrow('syntax error');
    await expect(service.query('SELEC $1', [1])).rejects.toThrow('syntax error');
    expect(await service.query('SELECT $1 AS text', ['x'])).toEqual([{ text: 'x' }]);
  });

  it('a statement with parameters is not run with a value that cannot be sent', async () => {
    await expect(service.query('SELECT $1', [circular])).rejects.toThrow('circular');
    expect(await service.query('SELECT $1 AS text', ['x'])).toEqual([{ text: 'x' }]);
  });

  it('a statement with parameters returns every row, null values and empty results', async () => {
    const list = `SELECT n, nullif(n, 2) AS odd FROM generate_series(1, $1::int) AS n`;
    for (const length of [3, 0, 1]) {
      const rows = Array.from({ length }, (_, at) => at + 1);
      const expected = rows.map((n) => ({ n, odd: n === 2 ? null : n }));
      expect(await service.query(list, [length])).toEqual(expected);
    }
  });

  it('a statement with parameters runs also when a connection has its maximum of prepared statements', async () => {
    for (let n = 0; n < 400; n += 1) {
      expect(await service.query(`SELECT $1::int + ${n} AS sum`, [1])).toEqual([{ sum: n + 1 }]);
    }
    const [counted] = await service.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM pg_prepared_statements',
    );
    expect(counted?.count).toBeLessThanOrEqual(300);
  });
});

describe('statements of a transaction', () => {
  const transaction = <Result>(
    work: (manager: EntityManager) => Promise<Result>,
  ): Promise<Result> => service.app.get(Database).systemTransaction(work);
  const divide = 'SELECT 6 / $1::int AS result';
  const note = (text: unknown): Statement => sql`INSERT INTO notes (text) VALUES (${text})`;
  const notes = async (): Promise<string[]> => {
    const rows = await service.query<{ text: string }>('SELECT text FROM notes ORDER BY id');
    return rows.map(({ text }) => text);
  };

  beforeAll(async () => {
    await service.query('CREATE TABLE notes (id serial, text text CHECK (text <> $$wrong$$))');
  });
  afterEach(async () => {
    await service.query('DELETE FROM notes');
  });

  it('each get a result when they are pipelined', async () => {
    const results = await transaction((manager) =>
      Promise.all([
        manager.query(divide, [2]),
        manager.query(`UPDATE users SET email = email WHERE email = $1 RETURNING id`, ['nobody']),
        manager.query(divide, [3]),
        manager.query('SELECT 1 AS unprepared'),
      ]),
    );
    expect(results).toEqual([[{ result: 3 }], [[], 0], [{ result: 2 }], [{ unprepared: 1 }]]);
  });

  it('statements of a transaction fail with the first error when they are pipelined, and are rolled back', async () => {
    const outcomes: PromiseSettledResult<unknown>[] = [];
    const work = transaction(async (manager) => {
      const sent = [
        query(manager, note('a')),
        manager.query(divide, [0]),
        manager.query(divide, [1]),
      ];
      outcomes.push(...(await Promise.allSettled(sent)));
      await Promise.all(sent);
    });
    await expect(work).rejects.toThrow('division by zero');
    const reasons = outcomes.map((outcome) =>
      outcome.status === 'rejected' ? String(outcome.reason) : outcome.status,
    );
    const divided = expect.stringContaining('division by zero');
    expect(reasons).toEqual(['fulfilled', divided, divided]);
    expect(await notes()).toEqual([]);
  });

  it('statements of a transaction see the writes before them, and are committed in their order', async () => {
    const seen = await transaction(async (manager) => {
      send(manager, note('first'));
      send(manager, note('second'));
      const rows = await manager.query<object[]>('SELECT text FROM notes ORDER BY id');
      send(manager, note('third'));
      return rows;
    });
    expect(seen).toEqual([{ text: 'first' }, { text: 'second' }]);
    expect(await notes()).toEqual(['first', 'second', 'third']);
  });

  it.each([
    ['the last', ['before', 'wrong']],
    ['one before others', ['before', 'wrong', 'after']],
    ['the first', ['wrong', 'after']],
  ])(
    'statements of a transaction are all rolled back when a write that was not awaited fails: %s',
    async (_which, texts) => {
      const work = transaction((manager) => {
        for (const text of texts) send(manager, note(text));
        return Promise.resolve('unaware');
      });
      await expect(work).rejects.toThrow('check constraint');
      expect(await notes()).toEqual([]);
      await transaction((manager) => query(manager, note('again')));
      expect(await notes()).toEqual(['again']);
    },
  );

  it('statements of a transaction keep their order when the first is not a read', async () => {
    const seen = await transaction((manager) => {
      send(manager, note('first'));
      send(manager, note('second'));
      return manager.query<object[]>('SELECT text FROM notes ORDER BY id');
    });
    expect(seen).toEqual([{ text: 'first' }, { text: 'second' }]);
  });

  it.each([
    ['the last', ['before'], []],
    ['one before others', ['before'], ['after']],
    ['the first', [], ['after']],
  ])(
    'statements of a transaction are all rolled back when one that was not awaited cannot be sent: %s',
    async (_which, before, after) => {
      const work = transaction((manager) => {
        for (const text of before) send(manager, note(text));
        send(manager, note(circular));
        for (const text of after) send(manager, note(text));
        return Promise.resolve('unaware');
      });
      await expect(work).rejects.toThrow('circular');
      expect(await notes()).toEqual([]);
    },
  );

  it('statements of a transaction are awaited unless they are sent in one', async () => {
    await service.app.get(Database).systemQuery((manager) => {
      expect(() => {
        send(manager, note('a'));
      }).toThrow('must be sent in a transaction');
      return Promise.resolve();
    });
    expect(await notes()).toEqual([]);
  });

  it.each([
    ['short', 1, 2],
    ['very long', 1_000_001, 3],
  ])(
    'statements of a transaction that are %s: how often many that are not awaited wait',
    async (_length, length, waits) => {
      const batches = await sentBatches(() =>
        transaction(async (manager) => {
          await manager.query('SELECT 1');
          for (const text of ['a'.repeat(length), 'b']) {
            send(manager, note(text));
            await awaitUnanswered(manager);
          }
        }),
      );
      expect(batches.length).toBe(waits);
      expect(await notes()).toHaveLength(2);
    },
  );

  it('statements of a transaction fail with the error of the write before them', async () => {
    const work = transaction(async (manager) => {
      send(manager, note('wrong'));
      await manager.query(divide, [1]);
    });
    await expect(work).rejects.toThrow('check constraint');
  });

  it('statements of a transaction are rolled back when the work fails, awaited or not', async () => {
    const work = transaction(async (manager) => {
      await query(manager, note('a'));
      send(manager, note('b'));
      throw new Error('changed its mind');
    });
    await expect(work).rejects.toThrow('changed its mind');
    expect(await notes()).toEqual([]);
  });
});
