import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/ports.js';
import { useProcesses } from '../support/service-process.js';
import { PROJECT } from '../support/typescript-client.js';

const EXECUTABLE = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const SANDBOX = fileURLToPath(new URL('../../dist/src/operators/sandbox/main.js', import.meta.url));
/** A folder for pictures of the page; without it, none are taken. */
const { SCREENSHOTS } = process.env;

/** The example front end, served by Vite, in a browser that uses the sandbox. */
describe('the example front end', () => {
  const processes = useProcesses(undefined, 'file');
  let vite: ChildProcess;
  let browser: Browser;
  let url = '';

  beforeAll(async () => {
    const sandbox = processes.run({ PORT: '0' }, undefined, SANDBOX);
    await sandbox.waitForOutput('The data is lost');
    const port = await freePort();
    url = `http://localhost:${port}`;
    // A process group of its own, so that Vite ends with npm.
    vite = spawn('npm', ['run', '-s', 'example:web', '--', '--port', String(port)], {
      cwd: PROJECT,
      detached: true,
      env: { ...process.env, VITE_API_URL: sandbox.origin, NO_COLOR: '1' },
    });
    let output = '';
    vite.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await eventually('the address of the page', () => output.includes(`${url}/`), 180_000);
    browser = await chromium.launch({
      executablePath: EXECUTABLE,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
  }, 240_000);

  afterAll(async () => {
    await browser.close();
    const ended = once(vite, 'exit');
    if (vite.pid !== undefined) process.kill(-vite.pid);
    await ended;
  });

  async function signIn(page: Page): Promise<void> {
    await page.goto(url);
    await page.getByLabel('email').fill('ana@example.com');
    await page.getByLabel('password').fill('sandbox-password');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Cycles' }).waitFor();
  }

  const status = (page: Page, text: string | RegExp): Promise<void> =>
    page.getByRole('status').filter({ hasText: text }).waitFor();

  const cycle = (page: Page, state: string): Locator =>
    page
      .getByRole('listitem')
      .filter({ hasText: `(${state})` })
      .getByRole('link');

  it.each(['light', 'dark'] as const)(
    'the example front end shows a cycle in %s colors',
    async (colorScheme) => {
      const page = await browser.newPage({ viewport: { width: 900, height: 860 }, colorScheme });
      await signIn(page);
      await cycle(page, 'active').click();
      await page.getByText(/^Lowest balance: -?\$[\d,]+\.\d\d on \d{4}-\d\d-\d\d$/).waitFor();
      await page.mouse.move(0, 0);
      if (SCREENSHOTS !== undefined) {
        await page.screenshot({ path: `${SCREENSHOTS}/cycle-${colorScheme}.png` });
      }
      const background = await page.evaluate(
        'getComputedStyle(document.documentElement).backgroundColor',
      );
      const brightness = Number(/\d+/.exec(String(background))?.[0]);
      expect(brightness > 127).toBe(colorScheme === 'light');
      await page.close();
    },
  );

  it('plans, pays, undoes and carries over as a person would, with the keyboard and on a small screen', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));

    await page.goto(url);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('email').getAttribute('aria-invalid')).toBe('true');
    await signIn(page);

    const draft = page.getByRole('listitem').filter({ hasText: '(draft)' });
    const draftBefore = await draft.innerText();
    await cycle(page, 'active').focus();
    await page.keyboard.press('Enter');
    await page.getByText(/^Lowest balance: -?\$[\d,]+\.\d\d on \d{4}-\d\d-\d\d$/).waitFor();

    const payments = page.getByRole('button', { name: /^Mark .* as paid$/ });
    await payments.first().waitFor();
    const unpaid = await payments.count();
    const name = /Mark (.*) as paid/.exec(
      (await payments.first().getAttribute('aria-label')) ?? '',
    )?.[1];
    await payments.first().focus();
    await page.keyboard.press('Enter');
    await status(page, `${name ?? ''} is paid`);
    await expectCount(page, unpaid - 1);

    await page.getByRole('button', { name: 'Undo the last change' }).click();
    await status(page, `Undone: ${name ?? ''} is paid`);
    await expectCount(page, unpaid);

    await page.getByRole('button', { name: /^Carry what is not paid over/ }).click();
    await status(page, `${unpaid} expenses moved`);
    await expectCount(page, 0);
    await page.getByRole('button', { name: 'Undo the last change' }).click();
    await status(page, `Undone: ${unpaid} expenses moved`);
    await expectCount(page, unpaid);
    await page.getByRole('link', { name: 'All cycles' }).click();
    expect(await draft.innerText()).toBe(draftBefore);
    await cycle(page, 'active').click();
    await page.getByRole('button', { name: /^Carry what is not paid over/ }).click();
    await status(page, `${unpaid} expenses moved`);
    // The page is not wider than the screen.
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(
      true,
    );

    await page.getByRole('link', { name: 'All cycles' }).click();
    const taken = await cycle(page, 'draft').innerText();
    await page.getByRole('button', { name: 'Plan the next cycle' }).click();
    const proposed = await page.getByLabel('name').inputValue();
    await page.getByLabel('name').fill(taken);
    await page.getByLabel('income amount').fill('-1');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page
      .getByText(/income_amount must/)
      .first()
      .waitFor();
    expect(await page.getByLabel('income amount').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('income amount').fill('100.00');
    await page.getByRole('button', { name: 'Preview' }).click();
    await status(page, /\d+ expenses; .* would remain/);
    const warnings = page.getByRole('region', { name: 'Preview' }).getByRole('listitem');
    await warnings.filter({ hasText: 'name' }).waitFor();
    await page.getByLabel('name').fill(proposed);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText(/^draft, /).waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(problems).toEqual([]);
  });

  async function expectCount(page: Page, count: number): Promise<void> {
    const payments = page.getByRole('button', { name: /^Mark .* as paid$/ });
    await eventually(`${count} payments`, async () => (await payments.count()) === count);
  }
});
