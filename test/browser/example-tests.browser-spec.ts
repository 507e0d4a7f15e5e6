import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/ports.js';
import { useProcesses } from '../support/service-process.js';
import { PROJECT, runInProject } from '../support/typescript-client.js';

const SANDBOX = join(PROJECT, 'dist/src/operators/sandbox/main.js');
const TESTS = 'examples/tests/playwright';

describe('the example tests with Playwright', () => {
  const processes = useProcesses(undefined, 'file');
  let vite: ChildProcess;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    const sandbox = processes.run({ PORT: '0' }, undefined, SANDBOX);
    await sandbox.waitForOutput('The data is lost');
    const port = await freePort();
    env = {
      ...process.env,
      CHROMIUM_PATH: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      SANDBOX_URL: sandbox.origin,
      VITE_API_URL: sandbox.origin,
      WEB_URL: `http://localhost:${port}`,
      NO_COLOR: '1',
      // Playwright refuses to run within Jest, which it recognizes by this.
      JEST_WORKER_ID: undefined,
    };
    // A process group of its own, so that Vite ends with npm.
    vite = spawn('npm', ['run', '-s', 'example:web', '--', '--port', String(port)], {
      cwd: PROJECT,
      detached: true,
      env,
    });
    let output = '';
    vite.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await eventually('the address of the page', () => output.includes(`:${port}/`), 180_000);
    runInProject(`node scripts/prepare.cjs ${TESTS}`);
  }, 400_000);

  afterAll(async () => {
    const ended = once(vite, 'exit');
    if (vite.pid !== undefined) process.kill(-vite.pid);
    await ended;
  });

  it('the example tests with Playwright compile', () => {
    expect(runInProject(`npm run -s check --prefix ${TESTS}`)).toBe('');
  });

  it('the example tests with Playwright pass', () => {
    const options = { cwd: join(PROJECT, TESTS), env, encoding: 'utf8' } as const;
    const { stdout } = spawnSync('npm', ['test', '-s', '--', '--reporter=list'], options);
    expect(stdout).toMatch(/^\s+2 passed/m);
  });
});
