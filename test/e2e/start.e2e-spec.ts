import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
const ACCOUNT = { email: 'ana@example.com', password: 'correct horse battery' };

interface Run {
  process: ChildProcess;
  output: () => string;
}

describe('the service as a process', () => {
  let dataDir: string;
  const runs: Run[] = [];

  beforeEach(() => {
    dataDir = join(mkdtempSync(join(tmpdir(), 'start-test-')), 'data');
  });

  afterEach(async () => {
    for (const run of runs.splice(0)) await stop(run, 'SIGKILL');
    rmSync(join(dataDir, '..'), { recursive: true });
  });

  /** Like a fresh machine: only what the test says is set. */
  function run(env: Record<string, string>): Run {
    const child = spawn(process.execPath, [MAIN], {
      cwd: join(dataDir, '..'),
      env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, ...env },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const started = { process: child, output: () => output };
    runs.push(started);
    return started;
  }

  async function start(env: Record<string, string> = {}): Promise<Run & { api: string }> {
    const started = run(env);
    const { stdout } = started.process;
    while (!started.output().includes('Data ')) {
      if (!stdout || started.process.exitCode !== null) throw new Error(started.output());
      await Promise.race([once(stdout, 'data'), once(started.process, 'exit')]);
    }
    const api = /API\s+(http:\S+)/.exec(started.output())?.[1] ?? '';
    return { ...started, api };
  }

  async function stop(started: Run, signal: NodeJS.Signals): Promise<number | null> {
    const { process: child } = started;
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, 'exit');
    }
    return child.exitCode;
  }

  async function exit(started: Run): Promise<{ code: number; output: string }> {
    const [code] = (await once(started.process, 'close')) as [number];
    return { code, output: started.output() };
  }

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
    expect(output()).toContain(api.replace('/api/v1', '/docs'));
    expect(output()).toContain(dataDir);
    const docs = await fetch(api.replace('/api/v1', '/docs/openapi.json'));
    expect(((await docs.json()) as { openapi: string }).openapi).toMatch(/^3\./);
  });

  it('keeps accounts and tokens over a clean stop and over SIGKILL', async () => {
    const first = await start();
    expect(await register(first.api)).toBe(201);
    const token = await signIn(first.api);
    expect(await stop(first, 'SIGTERM')).toBe(0);

    const second = await start();
    expect(await statusOfMe(second.api, token)).toBe(200);
    await stop(second, 'SIGKILL');

    const third = await start();
    expect(await statusOfMe(third.api, token)).toBe(200);
    expect(await register(third.api)).toBe(409);
  });

  it('keeps the data and the made secret to its owner', async () => {
    await start();
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'auth-secret')).mode & 0o777).toBe(0o600);
  });

  it('refuses a second process on the same data', async () => {
    await start();
    const { code, output } = await exit(run({}));
    expect(code).toBe(1);
    expect(output).toContain('in use by another process');
    expect(output).not.toContain('    at ');
  });

  it('names the port that is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, output } = await exit(run({ PORT: String(port) }));
    server.close();
    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} is in use`);
  });

  it('names the host that is not its own', async () => {
    // An address that is kept free for examples.
    const { code, output } = await exit(run({ HOST: '192.0.2.1' }));
    expect(code).toBe(1);
    expect(output).toMatch(/^HOST: .*192\.0\.2\.1/m);
  });

  it('reads .env in its working folder, and believes the environment first', async () => {
    writeFileSync(join(dataDir, '..', '.env'), 'LOG_LEVEL=loud\nPORT=eighty\n');
    const { code, output } = await exit(run({}));
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
    const { code, output } = await exit(run({ PORT: 'eighty', LOG_LEVEL: 'loud' }));
    expect(code).toBe(1);
    expect(output).toContain('PORT');
    expect(output).toContain('LOG_LEVEL');
    expect(existsSync(dataDir)).toBe(false);
  });
});
