import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { setTime } from '../../support/clock.js';
import { useService, type Service } from '../../support/service.js';

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const readme = read('README.md');
/** What is between the marks of a name in a document. */
const section = (name: string, document: string): string =>
  new RegExp(`<!-- ${name}:begin.*?-->(.*)<!-- ${name}:end -->`, 's').exec(document)?.[1] ?? '';
const readmeTour = section('tour', readme);
const tour = readmeTour + section('tour', read('docs/tour.md'));
const forecast = section('forecast', readme);

function blocks(language: string, document = tour): string {
  const found = document.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'));
  return [...found].map((block) => block[1]).join('');
}

/** Where curl is not installed, a script that takes the same arguments replaces it. */
function pathWithCurl(): string {
  const path = process.env.PATH ?? '';
  const hasCurl = spawnSync('curl', ['--version']).error === undefined;
  const replacement = fileURLToPath(new URL('../../support/bin', import.meta.url));
  return hasCurl ? path : replacement + delimiter + path;
}

/** Runs lines in a shell, for a service. */
async function runIn(
  { origin }: Service,
  lines: string,
  ...options: string[]
): Promise<{ printed: string; errors: string }> {
  const shell = spawn('sh', options, {
    env: { ...process.env, PATH: pathWithCurl(), API: `${origin}/api/v1`, TOKEN: '' },
    stdio: 'pipe',
  });
  shell.stdin.end(lines);
  const [printed, errors] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
  return { printed, errors };
}

describe('the tour of the README', () => {
  const service = useService();
  const paste = (...options: string[]) => runIn(service, blocks('sh'), ...options);

  it('the tour of the README prints the documented output, and at a second paste one line with the reason', async () => {
    expect(await paste('-eu')).toEqual({ printed: blocks('text'), errors: '' });
    const [, reason = ''] = /paste stops with `(.*?)`/.exec(readme) ?? [];
    expect(await paste()).toEqual({ printed: '', errors: `${reason}\n` });
  });
});

describe('the forecast of the README', () => {
  const service = useService();
  afterAll(() => {
    jest.useRealTimers();
  });

  it('the forecast of the README prints the documented output on its day', async () => {
    const [, day = ''] = /the one of ([\d-]{10})\./.exec(forecast) ?? [];
    setTime(`${day}T12:00:00Z`);
    const all = readmeTour + forecast;
    expect(await runIn(service, blocks('sh', all), '-eu')).toEqual({
      printed: blocks('text', all),
      errors: '',
    });
  });
});
