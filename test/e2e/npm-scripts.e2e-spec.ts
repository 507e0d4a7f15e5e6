import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const OTHER_NODE = fileURLToPath(new URL('../support/other-node.cjs', import.meta.url));

const { scripts, engines } = JSON.parse(readFileSync(`${PROJECT}/package.json`, 'utf8')) as {
  scripts: Record<string, string>;
  engines: { node: string };
};

interface Result {
  status: number | null;
  stdout: string;
  stderr: string;
}

function runIn(cwd: string, command: string, env: NodeJS.ProcessEnv): Result {
  const options = { cwd, env: { PATH: process.env.PATH, ...env }, timeout: 30_000 };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], options);
  return { status, stdout: stdout.toString(), stderr: stderr.toString() };
}

const runOn = (version: string, command: string): Result =>
  runIn(PROJECT, command, { NODE_OPTIONS: `--require ${OTHER_NODE}`, NODE_VERSION: version });

const refusalOf = (version: string): Result => ({
  status: 1,
  stdout: '',
  stderr: `Node.js ${version} is not supported: install version 20.19, 22.12 or a newer one\n`,
});

describe('an unsupported version of Node.js', () => {
  it('an unsupported version of Node.js is one that package.json excludes', () => {
    expect(engines.node).toBe('^20.19.0 || >=22.12.0');
  });

  // The other scripts call these, or need installed packages only.
  it.each(Object.entries(scripts).filter(([, command]) => command.startsWith('node ')))(
    'npm run %s reports it in one line',
    (_, command) => {
      expect(runOn('18.20.4', command)).toEqual(refusalOf('18.20.4'));
    },
  );

  it.each(['6.17.1', '20.18.3', '21.7.3', '22.11.0'])('%s is refused', (version) => {
    expect(runOn(version, 'node scripts/prepare.cjs')).toEqual(refusalOf(version));
  });

  it.each(['20.19.0', '20.20.2', '22.12.0', '23.0.0', '24.21.0'])('%s is supported', (version) => {
    expect(runOn(version, 'node scripts/prepare.cjs').status).toBe(0);
  });
});

describe('the installation of packages', () => {
  const required = { integrity: 'sha512-required' };
  const optional = { integrity: 'sha512-optional', optional: true };
  const lock = {
    packages: { '': {}, 'node_modules/required': required, 'node_modules/optional': optional },
  };
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'install-test-'));
    cpSync(join(PROJECT, 'scripts/prepare.cjs'), join(folder, 'prepare.cjs'));
    write('bin/npm', '#!/bin/sh\necho "npm $*"\nexit ${NPM_STATUS:-0}\n', 0o755);
    write('node_modules/typescript/bin/tsc', "console.log('compiling')");
    write('scripts/create-empty-cluster.js', '');
    for (const each of ['', 'tools/']) write(`${each}package-lock.json`, JSON.stringify(lock));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  function write(path: string, text: string, mode?: number): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode });
  }

  /** npm records the installed packages in a file. */
  const installed = (packages: object, parent = ''): void =>
    write(`${parent}node_modules/.package-lock.json`, JSON.stringify({ packages }));

  /** Runs it with an npm that prints its arguments. */
  const prepare = (args = '', env: NodeJS.ProcessEnv = {}): Result =>
    runIn(folder, `node prepare.cjs ${args}`, {
      PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}`,
      ...env,
    });

  const built = 'Building ...\ncompiling\n';

  it('the installation of packages precedes the build, with its output on stderr', () => {
    const { stderr, ...rest } = prepare();
    expect(rest).toEqual({ status: 0, stdout: '' });
    expect(stderr).toMatch(/^Installing packages \.\.\.\nnpm ci .*\nBuilding \.\.\.\ncompiling\n$/);
  });

  it('the installation of packages ends the command if it fails', () => {
    const { status, stderr } = prepare('', { NPM_STATUS: '3' });
    expect(status).toBe(3);
    expect(stderr).not.toContain('compiling');
  });

  it('the installation of packages is not repeated while all packages are installed, regardless of file times', () => {
    installed({ 'node_modules/required': required });
    write('package-lock.json', JSON.stringify({ name: 'of another release', ...lock }));
    expect(prepare()).toEqual({ status: 0, stdout: '', stderr: built });
  });

  it.each([
    ['none', {}],
    ['another version', { 'node_modules/required': { integrity: 'sha512-changed' } }],
    ['only an optional one', { 'node_modules/optional': optional }],
  ])('the installation of packages is repeated if there is %s', (_, packages) => {
    installed(packages);
    expect(prepare().stderr).toMatch(/^Installing packages \.\.\.\nnpm ci /);
  });

  it('the installation of packages is that of another folder, without a build, if the argument names one', () => {
    expect(prepare('tools').stderr).toMatch(/^Installing packages of tools \.\.\.\nnpm ci .*\n$/);
    installed({ 'node_modules/required': required }, 'tools/');
    expect(prepare('tools')).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
