import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import {
  assertCompleteCluster,
  FolderInUseError,
  openEmbeddedDatabase,
  startMaintenance,
  type EmbeddedDatabase,
} from './index.js';

/** The archive that the build creates, the only file in its folder. */
const emptyCluster = resolve('empty-cluster', readdirSync('empty-cluster')[0] ?? '');

describe('the embedded database', () => {
  let root: string;
  let dataDir: string;
  const closers: (() => Promise<void>)[] = [];

  let original: string;

  beforeAll(async () => {
    original = mkdtempSync(join(tmpdir(), 'embedded-original-'));
    await (await openEmbeddedDatabase({ dataDir: original, emptyCluster })).close();
  });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'embedded-test-'));
    dataDir = root;
  });

  afterAll(() => rmSync(original, { recursive: true }));

  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    rmSync(root, { recursive: true, force: true });
  });

  async function open(options: { statementTimeoutMs?: number } = {}): Promise<EmbeddedDatabase> {
    const database = await openEmbeddedDatabase({ dataDir, emptyCluster, ...options });
    closers.push(database.close);
    return database;
  }

  /** Opens an existing data folder, which is faster than a new one. */
  function openMigrated(options: { statementTimeoutMs?: number } = {}): Promise<EmbeddedDatabase> {
    cpSync(original, dataDir, { recursive: true });
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

  it('the embedded database keeps its data over a restart', async () => {
    const pool = connect(await openMigrated());
    await pool.query('CREATE TABLE items (name text)');
    await pool.query(`INSERT INTO items VALUES ('kept')`);
    const again = await reopen();
    expect((await again.query('SELECT name FROM items')).rows).toEqual([{ name: 'kept' }]);
  });

  it('the embedded database refuses a folder that is already open, and names the reason', async () => {
    await openMigrated();
    await expect(openEmbeddedDatabase({ dataDir, emptyCluster })).rejects.toThrow(FolderInUseError);
    await expect(openEmbeddedDatabase({ dataDir, emptyCluster })).rejects.toThrow(
      'in use by another process',
    );
  });

  it('the embedded database names a lock file that it cannot open', async () => {
    mkdirSync(join(dataDir, 'lock'));
    await expect(open()).rejects.toThrow(`${dataDir}: its file lock cannot be opened (EISDIR)`);
  });

  it('the embedded database removes the files of a first start that was killed', async () => {
    mkdirSync(join(dataDir, 'pgdata.init-half'));
    writeFileSync(join(dataDir, 'pgdata.init-half', 'PG_VERSION'), '18');
    await open();
    expect(readdirSync(dataDir).sort()).toEqual(['lock', 'pgdata']);
  });

  it('the embedded database creates a missing folder, readable by its owner alone', async () => {
    dataDir = join(dataDir, 'new', 'folder');
    await open();
    expect(statSync(dataDir).mode & 0o077).toBe(0);
  });

  it.each(['PG_VERSION', 'global/pg_control', 'base', 'pg_wal', 'pg_multixact', 'postgresql.conf'])(
    'the embedded database refuses a database without its %s, and changes no file',
    async (part) => {
      cpSync(original, dataDir, { recursive: true });
      rmSync(join(dataDir, 'pgdata', part), { recursive: true });
      writeFileSync(join(dataDir, 'pgdata', 'postmaster.pid'), '');
      const before = contentOf(dataDir);
      const message = `pgdata is not a complete database (${part} missing)`;
      await expect(open()).rejects.toThrow(message);
      expect(contentOf(dataDir)).toEqual(before);
    },
  );

  it.each<[file: string, damage: string, change: (path: string) => void]>([
    ['pg_xact/0000', 'missing', (path) => rmSync(path)],
    ['pg_xact/0000', 'cut off', (path) => truncateSync(path, 100)],
    ['pg_xact/0000', 'zeroed', zero],
    ['global/pg_control', 'cut off', (path) => truncateSync(path, 100)],
    ['global/pg_control', 'empty', (path) => truncateSync(path)],
  ])(
    'the embedded database refuses a database whose %s is %s, and changes no file',
    async (file, _damage, change) => {
      cpSync(original, dataDir, { recursive: true });
      change(join(dataDir, 'pgdata', file));
      const before = hashesOf(dataDir);
      await expect(open()).rejects.toThrow(
        new RegExp(`^${dataDir}: .*${file}.*; restore it, or move it away`),
      );
      expect(hashesOf(dataDir)).toEqual(before);
    },
  );

  it('the embedded database refuses a database with a zeroed write-ahead log, and changes no file', async () => {
    cpSync(original, dataDir, { recursive: true });
    const log = join(dataDir, 'pgdata', 'pg_wal');
    const segments = readdirSync(log).filter((name) => name.length === 24);
    for (const name of segments) zero(join(log, name));
    const before = hashesOf(dataDir);
    await expect(open()).rejects.toThrow('could not locate a valid checkpoint record');
    expect(hashesOf(dataDir)).toEqual(before);
  });

  it('the embedded database starts with the empty process file of a crash', async () => {
    cpSync(original, dataDir, { recursive: true });
    writeFileSync(join(dataDir, 'pgdata', 'postmaster.pid'), '');
    const pool = connect(await open());
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('the embedded database refuses an empty folder in the place of a database', async () => {
    mkdirSync(join(dataDir, 'pgdata'));
    await expect(open()).rejects.toThrow('is not a complete database');
    expect(contentOf(dataDir)).toEqual(['lock', 'pgdata']);
  });

  it('the embedded database removes the permissions of other users, also in an existing folder', async () => {
    cpSync(original, dataDir, { recursive: true });
    for (const name of contentOf(dataDir)) {
      const path = join(dataDir, name);
      chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o666);
    }
    const { driverOptions } = await open();
    const client = new pg.Client(driverOptions);
    await client.connect();
    await client.query('CREATE TABLE created_later (id int); CHECKPOINT');
    await client.end();
    const cluster = join(dataDir, 'pgdata');
    const exposed = contentOf(cluster).filter(
      (name) => (statSync(join(cluster, name)).mode & 0o077) !== 0,
    );
    expect(exposed).toEqual([]);
  });

  it('the embedded database gives other users no access to a new database, whatever the umask', async () => {
    const umask = process.umask(0);
    await open();
    process.umask(umask);
    const exposed = contentOf(dataDir).filter(
      (name) => (statSync(join(dataDir, name)).mode & 0o077) !== 0,
    );
    expect(exposed).toEqual([]);
  });

  it('the embedded database reports that its folder cannot be created', async () => {
    writeFileSync(join(root, 'file'), '');
    dataDir = join(root, 'file', 'data');
    await expect(open()).rejects.toThrow(`${dataDir}: it cannot be written (ENOTDIR)`);
  });

  it('the embedded database syncs every commit to the disk', async () => {
    const pool = connect(await openMigrated());
    const settings = await pool.query<{ fsync: string; synchronous_commit: string }>(
      `SELECT current_setting('fsync') AS fsync,
         current_setting('synchronous_commit') AS synchronous_commit`,
    );
    expect(settings.rows).toEqual([{ fsync: 'on', synchronous_commit: 'on' }]);
  });

  it('the embedded database rolls back the transaction of a client that disconnects', async () => {
    const pool = connect(await openMigrated());
    await pool.query('CREATE TABLE items (name text)');
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query(`INSERT INTO items VALUES ('half')`);
    client.release(new Error('gone'));
    expect((await pool.query('SELECT name FROM items')).rows).toEqual([]);
  });

  it('the embedded database returns the result of each query when valid and failing ones are mixed', async () => {
    const pool = connect(await openMigrated());
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

  it('the embedded database cancels a statement at the timeout, keeps committed data and continues', async () => {
    const pool = connect(await openMigrated({ statementTimeoutMs: 5000 }));
    await pool.query('CREATE TABLE items (name text)');
    await pool.query(`INSERT INTO items VALUES ('committed')`);
    await expect(
      pool.query('SELECT count(*) FROM generate_series(1, 1000000000)'),
    ).rejects.toThrow();
    expect((await pool.query('SELECT name FROM items')).rows).toEqual([{ name: 'committed' }]);
  });

  it('the embedded database is not busy any more when a statement has taken ten seconds, nor after its end', async () => {
    const database = await openMigrated({ statementTimeoutMs: 15_000 });
    const pool = connect(database);
    await pool.query('SELECT 1');
    expect(database.isBusy()).toBe(true);
    const endless = pool
      .query('SELECT count(*) FROM generate_series(1, 10000000000)')
      .catch(() => undefined);
    await delay(1000);
    expect(database.isBusy()).toBe(true);
    await delay(10_000);
    expect(database.isBusy()).toBe(false);
    await endless;
    expect(database.isBusy()).toBe(false);
  });

  it('the embedded database rolls back the open transaction of a client when the engine is restarted', async () => {
    const pool = connect(await openMigrated({ statementTimeoutMs: 5000 }));
    await pool.query('CREATE TABLE items (name text)');
    const client = await pool.connect();
    client.on('error', () => undefined);
    await client.query('BEGIN');
    await client.query(`INSERT INTO items VALUES ('uncommitted')`);
    await expect(
      client.query('SELECT count(*) FROM generate_series(1, 1000000000)'),
    ).rejects.toThrow();
    await expect(client.query('COMMIT')).rejects.toThrow();
    client.release(true);
    expect((await pool.query('SELECT name FROM items')).rows).toEqual([]);
  });

  it('the embedded database fails a query that waits for a transaction of the same caller, after the timeout', async () => {
    const pool = connect(await openMigrated(), 5000);
    const client = await pool.connect();
    await client.query('BEGIN');
    await expect(pool.query('SELECT 1')).rejects.toThrow('timeout');
    await client.query('COMMIT');
    client.release();
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it.each([2_000, 20_000, 200_000])(
    'the embedded database returns JSON of %d levels or an error',
    async (depth) => {
      const pool = connect(await openMigrated());
      const json = '['.repeat(depth) + ']'.repeat(depth);
      await pool.query('SELECT $1::jsonb IS NOT NULL', [json]).catch(() => undefined);
      expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    },
  );

  it('the embedded database keeps the write-ahead log small by checkpoints', async () => {
    const pool = connect(await openMigrated());
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
    const build = new URL('../../dist/libs/embedded-postgres/', import.meta.url);

    /** Opens the folder, increments a counter in a table and prints each committed value. */
    const WRITER = `
      import pg from 'pg';
      const { openEmbeddedDatabase } = await import(process.argv[1] + 'embedded-database.js');
      const { driverOptions } = await openEmbeddedDatabase({
        dataDir: process.argv[2],
        emptyCluster: process.argv[3],
      });
      const pool = new pg.Pool(driverOptions);
      await pool.query('CREATE TABLE IF NOT EXISTS counted (n int)');
      for (let n = 1; ; n += 1) {
        await pool.query('INSERT INTO counted VALUES ($1)', [n]);
        process.stdout.write(n + '\\n');
      }`;

    interface WriterOptions {
      nodeOptions?: string[];
      /** A command that runs the process: the rest of its arguments. */
      wrapper?: string[];
      folder?: string;
    }

    function startWriter({
      nodeOptions = [],
      wrapper = [],
      folder = dataDir,
    }: WriterOptions = {}): ChildProcess {
      const node = [process.execPath, ...nodeOptions, '--input-type=module', '-e', WRITER];
      const [command, ...args] = [...wrapper, ...node, build.href, folder, emptyCluster];
      const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      closers.push(async () => {
        if (child.exitCode === null && child.signalCode === null) {
          child.kill('SIGKILL');
          await once(child, 'exit');
        }
      });
      return child;
    }

    it('the embedded database in another process keeps every acknowledged commit after SIGKILL, and releases the folder', async () => {
      cpSync(original, dataDir, { recursive: true });
      const writer = startWriter();
      let printed = '';
      writer.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      while (printed.split('\n').length < 100) await delay(10);
      await expect(openEmbeddedDatabase({ dataDir, emptyCluster })).rejects.toThrow(
        FolderInUseError,
      );
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

    it('the embedded database in another process sees the lock of a process in other namespaces that mounted the folder elsewhere', async () => {
      cpSync(original, dataDir, { recursive: true });
      const mountPoint = mkdtempSync(join(tmpdir(), 'embedded-mount-'));
      closers.push(() => rmdir(mountPoint));
      const mount = 'mount --bind "$0" "$1"; shift; exec "$@"';
      const writer = startWriter({
        wrapper: [
          ...['unshare', '--user', '--map-root-user', '--net', '--pid', '--mount', '--fork'],
          ...['--kill-child', 'sh', '-ec', mount, dataDir, mountPoint],
        ],
        folder: mountPoint,
      });
      let printed = '';
      writer.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      while (printed.split('\n').length < 10) await delay(10);
      await expect(openEmbeddedDatabase({ dataDir, emptyCluster })).rejects.toThrow(
        FolderInUseError,
      );
      writer.kill('SIGKILL');
      await once(writer, 'close');
      await open();
    });

    /** The results exceed the heap several times, so that a leak ends the process. */
    const READER = `
      import pg from 'pg';
      const { openEmbeddedDatabase } = await import(process.argv[1] + 'embedded-database.js');
      const { driverOptions, close } = await openEmbeddedDatabase({
        dataDir: process.argv[2],
        emptyCluster: process.argv[3],
        onLost: (error) => console.log(error.message),
      });
      const pool = new pg.Pool(driverOptions);
      pool.on('error', () => undefined);
      for (let n = 0; n < 4000; n += 1) {
        await pool.query("SELECT n, repeat('x', 200) FROM generate_series(1, 100) AS n");
      }
      await pool.end();
      await close();
      console.log('done');`;

    it('the embedded database in another process executes thousands of queries with large results in a small heap', async () => {
      cpSync(original, dataDir, { recursive: true });
      const reader = spawn(
        process.execPath,
        ['--max-old-space-size=64', '--input-type=module', '-e', READER, build.href, dataDir],
        { stdio: ['ignore', 'pipe', 'ignore'] },
      );
      let printed = '';
      reader.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      await once(reader, 'close');
      expect(printed).toBe('done\n');
    });

    it.each([0, 50, 100, 200, 400, 800])(
      'the embedded database in another process has the whole database or none when the first start is killed %d ms after it began',
      async (milliseconds) => {
        const writer = startWriter();
        while (!readdirSync(dataDir).some((entry) => entry.startsWith('pgdata'))) await delay(2);
        await delay(milliseconds);
        writer.kill('SIGKILL');
        await once(writer, 'exit');
        expect(() => assertCompleteCluster(dataDir)).not.toThrow();

        const pool = connect(await open());
        expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
        expect(readdirSync(dataDir).sort()).toEqual(['lock', 'pgdata']);
      },
    );

    /**
     * Prints the path of each fsync, and at a renaming the number of files and folders in the new
     * folder.
     */
    const PRINT_SYNCS = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { fsyncSync, renameSync } = fs;
      fs.fsyncSync = (descriptor) => {
        fsyncSync(descriptor);
        console.log(fs.readlinkSync('/proc/self/fd/' + descriptor));
      };
      fs.renameSync = (from, to) => {
        renameSync(from, to);
        console.log('renamed', fs.readdirSync(to, { recursive: true }).length);
      };
      syncBuiltinESMExports();`;

    it('the embedded database in another process syncs a new database to the disk: its files, its folders and its name', async () => {
      const preload = `data:text/javascript,${encodeURIComponent(PRINT_SYNCS)}`;
      const writer = startWriter({ nodeOptions: ['--import', preload] });
      let printed = '';
      writer.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      while (!printed.includes('\n1\n')) await delay(10);
      writer.kill('SIGKILL');
      const lines = printed.split('\n');
      const renamed = lines.findIndex((line) => line.startsWith('renamed'));
      const synced = new Set(lines.slice(0, renamed));
      expect(lines[renamed]).toBe(`renamed ${synced.size - 1}`);
      expect(synced.size).toBeGreaterThan(900);
      expect(lines[renamed + 1]).toBe(dataDir);
    });
  });
});

function zero(path: string): void {
  writeFileSync(path, Buffer.alloc(statSync(path).size));
}

/** The hashes of all files in a folder but the lock. */
const hashesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    contentOf(folder)
      .filter((name) => name !== 'lock' && statSync(join(folder, name)).isFile())
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]),
  );

/** The paths of all files and folders in a folder. */
const contentOf = (folder: string): string[] =>
  readdirSync(folder, { encoding: 'utf8', recursive: true }).sort();
