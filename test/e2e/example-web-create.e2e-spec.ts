import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT, runInProject } from '../support/typescript-client.js';

/** Longer than an installation on a slow network. */
const INSTALLATION_MS = 400_000;

describe('a project that is made from the example front end', () => {
  const folder = mkdtempSync(join(tmpdir(), 'create-web-'));
  const project = join(folder, 'My Page');

  /** Without what Jest sets for its tests. */
  function run(command: string): string {
    const env = { ...process.env, NODE_ENV: undefined, JEST_WORKER_ID: undefined };
    const options = { shell: true, cwd: project, encoding: 'utf8', env } as const;
    const { status, stdout, stderr } = spawnSync(command, options);
    if (status !== 0) throw new Error(`${command}\n${stdout}${stderr}`);
    return stdout;
  }

  beforeAll(() => {
    runInProject(`npm run -s example:web:create -- '${project}'`);
    run('npm install --ignore-scripts --no-audit --no-fund');
  }, INSTALLATION_MS);

  afterAll(() => rmSync(folder, { recursive: true }));

  it('a project that is made from the example front end has a name and documents of its own', () => {
    const read = (file: string): string => readFileSync(join(project, file), 'utf8');
    expect(JSON.parse(read('package.json'))).toMatchObject({ name: 'my-page' });
    expect(read('README.md')).toMatch(/^# my-page\n[^]*^## Its code$/m);
    expect(read('README.md')).not.toContain('../');
    expect(read('package-lock.json')).not.toContain('clients/typescript');
    expect(read('vite.config.ts')).not.toContain('../..');
  });

  it('a project that is made from the example front end compiles, passes its tests and builds', () => {
    run('npm run check');
    expect(run('npm test')).toMatch(/Tests .*passed/);
    run('npm run build');
    expect(existsSync(join(project, 'dist/sw.js'))).toBe(true);
  }, 300_000);

  it('a project that is made from the example front end replaces nothing', () => {
    const again = `npm run -s example:web:create -- '${project}'`;
    const { status, stderr } = spawnSync(again, { shell: true, cwd: PROJECT, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('is not empty')]);
  });
});
