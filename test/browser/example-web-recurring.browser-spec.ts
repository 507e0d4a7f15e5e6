import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { messageOf, undoOf, useExampleWeb, violationsOf } from '../support/example-web.js';

const ENGLISH = { locale: 'en-GB', viewport: { width: 1280, height: 900 } };
const SPANISH_PHONE = { locale: 'es-MX', viewport: { width: 360, height: 800 } };
const QUESTION = 'Also in the existing cycles?';

interface Incomes {
  incomes: { description: string; amount: string; received: boolean }[];
}
interface Template {
  description: string;
  base_amount: string;
}

describe('what recurs in the example front end', () => {
  const web = useExampleWeb();

  /** The amounts of what is expected of the quincena in the cycle of today. */
  async function expected(): Promise<string[]> {
    const { cycles } = await web.send<{ cycles: { id: string; status: string }[] }>(
      'GET',
      '/cycles',
    );
    const id = cycles.find(({ status }) => status === 'active')?.id;
    const { incomes } = await web.send<Incomes>('GET', `/cycles/${id}/incomes`);
    return incomes
      .filter(({ description, received }) => description === 'Payroll' && !received)
      .map(({ amount }) => amount);
  }
  async function planned(): Promise<string[]> {
    const all = await web.send<Template[]>('GET', '/income-templates');
    return all
      .filter(({ description }) => description === 'Payroll')
      .map(({ base_amount: amount }) => amount);
  }

  it('changes both halves of a quincena, and the open cycles if wanted', async () => {
    const page = await web.open(ENGLISH, '/recurring');
    const form = page.getByRole('dialog', { name: 'Payroll' });
    const row = page.getByRole('listitem').filter({ hasText: 'Payroll' });
    const before = await expected();
    await row.getByText('On the 15th and on the last day of each month').waitFor();
    await row.getByRole('button', { name: 'Payroll' }).click();
    await form.getByRole('textbox', { name: 'Amount', exact: true }).fill('9900');
    await form.getByRole('button', { name: 'Save' }).click();
    const question = form.getByRole('region', { name: QUESTION });
    await question
      .getByText(/^Payroll, .*: 9,600\.00 MXN → 9,900\.00 MXN$/)
      .first()
      .waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await question.getByRole('button', { name: 'Change them too' }).click();
    const undo = await undoOf(page, 'The cycles are up to date');
    await form.waitFor({ state: 'detached' });
    expect(await planned()).toEqual(['9900.00', '9900.00']);
    expect(await expected()).toEqual(before.map(() => '9900.00'));
    await undo.press('Enter');
    await messageOf(page, 'Undone').waitFor();
    expect(await planned()).toEqual(['9600.00', '9600.00']);
    expect(await expected()).toEqual(before);
  });

  it('leaves the open cycles as they are if wanted, and makes a quincena inactive', async () => {
    const page = await web.open({ ...SPANISH_PHONE, colorScheme: 'dark' }, '/recurring');
    const form = page.getByRole('dialog', { name: 'Payroll' });
    const row = page.getByRole('listitem').filter({ hasText: 'Payroll' });
    const before = await expected();
    await row.getByRole('button', { name: 'Payroll' }).click();
    await form.getByRole('button', { name: /^Desactivar/ }).click();
    await form.getByRole('region', { name: '¿También en los ciclos que ya existen?' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await form.getByRole('button', { name: 'Dejarlos como están' }).click();
    await form.waitFor({ state: 'detached' });
    await row.getByText('Inactivo').waitFor();
    expect(await row.count()).toBe(1);
    expect(await expected()).toEqual(before);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.getByRole('button', { name: 'Deshacer', exact: true }).click();
    await eventually(
      'an active quincena',
      async () => (await row.getByText('Inactivo').count()) === 0,
    );
  });
});
