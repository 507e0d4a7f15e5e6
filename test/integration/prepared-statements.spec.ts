import { beforeAll, describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { Database } from '../../src/database/database.js';
import { runAtCommit } from '../../src/database/at-commit.js';
import { ENGINE } from '../support/cli.js';
import { useService } from '../support/service.js';

const service = useService({ logLevel: 'fatal' });

/** Of the statement that lists cycles, as the connection knows it: one request at a time has one. */
const ofList = (column: string): Promise<object[]> =>
  service.query(`SELECT ${column} FROM pg_prepared_statements WHERE statement LIKE $1`, [
    '%FROM cycles%LIMIT%',
  ]);

it('a connection parses a statement once, however often it runs', async () => {
  const user = await service.signUp();
  for (let n = 0; n < 3; n += 1) await user.get('/cycles').expect(200);
  const prepared = await ofList('(generic_plans + custom_plans)::int AS runs');
  expect(prepared).toEqual([{ runs: 3 }]);
});

if (ENGINE === 'server') {
  it('a server plans a statement for no values in particular, and not for every run', async () => {
    const user = await service.signUp();
    await user.get('/cycles').expect(200);
    await service.query('ANALYZE');
    await user.get('/cycles').expect(200);
    expect(await ofList('custom_plans::int AS planned')).toEqual([{ planned: 0 }]);
  });
}

describe('a statement with parameters', () => {
  it('can be run again after a run of it that failed, its first one too', async () => {
    const divide = (by: number): Promise<object[]> =>
      service.query(`SELECT 6 / $1::int AS result`, [by]);
    await expect(divide(0)).rejects.toThrow('division by zero');
    expect(await divide(2)).toEqual([{ result: 3 }]);
    await expect(divide(0)).rejects.toThrow('division by zero');
    expect(await divide(3)).toEqual([{ result: 2 }]);
  });

  it('that is none leaves the connection as it was', async () => {
    await expect(service.query('SELEC $1', [1])).rejects.toThrow('syntax error');
    await expect(service.query('SELEC $1', [1])).rejects.toThrow('syntax error');
    expect(await service.query('SELECT $1 AS text', ['x'])).toEqual([{ text: 'x' }]);
  });

  it('is not run with a value that cannot be sent', async () => {
    const circular: { toPostgres?: () => unknown } = {};
    circular.toPostgres = () => circular;
    await expect(service.query('SELECT $1', [circular])).rejects.toThrow('circular');
    expect(await service.query('SELECT $1 AS text', ['x'])).toEqual([{ text: 'x' }]);
  });

  it('gives every row, null and none as themselves', async () => {
    const list = `SELECT n, nullif(n, 2) AS odd FROM generate_series(1, $1::int) AS n`;
    for (const length of [3, 0, 1]) {
      const rows = Array.from({ length }, (_, at) => at + 1);
      const expected = rows.map((n) => ({ n, odd: n === 2 ? null : n }));
      expect(await service.query(list, [length])).toEqual(expected);
    }
  });

  it('is one of at most as many as a connection keeps, and all others run as well', async () => {
    for (let n = 0; n < 400; n += 1) {
      expect(await service.query(`SELECT $1::int + ${n} AS sum`, [1])).toEqual([{ sum: n + 1 }]);
    }
    const [kept] = await service.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM pg_prepared_statements',
    );
    expect(kept?.count).toBeLessThanOrEqual(300);
  });
});

describe('statements of a transaction that are asked for at once', () => {
  const ask = (work: (manager: EntityManager) => Promise<unknown>): Promise<unknown> =>
    service.app.get(Database).transaction(work);
  const divide = 'SELECT 6 / $1::int AS result';

  it('get an answer each', async () => {
    const answers = await ask((manager) =>
      Promise.all([
        manager.query(divide, [2]),
        manager.query('UPDATE users SET email = email WHERE email = $1', ['nobody']),
        manager.query(divide, [3]),
        manager.query('SELECT 1 AS unprepared'),
      ]),
    );
    expect(answers).toEqual([[{ result: 3 }], [[], 0], [{ result: 2 }], [{ unprepared: 1 }]]);
  });

  it('all fail with the first that does, and are undone', async () => {
    await service.query('CREATE TABLE sums (sum int)');
    const outcomes: PromiseSettledResult<unknown>[] = [];
    const work = ask(async (manager) => {
      const asked = [
        manager.query('INSERT INTO sums VALUES ($1)', [1]),
        manager.query(divide, [0]),
        manager.query(divide, [1]),
      ];
      outcomes.push(...(await Promise.allSettled(asked)));
      await Promise.all(asked);
    });
    await expect(work).rejects.toThrow('division by zero');
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await service.query('SELECT * FROM sums')).toEqual([]);
  });

  it('are run before the end, also of one who does not wait for them', async () => {
    await service.query('CREATE TABLE left_behind (n int)');
    const late: Promise<unknown>[] = [];
    const work = ask((manager) => {
      late.push(manager.query('INSERT INTO left_behind VALUES ($1)', [1]));
      return Promise.reject(new Error('changed its mind'));
    });
    await expect(work).rejects.toThrow('changed its mind');
    await Promise.allSettled(late);
    expect(await service.query('SELECT * FROM left_behind')).toEqual([]);
  });
});

describe('what a transaction runs at its end', () => {
  let database: Database;
  const note = 'INSERT INTO notes (text) VALUES ($1)';
  const notes = async (): Promise<string[]> => {
    const rows = await service.query<{ text: string }>('SELECT text FROM notes ORDER BY id');
    return rows.map(({ text }) => text);
  };

  beforeAll(async () => {
    database = service.app.get(Database);
    await service.query('CREATE TABLE notes (id serial, text text CHECK (text <> $$wrong$$))');
  });

  it('is committed with it, after all else and in its order', async () => {
    await database.transaction(async (manager) => {
      await runAtCommit(manager, note, ['second']);
      await runAtCommit(manager, note, ['third']);
      await manager.query(note, ['first']);
    });
    expect(await notes()).toEqual(['first', 'second', 'third']);
  });

  it('may be all that it runs', async () => {
    await service.query('DELETE FROM notes');
    await database.transaction((manager) => runAtCommit(manager, note, ['only']));
    await database.transaction(() => Promise.resolve());
    expect(await notes()).toEqual(['only']);
  });

  it('undoes it when it fails, and leaves the connection free', async () => {
    await service.query('DELETE FROM notes');
    const work = database.transaction(async (manager) => {
      await manager.query(note, ['before']);
      await runAtCommit(manager, note, ['wrong']);
      await runAtCommit(manager, note, ['after']);
    });
    await expect(work).rejects.toThrow('check constraint');
    expect(await notes()).toEqual([]);
    await database.transaction((manager) => runAtCommit(manager, note, ['again']));
    expect(await notes()).toEqual(['again']);
  });

  it('is forgotten when it is rolled back', async () => {
    await service.query('DELETE FROM notes');
    const work = database.transaction(async (manager) => {
      await runAtCommit(manager, note, ['never']);
      throw new Error('changed its mind');
    });
    await expect(work).rejects.toThrow('changed its mind');
    await database.transaction((manager) => manager.query(note, ['then']));
    expect(await notes()).toEqual(['then']);
  });

  it('does not come to that when a statement before it has failed', async () => {
    await database
      .transaction(async (manager) => {
        await expect(manager.query('SELECT 1 / $1::int', [0])).rejects.toThrow('division');
        await expect(manager.query(note, ['late'])).rejects.toThrow(
          'current transaction is aborted',
        );
      })
      .catch(() => undefined);
    expect(await notes()).not.toContain('late');
  });
});
