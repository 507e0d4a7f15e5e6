// @ts-check
/** The built example front end with the household of `npm run sandbox`, in Chromium. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { chromium } from 'playwright-core';

/** The day for which the sample household is made. */
const TODAY = '2026-11-25';

/** The account that the sandbox prints. */
const ACCOUNT = { email: 'ana@example.com', password: 'sandbox-password' };

const VITE = 'examples/web/node_modules/vite/bin/vite.js';

/** @typedef {import('playwright-core').Page} Page */

export class ExampleWeb {
  /** @type {import('node:child_process').ChildProcess[]} */
  #processes = [];
  #sandbox = '';
  #url = '';
  /** @type {import('playwright-core').Browser | undefined} */
  #browser;

  /**
   * @param {string} folder for the built page
   * @param {string} executablePath of Chromium
   */
  async start(folder, executablePath) {
    const options = ['--today', TODAY];
    const sandbox = 'dist/src/operators/sandbox/main.js';
    this.#sandbox = await this.#run(sandbox, options, /API +(http.*)\/api/);

    const build = `npm run -s example:web:build -- --outDir ${folder} --emptyOutDir --logLevel error`;
    const env = { ...process.env, VITE_API_URL: this.#sandbox };
    if (spawnSync(build, { shell: true, stdio: 'inherit', env }).status !== 0) {
      throw new Error('The example front end cannot be built');
    }
    const server = ['preview', 'examples/web', '--outDir', folder, '--configLoader', 'runner'];
    const port = ['--port', String(await freePort()), '--strictPort'];
    this.#url = await this.#run(VITE, [...server, ...port], /(http:\/\/localhost:\d+)/);

    const args = ['--no-sandbox', '--disable-gpu', '--disable-smooth-scrolling'];
    this.#browser = await chromium.launch({ executablePath, args });
  }

  async stop() {
    await this.#browser?.close();
    for (const child of this.#processes) child.kill();
  }

  /**
   * A page of a new session, with the household as it was at the start.
   *
   * @param {import('playwright-core').BrowserContextOptions} options
   * @param {(page: Page) => Promise<void>} [prepare] before anything is loaded
   */
  async open(options, prepare) {
    await fetch(`${this.#sandbox}/sandbox/reset`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ today: TODAY }),
    });
    const page = await this.newPage(options);
    await prepare?.(page);
    await page.goto(this.#url);
    await page.locator('[type=email]').fill(ACCOUNT.email);
    await page.locator('[type=password]').fill(ACCOUNT.password);
    await page.keyboard.press('Enter');
    await page.locator('.recharts-surface').first().waitFor();
    return page;
  }

  /** @param {import('playwright-core').BrowserContextOptions} options */
  async newPage(options) {
    if (!this.#browser) throw new Error('Start it first');
    const context = await this.#browser.newContext({ locale: 'en-US', ...options });
    return context.newPage();
  }

  /**
   * Starts a program of Node.js, and waits for what it prints.
   *
   * @param {string} file
   * @param {string[]} options
   * @param {RegExp} wanted
   * @returns {Promise<string>} what the first group of `wanted` matches
   */
  async #run(file, options, wanted) {
    const env = { ...process.env, PORT: '0', NO_COLOR: '1' };
    const child = spawn(process.execPath, [file, ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env,
    });
    this.#processes.push(child);
    return new Promise((resolve, reject) => {
      let output = '';
      child.stdout.on('data', (chunk) => {
        output += String(chunk);
        const [, found] = wanted.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      });
      child.on('exit', () => reject(new Error(`${file} ended: ${output}`)));
    });
  }
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
