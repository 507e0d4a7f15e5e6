import { describe, expect, it } from '@jest/globals';
import { messageOf, useExampleWeb, violationsOf } from '../support/example-web.js';

const ENGLISH = { locale: 'en-GB', viewport: { width: 1280, height: 900 } };
const SPANISH_PHONE = { locale: 'es-MX', viewport: { width: 360, height: 800 } };

interface Budget {
  id: string;
  name: string;
  limit: string;
}

describe('a budget in the example front end', () => {
  const web = useExampleWeb();

  const groceries = async (): Promise<Budget | undefined> =>
    (await web.send<Budget[]>('GET', '/budgets')).find(({ name }) => name === 'Groceries');

  it('shows what is left, what it was spent on, and the last cycles', async () => {
    const page = await web.open(ENGLISH, '/budgets');
    await page.getByRole('link', { name: 'Groceries' }).click();
    await page.getByRole('heading', { name: 'Groceries', level: 1 }).waitFor();
    const figures = page.getByRole('region', { name: 'Figures' });
    await figures.getByText('A day, for 21 days').waitFor();
    const expenses = page.getByRole('group', { name: 'Expenses' });
    await expenses.getByText(/Paid 21 Nov/).waitFor();
    expect(await violationsOf(page)).toEqual([]);

    const former = page.getByRole('button', { name: /^23 Sept/ });
    await former.press('Enter');
    await expenses.getByText(/Paid 31 Oct/).waitFor();
    expect(await expenses.getByText(/Paid 21 Nov/).count()).toBe(0);
  });

  it('takes what was spent on it, and another limit', async () => {
    const page = await web.open(ENGLISH, async () => `/budgets/${(await groceries())?.id}`);
    const form = page.getByRole('dialog');
    await page.getByRole('button', { name: 'I spent' }).click();
    await form.getByRole('textbox', { name: 'Amount' }).fill('123.45');
    expect(await form.getByRole('radio', { name: 'Groceries' }).isChecked()).toBe(true);
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('group', { name: 'Expenses' }).getByText('123.45').first().waitFor();

    await page.getByRole('button', { name: 'Edit' }).click();
    await form.getByRole('textbox', { name: /^Limit/ }).fill('800');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await messageOf(page, 'Groceries saved').waitFor();
    await page.getByText('of $800.00').waitFor();
    expect((await groceries())?.limit).toBe('800.00');
  });

  it('fits a phone, in Spanish and dark', async () => {
    const options = { ...SPANISH_PHONE, colorScheme: 'dark' as const };
    const page = await web.open(options, async () => `/budgets/${(await groceries())?.id}`);
    await page.getByText('Al día, por 21 días').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await violationsOf(page)).toEqual([]);
  });
});
