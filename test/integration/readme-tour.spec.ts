import { describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useService } from '../support/service.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const tour = /<!-- tour:begin.*?-->(.*)<!-- tour:end -->/s.exec(readme)?.[1] ?? '';

function blocks(language: string): string {
  const found = tour.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'));
  return [...found].map((block) => block[1]).join('');
}

/** Where curl is not installed, a script that takes the same arguments replaces it. */
function pathWithCurl(): string {
  const path = process.env.PATH ?? '';
  const hasCurl = spawnSync('curl', ['--version']).error === undefined;
  const replacement = fileURLToPath(new URL('../support/bin', import.meta.url));
  return hasCurl ? path : replacement + delimiter + path;
}

describe('the tour of the README', () => {
  const service = useService();

  it('prints the documented output', async () => {
    const { port } = service.server.address() as AddressInfo;
    const shell = spawn('sh', ['-eu'], {
      env: {
        ...process.env,
        PATH: pathWithCurl(),
        API: `http://127.0.0.1:${port}/api/v1`,
        TOKEN: '',
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let printed = '';
    shell.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    shell.stdin.end(blocks('sh'));
    const [code] = (await once(shell, 'close')) as [number];
    expect({ code, printed }).toEqual({ code: 0, printed: blocks('text') });
  });
});
