import { describe, expect, it } from '@jest/globals';
import { messageOf, useExampleWeb, violationsOf } from '../support/example-web.js';

const ENGLISH = { locale: 'en-GB', viewport: { width: 1280, height: 900 } };
const SPANISH_PHONE = { locale: 'es-MX', viewport: { width: 360, height: 800 } };
const DARK = { colorScheme: 'dark' as const };

interface Budget {
  id: string;
  name: string;
  limit: string;
}

describe('the activity of the example front end', () => {
  const web = useExampleWeb();

  const transport = async (): Promise<Budget> => {
    const all = await web.send<Budget[]>('GET', '/budgets');
    const found = all.find(({ name }) => name === 'Transport');
    if (!found) throw new Error('There is no budget Transport');
    return found;
  };
  const setLimit = async (limit: string): Promise<void> => {
    await web.send('PUT', `/budgets/${(await transport()).id}`, { body: { limit } });
  };

  it('takes an operation of another client back, and makes it again', async () => {
    const page = await web.open(ENGLISH, async () => {
      await setLimit('311.00');
      return '/activity';
    });
    const line = page.getByRole('listitem').filter({ hasText: '→ $311.00' });
    await line.getByRole('button', { name: /^Undo: Transport/ }).click();
    await messageOf(page, /^Undone: Transport/).waitFor();
    await line.getByText(/^Undone by you at \d\d:\d\d$/).waitFor();
    expect((await transport()).limit).not.toBe('311.00');
    expect(await violationsOf(page)).toEqual([]);
    await line.getByRole('button', { name: /^Redo: Transport/ }).press('Enter');
    await messageOf(page, /^Redone: Transport/).waitFor();
    await line.getByRole('button', { name: /^Undo: Transport/ }).waitFor();
    expect((await transport()).limit).toBe('311.00');
  });

  it('says why an operation cannot be taken back, and where to do it by hand', async () => {
    const page = await web.open(ENGLISH, async () => {
      await setLimit('311.00');
      await setLimit('322.00');
      return '/activity';
    });
    const line = page.getByRole('listitem').filter({ hasText: /→ \$311\.00/ });
    await line.getByRole('button', { name: /^Undo/ }).click();
    await line.getByRole('alert').getByText('has been changed since').waitFor();
    await line.getByRole('link', { name: 'Change it back by hand' }).click();
    await page.getByRole('heading', { name: 'Transport', level: 1 }).waitFor();
    expect((await transport()).limit).toBe('322.00');
  });

  it('shows a carry-over as one operation, and no undo of a closing, on a phone', async () => {
    const page = await web.open({ ...SPANISH_PHONE, ...DARK });
    await page.getByRole('button', { name: 'Más', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Actividad' }).click();
    const closing = page.getByRole('listitem').filter({ hasText: /cerrado/ });
    await closing.waitFor();
    expect(await closing.getByRole('button').count()).toBe(0);
    const carried = page.getByRole('listitem').filter({ hasText: 'pasó al siguiente ciclo' });
    await carried.getByRole('button', { name: /^Deshacer/ }).click();
    await carried.getByText(/^Deshecho por ti a las/).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await violationsOf(page)).toEqual([]);
  });
});
