import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { TEST_PASSWORD, useService } from '../support/service.js';

const EXECUTABLE = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

describe('Swagger UI in a browser', () => {
  const service = useService();
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: EXECUTABLE,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
  });

  afterAll(() => browser.close());

  const pageUrl = (): string =>
    `http://127.0.0.1:${(service.server.address() as AddressInfo).port}/docs`;

  async function expectCount(elements: Locator, count: number): Promise<void> {
    await elements.nth(count).waitFor({ state: 'detached' });
    expect(await elements.count()).toBe(count);
  }

  /** The panel of an operation, opened. */
  async function open(page: Page, method: string, path: string): Promise<Locator> {
    const panel = page
      .locator(`.opblock-${method}`)
      .filter({ has: page.locator(`[data-path="${path}"]`) });
    const control = panel.locator('.opblock-summary-control');
    // After a reload, the operation in the address is open.
    await control.waitFor();
    if ((await control.getAttribute('aria-expanded')) === 'false') await control.click();
    await panel.getByRole('button', { name: 'Try it out' }).click();
    return panel;
  }

  async function execute(panel: Locator): Promise<{ status: string; body: string }> {
    await panel.getByRole('button', { name: 'Execute' }).click();
    const live = panel.locator('.live-responses-table .response').first();
    return {
      status: await live.locator('.response-col_status').innerText(),
      body: await live.locator('.response-col_description').innerText(),
    };
  }

  it('signs in with e-mail and password alone, creates a payment method and lists it, also after a reload', async () => {
    const { email } = await service.signUp();
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (line) => {
      if (line.type() === 'error') problems.push(line.text());
    });

    await page.goto(pageUrl());
    await page.locator('.auth-wrapper .authorize').first().click();
    const dialog = page.locator('.dialog-ux');
    const fields = dialog.locator('input:visible, select:visible');
    await expectCount(fields, 2);
    await dialog.locator('#oauth_username').fill(email);
    await dialog.locator('#oauth_password').fill(TEST_PASSWORD);
    await dialog.locator('button.authorize').click();
    await dialog.getByText('Logout').waitFor();
    await dialog.locator('button.btn-done').click();

    const post = await open(page, 'post', '/api/v1/payment-methods');
    const method = { name: 'BBVA Débito', method_type: 'debit', default_currency: 'MXN' };
    await post.locator('textarea.body-param__text').fill(JSON.stringify(method));
    expect((await execute(post)).status).toContain('201');

    const get = await open(page, 'get', '/api/v1/payment-methods');
    const listed = await execute(get);
    expect(listed.status).toContain('200');
    expect(listed.body).toContain('BBVA Débito');

    await page.reload();
    const listedAgain = await execute(await open(page, 'get', '/api/v1/payment-methods'));
    expect(listedAgain.status).toContain('200');
    const stored = await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })');
    expect(stored).toContain('access_token');
    expect(stored).not.toContain(TEST_PASSWORD);
    expect(problems).toEqual([]);
  });

  it('has a title, a link to the document and a filter of tags', async () => {
    const page = await browser.newPage();
    await page.goto(pageUrl());
    expect(await page.title()).toBe('Expense planning API');
    const link = page.getByRole('link', { name: 'this document as JSON' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toMatch(/\/docs\/openapi\.json$/);
    await page.locator('.operation-filter-input').fill('Probes');
    await expectCount(page.locator('.opblock-tag'), 1);
  });
});
