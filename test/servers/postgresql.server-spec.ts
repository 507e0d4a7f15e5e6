import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates } from '../support/certificates.js';
import { signUp } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/ports.js';
import { startPostgres, type PostgresServer } from '../support/servers.js';
import { useProcesses } from '../support/service-process.js';

describe('on a PostgreSQL server', () => {
  const certificates = mkdtempSync(join(tmpdir(), 'certificates-'));
  const { run, start } = useProcesses();
  let postgres: PostgresServer;

  beforeAll(async () => {
    makeCertificates(certificates);
    postgres = await startPostgres();
    await postgres.query("CREATE ROLE keeper LOGIN SUPERUSER PASSWORD 'right'");
    const file = (name: string): string => join(certificates, name);
    writeFileSync(file('pg_hba.conf'), 'host all postgres all trust\nhost all all all md5\n');
    postgres.installFiles({
      'server.key': file('server.key'),
      'server.crt': file('server.crt'),
      'pg_hba.conf': file('pg_hba.conf'),
    });
    await postgres.stop('fast');
    await postgres.start({ ssl: 'on' });
  });

  afterAll(async () => {
    await postgres.remove();
    rmSync(certificates, { recursive: true });
  });

  const sessionsOf = (name: string): Promise<{ pid: number; ssl: boolean }[]> =>
    postgres.query(`SELECT pid, ssl FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
      WHERE application_name = '${name}'`);

  it('the service on a PostgreSQL server waits at the start for a server that is not running yet, and logs this', async () => {
    const url = await postgres.createDatabase();
    await postgres.stop('fast');
    const service = run({ DATABASE_URL: url });
    await service.waitForOutput('PostgreSQL is not available yet (connect ECONNREFUSED');
    await postgres.start({ ssl: 'on' });
    await service.waitForOutput('API ');
    expect((await fetch(`${service.origin}/health/ready`)).status).toBe(200);
  });

  it('the service on a PostgreSQL server exits after DATABASE_WAIT_SECONDS, with one line and without the password', async () => {
    const port = await freePort();
    const { code, output } = await run({
      DATABASE_URL: `postgres://keeper:sesame@127.0.0.1:${port}/x`,
      DATABASE_WAIT_SECONDS: '0',
    }).end();
    expect(code).toBe(1);
    expect(output).toBe(`DATABASE_URL: cannot connect: connect ECONNREFUSED 127.0.0.1:${port}\n`);
  });

  it('the service on a PostgreSQL server reports a wrong password at once', async () => {
    const url = postgres.url().replace('postgres@', 'keeper:sesame@');
    const { code, output } = await run({ DATABASE_URL: url }).end();
    expect(code).toBe(1);
    expect(output).toBe(
      'DATABASE_URL: cannot connect: password authentication failed for user "keeper"\n',
    );
  });

  it('the service on a PostgreSQL server reports at once that it may not create tables', async () => {
    await postgres.query("CREATE ROLE reader LOGIN PASSWORD 'right'");
    const url = await postgres.createDatabase();
    await postgres.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC', url);
    const { code, output } = await run({
      DATABASE_URL: url.replace('postgres@', 'reader:right@'),
    }).end();
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^.* LOG \[Database\] Running \d+ migrations; .*\nDATABASE_URL: cannot be migrated: permission denied for schema public\n$/,
      ),
    });
  });

  it('the service on a PostgreSQL server responds with 503 while the server refuses its password, and recovers', async () => {
    await postgres.query("CREATE ROLE rotated LOGIN SUPERUSER PASSWORD 'right'");
    const url = await postgres.createDatabase();
    const service = await start({ DATABASE_URL: url.replace('postgres@', 'rotated:right@') });
    const user = await signUp(service.origin);
    await postgres.query("ALTER ROLE rotated PASSWORD 'other'");
    await postgres.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'rotated'",
    );
    await eventually(
      'a new connection is refused',
      async () => (await user.get('/payment-methods')).status === 503,
    );
    const refused = await user.get('/payment-methods').expect(503);
    expect(refused.get('Retry-After')).toBe('1');
    expect(service.output).toContain('password authentication failed for user "rotated"');
    await postgres.query("ALTER ROLE rotated PASSWORD 'right'");
    await user.get('/payment-methods').expect(200);
  });

  it('the service on a PostgreSQL server opens at most DATABASE_POOL_SIZE connections, with its application name and timeouts', async () => {
    const url = (await postgres.createDatabase()).replace('postgres@', 'keeper:right@');
    const service = await start({
      DATABASE_URL: url,
      DATABASE_POOL_SIZE: '3',
      DATABASE_APPLICATION_NAME: 'planner',
      DATABASE_STATEMENT_TIMEOUT_MS: '3000',
      DATABASE_LOCK_TIMEOUT_MS: '300',
      RATE_LIMIT_ENABLED: 'false',
    });
    const user = await signUp(service.origin);
    const holder = await postgres.connect(url);
    await holder.query('BEGIN; LOCK TABLE payment_methods');
    const responses = Array.from({ length: 8 }, () => user.get('/payment-methods'));
    const refused = Promise.all(responses.map(async (response) => (await response).status));
    await eventually('all connections in use', async () => {
      return (await sessionsOf('planner')).length === 3;
    });
    expect(new Set(await refused)).toEqual(new Set([503]));
    expect((await sessionsOf('planner')).map(({ ssl }) => ssl)).toEqual([false, false, false]);
    expect(service.output).toContain('canceling statement due to lock timeout');
    await holder.query('ROLLBACK');
    await holder.end();

    await user.createPaymentMethod();
    await postgres.query(
      `ALTER TABLE payment_methods RENAME TO slow_ones;
       CREATE VIEW payment_methods AS SELECT slow_ones.* FROM slow_ones, pg_sleep(60)`,
      url,
    );
    await user.get('/payment-methods').expect(503);
    expect(service.output).toContain('canceling statement due to statement timeout');
  });

  it('the service on a PostgreSQL server encrypts with DATABASE_TLS=require, with any certificate', async () => {
    const url = await postgres.createDatabase();
    await start({
      DATABASE_URL: url,
      DATABASE_TLS: 'require',
      DATABASE_APPLICATION_NAME: 'encrypted',
    });
    expect((await sessionsOf('encrypted')).map(({ ssl }) => ssl)).toEqual([true]);
  });

  it('the service on a PostgreSQL server accepts, with DATABASE_TLS=verify, a certificate of the configured authority', async () => {
    const url = await postgres.createDatabase();
    await start({
      DATABASE_URL: url,
      DATABASE_TLS: 'verify',
      DATABASE_TLS_CA_FILE: join(certificates, 'authority.pem'),
      DATABASE_APPLICATION_NAME: 'verified',
    });
    expect((await sessionsOf('verified')).map(({ ssl }) => ssl)).toEqual([true]);
  });

  it('the service on a PostgreSQL server refuses, with DATABASE_TLS=verify, a certificate of another authority', async () => {
    const { code, output } = await run({
      DATABASE_URL: postgres.url(),
      DATABASE_TLS: 'verify',
      DATABASE_TLS_CA_FILE: join(certificates, 'other-authority.pem'),
    }).end();
    expect(code).toBe(1);
    expect(output).toMatch(/^DATABASE_URL: cannot connect: .*certificate.*\n$/);
  });

  it('the service on a PostgreSQL server refuses, with DATABASE_TLS=verify, a certificate for another host', async () => {
    const { code, output } = await run({
      DATABASE_URL: postgres.url().replace('127.0.0.1', 'localhost'),
      DATABASE_TLS: 'verify',
      DATABASE_TLS_CA_FILE: join(certificates, 'authority.pem'),
    }).end();
    expect(code).toBe(1);
    expect(output).toContain('localhost');
    expect(output).toMatch(/^DATABASE_URL: cannot connect: .*\n$/);
  });

  it('the service on a PostgreSQL server migrates once when several processes start together on an empty database', async () => {
    const url = await postgres.createDatabase();
    const services = await Promise.all(
      ['one', 'two', 'three'].map((name) =>
        start({
          DATABASE_URL: url,
          DATABASE_APPLICATION_NAME: name,
          AUTH_SECRET: 'the same for all, 32 characters or more',
        }),
      ),
    );
    for (const { origin } of services) await signUp(origin);
    const names = await postgres.query<{ name: string }>('SELECT name FROM migrations', url);
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names.map(({ name }) => name)).size).toBe(names.length);
    expect(await postgres.query('SELECT 1 FROM users', url)).toHaveLength(3);
  });
});
