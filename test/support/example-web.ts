import { afterAll, beforeAll } from '@jest/globals';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core';
import { freePort } from './ports.js';
import { useProcesses, type ServiceProcess, type ServiceProcesses } from './service-process.js';
import { PROJECT, runInProject } from './typescript-client.js';

export const SANDBOX = join(PROJECT, 'dist/src/operators/sandbox/main.js');
const WEB = join(PROJECT, 'examples/web');
const VITE = join(WEB, 'node_modules/vite/bin/vite.js');
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The account of the sandbox. */
export const EMAIL = 'ana@example.com';
export const PASSWORD = 'sandbox-password';

/** The day for which the sample household is made. */
export const TODAY = '2026-11-25';

export interface ExampleWeb {
  readonly sandbox: ServiceProcess;
  readonly url: string;
  readonly browser: Browser;
  /**
   * A page with the sample household as it was at the start, signed in, with nothing stored. The
   * account has the language of the browser. `path` may read where a record is now.
   */
  open: (options?: BrowserContextOptions, path?: string | (() => Promise<string>)) => Promise<Page>;
  /** The same, without a sign-in. */
  visit: (options?: BrowserContextOptions, path?: string) => Promise<Page>;
  /** A request of another client for the same user. Returns the body of the response. */
  send: <Data>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    options?: { body?: object; token?: string },
  ) => Promise<Data>;
  /** An access token of a new session. */
  logIn: () => Promise<string>;
  /** Makes another day the today of the service. */
  moveTo: (today: string) => Promise<void>;
}

/** Builds the example front end into a folder. `apiUrl` is the origin of the service, or empty. */
export function buildExampleWeb(folder: string, apiUrl: string): void {
  const options = `--outDir ${folder} --logLevel error`;
  // Jest sets NODE_ENV to `test`, with which Vite would build for development.
  const env = `NODE_ENV=production VITE_API_URL=${apiUrl}`;
  runInProject(`${env} npm run -s example:web:build -- ${options}`);
}

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });

/** Stands for the origin of the service in files that are built once for all test files. */
const ANY_ORIGIN = 'http://service.invalid';

/** The built front end for a service, in a folder of its own. */
function copyExampleWeb(folder: string, apiUrl: string): void {
  // The folder of the run of Jest (global-setup.js).
  const built = join(dirname(process.env.TEST_SNAPSHOT ?? folder), 'built-web');
  if (!existsSync(built)) {
    const unfinished = `${built}-${process.pid}`;
    buildExampleWeb(unfinished, ANY_ORIGIN);
    renameSync(unfinished, built);
  }
  cpSync(built, folder, { recursive: true });
  const assets = join(folder, 'assets');
  for (const file of readdirSync(assets).filter((name) => name.endsWith('.js'))) {
    const code = readFileSync(join(assets, file), 'utf8');
    writeFileSync(join(assets, file), code.replaceAll(ANY_ORIGIN, apiUrl));
  }
}

/** Serves the built front end as its image does. Returns its origin. */
async function serveExampleWeb(processes: ServiceProcesses, folder: string): Promise<string> {
  const port = String(await freePort());
  const options = ['--configLoader', 'runner', '--port', port, '--strictPort'];
  const args = ['preview', WEB, '--outDir', folder, ...options];
  const vite = processes.run({ NO_COLOR: '1' }, undefined, VITE, args);
  await vite.waitForOutput(`:${port}/`);
  return `http://localhost:${port}`;
}

/** The example front end, built, in a browser that uses the sandbox. */
export function useExampleWeb(): ExampleWeb {
  const processes = useProcesses(undefined, 'file');
  let sandbox: ServiceProcess;
  let browser: Browser;
  let url = '';
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    sandbox = processes.run({ PORT: '0' }, undefined, SANDBOX, ['--today', TODAY]);
    await sandbox.waitForOutput('The data is lost');
    const folder = join(processes.folder, 'web');
    copyExampleWeb(folder, sandbox.origin);
    url = await serveExampleWeb(processes, folder);
    browser = await launchChromium();
  }, 240_000);

  afterAll(() => browser.close());

  const send: ExampleWeb['send'] = async <Data>(
    method: string,
    path: string,
    { body, token }: { body?: object; token?: string } = {},
  ) => {
    const [, own = ''] = /Token\s+(\S+)/.exec(sandbox.output) ?? [];
    const response = await fetch(sandbox.api + path, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token ?? own}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return (text ? JSON.parse(text) : undefined) as Data;
  };

  async function logIn(): Promise<string> {
    const body = new URLSearchParams({ username: EMAIL, password: PASSWORD });
    const response = await fetch(`${sandbox.api}/auth/login`, { method: 'POST', body });
    const { access_token: token } = (await response.json()) as { access_token: string };
    return token;
  }

  async function control(action: 'reset' | 'today', today: string): Promise<void> {
    await fetch(`${sandbox.origin}/sandbox/${action}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ today }),
    });
  }

  async function newPage(options: BrowserContextOptions): Promise<Page> {
    for (const context of contexts.splice(0)) await context.close();
    await control('reset', TODAY);
    // Tests answer requests themselves, which a service worker would not let them.
    const defaults = { locale: 'en-GB', serviceWorkers: 'block' } as const;
    const context = await browser.newContext({ ...defaults, ...options });
    contexts.push(context);
    return context.newPage();
  }

  return {
    get sandbox() {
      return sandbox;
    },
    get url() {
      return url;
    },
    get browser() {
      return browser;
    },
    send,
    logIn,
    moveTo: (today) => control('today', today),
    async open(options = {}, path = '/') {
      const page = await newPage(options);
      const body = { locale: options.locale ?? 'en-GB' };
      await send('PUT', '/auth/me', { body, token: await logIn() });
      await signIn(page, url + (typeof path === 'string' ? path : await path()));
      return page;
    },
    async visit(options = {}, path = '/') {
      const page = await newPage(options);
      await page.goto(url + path);
      return page;
    },
  };
}

/** Signs in with the account of the sandbox, in the language of the page. */
export async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel(/^(E-mail|Correo)/).fill(EMAIL);
  await page.getByLabel(/^(Password|Contraseña)/).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('banner').waitFor();
}

/** The message about what has just happened. */
export const messageOf = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('alert').filter({ hasText: text });

/**
 * The button that takes back what a message says. The message stays, as while a pointer is on it,
 * however long the page takes.
 */
export async function undoOf(page: Page, text: string | RegExp): Promise<Locator> {
  const message = messageOf(page, text);
  await message.dispatchEvent('mouseover');
  return message.getByRole('button', { name: 'Undo' });
}

/** Chooses an option of a list as the page shows it. */
export async function choose(page: Page, list: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: list }).click();
  await page.getByRole('option', { name: option }).click();
}

/** What axe finds in the page, as `rule: element`. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: AXE });
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => id + ': ' + html.slice(0, 160))))`,
  );
}
