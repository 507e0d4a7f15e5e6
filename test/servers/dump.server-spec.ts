import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { makeCertificates } from '../support/certificates.js';
import { databaseLine, runProgram, useSandbox, type CommandResult } from '../support/cli.js';
import { startPostgres, type PostgresServer } from '../support/servers.js';

const PASSWORD = `r'i@g:h/t %?`;

const sandbox = useSandbox();

describe('a dump of a PostgreSQL server', () => {
  let postgres: PostgresServer;
  /** Of the service, with users. */
  let url: string;

  beforeAll(async () => {
    makeCertificates(sandbox.folder);
    postgres = await startPostgres();
    await postgres.query(
      `CREATE ROLE keeper LOGIN SUPERUSER PASSWORD '${PASSWORD.replaceAll("'", "''")}'`,
    );
    const hba = sandbox.path('pg_hba.conf');
    writeFileSync(hba, 'host all postgres all trust\nhostssl all all all scram-sha-256\n');
    postgres.installFiles({
      'server.key': sandbox.path('server.key'),
      'server.crt': sandbox.path('server.crt'),
      'pg_hba.conf': hba,
    });
    await postgres.stop('fast');
    await postgres.start({ ssl: 'on' });
    url = await postgres.createDatabase();
    writeSettings(url);
    expect(await cli('demo-data', '--users', '2')).toMatchObject({ code: 0 });
  });

  afterAll(() => postgres.remove());

  /** The settings are in `.env` alone. */
  function writeSettings(databaseUrl: string): void {
    const withPassword = databaseUrl.replace(
      'postgres@',
      `keeper:${encodeURIComponent(PASSWORD)}@`,
    );
    writeFileSync(
      sandbox.path('.env'),
      [
        `DATABASE_URL="${withPassword}"`,
        'DATABASE_TLS=verify',
        `DATABASE_TLS_CA_FILE=${sandbox.path('authority.pem')}`,
      ].join('\n'),
    );
  }

  const run = (args: string[], env: Record<string, string> = {}): Promise<CommandResult> =>
    runProgram(args, { env, cwd: sandbox.folder });

  const cli = (...args: string[]): Promise<CommandResult> => run(args);

  const lineOf = (databaseUrl: string): string => {
    const { host, pathname } = new URL(databaseUrl);
    return databaseLine(`PostgreSQL at ${host}${pathname}`);
  };

  /** A `pg_dump` that is found before the real one. */
  function replacePgDump(script: string): Record<string, string> {
    const folder = sandbox.path('bin');
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/pg_dump`, `#!/bin/sh\n${script}\n`);
    chmodSync(`${folder}/pg_dump`, 0o755);
    return { PATH: `${folder}${delimiter}${process.env.PATH}` };
  }

  const rowsOf = (database: string): Promise<object[]> =>
    postgres.query(
      `SELECT id, amount, seq, created_at::text FROM cycle_expenses ORDER BY seq`,
      database,
    );

  it('a dump of the database in .env is restored into a new database, and the password is in no argument', async () => {
    const real = process.env.PATH ?? '';
    const env = replacePgDump(
      `echo "$@" > arguments\nenv > environment\nPATH='${real}' exec pg_dump "$@"`,
    );
    // What a fresh shell may have of another server.
    const other = { PGHOST: '192.0.2.1', PGSERVICE: 'other', PGHOSTADDR: '192.0.2.1' };
    expect(await run(['dump', 'expenses.dump'], { ...env, ...other })).toEqual({
      code: 0,
      stdout: 'Dumped to expenses.dump\n',
      stderr: lineOf(url),
    });
    const given = readFileSync(sandbox.path('arguments'), 'utf8');
    expect(given).not.toMatch(/r'i@g|r%27i|keeper/);
    expect(readFileSync(sandbox.path('environment'), 'utf8')).toContain(`PGPASSWORD=${PASSWORD}\n`);
    expect(statSync(sandbox.path('expenses.dump')).mode & 0o777).toBe(0o600);
    expect(existsSync(sandbox.path('expenses.dump.unfinished'))).toBe(false);

    const restored = await postgres.createDatabase();
    writeSettings(restored);
    const { code, stdout, stderr } = await cli('restore', 'expenses.dump', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: lineOf(restored) });
    const { rows } = JSON.parse(stdout) as { rows: Record<string, number> };
    expect(rows).toMatchObject({ users: 2 });
    const expenses = await rowsOf(url);
    expect(rows.cycle_expenses).toBe(expenses.length);
    expect(await rowsOf(restored)).toEqual(expenses);

    expect(await cli('restore', 'expenses.dump')).toEqual({
      code: 1,
      stdout: '',
      stderr: `${lineOf(restored)}The database has tables: restore a dump into a new database\n`,
    });
    const dataDir = { DATABASE_URL: '', DATABASE_TLS: '', DATABASE_TLS_CA_FILE: '' };
    const embedded = await run(['restore', 'expenses.dump'], { ...dataDir, DATA_DIR: './data' });
    expect(embedded).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/which only such a server can read: set DATABASE_URL\n$/),
    });
  });

  it('a dump does not migrate the database', async () => {
    writeSettings(url);
    const [last] = await postgres.query<{ name: string }>(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING name',
      url,
    );
    try {
      expect(await cli('dump', 'older.dump')).toMatchObject({ code: 0 });
      expect(
        await postgres.query(`SELECT FROM migrations WHERE name = '${last?.name}'`, url),
      ).toEqual([]);
    } finally {
      await postgres.query(
        `INSERT INTO migrations (timestamp, name)
         VALUES (${/\d+$/.exec(last?.name ?? '')?.[0]}, '${last?.name}')`,
        url,
      );
    }
  });

  it.each([
    ['an empty database', [], 'The database is not one of this service'],
    [
      'a database of another program',
      ['CREATE TABLE migrations (id int)', 'CREATE TABLE users (id int)'],
      'The database is not one of this service',
    ],
    [
      'a database without users',
      ['CREATE TABLE users (id int)', "CREATE TABLE migrations AS SELECT '{first}' AS name"],
      'The database has no users',
    ],
  ])('no dump is made of %s', async (_what, statements, message) => {
    const database = await postgres.createDatabase();
    const [first] = await postgres.query<{ name: string }>(
      'SELECT name FROM migrations ORDER BY id LIMIT 1',
      url,
    );
    for (const statement of statements) {
      await postgres.query(statement.replace('{first}', first?.name ?? ''), database);
    }
    writeSettings(database);
    expect(await cli('dump', 'none.dump')).toEqual({
      code: 1,
      stdout: '',
      stderr: `${lineOf(database)}${message}: nothing is dumped\n`,
    });
    expect(existsSync(sandbox.path('none.dump'))).toBe(false);
  });

  it('a dump never replaces a file, and a failed one leaves none', async () => {
    writeSettings(url);
    writeFileSync(sandbox.path('yesterday.dump'), 'of yesterday');
    expect(await cli('dump', 'yesterday.dump')).toEqual({
      code: 1,
      stdout: '',
      stderr: `${lineOf(url)}yesterday.dump already exists\n`,
    });
    expect(readFileSync(sandbox.path('yesterday.dump'), 'utf8')).toBe('of yesterday');

    const failing = replacePgDump('echo PGDMP...; echo "pg_dump: error: it broke" >&2; exit 1');
    expect(await run(['dump', 'today.dump'], failing)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${lineOf(url)}pg_dump: error: it broke\npg_dump ended with 1\n`,
    });
    expect(existsSync(sandbox.path('today.dump'))).toBe(false);
    expect(existsSync(sandbox.path('today.dump.unfinished'))).toBe(false);
  });

  it('a dump says what is missing: pg_dump, a server, or its password', async () => {
    writeSettings(url);
    expect(await run(['dump', 'x.dump'], { PATH: sandbox.path('nowhere') })).toEqual({
      code: 1,
      stdout: '',
      stderr: `${lineOf(url)}pg_dump is not there: install the client programs of PostgreSQL (Debian: postgresql-client)\n`,
    });
    const wrong = url.replace('postgres@', 'keeper:sesame@');
    const refused = await run(['dump', 'x.dump'], { DATABASE_URL: wrong });
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: `${lineOf(url)}DATABASE_URL: cannot connect: password authentication failed for user "keeper"\n`,
    });
    const { settings } = await sandbox.database('embedded');
    const DATA_DIR = settings.kind === 'embedded' ? settings.dataDir : '';
    const env = { DATA_DIR, DATABASE_URL: '', DATABASE_TLS: '', DATABASE_TLS_CA_FILE: '' };
    expect(await run(['dump', 'x.dump'], env)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${databaseLine(DATA_DIR)}Only a PostgreSQL server can be dumped, and DATABASE_URL is not set: use the command export\n`,
    });
    expect(existsSync(sandbox.path('x.dump'))).toBe(false);
  });
});
