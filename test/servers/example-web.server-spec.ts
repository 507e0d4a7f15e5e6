import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { TEST_PASSWORD } from '../support/client.js';
import { buildExampleWeb, launchChromium } from '../support/example-web.js';
import { freePort } from '../support/ports.js';
import { Nginx } from '../support/servers.js';
import { useProcesses } from '../support/service-process.js';
import { PROJECT } from '../support/typescript-client.js';

const SITE = readFileSync(join(PROJECT, 'examples/web/nginx.conf'), 'utf8');

/** The settings of a site, apart from those of its own addresses. */
const proxySettings = (site: string): string[] =>
  Array.from(
    site.matchAll(/^ *((?:proxy_(?!pass)|client_|keepalive|gzip).*;)/gm),
    ([, it = '']) => it,
  );

describe('the example front end behind nginx', () => {
  const processes = useProcesses(undefined, 'file');
  let nginx: Nginx;
  let browser: Browser;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const folder = join(processes.folder, 'web');
    buildExampleWeb(folder, '');
    // nginx runs as another user, and opening an embedded database has restricted the umask.
    chmodSync(processes.folder, 0o711);
    execFileSync('chmod', ['-R', 'a+rX', folder]);
    const service = await processes.start({ PUBLIC_URL: url, TRUST_PROXY: '1' });
    const site = SITE.replace('listen 80;', `listen ${port};`)
      .replace('127.0.0.1:3000', new URL(service.origin).host)
      .replace('/var/www/expenses', folder);
    nginx = await Nginx.start(site, port);
    browser = await launchChromium();
  }, 300_000);

  afterAll(async () => {
    await browser.close();
    await nginx.remove();
  });

  it('the example front end behind nginx registers an account, also from the address of a page', async () => {
    const page = await browser.newPage({ locale: 'en-GB' });
    const problems: string[] = [];
    const origins = new Set<string>();
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (line) => {
      if (line.type() === 'error') problems.push(line.text());
    });
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'data:') origins.add(origin);
    });
    await page.goto(`${url}/register`);
    await page.getByLabel(/^E-mail/).fill('ana@example.com');
    await page.getByLabel(/^Password/).fill(TEST_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('banner').waitFor();
    await page.goto(`${url}/settings/reminders`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Add: Calendar' }).waitFor();
    expect(problems).toEqual([]);
    expect(origins).toEqual(new Set([url]));
  });

  it('the example front end behind nginx is kept by browsers as long as its files are the same', async () => {
    const page = await fetch(`${url}/cycles/next`);
    const html = await page.text();
    expect(html).toContain('<div id="root">');
    expect(page.headers.get('Cache-Control')).toBe('no-cache');
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'self'");
    const files = Array.from(html.matchAll(/"(\/assets\/[^"]+)"/g), ([, file = '']) => file);
    expect(new Set(files.map((file) => file.replace(/.*\./, '')))).toEqual(new Set(['css', 'js']));
    for (const file of files) {
      const { status, headers } = await fetch(url + file);
      expect([status, headers.get('Cache-Control'), headers.get('Content-Encoding')]).toEqual([
        ...[200, 'max-age=31536000', 'gzip'],
      ]);
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    }
    expect((await fetch(`${url}/assets/index-of-before.js`)).status).toBe(404);
    const worker = await fetch(`${url}/sw.js`);
    expect(worker.headers.get('Content-Type')).toContain('javascript');
    expect(worker.headers.get('Cache-Control')).toBe('no-cache');
  });

  it('the example front end behind nginx leaves the paths of the service to it', async () => {
    const paths = [
      '/api/v1/none',
      '/account/none',
      '/calendar/none.ics',
      '/docs/none',
      '/mcp/none',
    ];
    for (const path of paths) {
      const response = await fetch(url + path);
      expect([path, response.status, await response.json()]).toEqual([
        ...[path, 404],
        expect.objectContaining({ success: false }),
      ]);
    }
    expect(await (await fetch(`${url}/docs`)).text()).toContain('swagger-ui');
    expect(nginx.accessLog).toContain('GET /account/none');
    expect(nginx.accessLog).not.toContain('/calendar/');
  });

  it('the example front end behind nginx has the settings of the proxy in docs/operations.md', () => {
    const guide = readFileSync(join(PROJECT, 'docs/operations.md'), 'utf8');
    const [, site = ''] = /^```nginx\n([^]*?)^```$/m.exec(guide) ?? [];
    expect(proxySettings(site).length).toBeGreaterThan(10);
    expect(proxySettings(SITE)).toEqual(proxySettings(site));
  });
});
