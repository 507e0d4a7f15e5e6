import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { messageOf, undoOf, useExampleWeb, violationsOf } from '../support/example-web.js';

const DESKTOP = { width: 1280, height: 900 };
const ENGLISH = { locale: 'en-GB', viewport: DESKTOP };
const PHONE = { locale: 'es-MX', viewport: { width: 360, height: 740 } };
const HEADER = 'due_date,description,category,currency,amount,payment_method';

interface Cycles {
  cycles: { id: string; status: string }[];
}
interface Expenses {
  expenses: { status: string }[];
}

describe('what a household begins with, and ends, in the example front end', () => {
  const web = useExampleWeb();

  it('takes what the bank says of a new card, which has no purchases yet', async () => {
    const page = await web.open(ENGLISH, async () => {
      const days = { closing_day: 20, due_day: 10 };
      const body = { name: 'Red card', method_type: 'credit', default_currency: 'MXN', ...days };
      const { id } = await web.send<{ id: string }>('POST', '/payment-methods', { body });
      return `/accounts/${id}`;
    });
    await page.getByRole('button', { name: '21 Oct – 20 Nov' }).click();
    await page.getByText('Nothing to pay').first().waitFor();
    await page.getByRole('button', { name: 'The bank says…' }).click();
    await page.getByRole('textbox', { name: 'The bank says' }).fill('4,321.50');
    await page.getByRole('button', { name: 'Save' }).click();
    await messageOf(page, 'Red card saved').waitFor();
    await page.getByText('Closed, due in 15 days · due Thu 10 Dec').waitFor();

    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('button', { name: /^Show \d+ more until/ }).click();
    await page.getByRole('link', { name: 'Red card, statement of 20 Nov' }).click();
    await page.getByRole('button', { name: '21 Oct – 20 Nov', pressed: true }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: '21 Oct – 20 Nov', pressed: true }).waitFor();

    const date = page.getByRole('dialog').getByLabel('Date');
    await page.getByRole('button', { name: 'Purchase' }).click();
    await date.fill('15 Aug 2025');
    await page.getByText('No open cycle includes this day.').waitFor();
    expect(await page.getByRole('link', { name: 'Create the next cycle' }).count()).toBe(0);
    await date.fill('15 Aug 2027');
    await page.getByRole('link', { name: 'Create the next cycle' }).waitFor();
  });

  it('shows what a file would add, what the cycle has already, and the lines that are wrong', async () => {
    const page = await web.open(ENGLISH, async () => `/cycles/${await activeCycle()}`);
    const form = page.getByRole('dialog', { name: 'Import expenses' });
    const check = form.getByRole('button', { name: 'Check the file' });
    await page.getByRole('button', { name: 'More about this cycle' }).click();
    await page.getByRole('menuitem', { name: 'Import expenses' }).click();

    await choose(page, `${HEADER}\n2026-11-26,Coffee,variable,MXN,80.00,Cahs\n`);
    await check.click();
    await form.getByText(/^Line 2, payment_method: /).waitFor();
    await form.getByText('2026-11-26,Coffee,variable,MXN,80.00,Cahs').waitFor();
    await form.getByText(/^Payment methods, as Accounts has them: .*Cash/).waitFor();

    const exported = await exportedExpenses();
    const count = exported.trim().split('\n').length - 1;
    await choose(page, exported);
    await check.click();
    await form.getByText(new RegExp(`^${count} expenses, `)).waitFor();
    await form.getByText(/^due_date,description,.*\n\d{4}-/).waitFor();
    await form.getByText(`${count} of these are already in this cycle`).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('pays all that is due with one press before a cycle is closed, and takes that back', async () => {
    const page = await web.open(ENGLISH, async () => `/cycles/${await activeCycle()}/close`);
    const pay = page.getByRole('button', { name: 'Pay all 2 that are due' });
    await pay.click();
    const undo = await undoOf(page, '2 paid');
    await pay.waitFor({ state: 'detached' });
    expect(await overdue()).toBe(0);
    await undo.press('Enter');
    await pay.waitFor();
    expect(await overdue()).toBe(2);
  });

  it('keeps what is typed in a first step while the answer for the one before is late', async () => {
    const page = await web.visit(PHONE, '/register');
    const field = (name: string | RegExp) => page.getByRole('textbox', { name });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await field('Nombre').fill('Luz');
    await field('Correo electrónico').fill('luz@example.com');
    await field('Contraseña').fill('una contraseña larga');
    await press('Crear una cuenta');
    await page.getByRole('heading', { name: 'Cinco pasos para tu primer ciclo' }).waitFor();
    await field('Nombre').fill('Nómina');
    await field('Saldo de hoy').fill('18,450.75');
    const { width = 0 } = (await field('Saldo de hoy').boundingBox()) ?? {};
    expect(width).toBeGreaterThan(240);
    await press('Guardar y continuar');

    await page.route('**/cycles?per_page=100', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      await route.continue();
    });
    await field('Descripción').fill('Sueldo');
    await field('Monto').fill('9,000');
    const isAsked = page.waitForResponse(/cycles\?per_page=100/);
    await press('Guardar');
    await messageOf(page, 'Sueldo: guardado').waitFor();
    await press('Continuar');
    await field('Descripción').fill('Renta');
    await isAsked;
    await page.waitForTimeout(500);
    expect(await field('Descripción').inputValue()).toBe('Renta');

    await press('Omitir');
    await press('Omitir');
    await press('Crea el ciclo');
    await messageOf(page, 'Tu primer ciclo está listo').waitFor();
    await page.getByText('Puedes gastar', { exact: true }).first().waitFor();
    expect(await page.evaluate('scrollY')).toBe(0);
  });

  async function activeCycle(): Promise<string> {
    const { cycles } = await web.send<Cycles>('GET', '/cycles');
    return cycles.find(({ status }) => status === 'active')?.id ?? '';
  }

  async function overdue(): Promise<number> {
    const path = `/cycles/${await activeCycle()}/expenses?per_page=100`;
    const { expenses } = await web.send<Expenses>('GET', path);
    return expenses.filter(({ status }) => status === 'overdue').length;
  }

  async function exportedExpenses(): Promise<string> {
    const url = `${web.sandbox.api}/cycles/${await activeCycle()}/expenses.csv`;
    const headers = { Authorization: `Bearer ${await web.logIn()}` };
    return (await fetch(url, { headers })).text();
  }
});

async function choose(page: Page, text: string): Promise<void> {
  const file = { name: 'expenses.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file);
}
