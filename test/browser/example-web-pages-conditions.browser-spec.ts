import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { messageOf, PASSWORD, TODAY, useExampleWeb, violationsOf } from '../support/example-web.js';
import { smallTargetsOf } from '../support/touch-targets.js';

const DESKTOP = { width: 1280, height: 900 };
const ENGLISH = { locale: 'en-GB', viewport: DESKTOP };

/** Chromium's limit for a page that is good to use. */
const MAX_LAYOUT_SHIFT = 0.1;

interface Expenses {
  expenses: { description: string; comments: string | null }[];
}

const PARTS = ['', '/reminders', '/assistants', '/sign-ins', '/data'];
const SETTINGS = PARTS.map((part) => `/settings${part}`);

/** Besides those of records. */
const PAGES = [
  ...['/', '/activity', '/accounts', '/cycles', '/cycles/next', '/cycles/trip'],
  ...['/recurring', '/budgets', '/nothing', ...SETTINGS],
];

/** In English and in Spanish; the names of records are those of the sandbox. */
type Name = string | [string, string];

/** Where something opens: the path of its page, or what the page is about, and what is pressed. */
type Opener = [page: string, ...names: Name[]];

const ADD_OTHER: Name = ['Add something else', 'Agregar otra cosa'];
const MORE_OF_CYCLE: Name = ['More about this cycle', 'Más opciones de este ciclo'];

/** After what opens in place, another page is shown. */
const OPENERS: Opener[] = [
  ['cycle', ['Activity', 'Actividad']],
  ['/', ['Another amount or day: Water', 'Otro monto u otro día: Water']],
  ['cycle', ['Budgets', 'Presupuestos']],
  ['/', ['Table', 'Tabla']],
  ['/accounts', ['Debit card: The bank says…', 'Debit card: El banco dice…']],
  ['/', ['Add', 'Agregar']],
  ['/', ADD_OTHER, ['Planned expense', 'Gasto planeado']],
  ['/', ADD_OTHER, ['Income', 'Ingreso']],
  ['/', ADD_OTHER, ['Recurring', 'Recurrente']],
  ['/', ['Change', 'Cambiar']],
  ['/', ['What if…', '¿Y si…?']],
  ['cycle', 'Rent'],
  ['cycle', 'School fees'],
  ['cycle', MORE_OF_CYCLE, ['Sync with recurring', 'Sincronizar con recurrentes']],
  ['cycle', MORE_OF_CYCLE, ['Import expenses', 'Importar gastos']],
  ['/recurring', 'Gas cylinder'],
  ['budget', ['Edit', 'Editar']],
  ['budget', ['I spent', 'Gasté']],
  ['/accounts', ['Add: Payment methods', 'Agregar: Formas de pago']],
  ['/accounts', 'Credit card'],
  ['/settings/reminders', ['Add: Calendar', 'Agregar: Calendario']],
  ['/settings/assistants', ['New token', 'Token nuevo']],
];

/** Longer than some forty pages and forms take on a busy machine. */
const MANY_PAGES_MS = 600_000;

