import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { EMAIL, messageOf, PASSWORD, useExampleWeb } from '../support/example-web.js';

const DESKTOP = { width: 1280, height: 900 };

/** More than any page has between two places. */
const MAX_PRESSES = 120;

type Role = 'button' | 'link' | 'menuitem' | 'radio' | 'tab' | 'textbox';

describe('the example front end by keyboard alone', () => {
  const web = useExampleWeb();

  it('signs in, enters what was spent, pays, undoes, tries a change, and sets a name', async () => {
    const page = await web.visit({ locale: 'en-GB', viewport: DESKTOP });
    const { keyboard } = page;
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await reach(page, 'textbox', 'E-mail');
    await keyboard.type(EMAIL);
    await reach(page, 'textbox', 'Password');
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'Pay Water' }).waitFor();

    await reach(page, 'link', 'Skip to the content');
    await reach(page, 'button', 'Add');
    await keyboard.press('Enter');
    const spent = page.getByRole('dialog', { name: 'I spent' });
    await hasFocus(page, 'textbox', 'Amount');
    await keyboard.type('450');
    await reach(page, 'radio', 'None');
    await reach(page, 'radio', 'Eating out', 'ArrowRight');
    await reach(page, 'button', 'Save');
    await keyboard.press('Enter');
    await messageOf(page, 'Eating out paid, 450.00 MXN').waitFor();
    await spent.waitFor({ state: 'detached' });
    await hasFocus(page, 'button', 'Add');

    await reach(page, 'button', 'Pay Water');
    await keyboard.press('Enter');
    await messageOf(page, 'Water paid').waitFor();
    await keyboard.press('Control+z');
    await messageOf(page, 'Undone').waitFor();
    await page.getByRole('button', { name: 'Pay Water' }).waitFor();

    await reach(page, 'button', 'What if…', 'Shift+Tab');
    await keyboard.press('Enter');
    const whatIf = page.getByRole('dialog', { name: 'What if' });
    await reach(page, 'textbox', 'Description');
    await keyboard.type('Washing machine');
    await reach(page, 'textbox', 'Amount');
    await keyboard.type('4500');
    await whatIf
      .getByText(/fits|runs short/)
      .first()
      .waitFor();
    await keyboard.press('Escape');
    await whatIf.waitFor({ state: 'detached' });
    await hasFocus(page, 'button', 'What if…');

    await reach(page, 'button', 'Your account', 'Shift+Tab');
    await keyboard.press('Enter');
    await reach(page, 'menuitem', 'Settings', 'ArrowDown');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await reach(page, 'tab', 'Account');
    await reach(page, 'tab', 'Reminders', 'ArrowRight');
    await page.getByRole('region', { name: 'Calendar' }).waitFor();
    await reach(page, 'tab', 'Account', 'ArrowLeft');
    await page.getByRole('region', { name: 'Profile' }).waitFor();
    await reach(page, 'textbox', 'First name');
    await keyboard.press('Control+a');
    await keyboard.type('Anita');
    await keyboard.press('Enter');
    await messageOf(page, 'Profile saved').waitFor();
    const me = await web.send<{ first_name: string }>('GET', '/auth/me', {
      token: await web.logIn(),
    });
    expect(me.first_name).toBe('Anita');
  });
});

/** Presses a key until what has that name has the focus. */
async function reach(page: Page, role: Role, name: string, key = 'Tab'): Promise<void> {
  const focused = page.getByRole(role, { name, exact: true }).and(page.locator(':focus'));
  for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
    await page.keyboard.press(key);
    if ((await focused.count()) > 0) return;
  }
  throw new Error(`${key} does not reach the ${role} ${name}`);
}

const hasFocus = (page: Page, role: Role, name: string): Promise<void> =>
  page.getByRole(role, { name, exact: true }).and(page.locator(':focus')).waitFor();
