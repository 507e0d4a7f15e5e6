import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import {
  openEmbeddedDatabase,
  type EmbeddedDatabase,
} from '../../src/database/embedded/embedded-database.js';
import { FolderInUseError } from '../../src/database/embedded/folder-lock.js';
import { startMaintenance } from '../../src/database/embedded/maintenance.js';

describe('the embedded database', () => {
  let root: string;
  let dataDir: string;
  const closers: (() => Promise<void>)[] = [];

  let template: string;

  beforeAll(async () => {
    template = mkdtempSync(join(tmpdir(), 'embedded-template-'));
    await (await openEmbeddedDatabase({ dataDir: template })).close();
  });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'embedded-test-'));
    dataDir = root;
  });

  afterAll(() => rmSync(template, { recursive: true }));

  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    rmSync(root, { recursive: true, force: true });
  });

  async function open(options: { statementTimeoutMs?: number } = {}): Promise<EmbeddedDatabase> {
    const database = await openEmbeddedDatabase({ dataDir, ...options });
    closers.push(database.close);
    return database;
  }

  /** On a folder that has been started before, which is the faster start. */
  function openMade(options: { statementTimeoutMs?: number } = {}): Promise<EmbeddedDatabase> {
    cpSync(template, dataDir, { recursive: true });
    return open(options);
  }

  function connect(database: EmbeddedDatabase, connectionTimeoutMillis = 20_000): pg.Pool {
    const pool = new pg.Pool({ ...database.driverOptions, connectionTimeoutMillis });
    pool.on('error', () => undefined);
    closers.push(() => pool.end());
    return pool;
  }

  async function reopen(): Promise<pg.Pool> {
    for (const close of closers.splice(0).reverse()) await close();
    return connect(await open());
  }

  it('keeps its data over a restart', async () => {
    const pool = connect(await openMade());
    await pool.query('CREATE TABLE things (name text)');
    await pool.query(`INSERT INTO things VALUES ('kept')`);
    const again = await reopen();
    expect((await again.query('SELECT name FROM things')).rows).toEqual([{ name: 'kept' }]);
  });

  it('refuses a folder that another opening has, with a clear message', async () => {
    await openMade();
    await expect(openEmbeddedDatabase({ dataDir })).rejects.toThrow(FolderInUseError);
    await expect(openEmbeddedDatabase({ dataDir })).rejects.toThrow('in use by another process');
  });

  it('takes no notice of a first start that was killed half-way', async () => {
    mkdirSync(join(dataDir, 'pgdata.init-half'));
    writeFileSync(join(dataDir, 'pgdata.init-half', 'PG_VERSION'), '18');
    await open();
    expect(readdirSync(dataDir)).toEqual(['pgdata']);
  });

  it('makes the folder where there is none, for its owner alone', async () => {
    dataDir = join(dataDir, 'made', 'anew');
    await open();
    expect(statSync(dataDir).mode & 0o077).toBe(0);
  });

  it('syncs every commit to the disk', async () => {
    const pool = connect(await openMade());
    const settings = await pool.query<{ fsync: string; synchronous_commit: string }>(
      `SELECT current_setting('fsync') AS fsync,
         current_setting('synchronous_commit') AS synchronous_commit`,
    );
    expect(settings.rows).toEqual([{ fsync: 'on', synchronous_commit: 'on' }]);
  });

  it('rolls back a transaction whose client goes away', async () => {
    const pool = connect(await openMade());
    await pool.query('CREATE TABLE things (name text)');
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query(`INSERT INTO things VALUES ('half')`);
    client.release(new Error('gone'));
    expect((await pool.query('SELECT name FROM things')).rows).toEqual([]);
  });

  it('gives each query its own answer when good and failing ones are mixed', async () => {
    const pool = connect(await openMade());
    const results = await Promise.allSettled(
      Array.from({ length: 400 }, (_, n) =>
        pool.query<{ n: number }>(n % 3 === 0 ? 'SELECT 1 / 0' : `SELECT ${n} AS n`),
      ),
    );
    results.forEach((result, n) => {
      if (n % 3 === 0) expect(result.status).toBe('rejected');
      else expect(result).toMatchObject({ status: 'fulfilled', value: { rows: [{ n }] } });
    });
  });

  it('ends a statement that runs past the limit, keeps what was committed and goes on', async () => {
    const pool = connect(await openMade({ statementTimeoutMs: 500 }));
    await pool.query('CREATE TABLE things (name text)');
    await pool.query(`INSERT INTO things VALUES ('committed')`);
    await expect(
      pool.query('SELECT count(*) FROM generate_series(1, 1000000000)'),
    ).rejects.toThrow();
    expect((await pool.query('SELECT name FROM things')).rows).toEqual([{ name: 'committed' }]);
  });

  it('forgets the open transaction of a client when the engine is replaced', async () => {
    const pool = connect(await openMade({ statementTimeoutMs: 500 }));
    await pool.query('CREATE TABLE things (name text)');
    const client = await pool.connect();
    client.on('error', () => undefined);
    await client.query('BEGIN');
    await client.query(`INSERT INTO things VALUES ('uncommitted')`);
    await expect(
      client.query('SELECT count(*) FROM generate_series(1, 1000000000)'),
    ).rejects.toThrow();
    await expect(client.query('COMMIT')).rejects.toThrow();
    client.release(true);
    expect((await pool.query('SELECT name FROM things')).rows).toEqual([]);
  });

  it('makes a query that waits for its own transaction an error instead of a hang', async () => {
    const pool = connect(await openMade(), 500);
    const client = await pool.connect();
    await client.query('BEGIN');
    await expect(pool.query('SELECT 1')).rejects.toThrow('timeout');
    await client.query('COMMIT');
    client.release();
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it.each([2_000, 20_000, 200_000])(
    'makes JSON of %d levels an answer or an error',
    async (depth) => {
      const pool = connect(await openMade());
      const json = '['.repeat(depth) + ']'.repeat(depth);
      await pool.query('SELECT $1::jsonb IS NOT NULL', [json]).catch(() => undefined);
      expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    },
  );

  it('keeps the write-ahead log small by checkpoints', async () => {
    const pool = connect(await openMade());
    const statements: string[] = [];
    const stop = startMaintenance((sql) => {
      statements.push(sql);
      return pool.query(sql);
    }, 10);
    while (statements.length < 61) await delay(10);
    stop();
    expect(new Set(statements)).toEqual(new Set(['CHECKPOINT', 'VACUUM ANALYZE']));
  });

  describe('in another process', () => {
    const build = new URL('../../dist/src/database/embedded/', import.meta.url);

    /** Opens the folder, counts up in a table and prints each number once it is committed. */
    const WRITER = `
      import pg from 'pg';
      const { openEmbeddedDatabase } = await import(process.argv[1] + 'embedded-database.js');
      const { driverOptions } = await openEmbeddedDatabase({ dataDir: process.argv[2] });
      const pool = new pg.Pool(driverOptions);
      await pool.query('CREATE TABLE IF NOT EXISTS counted (n int)');
      for (let n = 1; ; n += 1) {
        await pool.query('INSERT INTO counted VALUES ($1)', [n]);
        process.stdout.write(n + '\\n');
      }`;

    function startWriter(): ChildProcess {
      const child = spawn(
        process.execPath,
        ['--input-type=module', '-e', WRITER, build.href, dataDir],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      closers.push(async () => {
        if (child.exitCode === null && child.signalCode === null) {
          child.kill('SIGKILL');
          await once(child, 'exit');
        }
      });
      return child;
    }

    it('has every acknowledged commit after SIGKILL, and the folder is free again', async () => {
      cpSync(template, dataDir, { recursive: true });
      const writer = startWriter();
      let printed = '';
      writer.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      while (printed.split('\n').length < 100) await delay(10);
      await expect(openEmbeddedDatabase({ dataDir })).rejects.toThrow(FolderInUseError);
      writer.kill('SIGKILL');
      await once(writer, 'exit');

      const acknowledged = Number(printed.split('\n').at(-2));
      const pool = connect(await open());
      const { rows } = await pool.query<{ kept: number }>(
        'SELECT count(*)::int AS kept FROM counted WHERE n <= $1',
        [acknowledged],
      );
      expect(rows).toEqual([{ kept: acknowledged }]);
    });

    it('leaves nothing half-made when the first start is killed', async () => {
      const writer = startWriter();
      while (!readdirSync(dataDir).some((entry) => entry.startsWith('pgdata.init-')))
        await delay(5);
      writer.kill('SIGKILL');
      await once(writer, 'exit');
      expect(existsSync(join(dataDir, 'pgdata'))).toBe(false);

      const pool = connect(await open());
      expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    });
  });
});
