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

interface Cycle {
  id: string;
  status: string;
}
interface Expense {
  id: string;
  paid: boolean;
  payment_method: { id: string };
}
interface Statement {
  closing_date: string;
  payment_method: { id: string };
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

  it('says what was added, paid and changed, with amounts and budgets', async () => {
    const page = await web.open(ENGLISH, async () => {
      const { cycles } = await web.send<{ cycles: Cycle[] }>('GET', '/cycles');
      const path = `/cycles/${cycles.find(({ status }) => status === 'active')?.id}/expenses`;
      const { expenses } = await web.send<{ expenses: Expense[] }>('GET', path);
      const [water, ...others] = expenses.filter(({ paid }) => !paid);
      const spent = {
        description: 'Market',
        category: 'variable',
        amount: '450.00',
        currency: 'MXN',
        due_date: '2026-11-25',
        payment_method_id: water?.payment_method.id,
        budget_id: (await transport()).id,
        paid: true,
      };
      await web.send('POST', path, { body: spent });
      const body = { paid: true, amount: '77.00' };
      await web.send('PUT', `${path}/${water?.id}`, { body });
      const ids = others.slice(0, 3).map(({ id }) => ({ id, paid: true }));
      await web.send('PATCH', path, { body: { expenses: ids } });
      const statements = await web.send<Statement[]>('GET', '/card-statements');
      const { closing_date: closing, payment_method: card } = statements[0] ?? {};
      const statement = `/payment-methods/${card?.id}/statements/${closing}`;
      await web.send('PUT', statement, { body: { paid: true } });
      return '/activity';
    });
    const lineOf = (text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text });
    await lineOf(/Market spent.*Transport.*450\.00 MXN/).waitFor();
    await lineOf(/Water paid on .* → 77\.00 MXN/).waitFor();
    await lineOf(/^.*3 expenses paid/).waitFor();
    await lineOf(/Credit card, statement of 12 Nov paid on/).waitFor();
    await lineOf('3 expenses paid').getByRole('button', { name: 'Undo: 3 expenses paid' }).click();
    await messageOf(page, 'Undone: 3 expenses paid').waitFor();
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
