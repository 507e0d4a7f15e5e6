import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useProcesses } from '../support/service-process.js';
import {
  buildClient,
  CLIENT_FOLDER,
  CLIENT_PACKAGES,
  runInProject,
} from '../support/typescript-client.js';

const SANDBOX = fileURLToPath(new URL('../../dist/src/operators/sandbox/main.js', import.meta.url));

const readme = readFileSync(join(CLIENT_FOLDER, 'README.md'), 'utf8');
const tour = /<!-- tour:begin.*?-->(.*)<!-- tour:end -->/s.exec(readme)?.[1] ?? '';

function blocks(language: string): string {
  const found = tour.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'));
  return [...found].map((block) => block[1]).join('');
}

describe('the package of the TypeScript client', () => {
  const processes = useProcesses();
  /** An application that has the package installed. */
  let application: string;

  beforeAll(() => {
    application = mkdtempSync(join(tmpdir(), 'client-test-'));
    const packages = join(application, 'node_modules');
    mkdirSync(join(packages, 'expense-service-client'), { recursive: true });
    buildClient();
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
      symlinkSync(join(CLIENT_PACKAGES, name), join(packages, name));
    }
    const pack = `npm pack ./clients/typescript --pack-destination '${application}' --json`;
    const [{ filename }] = JSON.parse(runInProject(pack)) as [{ filename: string }];
    const archive = join(application, filename);
    runInProject(
      `tar -xzf '${archive}' -C '${packages}/expense-service-client' --strip-components 1`,
    );
    writeFileSync(join(application, 'package.json'), '{"type": "module"}');
  }, 240_000);

  afterAll(() => rmSync(application, { recursive: true }));

  it('has declarations with which the tour of its README compiles', () => {
    writeFileSync(join(application, 'tour.ts'), blocks('ts'));
    const options = '--noEmit --strict --module nodenext --target es2022 --lib es2022,dom';
    const compiler = join(CLIENT_PACKAGES, 'typescript/bin/tsc');
    const args = [compiler, ...options.split(' '), 'tour.ts'];
    const { stdout } = spawnSync('node', args, { cwd: application, encoding: 'utf8' });
    expect(stdout).toBe('');
  }, 240_000);

  it('prints the documented output of the tour in the sandbox', async () => {
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
