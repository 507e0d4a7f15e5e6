import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { signIn, useExampleWeb } from '../support/example-web.js';

const PHONE = { width: 360, height: 740 };
const INSTALLED = { viewport: PHONE, serviceWorkers: 'allow' } as const;

/** Of JavaScript before the sign-in, uncompressed. */
const MAX_BYTES = 600_000;

describe('the example front end on a phone', () => {
  const web = useExampleWeb();

  it('loads no more JavaScript before the sign-in than it needs', async () => {
    const page = await web.visit({ viewport: PHONE });
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const files = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))`,
    );
    const sizes = await Promise.all(
      files.map(async (file) => (await (await fetch(file)).arrayBuffer()).byteLength),
    );
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('can be installed, with a title for each page and a way back from an unknown one', async () => {
    const page = await web.open({ viewport: PHONE, locale: 'es-MX' }, '/cycles');
    await eventually(
      'its title',
      async () => (await page.title()) === 'Ciclos · Planeador de gastos',
    );
    const manifest = (await (await fetch(`${web.url}/manifest.json`)).json()) as {
      icons: { src: string; type: string }[];
    };
    expect(manifest).toMatchObject({ name: 'Expense planner', display: 'standalone' });
    for (const { src, type } of manifest.icons) {
      expect((await fetch(`${web.url}/${src}`)).headers.get('Content-Type')).toBe(type);
    }

    await page.goto(`${web.url}/cycle`);
    await page.getByRole('heading', { name: 'Esta página no existe' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Resumen' }).click();
    await page.getByText('Puedes gastar').waitFor();
  });

  it('says that a page cannot be loaded, as after an upgrade, and leaves the others', async () => {
    const page = await web.open({ viewport: PHONE });
    await page.route(/assets\/Cycles-.*\.js/, (route) => route.abort());
    const cycles = page.getByRole('link', { name: 'Cycles' });
    const problem = page.getByRole('alert').filter({ hasText: 'This could not be loaded' });
    await cycles.click();
    await problem.waitFor();
    await page.getByRole('link', { name: 'Budgets' }).click();
    await page.getByRole('heading', { name: 'Budgets', level: 1 }).waitFor();
    await cycles.click();
    await problem.waitFor();
    await page.unrouteAll();
    await problem.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Cycles', level: 1 }).waitFor();
  });

  it('shows the last view without a connection', async () => {
    const page = await openInstalled();
    const free = page.getByText('$382.84').first();
    await free.waitFor();
    await eventually('what is kept', async () => (await keptOf(page)).length > 2);
    await page.context().setOffline(true);
    await page.reload();
    await free.waitFor();
    await page.getByRole('status').filter({ hasText: 'You are offline.' }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).waitFor();

    await page.context().setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
  });

  it('keeps neither tokens nor anything after the sign-out', async () => {
    const page = await openInstalled();
    await eventually('what is kept', async () => (await keptOf(page)).length > 2);
    const kept = await keptOf(page);
    expect(kept.filter(({ url }) => url.includes('/login'))).toEqual([]);
    const token = await page.evaluate<string>(`JSON.parse(localStorage.token).value`);
    expect(kept.filter((each) => JSON.stringify(each).includes(token))).toEqual([]);

    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await keptOf(page)).toEqual([]);
    await page.context().setOffline(true);
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.content()).not.toContain('382.84');
  });

  /** A page whose service worker has kept its files. */
  async function openInstalled(): Promise<Page> {
    const page = await web.visit(INSTALLED);
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await signIn(page, web.url);
    return page;
  }
});

interface Kept {
  url: string;
  headers: string[][];
  text: string;
}

/** Every answer of the service that the browser has kept, with the headers of its request. */
const keptOf = (page: Page): Promise<Kept[]> =>
  page.evaluate<Kept[]>(`(async () => {
    if (!(await caches.has('answers'))) return [];
    const cache = await caches.open('answers');
    return Promise.all((await cache.keys()).map(async (request) => ({
      url: request.url,
      headers: [...request.headers],
      text: await (await cache.match(request)).text(),
    })));
  })()`);
