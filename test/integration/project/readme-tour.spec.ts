import { describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { delimiter } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { useService } from '../../support/service.js';

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const readme = read('README.md');
const tour = [readme, read('docs/tour.md')]
  .map((document) => /<!-- tour:begin.*?-->(.*)<!-- tour:end -->/s.exec(document)?.[1] ?? '')
  .join('');

function blocks(language: string): string {
  const found = tour.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'));
  return [...found].map((block) => block[1]).join('');
}

/** Where curl is not installed, a script that takes the same arguments replaces it. */
function pathWithCurl(): string {
  const path = process.env.PATH ?? '';
  const hasCurl = spawnSync('curl', ['--version']).error === undefined;
  const replacement = fileURLToPath(new URL('../../support/bin', import.meta.url));
  return hasCurl ? path : replacement + delimiter + path;
}

describe('the tour of the README', () => {
  const service = useService();

  async function paste(...options: string[]): Promise<{ printed: string; errors: string }> {
    const { port } = service.server.address() as AddressInfo;
    const shell = spawn('sh', options, {
      env: {
        ...process.env,
        PATH: pathWithCurl(),
        API: `http://127.0.0.1:${port}/api/v1`,
        TOKEN: '',
      },
      stdio: 'pipe',
    });
    shell.stdin.end(blocks('sh'));
    const [printed, errors] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
    return { printed, errors };
  }

  it('the tour of the README prints the documented output, and at a second paste one line with the reason', async () => {
    expect(await paste('-eu')).toEqual({ printed: blocks('text'), errors: '' });
    const [, reason = ''] = /paste stops with `(.*?)`/.exec(readme) ?? [];
    expect(await paste()).toEqual({ printed: '', errors: `${reason}\n` });
  });
});
