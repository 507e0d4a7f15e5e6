import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbeddedDatabase } from '#embedded-postgres';
import { emptyClusterArchive } from '../../src/platform/database/empty-cluster-archive.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { nodeVersionWarning } from '../../src/platform/process/node-version.js';
import { SCHEMA } from '../../src/schema.js';
import { databaseLine, runProgram } from '../support/cli.js';
import { freePort } from '../support/ports.js';
import { useProcesses } from '../support/service-process.js';
import { copyDatabaseInto } from '../support/test-database.js';

/** As the service writes it. */
const SECRET = 'k3Vw9bYw0pM1e-ZtQ8sR_4uXhJ6nLdC7gFaT2yOiB5E';
const ACCOUNT = { email: 'ana@example.com', password: 'correct horse battery' };

describe('the service as a process', () => {
  const processes = useProcesses();
  const { run, start } = processes;
  const dataDir = (): string => join(processes.folder, 'data');

  async function signIn(api: string): Promise<string> {
    const { email: username, password } = ACCOUNT;
    const body = new URLSearchParams({ username, password });
    const response = await fetch(`${api}/auth/login`, { method: 'POST', body });
    return ((await response.json()) as { access_token: string }).access_token;
  }

  /** The file of a table in the data folder. */
  async function fileOf(table: string): Promise<string> {
    const { driverOptions, close } = await openEmbeddedDatabase({
      dataDir: dataDir(),
      emptyCluster: emptyClusterArchive(),
    });
    const client = new pg.Client(driverOptions);
    await client.connect();
    const { rows } = await client.query<{ file: string }>(
      'SELECT pg_relation_filepath($1::regclass) AS file',
      [table],
    );
    await client.end();
    await close();
    return join(dataDir(), 'pgdata', rows[0]?.file ?? '');
  }

  async function register(api: string): Promise<number> {
    const response = await fetch(`${api}/auth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(ACCOUNT),
    });
    return response.status;
  }

  async function statusOfMe(api: string, token: string): Promise<number> {
    const headers = { Authorization: `Bearer ${token}` };
    return (await fetch(`${api}/auth/me`, { headers })).status;
  }

  it('the service as a process prints the locations of the API, the docs and the data', async () => {
    const { api, output } = await start();
    expect(api).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
    expect(output).toContain(api.replace('/api/v1', '/docs'));
    expect(output).toContain(dataDir());
    // Of the version of Node.js alone, where it is an old one.
    const warning = nodeVersionWarning();
    expect(output.match(/WARN.*/g) ?? []).toEqual(warning ? [`WARN [Service] ${warning}`] : []);
    const docs = await fetch(api.replace('/api/v1', '/docs/openapi.json'));
    expect(((await docs.json()) as { openapi: string }).openapi).toMatch(/^3\./);
  });

  it('the service as a process says what to try next after the first start', async () => {
    await run().waitForOutput(/Next .*tour in README\.md.* `npm run sandbox`/);
  });

  it('the service as a process does not say what to try next after a later start', async () => {
    const service = await start();
    await service.stop();
    expect(service.output).not.toContain('Next');
  });

  it.each([
    ['SIGINT', 'Stopping; Ctrl-C again stops at once'],
    ['SIGTERM', 'Stopping (SIGTERM)'],
  ] as const)('the service as a process says that it stops at %s', async (signal, message) => {
    const service = await start();
    expect(await service.stop(signal)).toBe(0);
    expect(service.output.trimEnd().split('\n').at(-1)).toMatch(/ LOG \[Service\] Stopping/);
    expect(service.output.trimEnd().endsWith(message)).toBe(true);
  });

  it('the service as a process logs a request in one line that fits a terminal, with its outcome', async () => {
    const service = await start();
    const lineOf = async (route: string): Promise<string> => {
      await service.waitForOutput(route);
      return service.stdout.split('\n').find((text) => text.includes(route)) ?? '';
    };
    const id = '00000000-0000-4000-8000-000000000000';
    await fetch(`${service.api}/cycles/${id}/expenses/${id}`, { method: 'DELETE' });
    const line = await lineOf('/expenses/');
    expect(line).toMatch(
      / LOG \[Request\] DELETE \/api\/v1\/cycles\/:cycle_id\/expenses\/:expense_id 401 \d+(\.\d)? ms$/,
    );
    expect(line.length).toBeLessThanOrEqual(120);

    // A client that disconnects during the password check.
    const { port } = new URL(service.origin);
    const body = 'username=ana@example.com&password=wrong';
    const socket = connect(Number(port), '127.0.0.1');
    socket.end(
      [
        'POST /api/v1/auth/login HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/x-www-form-urlencoded',
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    );
    expect(await lineOf('/auth/login')).toMatch(/ POST \/api\/v1\/auth\/login aborted [\d.]+ ms$/);
  });

  it('the service as a process keeps accounts and tokens after a graceful stop and after SIGKILL', async () => {
    const first = await start();
    expect(await register(first.api)).toBe(201);
    const token = await signIn(first.api);
    expect(await first.stop()).toBe(0);

    const second = await start();
    expect(await statusOfMe(second.api, token)).toBe(200);
    await second.stop('SIGKILL');

    const third = await start();
    expect(await statusOfMe(third.api, token)).toBe(200);
    expect(await register(third.api)).toBe(409);
  });

  it('the service as a process creates the data and the generated secret readable by the owner alone', async () => {
    await run().waitForOutput(/Data /);
    expect(statSync(dataDir()).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir(), 'auth-secret')).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['an empty secret', 'auth-secret', '', 'is not a secret that the service wrote'],
    [
      'a truncated secret',
      'auth-secret',
      SECRET.slice(1),
      'is not a secret that the service wrote',
    ],
    [
      'a secret of NUL bytes',
      'auth-secret',
      '\0'.repeat(43),
      'is not a secret that the service wrote',
    ],
    ['a file in the place of the database', 'pgdata', '', 'is not a complete database'],
  ])(
    'the service as a process does not start with %s, and reports it in one line',
    async (_case, name, content, message) => {
      mkdirSync(dataDir());
      writeFileSync(join(dataDir(), name), content);
      const { code, output } = await run({}).end();
      expect(code).toBe(1);
      expect(output.trimEnd().split('\n')).toEqual([expect.stringContaining(message)]);
      expect(readFileSync(join(dataDir(), name), 'utf8')).toBe(content);
      expect(readdirSync(dataDir())).toEqual([name]);
    },
  );

  it('the service as a process removes the permissions of other users on a secret', async () => {
    mkdirSync(dataDir());
    const secret = join(dataDir(), 'auth-secret');
    writeFileSync(secret, SECRET, { mode: 0o644 });
    await start();
    expect(statSync(secret).mode & 0o777).toBe(0o600);
    expect(readFileSync(secret, 'utf8')).toBe(SECRET);
  });

  it('the service as a process reports in one line that its data folder cannot be written', async () => {
    writeFileSync(dataDir(), '');
    const { code, output } = await run({}).end();
    expect(code).toBe(1);
    expect(output.trimEnd().split('\n')).toEqual([expect.stringContaining('DATA_DIR')]);
  });

  it.each([
    ['the catalog', 'pg_class'],
    ['a table', 'migrations'],
  ])(
    'the service as a process reports in one line that a page of %s is damaged, and what to do',
    async (_what, table) => {
      copyDatabaseInto(dataDir());
      const file = await fileOf(table);
      const pages = readFileSync(file).fill(0xab, 0, 8192);
      writeFileSync(file, pages);
      const { code, output } = await run({}).end();
      expect(code).toBe(1);
      expect(output.trimEnd().split('\n')).toEqual([
        expect.stringMatching(
          /^DATA_DIR .*: .*invalid page in block 0 .*; if it is damaged, restore it, or move it away/,
        ),
      ]);
    },
  );

  it.each(['/proc/no-folder/data', '/sys/no-folder', '{file}/data', '{link}/data'])(
    'the service as a process reports in one line that no data folder can be created: %s',
    async (path) => {
      const file = join(processes.folder, 'file');
      const link = join(processes.folder, 'link');
      writeFileSync(file, '');
      symlinkSync('/proc/no-folder', link);
      const DATA_DIR = path.replace('{file}', file).replace('{link}', link);
      const { code, output } = await run({ DATA_DIR }).end();
      expect(code).toBe(1);
      expect(output.trimEnd().split('\n')).toEqual([expect.stringContaining('DATA_DIR')]);
      const withSecret = await run({ DATA_DIR, AUTH_SECRET: SECRET }).end();
      expect(withSecret.code).toBe(1);
      expect(withSecret.output.trimEnd().split('\n')).toEqual([
        expect.stringContaining(`DATA_DIR ${DATA_DIR}: it cannot be written`),
      ]);
    },
  );

  it.each(['/proc/no-folder', '/sys', '{file}'])(
    'the service as a process reports in one line that no temporary files can be written: %s',
    async (path) => {
      const file = join(processes.folder, 'file');
      writeFileSync(file, '');
      const TMPDIR = path.replace('{file}', file);
      const { code, output } = await run({ TMPDIR }).end();
      expect(code).toBe(1);
      expect(output.trimEnd().split('\n')).toEqual([
        expect.stringMatching(`^TMPDIR: no temporary files: E[A-Z]+: .* '${TMPDIR}/`),
      ]);
      expect(existsSync(join(dataDir(), 'pgdata'))).toBe(false);
    },
  );

  it('the service as a process refuses a second process on the same data', async () => {
    await start();
    const { code, output } = await run({}).end();
    expect(code).toBe(1);
    expect(output).toContain('in use by another process');
    expect(output).not.toContain('    at ');
  });

  const WORKERS = {
    WEB_CONCURRENCY: '2',
    // No server listens there: the ports are checked first.
    DATABASE_URL: 'postgres://127.0.0.1:1/nowhere',
    AUTH_SECRET: SECRET,
  };

  it.each([
    ['PORT', 'one process', {}],
    ['METRICS_PORT', 'one process', {}],
    ['PORT', 'workers', WORKERS],
    ['METRICS_PORT', 'workers', WORKERS],
  ])(
    'the service as a process names the port of %s that is in use, with %s',
    async (setting, _processes, env) => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const { code, output } = await run({ ...env, [setting]: String(port) }).end();
      server.close();
      expect({ code, output }).toEqual({
        code: 1,
        output: `Port ${port} is in use; set ${setting} to another one\n`,
      });
      // The ports are checked before the slow creation of the database.
      expect(existsSync(join(dataDir(), 'pgdata'))).toBe(false);
    },
  );

  it('the service as a process refuses one port for both of its servers', async () => {
    const port = String(await freePort());
    const { code, output } = await run({ PORT: port, METRICS_PORT: port }).end();
    expect({ code, output }).toEqual({
      code: 1,
      output: `Port ${port} is in use; set METRICS_PORT to another one\n`,
    });
  });

  it('the service as a process says that it migrates the database, and how long that took', async () => {
    copyDatabaseInto(dataDir());
    const { dataSource, close } = await openDatabase(
      { kind: 'embedded', dataDir: dataDir() },
      SCHEMA,
    );
    await dataSource.undoLastMigration();
    await dataSource.undoLastMigration();
    await close();
    const first = run();
    await first.waitForOutput(/Data /);
    const [start, end] = first.output.match(/LOG \[Database\] .*/g) ?? [];
    expect(start).toBe('LOG [Database] Running 2 migrations; the service starts after that');
    expect(end).toMatch(/^LOG \[Database\] Ran 2 migrations in \d+\.\d s$/);
    await first.stop();

    const second = run();
    await second.waitForOutput(/Data /);
    expect(second.output).not.toContain('[Database]');
  });

  it('the service as a process warns of the example rate in production, until there is another one', async () => {
    const production = { NODE_ENV: 'production', LOG_FORMAT: 'text', SHUTDOWN_DELAY_SECONDS: '0' };
    const warning = /WARN \[ExchangeRates\] Pesos are converted at 0\.05 .* set EXCHANGE_RATES_URL/;
    const first = await start(production);
    expect(first.output).toMatch(warning);
    await first.stop();

    const env = { DATA_DIR: dataDir() };
    const csv = 'from,to,rate,date\nMXN,USD,0.0551,2026-01-02\n';
    writeFileSync(join(processes.folder, 'rates.csv'), csv);
    const args = ['exchange-rates', 'import', 'rates.csv'];
    const imported = await runProgram(args, { env, cwd: processes.folder });
    expect(imported).toMatchObject({ code: 0, stderr: databaseLine(dataDir()) });
    const second = run(production);
    await second.waitForOutput(/Data /);
    expect(second.output).not.toContain('[ExchangeRates]');
  });

  it('the service as a process names a host that is not local', async () => {
    // An address that is reserved for documentation and not local.
    const { code, output } = await run({ HOST: '192.0.2.1' }).end();
    expect(code).toBe(1);
    expect(output).toMatch(/^HOST: .*192\.0\.2\.1/m);
  });

  it('the service as a process reads .env in its working folder; the environment has precedence', async () => {
    writeFileSync(join(processes.folder, '.env'), 'LOG_LEVEL=loud\nPORT=eighty\n');
    const { code, output } = await run({}).end();
    expect(code).toBe(1);
    expect(output).toContain('LOG_LEVEL');
    expect(output).not.toContain('PORT');
  });

  it('the service as a process refuses a DATA_DIR of the environment that DATABASE_URL of .env would replace', async () => {
    writeFileSync(join(processes.folder, '.env'), 'DATABASE_URL=postgres://ana:sesame@db/x\n');
    const { code, output } = await run({}).end();
    expect(code).toBe(1);
    expect(output).toMatch(/^DATA_DIR is in the environment, but DATABASE_URL of .*\n$/);
    expect(output).not.toContain('sesame');
  });

  it('the service as a process refuses a .env with a line that would hide the next setting', async () => {
    writeFileSync(join(processes.folder, '.env'), '[server]\nDATABASE_URL=postgres://db/x\n');
    const { code, output } = await run({}).end();
    expect(code).toBe(1);
    expect(output).toMatch(/\.env, line 1: not a comment and not NAME=value/);
  });

  it('the service as a process warns of a variable that looks like a misspelt setting', async () => {
    const { output } = await start({ RATE_LIMIT_ENABLE: 'false' });
    expect(output).toMatch(
      /WARN \[Settings\] RATE_LIMIT_ENABLE is not a setting .* did you mean RATE_LIMIT_ENABLED\?\n/,
    );
  });

  it.each(['America/Mexico_City', 'Pacific/Kiritimati'])(
    'the service as a process returns the same dates on a machine in %s',
    async (TZ) => {
      const { api } = await start({ TZ });
      await register(api);
      const headers = {
        Authorization: `Bearer ${await signIn(api)}`,
        'Content-Type': 'application/json',
      };
      const dates = { start_date: '2026-01-19', end_date: '2026-03-01' };
      const body = JSON.stringify({ name: 'Spring', income_amount: '1', ...dates });
      const created = await fetch(`${api}/cycles`, { method: 'POST', headers, body });
      expect(await created.json()).toMatchObject({
        ...dates,
        created_at: expect.stringMatching(/Z$/),
      });
      const listed = await fetch(`${api}/cycles`, { headers });
      expect(await listed.json()).toMatchObject({ cycles: [dates] });
      const rates = await fetch(`${api}/exchange-rates?date=2025-01-01`, { headers });
      expect(await rates.json()).toMatchObject({ rates: [{ rate_date: '2025-01-01' }] });
    },
  );

  it('the service as a process names every invalid setting and changes nothing', async () => {
    const { code, output } = await run({ PORT: 'eighty', LOG_LEVEL: 'loud' }).end();
    expect(code).toBe(1);
    expect(output).toContain('PORT');
    expect(output).toContain('LOG_LEVEL');
    expect(existsSync(dataDir())).toBe(false);
  });
});
