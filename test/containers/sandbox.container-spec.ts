import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { docker } from '../support/containers.js';
import { freePort } from '../support/ports.js';

const PROJECT_NAME = `expense-sandbox-test-${process.pid}`;

describe('examples/compose.yaml', () => {
  let sandbox = '';
  let web = '';
  let ports: Record<string, string>;

  const compose = (...args: string[]): Promise<string> =>
    docker(
      ['compose', '--project-name', PROJECT_NAME, '--file', 'examples/compose.yaml', ...args],
      ports,
    );

  beforeAll(async () => {
    ports = { SANDBOX_PORT: String(await freePort()), WEB_PORT: String(await freePort()) };
    sandbox = `http://localhost:${ports.SANDBOX_PORT ?? ''}`;
    web = `http://localhost:${ports.WEB_PORT ?? ''}`;
    await compose('up', '--build', '--detach', '--wait');
  });

  afterAll(() => compose('down', '--volumes'));

  it('examples/compose.yaml serves the front end, which was built for the address of the sandbox', async () => {
    const page = await (await fetch(web)).text();
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
    expect(await (await fetch(web + script)).text()).toContain(sandbox);
    // A path within the application.
    expect(await (await fetch(`${web}/reset-password`)).text()).toBe(page);
  });

  it('examples/compose.yaml lets the front end call the sandbox, which prints its account and a token', async () => {
    const login = await fetch(`${sandbox}/api/v1/auth/login`, {
      method: 'POST',
      headers: { Origin: web },
      body: new URLSearchParams({ username: 'ana@example.com', password: 'sandbox-password' }),
    });
    expect(login.status).toBe(200);
    expect(login.headers.get('Access-Control-Allow-Origin')).toBe(web);
    const log = await compose('logs', '--no-log-prefix', 'sandbox');
    const [, token = ''] = /Token +(\S+)/.exec(log) ?? [];
    expect(log).toContain(`Token     ${token}`);
    const me = await fetch(`${sandbox}/api/v1/auth/me`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(me.status).toBe(200);
  });
});