describe('the pages of the example front end, under any conditions', () => {
  const web = useExampleWeb();

  it('asks for the password again when the session has ended, and keeps what was typed', async () => {
    const page = await web.open(ENGLISH, cyclePath);
    const form = page.getByRole('dialog', { name: 'Rent' });
    const save = form.getByRole('button', { name: 'Save' });
    await page.getByRole('button', { name: 'Rent', exact: true }).click();
    await form.getByRole('textbox', { name: 'Notes' }).fill('Paid by Luis');
    await endOtherSessions();
    await save.click();

    const signInForm = page.getByRole('dialog', { name: /^Your session has ended/ });
    await signInForm.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await signInForm.getByRole('button', { name: 'Sign in' }).click();
    await signInForm.waitFor({ state: 'detached' });
    expect(await form.getByRole('textbox', { name: 'Notes' }).inputValue()).toBe('Paid by Luis');
    await save.click();
    await messageOf(page, 'Rent saved').waitFor();
    const { expenses } = await web.send<Expenses>('GET', `${await cyclePath()}/expenses`);
    expect(expenses).toContainEqual(
      expect.objectContaining({ description: 'Rent', comments: 'Paid by Luis' }),
    );
  });

  it('says that a payment is not saved while there is no connection, and tries it again', async () => {
    const page = await web.open(ENGLISH, cyclePath);
    const offline = page.getByRole('status').filter({ hasText: 'You are offline.' });
    const pay = page.getByRole('button', { name: 'Pay Rent' });
    await pay.waitFor();
    await page.context().setOffline(true);
    await offline.waitFor();
    await pay.click();
    await messageOf(page, 'No connection. Rent is not saved yet').waitFor();
    await pay.waitFor();

    await page.context().setOffline(false);
    await offline.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await messageOf(page, 'Rent paid').waitFor();
    await pay.waitFor({ state: 'detached' });
  });

  it('shows what is loading on a slow network, and moves nothing when it has come', async () => {
    const page = await web.open(ENGLISH, '/cycles');
    await page.addInitScript(`
      globalThis.layoutShift = 0;
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) {
          if (!hadRecentInput) globalThis.layoutShift += value;
        }
      }).observe({ type: 'layout-shift', buffered: true });`);
    const unsteady: Record<string, number> = {};
    const paths = ['/', '/accounts', '/cycles', await cyclePath(), '/budgets', ...SETTINGS];
    for (const path of paths) {
      let answer = (): void => undefined;
      const answered = new Promise<void>((resolve) => (answer = resolve));
      await page.route(`${web.sandbox.api}/**`, async (route) => {
        await answered;
        // The user's own settings come last.
        if (route.request().url().endsWith('/auth/me')) await delay(300);
        await route.continue();
      });
      await page.goto(web.url + path);
      await page.locator('[aria-busy=true]').first().waitFor();
      answer();
      await page.waitForLoadState('networkidle');
      await hasLoaded(page);
      await page.unrouteAll({ behavior: 'wait' });
      const shift = await page.evaluate<number>('layoutShift');
      if (shift >= MAX_LAYOUT_SHIFT) unsteady[path] = shift;
    }
    expect(unsteady).toEqual({});
  });

  it.each([
    { locale: 'en-GB', colorScheme: 'light', axeAt: [1280, 360] },
    { locale: 'es-MX', colorScheme: 'dark', axeAt: [768] },
  ] as const)(
    'is accessible and fits every screen and finger on every page, in $locale and $colorScheme',
    async ({ axeAt, ...options }) => {
      const page = await web.open({ ...options, viewport: DESKTOP });
      const language = options.locale === 'en-GB' ? 0 : 1;
      const nameOf = (name: Name) => (typeof name === 'string' ? name : name[language]);
      const problems: string[] = [];

      async function check(path: string, ...names: string[]): Promise<void> {
        const found = new Set<string>();
        for (const width of [1280, 768, 360]) {
          await page.setViewportSize({ width, height: 900 });
          if (!(await fits(page, width))) found.add(`is wider than ${width} px`);
          await hasLoaded(page);
          const violations = axeAt.some((each) => each === width) ? await violationsOf(page) : [];
          for (const violation of violations) found.add(violation);
        }
        for (const target of await smallTargetsOf(page)) found.add(target);
        problems.push(...[...found].map((each) => [path, ...names, each].join(' > ')));
        await page.setViewportSize(DESKTOP);
      }
      async function open(path: string, ...names: string[]): Promise<void> {
        // The page changes without a reload.
        await page.evaluate(`history.pushState(null, '', '${path}')`);
        await hasLoaded(page);
        for (const name of names) {
          const roles = (['button', 'menuitem', 'tab'] as const).map((role) =>
            page.getByRole(role, { name, exact: true }),
          );
          const label = page.locator('label').getByText(name, { exact: true });
          await roles
            .reduce((all, each) => all.or(each), label)
            .first()
            .click();
        }
      }

      const records = await recordPaths();
      for (const path of [...Object.values(records), ...PAGES]) {
        await open(path);
        await check(path);
      }
      for (const [place, ...names] of OPENERS) {
        const opener = [records[place] ?? place, ...names.map(nameOf)] as const;
        await open(...opener);
        await hasLoaded(page);
        await check(...opener);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      await open('/', nameOf(['Your account', 'Tu cuenta']), nameOf(['Sign out', 'Cerrar sesión']));
      const links = ['/reset-password', '/reminders/confirm'];
      for (const path of ['/', '/register', '/forgotten-password', ...links]) {
        await open(path);
        await check(path);
      }
      expect(problems).toEqual([]);
    },
    MANY_PAGES_MS,
  );

  async function cyclePath(): Promise<string> {
    const { cycles } = await web.send<{ cycles: { id: string }[] }>('GET', `/cycles?date=${TODAY}`);
    return `/cycles/${cycles[0]?.id}`;
  }

  /** The pages of a cycle, a card and a budget. */
  async function recordPaths(): Promise<Record<string, string>> {
    type Named = { id: string; name: string }[];
    const methods = await web.send<Named>('GET', '/payment-methods');
    const budgets = await web.send<Named>('GET', '/budgets');
    const idOf = (list: Named, name: string) => list.find((each) => each.name === name)?.id;
    const cycle = await cyclePath();
    return {
      cycle,
      close: `${cycle}/close`,
      card: `/accounts/${idOf(methods, 'Credit card')}`,
      budget: `/budgets/${idOf(budgets, 'Transport')}`,
    };
  }

  /** Those of the browser among them. */
  async function endOtherSessions(): Promise<void> {
    const token = await web.logIn();
    const sessions = await web.send<{ id: string; current: boolean }[]>('GET', '/auth/sessions', {
      token,
    });
    for (const { id } of sessions.filter(({ current }) => !current)) {
      await web.send('DELETE', `/auth/sessions/${id}`, { token });
    }
  }
});

/** Waits until nothing is loading or moving any more. */
async function hasLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await eventually('a page that has loaded', async () => {
    if ((await page.locator('[aria-busy=true]').count()) > 0) return false;
    return page.evaluate<boolean>(
      'document.getAnimations().every((each) => each.playState !== "running")',
    );
  });
}

/** Whether the page is as wide as the screen, as soon as its chart has the new width. */
async function fits(page: Page, width: number): Promise<boolean> {
  const condition = `document.documentElement.scrollWidth <= ${width}`;
  return page.waitForFunction(condition, undefined, { timeout: 5_000 }).then(
    () => true,
    () => false,
  );
}
