import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { messageOf, useExampleWeb } from '../support/example-web.js';

const DESKTOP = { locale: 'en-US', viewport: { width: 1280, height: 900 } };
const PHONE = { locale: 'es-MX', viewport: { width: 360, height: 740 } };

interface Copy {
  cycles: unknown[];
  expenses: { amount: string }[];
}

describe('the data of an account in the example front end', () => {
  const web = useExampleWeb();

  it('are downloaded in one file, which another account imports, all of it or nothing', async () => {
    const page = await web.open(DESKTOP, '/settings/data');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download everything' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^Expense planner 2026-\d\d-\d\d\.json$/);
    const copy = JSON.parse(await readFile(await file.path(), 'utf8')) as Copy;
    await choose(page, copy);
    await page
      .getByRole('alert')
      .filter({ hasText: 'only be imported into an account without data' })
      .waitFor();

    const other = await web.visit(PHONE, '/register');
    await register(other, 'luz@example.com');
    await choose(other, ['nothing']);
    const problem = other.getByRole('alert');
    await problem.filter({ hasText: 'no es la copia de una cuenta' }).waitFor();
    const [first, ...rest] = copy.expenses;
    await choose(other, { ...copy, expenses: [{ ...first, amount: 'much' }, ...rest] });
    await problem.filter({ hasText: 'expenses.0.amount: Escribe un monto' }).waitFor();
    await choose(other, copy);
    await messageOf(other, `Copia importada: ${copy.cycles.length} ciclos`).waitFor();
    await other
      .getByRole('button', { name: /^Pagar / })
      .first()
      .waitFor();
  });

  it('begin with accounts and a card, of which a wrong one loses nothing', async () => {
    const page = await web.visit(PHONE, '/register');
    await register(page, 'sol@example.com');
    const field = (name: string) => page.getByRole('textbox', { name });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

    await field('Nombre').fill('Nómina');
    await field('Saldo de hoy').fill('12,204.30');
    await press('Otra cuenta');
    await field('Nombre').nth(1).fill('Nómina');
    await field('Saldo de hoy').nth(1).fill('1,000');
    await page.getByText('13,204.30').waitFor();

    await press('Agregar una tarjeta');
    const card = page.getByRole('dialog', { name: 'Agregar una tarjeta' });
    await card.getByRole('textbox', { name: 'Nombre' }).fill('Visa');
    await card.getByRole('button', { name: 'Guardar' }).click();
    await messageOf(page, 'Visa: guardado').waitFor();

    await press('Guardar y continuar');
    await page.getByText('Este nombre ya está en uso.').waitFor();
    expect(await field('Saldo de hoy').nth(1).inputValue()).toBe('1,000');
    await field('Nombre').nth(1).fill('Efectivo');
    await press('Guardar y continuar');
    await page.getByText('Nómina tiene 12,204.30 MXN').waitFor();
    await page.getByText('Efectivo tiene 1,000.00 MXN').waitFor();
    await field('Descripción').waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
  });
});

async function register(page: Page, email: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Correo electrónico' }).fill(email);
  await page.getByRole('textbox', { name: 'Contraseña' }).fill('una contraseña larga');
  await page.getByRole('button', { name: 'Crear una cuenta' }).click();
  await page.getByRole('heading', { name: 'Cinco pasos para tu primer ciclo' }).waitFor();
}

const choose = (page: Page, content: unknown): Promise<void> =>
  page.locator('input[type=file]').setInputFiles({
    name: 'copy.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(content)),
  });
