import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const OTHER_NODE = fileURLToPath(new URL('../support/other-node.cjs', import.meta.url));

const { scripts, engines } = JSON.parse(readFileSync(`${PROJECT}/package.json`, 'utf8')) as {
  scripts: Record<string, string>;
  engines: { node: string };
};

function runOn(version: string, command: string): { status: number | null; output: string } {
  const { PATH } = process.env;
  const env = { PATH, NODE_OPTIONS: `--require ${OTHER_NODE}`, NODE_VERSION: version };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: PROJECT,
    env,
    timeout: 30_000,
  });
  return { status, output: `${stdout.toString()}${stderr.toString()}` };
}

const errorFor = (version: string): string =>
  `Node.js ${version} is not supported; required: ${engines.node}\n`;

describe('an unsupported version of Node.js', () => {
  // The other scripts call these, or need installed packages only.
  it.each(Object.entries(scripts).filter(([, command]) => command.startsWith('node ')))(
    'npm run %s reports it in one line',
    (_, command) => {
      const version = '18.20.4';
      expect(runOn(version, command)).toEqual({ status: 1, output: errorFor(version) });
    },
  );

  it.each(['6.17.1', '20.18.3', '21.7.3', '22.11.0'])('%s is refused', (version) => {
    const { status, output } = runOn(version, 'node -r ./scripts/check-node.cjs -p 1');
    expect({ status, output }).toEqual({ status: 1, output: errorFor(version) });
  });

  it.each(['20.19.0', '20.20.2', '22.12.0', '23.0.0', '24.21.0'])('%s is supported', (version) => {
    const { status, output } = runOn(version, 'node -r ./scripts/check-node.cjs -p 1');
    expect({ status, output }).toEqual({ status: 0, output: '1\n' });
  });
});

describe('the installation of packages', () => {
  const requiredPackage = { integrity: 'sha512-required' };
  const optionalPackage = { integrity: 'sha512-optional', optional: true };
  const lock = {
    packages: {
      '': {},
      'node_modules/required': requiredPackage,
      'node_modules/optional': optionalPackage,
    },
  };
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'install-test-'));
    cpSync(join(PROJECT, 'scripts/install.js'), join(folder, 'install.js'));
    mkdirSync(join(folder, 'node_modules'));
    mkdirSync(join(folder, 'bin'));
    // Prints its arguments instead of installing packages.
    writeFileSync(join(folder, 'bin/npm'), '#!/bin/sh\necho "npm $*"\nexit ${NPM_STATUS:-0}\n', {
      mode: 0o755,
    });
    write('package.json', { type: 'module' });
    write('package-lock.json', lock);
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  function write(path: string, content: object): void {
    writeFileSync(join(folder, path), JSON.stringify(content));
  }

  function run(
    file: string,
    env: NodeJS.ProcessEnv = {},
  ): { status: number | null; stdout: string; stderr: string } {
    const PATH = `${join(folder, 'bin')}:${process.env.PATH ?? ''}`;
    const options = { cwd: folder, env: { PATH, ...env } };
    const { status, stdout, stderr } = spawnSync('node', [file], options);
    return { status, stdout: stdout.toString(), stderr: stderr.toString() };
  }
  const install = (): ReturnType<typeof run> => run('install.js');

  const installs = {
    status: 0,
    stdout: '',
    stderr: expect.stringMatching(/^Installing packages \.\.\.\nnpm ci .*\n$/),
  };

  it('is not repeated while all packages are installed, regardless of file times', () => {
    write('node_modules/.package-lock.json', {
      packages: { 'node_modules/required': requiredPackage },
    });
    write('package-lock.json', { name: 'of another release', ...lock });
    expect(install()).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('runs if no package is installed, with its output on stderr', () => {
    expect(install()).toEqual(installs);
  });

  it('continues with the build after a successful installation only', () => {
    writeFileSync(join(folder, 'prepare.js'), "import './install.js';\nconsole.log('building');\n");
    expect(run('prepare.js')).toEqual({ ...installs, stdout: 'building\n' });
    expect(run('prepare.js', { NPM_STATUS: '3' })).toEqual({ ...installs, status: 3 });
  });

  it.each([
    [{ 'node_modules/optional': optionalPackage }],
    [{ 'node_modules/required': { integrity: 'sha512-changed' } }],
    [
      {
        'node_modules/required': requiredPackage,
        'node_modules/optional': { integrity: 'sha512-changed' },
      },
    ],
  ])('runs if other packages are installed: %j', (packages) => {
    write('node_modules/.package-lock.json', { packages });
    expect(install()).toEqual(installs);
  });
});
