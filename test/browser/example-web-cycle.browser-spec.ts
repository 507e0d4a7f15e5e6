import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { messageOf, TODAY, undoOf, useExampleWeb, violationsOf } from '../support/example-web.js';

const ENGLISH = { locale: 'en-GB', viewport: { width: 1280, height: 900 } };
const PHONE = { locale: 'en-GB', viewport: { width: 360, height: 740 }, hasTouch: true };
const HEADER = 'due_date,description,category,currency,amount,payment_method';

interface Expense {
  description: string;
  amount: string;
  currency: string;
  paid: boolean;
  payment_method: { name: string };
  budget: { name: string } | null;
}

describe('a cycle in the example front end', () => {
  const web = useExampleWeb();

  it('takes what was spent in three presses beside the typing, on a phone', async () => {
    const page = await web.open(PHONE);
    const sheet = page.getByRole('dialog', { name: 'I spent' });
    let presses = 0;
    const press = async (target: Locator): Promise<void> => {
      presses += 1;
      await target.tap();
    };
    const add = page.getByRole('button', { name: 'Add', exact: true });
    await press(add);
    const amount = sheet.getByRole('textbox', { name: 'Amount' });
    await amount.and(page.locator(':focus')).waitFor();
    expect(await amount.getAttribute('inputmode')).toBe('decimal');
    await page.keyboard.type('85.5');
    await press(sheet.getByText('Groceries', { exact: true }));
    await press(sheet.getByRole('button', { name: 'Save' }));
    await messageOf(page, 'Groceries paid, 85.50 MXN').waitFor();
    expect(presses).toBe(3);
    expect(await expenseOf('Groceries')).toMatchObject({
      amount: '85.50',
      currency: 'MXN',
      paid: true,
      payment_method: { name: 'Debit card' },
      budget: { name: 'Groceries' },
    });

    await press(add);
    const budgets = sheet.getByRole('radiogroup', { name: /budget/ });
    await budgets.waitFor();
    expect((await budgets.innerText()).split('\n')[0]).toBe('Groceries');
  });

  it('has columns with states and what differs from the plan, and opens a row anywhere', async () => {
    const page = await web.open(ENGLISH, cyclePath);
    const table = page.getByRole('table', { name: 'Expenses' });
    const row = (name: string) => table.getByRole('row').filter({ hasText: name });
    await table.waitFor();
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
      ...['Due', 'Expense', 'Budget', 'Planned', 'Amount', 'In dollars', 'State'],
    ]);
    const cells = async (name: string) =>
      (await row(name).first().getByRole('cell').allInnerTexts()).slice(1, 8);
    expect(await cells('Water')).toEqual([
      ...['Fri 20 Nov', 'Water Debit card', 'Home', '385.00 MXN', '385.00 MXN', '$20.97'],
      '● Overdue',
    ]);
    expect((await cells('Electricity')).at(-1)).toBe('○ Pending');
    expect((await cells('Tacos with neighbors')).slice(3)).toEqual([
      ...['not planned', '890.00 MXN', '$48.48', '■ Statement 12 Dec'],
    ]);
    expect((await cells('Fuel')).slice(3)).toEqual([
      ...['42.00 USD', '+2.10 44.10 USD', '$44.10', '■ Statement 12 Nov'],
    ]);
    await row('Weekly groceries')
      .filter({ hasText: '● Paid 21 Nov' })
      .getByText('−92.00')
      .waitFor();
    expect(await violationsOf(page)).toEqual([]);

    await row('Electricity').getByRole('cell').nth(6).click();
    await page.getByRole('dialog', { name: 'Electricity' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Another amount or day: Electricity' }).click();
    await page.getByRole('textbox', { name: 'Paid', exact: true }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('pays marked expenses with one request, which one undo takes back', async () => {
    const page = await web.open(ENGLISH, cyclePath);
    const pay = page.getByRole('button', { name: /^Pay [A-Z]/ });
    await pay.first().waitFor();
    const count = await pay.count();
    const requests: string[] = [];
    page.on('request', (request) => {
      if (!['GET', 'OPTIONS'].includes(request.method())) requests.push(request.method());
    });
    await page.getByRole('checkbox', { name: 'Mark Water' }).check();
    await page.getByRole('checkbox', { name: 'Mark Electricity' }).check();
    await page.getByRole('button', { name: 'Pay these 2' }).click();
    const undo = await undoOf(page, '2 paid, $88.55');
    expect(requests).toEqual(['PATCH']);
    expect((await expenseOf('Water'))?.paid).toBe(true);
    await eventually('two paid', async () => (await pay.count()) === count - 2);
    expect(await page.locator(':checked').count()).toBe(0);
    await undo.press('Enter');
    await messageOf(page, 'Undone').waitFor();
    expect((await expenseOf('Water'))?.paid).toBe(false);
    expect((await expenseOf('Electricity'))?.paid).toBe(false);

    await page.getByRole('checkbox', { name: 'Mark all that are not paid' }).click();
    await page.getByRole('button', { name: `Pay these ${String(count)}` }).waitFor();
  });

  it('imports the expenses of a file after it has shown what is wrong with it', async () => {
    const page = await web.open(ENGLISH, cyclePath);
    const form = page.getByRole('dialog', { name: 'Import expenses' });
    const before = (await expenses()).length;
    await more(page, 'Import expenses');
    const check = form.getByRole('button', { name: 'Check the file' });
    await check.click();
    await form.locator('[aria-invalid=true]').waitFor();
    await choose(`${HEADER}\n2026-11-26,Coffee,variable,MXN,abc,Cash\n`);
    await check.click();
    await form.getByText(/^Line 2, amount: /).waitFor();
    expect(await violationsOf(page)).toEqual([]);

    await choose(`${HEADER}\r\n2026-11-26,Caf\u00e9,variable,MXN,80.00,Cash\r\n`, 'latin1');
    await check.click();
    await form.getByText(/^1 expense, \$4\.\d\d in total$/).waitFor();
    expect((await expenses()).length).toBe(before);
    await form.getByRole('button', { name: 'Add 1 expense' }).click();
    const undo = await undoOf(page, '1 expense added');
    expect(await expenseOf('Café')).toMatchObject({ amount: '80.00', paid: false });
    await undo.press('Enter');
    await messageOf(page, 'Undone').waitFor();
    expect((await expenses()).length).toBe(before);

    async function choose(text: string, encoding: 'utf8' | 'latin1' = 'utf8'): Promise<void> {
      const buffer = Buffer.from(text, encoding);
      const file = { name: 'expenses.csv', mimeType: 'text/csv', buffer };
      await page.locator('input[type=file]').setInputFiles(file);
    }
  });

  it('exports its expenses as a file for spreadsheets', async () => {
    const page = await web.open(ENGLISH, cyclePath);
    const downloading = page.waitForEvent('download');
    await more(page, 'Export expenses');
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('4 Nov – 15 Dec 2026.csv');
    const text = await readFile(await download.path(), 'utf8');
    expect(text.startsWith('\uFEFFdue_date,description,')).toBe(true);
    expect(text).toContain(',Water,');
  });

  it.each([
    ['en-GB', 360, 'light'],
    ['es-MX', 768, 'dark'],
    ['es-MX', 1024, 'light'],
  ] as const)(
    'fits with its tabs, in %s, %i px wide and %s',
    async (locale, width, colorScheme) => {
      const viewport = { width, height: 900 };
      const page = await web.open({ locale, viewport, colorScheme }, cyclePath);
      await page.getByRole('button', { name: /^(Pay|Pagar) Water/ }).waitFor();
      for (const index of [0, 1, 2]) {
        await page.getByRole('tab').nth(index).click();
        await page.getByRole('tabpanel').locator('li, [data-row]').first().waitFor();
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(await violationsOf(page)).toEqual([]);
      }
    },
  );

  async function more(page: Page, item: string): Promise<void> {
    await page.getByRole('button', { name: 'More about this cycle' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  }

  /** Of the cycle that includes today, in the API and in the pages. */
  async function cyclePath(): Promise<string> {
    const { cycles } = await web.send<{ cycles: { id: string }[] }>('GET', `/cycles?date=${TODAY}`);
    return `/cycles/${String(cycles[0]?.id)}`;
  }

  async function expenses(): Promise<Expense[]> {
    const path = `${await cyclePath()}/expenses`;
    return (await web.send<{ expenses: Expense[] }>('GET', path)).expenses;
  }

  async function expenseOf(name: string): Promise<Expense | undefined> {
    return (await expenses()).find(({ description }) => description === name);
  }
});
