import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { useProcesses } from '../support/service-process.js';

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

  it('says where the API, the docs and the data are', async () => {
    const { api, output } = await start();
    expect(api).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
    expect(output).toContain(api.replace('/api/v1', '/docs'));
    expect(output).toContain(dataDir());
    const docs = await fetch(api.replace('/api/v1', '/docs/openapi.json'));
    expect(((await docs.json()) as { openapi: string }).openapi).toMatch(/^3\./);
  });

  it('keeps accounts and tokens over a clean stop and over SIGKILL', async () => {
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

  it('keeps the data and the made secret to its owner', async () => {
    await start();
    expect(statSync(dataDir()).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir(), 'auth-secret')).mode & 0o777).toBe(0o600);
  });

  it('refuses a second process on the same data', async () => {
    await start();
    const { code, output } = await run({}).end();
    expect(code).toBe(1);
    expect(output).toContain('in use by another process');
    expect(output).not.toContain('    at ');
  });

  it('names the port that is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, output } = await run({ PORT: String(port) }).end();
    server.close();
    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} is in use`);
  });

  it('names the host that is not its own', async () => {
    // An address that is kept free for examples.
    const { code, output } = await run({ HOST: '192.0.2.1' }).end();
    expect(code).toBe(1);
    expect(output).toMatch(/^HOST: .*192\.0\.2\.1/m);
  });

  it('reads .env in its working folder, and believes the environment first', async () => {
    writeFileSync(join(processes.folder, '.env'), 'LOG_LEVEL=loud\nPORT=eighty\n');
    const { code, output } = await run({}).end();
    expect(code).toBe(1);
    expect(output).toContain('LOG_LEVEL');
    expect(output).not.toContain('PORT');
  });

  it.each(['America/Mexico_City', 'Pacific/Kiritimati'])(
    'moves no date on a machine in %s',
    async (TZ) => {
      const { api } = await start({ TZ });
      await register(api);
      const headers = {
        Authorization: `Bearer ${await signIn(api)}`,
        'Content-Type': 'application/json',
      };
      const dates = { start_date: '2026-01-19', end_date: '2026-03-01' };
      const body = JSON.stringify({ name: 'Spring', income_amount: '1', ...dates });
      const made = await fetch(`${api}/cycles`, { method: 'POST', headers, body });
      expect(await made.json()).toMatchObject({
        ...dates,
        created_at: expect.stringMatching(/Z$/),
      });
      const listed = await fetch(`${api}/cycles`, { headers });
      expect(await listed.json()).toMatchObject({ cycles: [dates] });
      const rates = await fetch(`${api}/exchange-rates?date=2025-01-01`, { headers });
      expect(await rates.json()).toMatchObject({ rates: [{ rate_date: '2025-01-01' }] });
    },
  );

  it('names every wrong setting and touches nothing', async () => {
    const { code, output } = await run({ PORT: 'eighty', LOG_LEVEL: 'loud' }).end();
    expect(code).toBe(1);
    expect(output).toContain('PORT');
    expect(output).toContain('LOG_LEVEL');
    expect(existsSync(dataDir())).toBe(false);
  });
});
