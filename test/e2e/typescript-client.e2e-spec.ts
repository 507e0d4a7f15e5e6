import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useProcesses } from '../support/service-process.js';
import {
  buildClient,
  CLIENT_FOLDER,
  CLIENT_PACKAGES,
  exampleOf,
  PROJECT,
  runInProject,
} from '../support/typescript-client.js';

const SANDBOX = fileURLToPath(new URL('../../dist/src/operators/sandbox/main.js', import.meta.url));

const readme = readFileSync(join(CLIENT_FOLDER, 'README.md'), 'utf8');
/** What is between the marks of a name. */
const section = (name: string): string =>
  new RegExp(`<!-- ${name}:begin.*?-->(.*)<!-- ${name}:end -->`, 's').exec(readme)?.[1] ?? '';
const tour = section('tour');

function blocks(language: string, document = tour): string {
  const found = document.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'));
  return [...found].map((block) => block[1]).join('');
}

/** Without the lock of other commands that run meanwhile. */
const filesOfClone = (): string[] =>
  [...readdirSync(PROJECT), ...readdirSync(CLIENT_FOLDER)].filter(
    (file) => file !== '.prepare-lock',
  );

describe('the package of the TypeScript client', () => {
  const processes = useProcesses();
  /** An application that has the package installed. */
  let application: string;
  let leftByPack: string[];

  beforeAll(() => {
    application = mkdtempSync(join(tmpdir(), 'client-test-'));
    const packages = join(application, 'node_modules');
    mkdirSync(join(packages, 'expense-service-client'), { recursive: true });
    buildClient();
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
      symlinkSync(join(CLIENT_PACKAGES, name), join(packages, name));
    }
    const before = filesOfClone();
    const [command = ''] = /^npm pack .*$/m.exec(readme) ?? [];
    const archive = runInProject(command.replace('../my-application', application)).trim();
    leftByPack = filesOfClone().filter((file) => !before.includes(file));
    runInProject(
      `tar -xzf '${join(application, archive)}' -C '${packages}/expense-service-client' --strip-components 1`,
    );
    writeFileSync(join(application, 'package.json'), '{"type": "module"}');
  }, 240_000);

  afterAll(() => rmSync(application, { recursive: true }));

  it('the packing of the TypeScript client, as its README shows it, leaves no file in the clone', () => {
    expect(leftByPack).toEqual([]);
  });

  it('the package of the TypeScript client has its changelog and a licence field', () => {
    const folder = join(application, 'node_modules/expense-service-client');
    expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toMatch(/^# Changelog/);
    const { license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      license?: string;
    };
    expect(license).toMatch(/\w/);
  });

  it.each([
    ['nodenext', '--module nodenext'],
    ['bundler', '--module esnext --moduleResolution bundler'],
    ['node10', '--module es2022 --moduleResolution node10'],
  ])(
    'the package of the TypeScript client has declarations with which the examples of its README compile with the module resolution %s',
    (_, resolution) => {
      writeFileSync(join(application, 'tour.ts'), blocks('ts', tour));
      const pages = ['sign-in-page', 'reset-page'];
      for (const page of pages) {
        expect(exampleOf(page, 'ts')).not.toBe('');
        writeFileSync(join(application, `${page}.ts`), exampleOf(page, 'ts'));
      }
      const helpers = ['amounts', 'dates', 'messages', 'queries', 'forecast', 'budgets', 'card'];
      const declared = "declare const client: import('expense-service-client').ExpenseClient;";
      for (const name of helpers) {
        expect(exampleOf(name, 'ts')).not.toBe('');
        writeFileSync(
          join(application, `${name}.ts`),
          `${declared}\nexport {};\n${exampleOf(name, 'ts')}`,
        );
      }
      const files = ['tour', ...pages, ...helpers].map((name) => `${name}.ts`);
      const options = `--noEmit --strict --target es2022 --lib es2022,dom ${resolution}`;
      const compiler = join(CLIENT_PACKAGES, 'typescript/bin/tsc');
      const args = [compiler, ...options.split(' '), ...files];
      const { stdout } = spawnSync('node', args, { cwd: application, encoding: 'utf8' });
      expect(stdout).toBe('');
    },
    240_000,
  );

  it('the package of the TypeScript client prints the documented output of the tour in the sandbox', async () => {
    const sandbox = processes.run({ PORT: '0' }, undefined, SANDBOX);
    await sandbox.waitForOutput('The data is lost');
    const code = blocks('ts').replace('http://localhost:3000', sandbox.origin);
    writeFileSync(join(application, 'tour.mjs'), code);
    const run = spawn('node', ['tour.mjs'], {
      cwd: application,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    run.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const [exitCode] = (await once(run, 'close')) as [number];
    expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: blocks('text') });
  });
});
