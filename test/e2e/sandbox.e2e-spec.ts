import { describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { useProcesses, type ServiceProcess } from '../support/service-process.js';

const MAIN = fileURLToPath(new URL('../../dist/src/operators/sandbox/main.js', import.meta.url));

describe('the sandbox', () => {
  const processes = useProcesses();

  const run = (env: Record<string, string> = {}): ServiceProcess =>
    processes.run({ PORT: '0', ...env }, undefined, MAIN);

  const printed = ({ stdout }: ServiceProcess, name: string): string =>
    new RegExp(`^${name} +(\\S+)$`, 'm').exec(stdout)?.[1] ?? '';

  it('the sandbox serves a household of which it prints the account and a token', async () => {
    const sandbox = run();
    await sandbox.waitForOutput('The data is lost');
    const api = printed(sandbox, 'API');
    const token = printed(sandbox, 'Token');
    const cycles = await fetch(`${api}/cycles`, { headers: { Authorization: `Bearer ${token}` } });
    const body = (await cycles.json()) as { cycles: { status: string }[] };
    expect(body.cycles.map(({ status }) => status).slice(0, 3)).toEqual([
      'draft',
      'active',
      'completed',
    ]);
    expect(sandbox.stdout).toContain('has a budget over its limit in the active cycle');

    const account = {
      username: printed(sandbox, 'E-mail'),
      password: printed(sandbox, 'Password'),
    };
    const login = await fetch(`${api}/auth/login`, {
      method: 'POST',
      body: new URLSearchParams(account),
    });
    expect(login.status).toBe(200);
    // Without rate limits.
    expect(login.headers.get('RateLimit')).toBeNull();
    expect((await fetch(printed(sandbox, 'Docs'))).status).toBe(200);
    expect(await sandbox.stop()).toBe(0);
  });

  it('the sandbox prints the mail with the link of a password reset', async () => {
    const sandbox = run();
    await sandbox.waitForOutput('The data is lost');
    const post = (path: string, body: object): Promise<Response> =>
      fetch(printed(sandbox, 'API').replace('/api/v1', `/account/${path}`), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const email = printed(sandbox, 'E-mail');
    expect((await post('password-reset', { email })).status).toBe(202);
    await sandbox.waitForOutput(`To: ${email}`);
    const page = /^http:\/\/localhost:5173\/reset-password#([\w-]{43})$/m;
    await sandbox.waitForOutput(page);
    const [, token] = page.exec(sandbox.stdout) ?? [];
    const body = { token, new_password: 'a better horse battery' };
    expect((await post('password-reset/confirm', body)).status).toBe(204);
    expect(await sandbox.stop()).toBe(0);
  });

  it('the sandbox allows scripts of every origin on localhost and of no other', async () => {
    const sandbox = run();
    await sandbox.waitForOutput('The data is lost');
    const origins = [
      ...['http://localhost:5173', 'https://localhost', 'http://app.localhost:3000'],
      ...['http://127.0.0.1:8080', 'http://[::1]:4200'],
      ...['http://localhost.example', 'http://evil-localhost', 'http://127.0.0.1.example', 'null'],
    ];
    const allowed = [];
    for (const origin of origins) {
      const { headers } = await fetch(printed(sandbox, 'API').replace('api/v1', 'health/live'), {
        headers: { Origin: origin },
      });
      if (headers.get('Access-Control-Allow-Origin') === origin) allowed.push(origin);
    }
    expect(allowed).toEqual(origins.slice(0, 5));
  });

  it.each([
    [{ DATABASE_URL: 'postgres://localhost/app' }, 'The sandbox does not run with DATABASE_URL\n'],
    [{ NODE_ENV: 'production' }, 'The sandbox does not run with NODE_ENV=production\n'],
  ])('the sandbox refuses %j', async (env, output) => {
    expect(await run(env).end()).toEqual({ code: 1, output });
  });
});
