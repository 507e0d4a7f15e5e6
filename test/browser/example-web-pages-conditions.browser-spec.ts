import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { messageOf, PASSWORD, TODAY, useExampleWeb, violationsOf } from '../support/example-web.js';

const DESKTOP = { width: 1280, height: 900 };
const SMALL_PHONE = { width: 360, height: 740 };
const ENGLISH = { locale: 'en-GB', viewport: DESKTOP };

/** Chromium's limit for a page that is good to use. */
const MAX_LAYOUT_SHIFT = 0.1;

interface Expenses {
  expenses: { description: string; comments: string | null }[];
}

const SETTINGS = ['', '/reminders', '/assistants', '/sign-ins'].map((part) => `/settings${part}`);

/** Each form: the path of its page, left out of the cycle's, and the buttons that open it. */
const FORMS: [string | undefined, ...string[]][] = [
  ['/', 'Add'],
  ['/', 'Add something else', 'Planned expense'],
  ['/', 'Add something else', 'Income'],
  ['/', 'Add something else', 'Recurring'],
  ['/', 'What if…'],
  [undefined, 'Rent'],
  ['/recurring', 'Gas cylinder'],
  ['/budgets', 'Transport'],
  ['/accounts', 'Add: Payment methods'],
  ['/accounts', 'Credit card'],
  ['/settings/reminders', 'Add: Calendar'],
  ['/settings/assistants', 'New token'],
];

/** Longer than some thirty pages and forms take on a busy machine. */
const MANY_PAGES_MS = 360_000;

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

  it.each(['light', 'dark'] as const)(
    'is accessible and fits a small phone on every page, in %s colours',
    async (colorScheme) => {
      const page = await web.open({ ...ENGLISH, colorScheme });
      const problems: string[] = [];

      async function check(path: string, ...buttons: string[]): Promise<void> {
        // The page changes without a reload.
        await page.evaluate(`history.pushState(null, '', '${path}')`);
        await hasLoaded(page);
        for (const name of buttons) {
          const role = name === buttons[1] ? 'menuitem' : 'button';
          await page.getByRole(role, { name, exact: true }).first().click();
        }
        if (buttons.length > 0) await page.getByRole('dialog').waitFor();
        await hasLoaded(page);
        const found = await violationsOf(page);
        await page.setViewportSize(SMALL_PHONE);
        if (!(await fits(page))) found.push('is wider than the screen');
        await page.setViewportSize(DESKTOP);
        problems.push(...found.map((each) => [path, ...buttons, each].join(' > ')));
        if (buttons.length > 0) {
          await page.keyboard.press('Escape');
          await page.getByRole('dialog').waitFor({ state: 'detached' });
        }
      }

      const cycle = await cyclePath();
      const card = await cardPath();
      const ofCycles = ['/cycles', cycle, `${cycle}/close`, '/cycles/next', '/cycles/trip'];
      const paths = ['/', '/accounts', card, ...ofCycles, '/recurring', '/budgets', ...SETTINGS];
      for (const path of paths) await check(path);
      for (const [path, ...buttons] of FORMS) await check(path ?? cycle, ...buttons);
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      const links = ['/reset-password', '/reminders/confirm'];
      for (const path of ['/', '/register', '/forgotten-password', ...links]) await check(path);
      expect(problems).toEqual([]);
    },
    MANY_PAGES_MS,
  );

  async function cyclePath(): Promise<string> {
    const { cycles } = await web.send<{ cycles: { id: string }[] }>('GET', `/cycles?date=${TODAY}`);
    return `/cycles/${cycles[0]?.id}`;
  }

  async function cardPath(): Promise<string> {
    const methods = await web.send<{ id: string; name: string }[]>('GET', '/payment-methods');
    return `/accounts/${methods.find(({ name }) => name === 'Credit card')?.id}`;
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
async function fits(page: Page): Promise<boolean> {
  const condition = `document.documentElement.scrollWidth <= ${SMALL_PHONE.width}`;
  return page.waitForFunction(condition, undefined, { timeout: 10_000 }).then(
    () => true,
    () => false,
  );
}
