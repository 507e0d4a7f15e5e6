import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ClientConfig, QueryResult } from 'pg';
import { sentBatches } from '../../test/support/sent-statements.js';
import { openEmbeddedDatabase, type EmbeddedDatabase } from '../embedded-postgres/index.js';
import {
  checkServer,
  PipelinedClient,
  prepareSession,
  ReplaceablePool,
  sendTogether,
  UnsuitableServerError,
} from './index.js';

const BEGIN = 'START TRANSACTION';
/** Unique violation, division by zero. */
const [TAKEN, DIVISION] = ['23505', '22012'];

const reject = (work: Promise<unknown>, code: string): Promise<void> =>
  expect(work).rejects.toMatchObject({ code });

describe('a PostgreSQL connection', () => {
  let database: EmbeddedDatabase;
  let config: ClientConfig;
  let client: PipelinedClient;

  beforeAll(async () => {
    const emptyCluster = resolve('empty-cluster', readdirSync('empty-cluster')[0] ?? '');
    database = await openEmbeddedDatabase({ dataDir: 'memory://', emptyCluster });
    config = database.driverOptions;
  });

  afterAll(() => database.close());

  beforeEach(async () => {
    client = new PipelinedClient(config);
    await client.connect();
    await query('DROP TABLE IF EXISTS items; CREATE TABLE items (name text PRIMARY KEY)');
  });

  afterEach(() => client.end());

  const query = (text: string, values?: unknown[]): Promise<QueryResult> =>
    client.query(text, values);

  const names = async (): Promise<unknown[]> =>
    (await query('SELECT name FROM items ORDER BY name')).rows.map(
      ({ name }: { name: string }) => name,
    );

  /** Sends it without waiting; the transaction has its error. */
  const insert = (name: string): void => {
    query('INSERT INTO items VALUES ($1)', [name]).catch(() => undefined);
  };

  it('runs statements in the order in which they are sent, without waiting', async () => {
    const batches = await sentBatches(async () => {
      insert('a');
      insert('b');
      expect(await names()).toEqual(['a', 'b']);
    });
    expect(batches).toHaveLength(1);
    expect(batches[0]).toHaveLength(3);
  });

  it('sends BEGIN together with the SELECT statements that follow it', async () => {
    const batches = await sentBatches(async () => {
      await query(BEGIN);
      await sendTogether([names(), query('SELECT 1')]);
      insert('a');
      await query('COMMIT');
    });
    expect(batches.map((batch) => batch.length)).toEqual([3, 2]);
    expect(await names()).toEqual(['a']);
  });

  it('sends no write before BEGIN has been answered, and what follows the write after it', async () => {
    const batches = await sentBatches(async () => {
      await query(BEGIN);
      insert('a');
      expect(await names()).toEqual(['a']);
      await query('ROLLBACK');
    });
    expect(batches[0]).toEqual([BEGIN]);
    const commands = batches.flat().map((text) => text.split(' ')[0]);
    expect(commands).toEqual(['START', 'INSERT', 'SELECT', 'ROLLBACK']);
    expect(await names()).toEqual([]);
  });

  it('fails at COMMIT with the first error of what was not awaited, and stores nothing', async () => {
    await query(BEGIN);
    insert('a');
    insert('a');
    query('SELECT 1 / 0').catch(() => undefined);
    insert('b');
    await reject(query('COMMIT'), TAKEN);
    await query('ROLLBACK');
    expect(await names()).toEqual([]);
  });

  it('gives the first error to every later statement of the transaction', async () => {
    await query(BEGIN);
    insert('a');
    insert('a');
    await reject(names(), TAKEN);
    await reject(query('SELECT 1'), TAKEN);
    await query('ROLLBACK');
    expect(await names()).toEqual([]);
  });

  it('fails at COMMIT also when the statement failed before it was sent', async () => {
    await query(BEGIN);
    insert('a');
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    query('INSERT INTO items VALUES ($1)', [circular]).catch(() => undefined);
    await expect(query('COMMIT')).rejects.toThrow('circular');
    await query('ROLLBACK');
    expect(await names()).toEqual([]);
  });

  it('keeps an error beyond a rollback to a savepoint', async () => {
    await query(BEGIN);
    await query('SAVEPOINT s');
    await reject(query('SELECT 1 / 0'), DIVISION);
    await query('ROLLBACK TO SAVEPOINT s');
    insert('a');
    await reject(query('COMMIT'), DIVISION);
    await query('ROLLBACK');
  });

  it('prepares a statement with parameters once', async () => {
    for (const name of ['a', 'b', 'c']) await query('INSERT INTO items VALUES ($1)', [name]);
    const prepared = `SELECT count(*)::int AS count FROM pg_prepared_statements WHERE statement LIKE 'INSERT%'`;
    expect((await query(prepared)).rows).toEqual([{ count: 1 }]);
  });

  it('waits for all statements and throws the first error in their order', async () => {
    const settled: string[] = [];
    const step = async (name: string, turns: number, fails: boolean): Promise<string> => {
      for (let n = 0; n < turns; n += 1) await Promise.resolve();
      settled.push(name);
      if (fails) throw new Error(name);
      return name;
    };
    const late = sendTogether([step('a', 1, false), step('b', 9, true), step('c', 2, true)]);
    await expect(late).rejects.toThrow('b');
    expect(settled).toEqual(['a', 'c', 'b']);
    expect(await sendTogether([step('d', 1, false), 2])).toEqual(['d', 2]);
  });

  it('is replaced in the pool when it is released, and not before', async () => {
    await client.end();
    const pool = new ReplaceablePool({ ...config, max: 1 });
    const first = await pool.connect();
    pool.replaceConnections();
    expect((await first.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    first.release();
    const second = await pool.connect();
    expect(second).not.toBe(first);
    second.release();
    const third = await pool.connect();
    expect(third).toBe(second);
    // Many failed writes at once replace it once.
    pool.replaceConnections();
    third.release();
    const fourth = await pool.connect();
    expect(fourth).toBe(third);
    fourth.release();
    await pool.end();
  });

  it('has the settings that it was given', async () => {
    await query(`SET timezone = 'Asia/Tokyo'; SET datestyle = 'German'`);
    await prepareSession(client, { statementTimeoutMs: 1234, lockTimeoutMs: 0 });
    const { rows } = await query(
      `SELECT current_setting('timezone') AS zone, current_setting('datestyle') AS dates,
         current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`,
    );
    expect(rows).toEqual([{ zone: 'UTC', dates: 'ISO, MDY', statement: '1234ms', lock: '0' }]);
  });

  it('is refused when it loses its settings, as behind a pooler', async () => {
    const forgetful = {
      query: (statement: { text: string }): Promise<unknown> =>
        statement.text.trimStart().startsWith('SET') ? Promise.resolve() : client.query(statement),
    } as unknown as PipelinedClient;
    const prepared = prepareSession(forgetful, { statementTimeoutMs: 4321, lockTimeoutMs: 0 });
    await expect(prepared).rejects.toThrow(UnsuitableServerError);
  });

  it('is refused when clients share a session', async () => {
    await expect(checkServer(config, {})).rejects.toThrow(UnsuitableServerError);
  });
});
