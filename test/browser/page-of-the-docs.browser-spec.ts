import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { useProcesses } from '../support/service-process.js';
import { buildClient, PROJECT, runInProject } from '../support/typescript-client.js';

const EXECUTABLE = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const SANDBOX = join(PROJECT, 'dist/src/operators/sandbox/main.js');
const WEB = join(PROJECT, 'examples/web');

const guide = readFileSync(join(PROJECT, 'docs/clients.md'), 'utf8');
const [, source = ''] = /<!-- page:begin.*?```tsx\n(.*?)```.*?<!-- page:end -->/s.exec(guide) ?? [];

const HTML = `<!doctype html><html lang="en"><head><title>Page</title><link rel="icon" href="data:,"></head>
<body><div id="root"></div><script type="module" src="/main.tsx"></script></body></html>`;

/** As in the template of Vite. */
const TYPE_CHECK =
  '--noEmit --strict --skipLibCheck --target es2023 --lib es2023,dom --module esnext' +
  ' --moduleResolution bundler --jsx react-jsx';

/** The page of docs/clients.md, compiled and bundled with the packages of the example front end. */
describe('the page in 30 minutes', () => {
  const processes = useProcesses(undefined, 'file');
  let server: Server;
  let browser: Browser;
  let url = '';

  beforeAll(async () => {
    const sandbox = processes.run({ PORT: '0' }, undefined, SANDBOX, ['--today', '2026-11-25']);
    await sandbox.waitForOutput('The data is lost');
    buildClient();
    runInProject('node scripts/prepare.cjs examples/web');
    const folder = join(processes.folder, 'page');
    mkdirSync(folder);
    symlinkSync(join(WEB, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'index.html'), HTML);
    const address = 'http://localhost:3000';
    expect(source).toContain(address);
    writeFileSync(join(folder, 'main.tsx'), source.replace(address, sandbox.origin));
    runInProject(`${WEB}/node_modules/.bin/tsc ${TYPE_CHECK} ${folder}/main.tsx`);
    runInProject(`${WEB}/node_modules/.bin/vite build ${folder} --logLevel error`);
    server = createServer(({ url: path = '/' }, response) => {
      const file = path === '/' ? '/index.html' : path;
      const type = file.endsWith('.js') ? 'text/javascript' : 'text/html';
      response.writeHead(200, { 'content-type': type }).end(readFileSync(folder + '/dist' + file));
    }).listen(0);
    await once(server, 'listening');
    url = `http://localhost:${(server.address() as AddressInfo).port}/`;
    browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
  }, 240_000);

  afterAll(async () => {
    await browser.close();
    server.close();
  });

  it('signs in, says what is free, pays and takes that back', async () => {
    const page = await browser.newPage();
    await page.goto(url);
    await page.getByLabel('E-mail').fill('ana@example.com');
    await page.getByLabel('Password').fill('wrong password');
    await page.keyboard.press('Enter');
    await page
      .getByRole('status')
      .filter({ hasText: /password/ })
      .waitFor();
    await page.getByLabel('Password').fill('sandbox-password');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '$668.04 free' }).waitFor();
    await page.getByText('until 27 Nov 2026').waitFor();
    const pay = page.getByRole('button', { name: 'Pay Water' });
    await pay.click();
    await page.getByText('Water paid').waitFor();
    await pay.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await pay.waitFor();
  });
});
