import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type Page } from 'playwright-core';
import type * as ClientModule from '../../clients/typescript/src/index.js';
import { LOSE_RESPONSE, respondWithChanged, useRelay } from '../support/http-relay.js';
import { linkIn } from '../support/mail-server.js';
import { NEW_PASSWORD, useServiceWithMail } from '../support/service-with-mail.js';
import { NO_LIMITS, TEST_PASSWORD, useService } from '../support/service.js';
import {
  buildClient,
  CLIENT_FOLDER,
  CLIENT_PACKAGES,
  exampleOf,
} from '../support/typescript-client.js';

const EXECUTABLE = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

const OPENAPI_FETCH = `${CLIENT_PACKAGES}/openapi-fetch/dist`;

/** A page that loads the modules as they are compiled, without a bundler. */
const pageWith = (script: string, body = ''): string => `<!doctype html>
<script type="importmap">
  { "imports": { "expense-service-client": "/client/index.js", "openapi-fetch": "/openapi-fetch/index.mjs" } }
</script>
${body}
<script type="module">
${script}
</script>`;

const PAGE = pageWith("window.client = await import('expense-service-client');");

const SIGN_IN_FORM = `<form>
  <input name="email" /><input name="password" type="password" />
  <a id="register" href="/register" hidden>Register</a>
  <button id="forgotten-password" type="button" hidden>Forgotten password</button>
  <output></output>
</form>`;

/** @param page of each path but those of the modules */
function serveApplication(page: (path: string) => string): Server {
  return createServer(({ url = '' }, response) => {
    const [, folder, file] = /^\/(client|openapi-fetch)\/([\w.-]+\.m?js)$/.exec(url) ?? [];
    if (file === undefined)
      return response.writeHead(200, { 'content-type': 'text/html' }).end(page(url));
    const path = folder === 'client' ? `${CLIENT_FOLDER}/dist` : OPENAPI_FETCH;
    response.writeHead(200, { 'content-type': 'text/javascript' });
    return response.end(readFileSync(`${path}/${file}`));
  });
}

class Application {
  browser!: Browser;
  origin!: string;

  /** Opens a new tab at a path, or at an address. */
  async open(path: string): Promise<Page> {
    const page = await this.browser.newPage();
    await page.goto(new URL(path, this.origin).href);
    return page;
  }
}

