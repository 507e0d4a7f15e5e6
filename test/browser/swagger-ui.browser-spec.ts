import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { EMAIL, PASSWORD, SANDBOX } from '../support/example-web.js';
import { useProcesses } from '../support/service-process.js';
import { TEST_PASSWORD, useService } from '../support/service.js';

const EXECUTABLE = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

interface Field {
  value: string;
  closest: (selector: string) => { id: string } | null;
}

describe('Swagger UI in a browser', () => {
  const service = useService();
  const processes = useProcesses();
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
    if (count > 0) await elements.nth(count - 1).waitFor({ state: 'attached' });
    await elements.nth(count).waitFor({ state: 'detached' });
    expect(await elements.count()).toBe(count);
  }

  /**
   * The two forms of the dialog behind "Authorize": of a sign-in and of a personal access token.
   */
  async function authorizations(page: Page): Promise<{ signIn: Locator; token: Locator }> {
    await page.locator('.auth-wrapper .authorize').first().click();
    const forms = page.locator('.dialog-ux .auth-container');
    await expectCount(forms, 2);
    return { signIn: forms.nth(0), token: forms.nth(1) };
  }

  async function submit(form: Locator, email: string, password: string): Promise<void> {
    await form.locator('#oauth_username').fill(email);
    await form.locator('#oauth_password').fill(password);
    await form.locator('button.authorize').click();
  }

  async function signIn(page: Page, email: string, password = TEST_PASSWORD): Promise<void> {
    const { signIn: form } = await authorizations(page);
    await expectCount(form.locator('input:visible, select:visible'), 2);
    await submit(form, email, password);
    await form.getByText('Logout').waitFor();
    await form.locator('button.btn-done').click();
  }

  const clickAll = (elements: Locator): Promise<void> =>
    elements.evaluateAll((all: { click(): void }[]) => all.forEach((it) => it.click()));

  /** Opens the tags that are closed, with their lists of operations. */
  async function openTags(page: Page): Promise<void> {
    const tags = page.locator('.opblock-tag');
    await tags.first().waitFor();
    for (const tag of await tags.all()) {
      if ((await tag.getAttribute('data-is-open')) === 'false') await tag.click();
    }
  }

  /** The panel of an operation, opened. */
  async function open(page: Page, method: string, path: string): Promise<Locator> {
    await openTags(page);
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

  it('Swagger UI in a browser signs in with e-mail and password alone, creates a payment method and lists it, also after a reload', async () => {
    const { email } = await service.signUp();
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (line) => {
      if (line.type() === 'error') problems.push(line.text());
    });

    await page.goto(pageUrl());
    await signIn(page, email);

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

  it('Swagger UI in a browser executes two POSTs, a PUT, a PATCH and a DELETE one after the other, without a header that nobody typed', async () => {
    const { email } = await service.signUp();
    const page = await browser.newPage();
    const headers: Record<string, string>[] = [];
    page.on('request', (sent) => {
      if (sent.url().includes('/api/v1/') && sent.method() !== 'GET') headers.push(sent.headers());
    });
    await page.goto(pageUrl());
    await signIn(page, email);
    const created = async (panel: Locator, body: object): Promise<{ id: string }> => {
      await panel.locator('textarea.body-param__text').fill(JSON.stringify(body));
      const { status, body: text } = await execute(panel);
      expect(status).toContain('201');
      return { id: /"id": "([0-9a-f-]{36})"/.exec(text)?.[1] ?? '' };
    };

    const methods = await open(page, 'post', '/api/v1/payment-methods');
    const method = { method_type: 'debit', default_currency: 'MXN' };
    const { id } = await created(methods, { ...method, name: 'BBVA' });
    await methods.getByRole('button', { name: 'Clear' }).click();
    await created(methods, { ...method, name: 'Banorte' });

    const put = await open(page, 'put', '/api/v1/payment-methods/{id}');
    await put.locator('[data-param-name="id"] input').fill(id);
    await put.locator('textarea.body-param__text').fill('{ "name": "BBVA Nómina" }');
    expect((await execute(put)).status).toContain('200');

    const comments = await open(page, 'post', '/api/v1/comments');
    const comment = await created(comments, {
      entity_type: 'payment_method',
      entity_id: id,
      body: 'The new card',
    });
    const patch = await open(page, 'patch', '/api/v1/comments/{id}');
    await patch.locator('[data-param-name="id"] input').fill(comment.id);
    await patch.locator('textarea.body-param__text').fill('{ "body": "The old card" }');
    expect((await execute(patch)).status).toContain('200');

    const remove = await open(page, 'delete', '/api/v1/payment-methods/{id}');
    await remove.locator('[data-param-name="id"] input').fill(id);
    expect((await execute(remove)).status).toContain('204');

    const sent = headers.filter((all) => 'idempotency-key' in all || 'if-match' in all);
    expect({ requests: headers.length, sent }).toEqual({ requests: 7, sent: [] });
  });

  it('Swagger UI in a browser has a title, a link to the document and a filter of tags', async () => {
    const page = await browser.newPage();
    await page.goto(pageUrl());
    expect(await page.title()).toBe('Expense planning API');
    const link = page.getByRole('link', { name: 'this document as JSON' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toMatch(/\/docs\/openapi\.json$/);
    await page.locator('.operation-filter-input').fill('probes');
    await expectCount(page.locator('.opblock-tag'), 1);
    expect(await page.locator('.opblock-tag').innerText()).toContain('Probes');
  });

  it('Swagger UI in a browser begins with the tags alone, and the first request for a forecast succeeds', async () => {
    const { email } = await service.signUp();
    const page = await browser.newPage();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.goto(pageUrl());
    await page.locator('.opblock-tag').first().waitFor();
    expect(await page.locator('.opblock').count()).toBe(0);

    await signIn(page, email);
    const { status } = await execute(await open(page, 'get', '/api/v1/forecast'));
    expect(status).toContain('200');
    expect(sent.at(-1)).toMatch(/\/api\/v1\/forecast$/);
  });

  it('Swagger UI in a browser fills in no optional parameter, and the first request of every GET to the sandbox succeeds', async () => {
    const sandbox = processes.run({ PORT: '0' }, undefined, SANDBOX);
    await sandbox.waitForOutput('The data is lost');
    const page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(`${sandbox.origin}/docs`);
    await signIn(page, EMAIL, PASSWORD);
    const optional = page.locator(
      'tr:is([data-param-in=query], [data-param-in=header]):not(:has(.required))',
    );
    await page.locator('.opblock-tag').first().waitFor();
    const filled: unknown[] = [];
    const statuses = new Map<string, string>();
    let count = 0;
    for (const tag of await page.locator('.opblock-tag').all()) {
      await tag.click();
      const panels = page.locator('.opblock');
      await panels.first().waitFor();
      await clickAll(panels.locator('.opblock-summary-control'));
      await expectCount(page.locator('.opblock-body .responses-table'), await panels.count());
      await clickAll(page.locator('.try-out__btn'));
      await expectCount(page.locator('.try-out__btn.cancel'), await panels.count());
      count += await optional.count();
      const values = await optional
        .locator('input, textarea, select')
        .evaluateAll((fields: Field[]) =>
          fields.map((field) => [field.closest('.opblock')?.id, field.value]),
        );
      filled.push(...values.filter(([, value]) => value !== ''));
      const gets = page.locator('.opblock-get');
      await clickAll(gets.locator('.execute'));
      for (const get of await gets.all()) {
        const path = (await get.locator('[data-path]').getAttribute('data-path')) ?? '';
        const status = get.locator('.live-responses-table .response .response-col_status').first();
        statuses.set(path, await status.innerText());
      }
      await tag.click();
      await expectCount(panels, 0);
    }
    expect(filled).toEqual([]);
    expect(count).toBeGreaterThan(90);
    const failed = [...statuses].filter(([, status]) => !status.startsWith('200'));
    expect(failed).toEqual([]);
    expect(statuses.size).toBeGreaterThan(50);
  }, 300_000);

  it('Swagger UI in a browser asks for e-mail and password first, and shows why they are refused', async () => {
    const { email } = await service.signUp();
    const page = await browser.newPage();
    await page.goto(pageUrl());
    const { signIn: form } = await authorizations(page);
    expect(await page.evaluate('document.activeElement.id')).toBe('oauth_username');

    await submit(form, email, 'not the password');
    const problem = form.locator('.errors');
    await problem.waitFor();
    expect(await problem.innerText()).toMatch(/^Auth error\s*Wrong e-mail or password$/i);
    await submit(form, email, TEST_PASSWORD);
    await form.getByText('Logout').waitFor();
    await expectCount(page.locator('.errors'), 0);
  });

  it('Swagger UI in a browser sends the credential that was entered last, a token or a sign-in', async () => {
    const { email } = await service.signUp();
    const page = await browser.newPage();
    await page.goto(pageUrl());
    const { signIn: form, token } = await authorizations(page);
    await submit(form, email, TEST_PASSWORD);
    await form.getByText('Logout').waitFor();

    await token.locator('button.authorize').click();
    await expectCount(form.getByText('Logout'), 1);
    await token.locator('input').fill('a-token');
    await token.locator('button.authorize').click();
    await token.getByText('Logout').waitFor();
    await expectCount(form.getByText('Logout'), 0);

    await submit(form, email, TEST_PASSWORD);
    await form.getByText('Logout').waitFor();
    await expectCount(token.getByText('Logout'), 0);
  });

  it('Swagger UI in a browser shows no operation higher than 3,200 px, with error responses that open', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    // It takes long to open all panels.
    page.setDefaultTimeout(120_000);
    await page.goto(pageUrl());
    await openTags(page);
    const panels = page.locator('.opblock');
    await panels.first().waitFor();
    const count = await panels.count();
    expect(count).toBeGreaterThan(80);
    await clickAll(panels.locator('.opblock-summary-control'));
    await expectCount(panels.filter({ has: page.locator('.responses-table .response') }), count);
    const heights = await panels.evaluateAll((all: { id: string; offsetHeight: number }[]) =>
      all.map(({ id, offsetHeight }) => ({ id, height: offsetHeight })),
    );
    expect(heights.filter(({ height }) => height > 3200)).toEqual([]);

    const responses = page.locator('#operations-Cycle_expenses-createExpense .responses-table');
    const error = responses.getByRole('button', { name: 'INVALID_TOKEN' });
    await expectCount(responses.locator('[data-code="401"]'), 1);
    await error.click();
    await expectCount(responses.locator('[data-code="401"]'), 2);
    const details = await responses.locator('[data-code="401"]').last().innerText();
    expect(details).toContain('"code": "INVALID_TOKEN"');
    expect(details).toContain('WWW-Authenticate');
    await error.click();
    await expectCount(responses.locator('[data-code="401"]'), 1);
  }, 300_000);
});
