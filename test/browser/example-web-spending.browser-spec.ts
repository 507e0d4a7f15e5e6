import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  choose,
  messageOf,
  TODAY,
  undoOf,
  useExampleWeb,
  violationsOf,
} from '../support/example-web.js';

const ENGLISH = { locale: 'en-GB', viewport: { width: 1280, height: 900 } };
const SPANISH_PHONE = { locale: 'es-MX', viewport: { width: 390, height: 844 } };
/** What the keyboard of a phone leaves of its screen. */
const ABOVE_KEYBOARD = 480;

interface Entry {
  id: string;
  description: string;
  currency: string;
  amount: string;
  payment_method: { name: string } | null;
  budget: { name: string } | null;
}
interface Expense extends Entry {
  paid: boolean;
  paid_at: string | null;
}
interface Income extends Entry {
  income_date: string;
  received: boolean;
}
interface Use {
  budget: { name: string } | null;
  currency: string;
  left: string | null;
  refunded_amount: string;
}
interface Forecast {
  base: { lowest: { balance: string } };
  changed: { closing_balance: string; lowest: { balance: string } };
}

describe('spending money in the example front end', () => {
  const web = useExampleWeb();

  it('takes what was spent in three presses, as paid, and remembers what was chosen', async () => {
    const page = await web.open(ENGLISH);
    const sheet = page.getByRole('dialog', { name: 'I spent' });
    const amount = sheet.getByRole('textbox', { name: 'Amount' });
    const method = sheet.getByRole('combobox', { name: 'With' });
    const save = sheet.getByRole('button', { name: 'Save', exact: true });
    const firstBudget = sheet
      .getByRole('radiogroup', { name: /budget/ })
      .getByRole('radio')
      .first();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await hasFocus(page, 'Amount');
    await page.keyboard.type('450');
    await sheet.getByText('Eating out', { exact: true }).click();
    await effect(page, 'Eating out', '10.00 over → 460.00 MXN over').waitFor();
    await effect(page, 'Debit card', '4,260.00 → 3,810.00 MXN').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await save.click();
    const undo = await undoOf(page, 'Eating out paid, 450.00 MXN');
    await sheet.waitFor({ state: 'detached' });
    expect(await expenseOf('Eating out')).toMatchObject({
      ...{ currency: 'MXN', amount: '450.00', paid: true, paid_at: expect.any(String) },
      ...{ payment_method: { name: 'Debit card' }, budget: { name: 'Eating out' } },
    });
    await undo.press('Enter');
    await messageOf(page, 'Undone').waitFor();
    expect(await expenseOf('Eating out')).toBeUndefined();

    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await hasFocus(page, 'Amount');
    expect(await firstBudget.locator('xpath=..').innerText()).toBe('Eating out');
    await amount.fill('12.50');
    await sheet.getByText('USD', { exact: true }).click();
    await sheet.getByText('Transport', { exact: true }).click();
    await choose(page, 'With', 'Dollar account');
    await sheet.getByRole('textbox', { name: /^What for/ }).fill('Taxi');
    await sheet.getByRole('button', { name: 'Save and another' }).click();
    await messageOf(page, 'Taxi paid, $12.50').waitFor();
    await hasFocus(page, 'Amount');
    expect(await amount.inputValue()).toBe('');
    expect(await method.inputValue()).toBe('Dollar account');
    await page.reload();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    expect(await method.inputValue()).toBe('Dollar account');
    expect(await firstBudget.locator('xpath=..').innerText()).toBe('Transport');
    expect(await sheet.getByRole('radio', { name: 'USD' }).isChecked()).toBe(true);

    await amount.fill('20');
    await choose(page, 'With', 'Credit card');
    await sheet.getByText('Leaves on Sat 2 Jan, with the statement of 12 Dec').waitFor();
    expect(await sheet.getByRole('combobox', { name: 'State' }).count()).toBe(0);
    await choose(page, 'With', 'Cash');
    await sheet.getByLabel('On', { exact: true }).fill('26 Nov 2026');
    await sheet.getByLabel('On', { exact: true }).blur();
    await save.click();
    await messageOf(page, 'Expense saved, 20.00 MXN').waitFor();
    expect(await expenseOf('Expense')).toMatchObject({ paid: false, budget: null });
  });

  it('has the sheet from below on a phone, with Save above the keyboard, in Spanish', async () => {
    const page = await web.open(SPANISH_PHONE);
    const sheet = page.getByRole('dialog', { name: 'Gasté' });
    const save = sheet.getByRole('button', { name: 'Guardar', exact: true });
    await page.getByRole('button', { name: 'Agregar', exact: true }).click();
    await hasFocus(page, 'Monto');
    await page.evaluate(`
      Object.defineProperty(visualViewport, 'height', { value: ${ABOVE_KEYBOARD} });
      visualViewport.dispatchEvent(new Event('resize'));`);
    await page.waitForFunction(
      `[...document.querySelectorAll('[role=dialog] [type=submit]')].some((button) =>
        button.getBoundingClientRect().bottom <= ${ABOVE_KEYBOARD})`,
    );
    await page.keyboard.type('95.50');
    await sheet.getByText('Health', { exact: true }).click();
    expect(await violationsOf(page)).toEqual([]);
    await save.click();
    await messageOf(page, 'Health: pagado, 95.50 MXN').waitFor();
    expect(await expenseOf('Health')).toMatchObject({ amount: '95.50', paid: true });

    await page.getByRole('button', { name: 'Agregar', exact: true }).click();
    await sheet.getByRole('button', { name: 'Gasto planeado' }).click();
    await page.getByRole('dialog', { name: 'Gasto', exact: true }).waitFor();
  });

  it('pays with another amount and on another day below the row, one at a time', async () => {
    const page = await web.open(ENGLISH);
    const other = (name: string) =>
      page.getByRole('button', { name: `Another amount or day: ${name}`, exact: true });
    const paid = page.getByRole('textbox', { name: 'Paid', exact: true });
    await other('Water').click();
    expect(await paid.inputValue()).toBe('385.00');
    await other('Electricity').click();
    expect(await paid.inputValue()).toBe('1,240.00');
    expect(await other('Water').getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Escape');
    await paid.waitFor({ state: 'detached' });
    await hasFocus(page, 'Another amount or day: Electricity');

    await page.keyboard.press('Enter');
    await hasFocus(page, 'Paid');
    await paid.fill('1,310.50');
    await page.getByText('70.50 MXN more than planned.').waitFor();
    await effect(page, 'Home', '$25.01 → $21.17').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('On', { exact: true }).fill('26 Nov 2026');
    await page.getByRole('button', { name: 'Save as paid' }).click();
    await page.getByLabel('On', { exact: true }).and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByLabel('On', { exact: true }).fill('24 Nov 2026');
    await page.getByRole('button', { name: 'Save as paid' }).click();
    await messageOf(page, 'Electricity paid, 1,310.50 MXN').waitFor();
    await other('Electricity').waitFor({ state: 'detached' });
    expect(await page.locator(':focus').getAttribute('aria-label')).toMatch(/^(Pay|Receive) /);
    expect(await expenseOf('Electricity')).toMatchObject({
      ...{ amount: '1310.50', paid: true, paid_at: '2026-11-24T18:00:00.000Z' },
    });

    await other('Paycheck').first().click();
    await page.getByRole('textbox', { name: 'Received', exact: true }).fill('1,001.00');
    await page.getByRole('button', { name: 'Save as received' }).click();
    await messageOf(page, 'Paycheck received, $1,001.00').waitFor();
    expect((await incomes()).find(({ amount }) => amount === '1001.00')?.received).toBe(true);
  });

  it('pays otherwise on a phone by a press on the row, in Spanish', async () => {
    const page = await web.open(SPANISH_PHONE);
    const row = page.locator('[data-row]').filter({ hasText: 'Electricity' });
    await row.waitFor();
    expect(await page.getByRole('button', { name: /^Otro monto u otro día/ }).count()).toBe(0);
    await row.click({ position: { x: 160, y: 10 } });
    await hasFocus(page, 'Pagaste');
    await page.keyboard.press('Escape');
    expect(await page.locator(':focus').innerText()).toBe('Electricity');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Pagaste' }).fill('1,200.00');
    await page.getByText('40.00 MXN menos de lo planeado.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Guardar como pagado' }).click();
    await messageOf(page, 'Electricity: pagado, 1,200.00 MXN').waitFor();
    expect(await expenseOf('Electricity')).toMatchObject({ amount: '1200.00', paid: true });

    await page
      .locator('[data-row]')
      .filter({ hasText: 'Water' })
      .click({ position: { x: 160, y: 10 } });
    await page.getByRole('button', { name: 'Editar' }).click();
    await page.getByRole('dialog', { name: 'Water' }).waitFor();
  });

  it.each([
    {
      ...ENGLISH,
      words: ['Money that came back', 'Amount', '10.00 over → 150.00 MXN left', 'Statement'],
      ...{
        save: 'Save the refund',
        refund: 'Refund, Birthday lunch',
        back: '280.00 MXN came back',
      },
      saved: 'Refund, Birthday lunch saved',
    },
    {
      ...SPANISH_PHONE,
      words: ['Dinero que te regresaron', 'Monto', '10.00 de más → quedan 150.00 MXN', 'Corte'],
      ...{ save: 'Guardar reembolso', refund: 'Reembolso, Birthday lunch' },
      ...{ back: 'te regresaron 280.00 MXN', saved: 'Reembolso, Birthday lunch: guardado' },
    },
  ])('gives a refund back to the budget and the card of its expense, in $locale', async (words) => {
    const { save, refund, back, saved, ...options } = words;
    const [cameBack = '', amount = '', budget = '', statement = ''] = words.words;
    const page = await web.open(options, cyclePath);
    const sheet = page.getByRole('dialog', { name: 'Birthday lunch' });
    const opener = sheet.getByRole('button', { name: cameBack });
    await page.getByRole('button', { name: 'Birthday lunch' }).click();
    await opener.click();
    await hasFocus(page, amount);
    await page.keyboard.press('Escape');
    await sheet.getByRole('textbox', { name: amount }).waitFor();
    expect(await page.locator(':focus').innerText()).toBe(cameBack);
    await opener.click();
    await sheet.getByRole('textbox', { name: amount }).fill('640.01');
    await sheet.getByRole('button', { name: save }).click();
    await sheet.locator('[aria-invalid=true]').waitFor();
    await sheet.getByRole('textbox', { name: amount }).fill('160');
    await effect(page, 'Eating out', budget).waitFor();
    await effect(page, `${statement} 12 `, '14,596.56 → 14,436.56 MXN').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await sheet.getByRole('button', { name: save }).click();
    await messageOf(page, saved).waitFor();

    expect((await incomes()).find(({ description }) => description === refund)).toMatchObject({
      ...{ amount: '160.00', currency: 'MXN', income_date: TODAY, received: true },
      ...{ budget: { name: 'Eating out' }, payment_method: { name: 'Credit card' } },
    });
    expect(await useOf('Eating out')).toMatchObject({ left: '150.00', refunded_amount: '280.00' });
    await page.goto(`${web.url}/budgets`);
    await page.getByText(back).waitFor();
  });

  it('has a budget in pesos, whose currency is chosen once', async () => {
    const page = await web.open(ENGLISH, '/budgets');
    const form = page.getByRole('dialog');
    const row = page.getByRole('listitem').filter({ hasText: 'Market' });
    await page.getByRole('button', { name: 'Add: This cycle' }).click();
    await form.getByRole('textbox', { name: 'Name' }).fill('Market');
    await form.getByRole('textbox', { name: /^Limit/ }).fill('13,500');
    await form.getByText('MXN', { exact: true }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await messageOf(page, 'Market saved').waitFor();
    await row.getByText('13,500.00 MXN left of 13,500.00 MXN').waitFor();

    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await hasFocus(page, 'Amount');
    await page.keyboard.type('450');
    await form.getByText('Market', { exact: true }).click();
    await effect(page, 'Market', '13,500.00 → 13,050.00 MXN').waitFor();
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await row.getByText('13,050.00 MXN left of 13,500.00 MXN').waitFor();
    await row.getByText('450.00 MXN paid or planned ($24.53)').waitFor();
    expect(await useOf('Market')).toMatchObject({ currency: 'MXN', left: '13050.00' });

    await page.getByRole('link', { name: 'Market', exact: true }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await form.getByRole('textbox', { name: /^Limit/ }).fill('400');
    expect(await form.getByText('USD', { exact: true }).count()).toBe(0);
    await form.getByRole('button', { name: 'Save' }).click();
    await messageOf(page, 'Market saved').waitFor();
    await page.getByRole('link', { name: 'Budgets' }).first().click();
    await row.getByText('50.00 MXN over limit 400.00 MXN').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('50.00 MXN over limit 400.00 MXN').waitFor();
  });

  it('tries changes together, one of which pauses what recurs', async () => {
    const page = await web.open(ENGLISH);
    const drawer = page.getByRole('dialog', { name: 'What if' });
    const row = (name: string) => drawer.locator('dl > div').filter({ hasText: name });
    const templates = await web.send<{ id: string; description: string }[]>(
      'GET',
      '/expense-templates',
    );
    const template_id = templates.find(({ description }) => description === 'Rent')?.id;
    const washer = { op: 'add_expense', currency: 'USD', date: TODAY };
    const all = [
      { ...washer, description: 'Washing machine', amount: '245.25' },
      { op: 'skip_template', template_id, from: '2026-12-01', to: '2027-01-31' },
      { op: 'change_template', template_id, amount: '9000.00', from: '2027-02-01' },
    ];
    const closing = async (...changes: object[]) => {
      const body = { set_aside: 'budgets', changes };
      const { changed } = await web.send<Forecast>('POST', '/forecast', { body });
      return `$${Number(changed.closing_balance).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;
    };

    await page.getByRole('button', { name: 'What if…' }).click();
    await drawer.getByLabel('Description').fill('Washing machine');
    await drawer.getByRole('textbox', { name: 'Amount' }).fill('245.25');
    await choose(page, 'Payment method', 'Debit card');
    await row('Balance on')
      .getByText(await closing(...all.slice(0, 1)))
      .waitFor();
    await drawer.getByRole('button', { name: 'Another change' }).click();
    await drawer.getByText('Pause', { exact: true }).click();
    await choose(page, 'What recurs', /^Rent$/);
    await drawer.getByLabel('From').fill('1 Dec 2026');
    await drawer.getByLabel('Until').fill('31 Jan 2027');
    await drawer.getByLabel('Until').blur();
    await row('Balance on')
      .getByText(await closing(...all.slice(0, 2)))
      .waitFor();
    expect(await drawer.getByRole('button', { name: 'Add to the plan' }).count()).toBe(0);
    await drawer.getByRole('button', { name: 'Another change' }).click();
    await drawer.getByText('New amount', { exact: true }).click();
    await choose(page, 'What recurs', /^Rent$/);
    await drawer.getByRole('textbox', { name: 'Another amount' }).fill('9,000');
    await drawer.getByLabel('From').fill('1 Feb 2027');
    await drawer.getByLabel('From').blur();
    await row('Balance on')
      .getByText(await closing(...all))
      .waitFor();
    await drawer.getByText('It fits.').waitFor();
    expect(await violationsOf(page)).toEqual([]);

    await drawer.getByText('Expense', { exact: true }).click();
    await drawer.getByRole('button', { name: /^Remove Washing machine · \$245\.25/ }).click();
    await row('Balance on')
      .getByText(await closing(...all.slice(1, 2)))
      .waitFor();
    await drawer.getByRole('button', { name: 'Remove Rent · paused 1 Dec – 31 Jan' }).click();
    await row('Balance on').waitFor({ state: 'detached' });
  });

  /** Of the cycle that includes today, in the API and in the pages. */
  async function cyclePath(): Promise<string> {
    const { cycles } = await web.send<{ cycles: { id: string }[] }>('GET', `/cycles?date=${TODAY}`);
    return `/cycles/${cycles[0]?.id}`;
  }

  async function expenseOf(name: string): Promise<Expense | undefined> {
    const path = `${await cyclePath()}/expenses`;
    const { expenses } = await web.send<{ expenses: Expense[] }>('GET', path);
    return expenses.find(({ description }) => description === name);
  }

  async function incomes(): Promise<Income[]> {
    return (await web.send<{ incomes: Income[] }>('GET', `${await cyclePath()}/incomes`)).incomes;
  }

  async function useOf(name: string): Promise<Use | undefined> {
    const path = `${await cyclePath()}/summary`;
    const { by_budget: uses } = await web.send<{ by_budget: Use[] }>('GET', path);
    return uses.find(({ budget }) => budget?.name === name);
  }
});

/** Waits until the field or the button with a name has the focus. */
const hasFocus = (page: Page, name: string): Promise<unknown> =>
  page.waitForFunction(
    `(() => {
      const { activeElement: focused } = document;
      const names = [focused.getAttribute('aria-label'), focused.labels?.[0]?.textContent];
      return names.includes(${JSON.stringify(name)});
    })()`,
  );

/** A line of what a payment or a refund changes. */
const effect = (page: Page, name: string, change: string) =>
  page.locator('.effect > div').filter({ hasText: name }).filter({ hasText: change });