/** Serves the pages, and starts a browser for them, for the tests of a block. */
function useApplication(page: (path: string) => string): Application {
  const application = new Application();
  const server = serveApplication(page);

  beforeAll(async () => {
    buildClient();
    server.listen(0);
    await once(server, 'listening');
    application.origin = `http://localhost:${String((server.address() as AddressInfo).port)}`;
    application.browser = await chromium.launch({
      executablePath: EXECUTABLE,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
  }, 240_000);

  afterAll(async () => {
    await application.browser.close();
    server.close();
    server.closeAllConnections();
  });
  return application;
}

/** What the functions that run in the page find there. */
declare const window: { client: typeof ClientModule };

describe('the TypeScript client in a browser, from another origin', () => {
  const service = useService({
    corsOrigins: [/^http:\/\/localhost:\d+$/],
    // Registration, two sign-ins, and one more.
    rateLimits: { ...NO_LIMITS, enabled: true, authPerMinute: 3 },
  });
  const relay = useRelay(() => service.server);
  const application = useApplication(() => PAGE);

  async function open(path = '/'): Promise<Page> {
    const page = await application.open(path);
    await page.waitForFunction('window.client !== undefined');
    return page;
  }

  const account = async (): Promise<{ baseUrl: string; email: string; password: string }> => ({
    baseUrl: relay.url,
    email: (await service.signUp()).email,
    password: TEST_PASSWORD,
  });

  it('the TypeScript client in a browser signs in, creates once, updates what it has read, and reads pages', async () => {
    const page = await open();
    relay.inject('POST /cycles', LOSE_RESPONSE);
    const result = await page.evaluate(
      async ({ baseUrl, email, password }) => {
        const { ExpenseClient, isApiError } = window.client;
        const client = new ExpenseClient({ baseUrl });
        await client.signIn({ email, password });

        const dates = { start_date: '2026-01-19', end_date: '2026-03-01', income_amount: '1.00' };
        const { data: cycle, etag } = await client.POST('/cycles', {
          body: { name: '1', ...dates },
        });
        for (const name of ['2', '3']) await client.POST('/cycles', { body: { name, ...dates } });
        const pages: string[][] = [];
        for await (const { data } of client.pages('/cycles', {
          params: { query: { per_page: 1 } },
        })) {
          pages.push(data.cycles.map(({ name }) => name));
        }
        const actions: string[] = [];
        const update = { params: { path: { id: cycle.id }, header: { 'If-Match': etag } } };
        const body = { status: 'active' as const };
        await client.PUT('/cycles/{id}', { ...update, body });
        const isRefused = await client
          .PUT('/cycles/{id}', { ...update, body: { status: 'draft' } })
          .catch((error: unknown) => isApiError(error, 'PRECONDITION_FAILED'));
        const query = { cycle_id: cycle.id, limit: 1 };
        for await (const { data } of client.pages('/activity', { params: { query } })) {
          actions.push(...data.map(({ action }) => action));
        }
        await client.signOut();
        return { pages, isRefused, actions, token: client.token };
      },
      await account(),
    );
    expect(result).toEqual({
      pages: [['3'], ['2'], ['1']],
      isRefused: true,
      actions: ['updated', 'created'],
      token: undefined,
    });
    expect(relay.requestsOf('POST /cycles')).toHaveLength(4);
  });

  it('the TypeScript client in a browser refreshes the token, and can read how long to wait at a rate limit', async () => {
    const page = await open();
    relay.inject('POST /auth/login', respondWithChanged({ expires_in: 2 }));
    const result = await page.evaluate(
      async ({ baseUrl, email, password }) => {
        const { ExpenseClient, isApiError } = window.client;
        const tokens: unknown[] = [];
        const onToken = (token: unknown): unknown => tokens.push(token);
        const client = new ExpenseClient({ baseUrl, onToken, maxWaitMs: 0 });
        await client.signIn({ email, password });
        while (tokens.length < 2) {
          await new Promise((resolve) => setTimeout(resolve, 100));
          await client.GET('/auth/me');
        }
        const error: unknown = await client
          .signIn({ email, password })
          .catch((thrown: unknown) => thrown);
        if (!isApiError(error, 'RATE_LIMIT_EXCEEDED')) throw error;
        return [error.response.headers.get('Retry-After'), String(error.details.retry_after)];
      },
      await account(),
    );
    expect(result[0]).toMatch(/^\d+$/);
    expect(result[0]).toBe(result[1]);
    expect(relay.requestsOf('POST /auth/refresh')).toHaveLength(1);
  });

  it('the TypeScript client in a browser reports an origin that the service does not allow as a network failure', async () => {
    const page = await open(application.origin.replace('localhost', '127.0.0.1'));
    const name = await page.evaluate(async (baseUrl) => {
      const client = new window.client.ExpenseClient({ baseUrl, maxRetries: 0 });
      return client.GET('/enums').then(
        () => 'none',
        (error: unknown) => (error as Error).name,
      );
    }, relay.url);
    expect(name).toBe('NetworkError');
  });

  it.each(['', '/gastos', '/gastos/'])(
    'the TypeScript client in a browser takes the path "%s" as its base address',
    async (baseUrl) => {
      const page = await open('/page');
      const json = { registration: 'open', password_reset: false };
      const path = `${baseUrl.replace(/\/$/, '')}/account`;
      await page.route(application.origin + path, (route) => route.fulfill({ json }));
      const account = await page.evaluate(async (baseUrl) => {
        const client = new window.client.ExpenseClient({ baseUrl, maxRetries: 0 });
        return (await client.GET('/account')).data;
      }, baseUrl);
      expect(account).toEqual(json);
    },
  );
});

describe('the pages for forgotten passwords in the README of the TypeScript client', () => {
  const { service, server, confirm } = useServiceWithMail({
    corsOrigins: [/^http:\/\/localhost:\d+$/],
  });
  const application = useApplication((path) => {
    const script = (name: string): string =>
      exampleOf(name, 'ts').replace('https://expenses.example.com', service.origin);
    if (path === '/reset-password') {
      return pageWith(script('reset-page'), exampleOf('reset-page', 'html'));
    }
    return pageWith(script('sign-in-page'), SIGN_IN_FORM);
  });

  it('the pages in the README of the TypeScript client send a link, take its token out of the address, and set a new password', async () => {
    const { email } = await service.signUp();
    const page = await application.open('/sign-in');
    await page.locator('#forgotten-password:not([hidden])').waitFor();
    expect(await page.locator('#register').isVisible()).toBe(true);
    const note = page.locator('output:not(:empty)');
    await page.locator('#forgotten-password').click();
    expect(await note.innerText()).toBe('email must be an email');
    await page.locator('[name=email]').fill(email);
    await page.locator('#forgotten-password').click();
    await page.getByText('If there is an account with this e-mail').waitFor();
    const [mail] = await server.mailsTo(email);
    const { pathname, hash } = new URL(mail ? linkIn(mail) : '');

    await page.goto(application.origin + pathname + hash);
    await page.locator('[name=new_password]').fill('short');
    await page.locator('button').click();
    expect(await note.innerText()).toMatch(/8/);
    expect(page.url()).toBe(`${application.origin}/reset-password`);
    await page.locator('[name=new_password]').fill(NEW_PASSWORD);
    await page.locator('button').click();
    await page.waitForURL(`${application.origin}/sign-in`);
    await service.signIn(email, NEW_PASSWORD);
    await confirm(hash.slice(1)).expect(401);

    const other = await application.open(pathname + hash);
    await other.locator('[name=new_password]').fill(NEW_PASSWORD);
    await other.locator('button').click();
    await other.getByText('This link has been used or has expired').waitFor();
  }, 60_000);
});
