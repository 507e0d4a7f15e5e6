import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
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

  it.each(['20.19.0', '20.20.2', '22.12.0', '23.0.0', '24.22.3'])('%s is supported', (version) => {
    expect(runOn(version, 'node scripts/prepare.cjs').status).toBe(0);
  });
});

/** Adds its arguments to the file COMMANDS. */
const FAKE_NPM = `#!/bin/sh
echo "npm $*" >> "$COMMANDS"
[ -z "$NPM_ERROR" ] || { echo "npm error $NPM_ERROR" >&2; exit 3; }
`;

/** A script that adds a line to the file COMMANDS. */
const logged = (line: string): string =>
  `require('fs').appendFileSync(process.env.COMMANDS, ${line} + '\\n')`;

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
    write('bin/npm', FAKE_NPM, 0o755);
    write('node_modules/typescript/bin/tsc', logged("'tsc ' + process.argv.slice(2).join(' ')"));
    write('scripts/create-empty-cluster.js', logged("'empty database'"));
    write('package.json', JSON.stringify({ dependencies: { '@electric-sql/pglite': '1.2.3' } }));
    write('empty-cluster/pglite-1.2.3.tar.gz', '');
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

  /** What was run, one command a line. */
  const commands = (): string => readFileSync(join(folder, 'commands'), 'utf8');

  /** Runs it with an npm that does nothing, or fails with NPM_ERROR. */
  const prepare = (args = '', env: NodeJS.ProcessEnv = {}): Result =>
    runIn(folder, `node prepare.cjs ${args}`, {
      PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}`,
      COMMANDS: join(folder, 'commands'),
      ...env,
    });

  const done = expect.stringMatching(
    /^Building \(.* seconds\) \.{3}\nDone in \d+ s\n$/,
  ) as unknown as string;

  it('the installation of packages precedes the build and the empty database, with their durations on stderr', () => {
    rmSync(join(folder, 'empty-cluster'), { recursive: true });
    const { stderr, ...rest } = prepare();
    expect(rest).toEqual({ status: 0, stdout: '' });
    expect(stderr.replaceAll(/in \d+ s/g, 'in N s').split('\n')).toEqual([
      '1/3 Installing 1 packages (a download of 160 MB, 330 MB on disk; one to two minutes) ...',
      '1/3 Done in N s',
      '2/3 Building (10 to 30 seconds) ...',
      '2/3 Done in N s',
      '3/3 Creating an empty database (about 10 seconds) ...',
      '3/3 Done in N s',
      '',
    ]);
    expect(commands()).toMatch(/^npm ci --include=dev .*\ntsc --build .*\nempty database\n$/);
  });

  it('the installation of packages says that it goes on', () => {
    write('bin/npm', '#!/bin/sh\nsleep 21\n', 0o755);
    const { status, stderr } = prepare('tools');
    expect(status).toBe(0);
    expect(stderr).toMatch(
      /\.{3}\nStill at work after 10 s\nStill at work after 2\d s\nDone in 2\d s\n$/,
    );
  }, 60_000);

  it('the installation of packages is not repeated while all packages are installed, regardless of file times', () => {
    installed({ 'node_modules/required': required });
    write('package-lock.json', JSON.stringify({ name: 'of another release', ...lock }));
    expect(prepare()).toEqual({ status: 0, stdout: '', stderr: done });
    mkdirSync(join(folder, 'dist'));
    expect(prepare()).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it.each([
    ['none', {}],
    ['another version', { 'node_modules/required': { integrity: 'sha512-changed' } }],
    ['only an optional one', { 'node_modules/optional': optional }],
  ])('the installation of packages is repeated if there is %s', (_, packages) => {
    installed(packages);
    expect(prepare().stderr).toMatch(/^1\/2 Installing 1 packages /);
  });

  it('the installation of packages is that of another folder, without a build, if the argument names one', () => {
    expect(prepare('tools').stderr).toMatch(
      /^Installing 1 packages of tools \.{3}\nDone in \d+ s\n$/,
    );
    installed({ 'node_modules/required': required }, 'tools/');
    expect(prepare('tools')).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(commands()).toMatch(/^npm ci .*\n$/);
  });

  it.each([
    ['ENOSPC: no space left on device, write', 'The disk is full: free 600 MB'],
    ["EACCES: permission denied, mkdir '/app/node_modules/x'", 'Files cannot be written'],
    ['getaddrinfo EAI_AGAIN registry.example.com', 'The package registry cannot be reached'],
    ['network request failed, reason: ECONNREFUSED', 'The package registry cannot be reached'],
    ['code SELF_SIGNED_CERT_IN_CHAIN', 'A proxy replaces the certificates'],
  ])('the installation of packages that fails with %s says what to do', (error, advice) => {
    const { status, stdout, stderr } = prepare('', { NPM_ERROR: error });
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    const [title, output, empty, first] = stderr.split('\n');
    expect(title).toMatch(/^1\/2 Installing 1 packages /);
    expect([output, empty]).toEqual([`npm error ${error}`, '']);
    expect(first).toContain(advice);
    expect(commands()).not.toContain('tsc');
  });

  it('the installation of packages that fails for another reason shows the output alone', () => {
    expect(prepare('tools', { NPM_ERROR: 'other' })).toEqual({
      status: 3,
      stdout: '',
      stderr: 'Installing 1 packages of tools ...\nnpm error other\n',
    });
  });

  it('the installation of packages fails if npm warns of files that it could not write, and is repeated', () => {
    installed({ 'node_modules/required': required }, 'tools/');
    write('tools/package-lock.json', JSON.stringify({ packages: { other: required } }));
    write('bin/npm', `#!/bin/sh\nyes 'TAR_ENTRY_ERROR ENOSPC' | head -n 9\n`, 0o755);
    const { status, stderr } = prepare('tools');
    expect(status).toBe(1);
    expect(stderr).toMatch(/\.{3}\n(TAR_ENTRY_ERROR ENOSPC\n){3}\nThe disk is full/);
    expect(existsSync(join(folder, 'tools/node_modules/.package-lock.json'))).toBe(false);
  });

  it('the installation of packages that the system kills may lack memory', () => {
    write('bin/npm', '#!/bin/sh\nkill -9 $$\n', 0o755);
    const { status, stderr } = prepare('tools');
    expect(status).not.toBe(0);
    expect(stderr).toContain('It takes up to 1 GB of memory');
  });

  it('a build or an empty database that cannot be written says what to do', () => {
    installed({ 'node_modules/required': required });
    write('node_modules/typescript/bin/tsc', "console.log('TS5033: EACCES'); process.exit(2)");
    expect(prepare()).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('sudo chown -R') as unknown as string,
    });
    mkdirSync(join(folder, 'dist'));
    rmSync(join(folder, 'empty-cluster'), { recursive: true });
    write('node_modules/typescript/bin/tsc', '');
    write('scripts/create-empty-cluster.js', "throw new Error('ENOSPC')");
    expect(prepare()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('The disk is full') as unknown as string,
    });
  });
});
