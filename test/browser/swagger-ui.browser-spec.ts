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

  /** The panel of an operation, opened. */
  async function open(page: Page, method: string, path: string): Promise<Locator> {
    const panel = page
      .locator(`.opblock-${method}`)
      .filter({ has: page.locator(`[data-path="${path}"]`) });
    await panel.locator('.opblock-summary-control').click();
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

  it('signs in with e-mail and password, creates a payment method and lists it', async () => {
    const { email } = await service.signUp();
    const { port } = service.server.address() as AddressInfo;
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));

    await page.goto(`http://127.0.0.1:${port}/docs`);
    await page.locator('.auth-wrapper .authorize').first().click();
    const dialog = page.locator('.dialog-ux');
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
    expect(problems).toEqual([]);
  });
});
