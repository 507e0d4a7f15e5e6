import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { choose, messageOf, TODAY, useExampleWeb, violationsOf } from '../support/example-web.js';

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const ENGLISH = { locale: 'en-GB', viewport: DESKTOP };
const SPANISH = { locale: 'es-MX', viewport: PHONE };

interface Method {
  id: string;
  name: string;
}
interface Statement {
  closing_date: string;
  amount: string;
  carried_amount: string;
  paid_amount: string | null;
  paid: boolean;
}
interface Forecast {
  opening_balance: string;
  entries: { entity_type: string; entry_date: string; description: string; amount: string }[];
  pay_windows: { free: string }[];
}
interface Expenses {
  expenses: {
    description: string;
    amount: string;
    due_date: string;
    instalment: { number: number; count: number } | null;
  }[];
}

describe('cards and templates in the example front end', () => {
  const web = useExampleWeb();

  it('pays a statement in part, and the rest with the next one', async () => {
    const page = await web.open(ENGLISH);
    const due = page.getByRole('region', { name: 'What is due' });
    const line = due.locator('[data-row]').filter({ hasText: 'Credit card, statement of 12 Nov' });
    const [first] = await statements();
    const before = await forecast();
    expect(await line.innerText()).toContain(spoken(first?.amount));
    await line.getByRole('link').click();

    await page.getByText('closes on the 12th, due on the 2nd, paid from Debit card').waitFor();
    await page.getByText('Closed, due in 7 days · due Wed 2 Dec').waitFor();
    await page.getByRole('button', { name: 'Another amount or day' }).click();
    const amount = page.getByRole('textbox', { name: 'Paid', exact: true });
    expect(await amount.inputValue()).toBe(spoken(first?.amount));
    await page.keyboard.press('Escape');
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe(
      'Another amount or day: Credit card, statement of 12 Nov',
    );
    await page.keyboard.press('Enter');
    await amount.fill('4,000.00');
    await page.getByText(/^2,618\.19 MXN of 6,618\.19 MXN stays unpaid/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save as paid in part' }).click();
    const paid = messageOf(
      page,
      'Credit card paid in part, 2,618.19 MXN moves to the next statement',
    );
    await paid.waitFor();
    await page.getByText('◐ Paid in part, 4,000.00 MXN').waitFor();
    await page.getByRole('button', { name: '13 Nov – 12 Dec' }).click();
    await part(page, 'From the previous one', '2,618.19 MXN').waitFor();
    expect((await statements()).slice(0, 2)).toEqual([
      expect.objectContaining({ paid: true, paid_amount: '4000.00' }),
      expect.objectContaining({ carried_amount: '2618.19' }),
    ]);

    const after = await forecast();
    expect([before.opening_balance, after.opening_balance]).toEqual(['1585.91', '1367.91']);
    expect(statementsIn(after)[0]).toEqual({ ...statementsIn(before)[1], amount: '17214.75' });
    await page.getByRole('link', { name: 'Overview' }).click();
    await part(page, 'In your accounts', `$${spoken(after.opening_balance)}`).waitFor();
    await page.getByText(`$${after.pay_windows[0]?.free}`).first().waitFor();
    await line.waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('button', { name: '13 Oct – 12 Nov' }).click();
    await page.getByRole('button', { name: 'Not paid yet' }).click();
    await messageOf(page, 'Credit card is not paid').waitFor();
    expect(statementsIn(await forecast())).toEqual(statementsIn(before));
  });

  it('pays a statement with one press on the overview, takes it back, and shows no purchase there', async () => {
    const page = await web.open(ENGLISH);
    const due = page.getByRole('region', { name: 'What is due' });
    const pay = due.getByRole('button', { name: 'Pay Credit card, statement of 12 Nov' });
    await pay.click();
    const paid = messageOf(page, 'Credit card paid, 6,618.19 MXN');
    await paid.waitFor();
    expect((await statements())[0]?.paid_amount).toBe('6618.19');
    await paid.getByRole('button', { name: 'Undo' }).click();
    await messageOf(page, 'Undone').waitFor();
    expect((await statements())[0]?.paid).toBe(false);
    await pay.click();
    await pay.waitFor({ state: 'detached' });
    expect(await due.getByText('Credit card', { exact: true }).count()).toBe(0);
    expect(await due.getByRole('button', { name: 'Pay Internet' }).count()).toBe(0);

    await due.getByText('By cycle').click();
    await due.getByRole('heading', { name: '4 Nov – 15 Dec 2026' }).waitFor();
    expect(await due.getByRole('heading', { name: 'Cards' }).count()).toBe(0);
  });

  it('states what the bank says, and lets it be paid by itself', async () => {
    const page = await web.open(ENGLISH, cardPage);
    const autopay = page.getByRole('switch', { name: 'Paid by itself' });
    await page.getByRole('button', { name: '13 Oct – 12 Nov' }).click();
    await page.getByRole('button', { name: 'The bank says…' }).click();
    await page.getByRole('textbox', { name: 'The bank says' }).fill('6,900.00');
    await page.getByLabel('Due on').fill('4 Dec 2026');
    await page.getByLabel('Due on').blur();
    await page.getByRole('button', { name: 'Save' }).click();
    await messageOf(page, 'Credit card saved').waitFor();
    await part(page, 'Statement due Fri 4 Dec', '6,900.00 MXN').waitFor();

    await autopay.click();
    await page.getByRole('switch', { name: 'Paid by itself', checked: true }).waitFor();
    await web.moveTo('2026-12-05');
    await page.reload();
    await page.getByRole('button', { name: '13 Oct – 12 Nov' }).click();
    await page.getByText('Paid 4 Dec').waitFor();
    expect((await statements())[0]).toMatchObject({ paid: true, amount: '6900.00' });
  });

  it('asks whether a statement has gone out, before an account is stated', async () => {
    const page = await web.open(ENGLISH, cardPage);
    await web.moveTo('2026-12-03');
    await page.goto(`${web.url}/accounts`);
    await page.getByRole('button', { name: 'Debit card: The bank says…' }).click();
    await page.getByRole('textbox', { name: 'The bank says' }).fill('1,000.00');
    const gone = page.getByRole('checkbox', { name: /^Credit card · 6,618\.19/ });
    await gone.check();
    await page.getByRole('button', { name: 'Save' }).click();
    await messageOf(page, 'Debit card has 1,000.00 MXN').waitFor();
    expect((await statements())[0]).toMatchObject({ paid: true, paid_amount: '6618.19' });
  });

  it('sets up the days of a card, and says with which statement a purchase is paid', async () => {
    const page = await web.open(ENGLISH, '/accounts');
    const form = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Add: Payment methods' }).click();
    await form.getByRole('textbox', { name: 'Name' }).fill('Blue card');
    await choose(page, 'Type', 'Credit card');
    await choose(page, 'Closes on day', '12');
    await choose(page, 'Due date', 'Some days after it closes');
    await choose(page, 'Days after it closes', '20');
    await choose(page, 'Paid from', 'Debit card');
    await form.getByRole('button', { name: 'Save' }).click();
    await messageOf(page, 'Blue card saved').waitFor();
    await page.getByRole('button', { name: 'Blue card', exact: true }).click();
    await choose(page, 'Due date', 'On a day of the month');
    await choose(page, 'Due on day', /^2$/);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByText(/6,618\.19 MXN due Wed 2 Dec, then .* MXN on Sat 2 Jan/).waitFor();
    expect(await page.getByRole('button', { name: /card: The bank says…/ }).count()).toBe(1);

    await page.getByRole('link', { name: 'Blue card: Statements' }).click();
    await page.getByText('closes on the 12th, due on the 2nd, paid from Debit card').waitFor();
    await page.getByRole('button', { name: 'Purchase' }).click();
    await form.getByText('Leaves on Sat 2 Jan, with the statement of 12 Dec').waitFor();
    await form.getByLabel('Date').fill('13 Dec 2026');
    await form.getByText('Leaves on Tue 2 Feb, with the statement of 12 Jan').waitFor();
    await form.getByLabel('Description').fill('Lamp');
    await form.getByRole('textbox', { name: 'Amount' }).fill('1,200.00');
    await form.getByRole('button', { name: 'Save' }).click();
    await messageOf(page, 'Lamp saved').waitFor();
    await page.getByRole('button', { name: '13 Dec – 12 Jan' }).click();
    await page.getByRole('button', { name: 'Lamp' }).waitFor();
  });

  it('shows the purchases of a cycle by card, without a payment, the first ones at first', async () => {
    const page = await web.open(SPANISH, cyclePath);
    const group = page.getByRole('region', { name: 'Con tarjeta' });
    await group.getByText(/sale con su corte$/).waitFor();
    const rows = group.locator('[data-row]');
    expect(await rows.count()).toBe(5);
    const [count = ''] = /\d+/.exec(await group.innerText()) ?? [];
    await group.getByRole('button', { name: /^Mostrar \d+ más$/ }).click();
    expect(await rows.count()).toBe(Number(count));
    const states = rows.filter({ hasText: /■ Corte 12 (nov|dic)|○ Planeado/ });
    expect(await states.count()).toBe(Number(count));
    expect(await group.getByRole('button', { name: /^Pagar|^Deshacer/ }).count()).toBe(0);
    expect(await group.getByRole('checkbox').count()).toBe(0);
    await page.setViewportSize(DESKTOP);
    await page.reload();
    const table = page.getByRole('rowgroup', { name: 'Con tarjeta' });
    await table.waitFor();
    expect(await table.locator('[data-row]').count()).toBe(7);
  });

  it('adds a purchase in 12 monthly payments, to the cent, and takes all of it back', async () => {
    const page = await web.open(ENGLISH, cardPage);
    const form = page.getByRole('dialog', { name: 'Expense' });
    const bought = page.locator('[data-row]').filter({ hasText: 'Refrigerator' });
    await page.getByRole('button', { name: 'Purchase' }).click();
    await form.getByLabel('Description').fill('Refrigerator');
    await form.getByRole('textbox', { name: 'Amount' }).fill('15,499.00');
    await form.getByRole('switch', { name: 'In monthly payments' }).click();
    await form.getByText('11 × 1,291.58 MXN and 1,291.62 MXN').waitFor();
    await form.getByText('15,499.00 MXN in total, to the cent').waitFor();
    const table = form.getByRole('table', { name: 'In monthly payments' });
    await table.getByRole('row', { name: '3 of 12 25 Jan 2027 2 Mar 2027 1,291.58' }).waitFor();
    await table.getByRole('row', { name: '8 more of 1,291.58 MXN' }).waitFor();
    await table.getByRole('row', { name: '12 of 12 25 Oct 2027 2 Dec 2027 1,291.62' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    await table.getByRole('row', { name: '3 of 12 2 Mar 2027 1,291.58' }).waitFor();
    const width = `document.querySelector('[role=dialog]').scrollWidth`;
    expect(await page.evaluate(width)).toBeLessThanOrEqual(PHONE.width);
    await page.setViewportSize(DESKTOP);
    await form.getByRole('button', { name: 'Add 12 payments' }).click();
    const added = messageOf(page, 'Refrigerator saved');
    await added.waitFor();

    await bought.getByText('1 of 12').waitFor();
    await page.getByRole('button', { name: '13 Dec – 12 Jan' }).click();
    await bought.getByText('2 of 12').waitFor();
    expect((await expenses()).filter(({ description }) => description === 'Refrigerator')).toEqual([
      expect.objectContaining({ amount: '1291.58', instalment: { number: 1, count: 12 } }),
    ]);
    await added.getByRole('button', { name: 'Undo' }).click();
    await messageOf(page, 'Undone').waitFor();
    await bought.waitFor({ state: 'detached' });
  });

  it('changes the price of what recurs from a day on, and skips a date', async () => {
    const page = await web.open(ENGLISH, '/recurring');
    const form = page.getByRole('dialog', { name: 'Rent' });
    const row = page.getByRole('listitem').filter({ hasText: 'Rent' });
    const rent = page.getByRole('button', { name: 'Rent', exact: true });
    await rent.click();
    await form.getByRole('textbox', { name: 'Another amount' }).fill('9,800.00');
    await form.getByLabel('From').fill('1 Mar 2027');
    await form.getByLabel('From').blur();
    await form.getByText('Mon 1 Mar 9,800.00 MXN').waitFor();
    await form.getByRole('button', { name: 'Skip Tue 1 Dec' }).click();
    await form.getByRole('button', { name: 'Do not skip Tue 1 Dec' }).waitFor();
    await form.getByText('Thu 1 Apr 9,800.00 MXN').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await form.getByRole('button', { name: 'Save' }).click();
    await messageOf(page, 'Rent saved').waitFor();
    await row.getByText(/ · 9,800\.00 MXN from 1 Mar/).waitFor();

    await page.goto(web.url + (await cyclePath()));
    await page.getByRole('button', { name: 'More about this cycle' }).click();
    await page.getByRole('menuitem', { name: 'Sync with recurring' }).click();
    await page.getByRole('button', { name: 'Change them too' }).click();
    await messageOf(page, 'The cycles are up to date').waitFor();
    expect((await expenses()).filter(({ description }) => description === 'Rent')).toEqual([]);

    await page.goto(`${web.url}/recurring`);
    await row.getByText(/next Fri 1 Jan · /).waitFor();
    await rent.click();
    await form.getByRole('button', { name: 'Do not skip Tue 1 Dec' }).click();
    await form.getByRole('button', { name: 'Remove 9,800.00 MXN from 1 Mar 2027' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await row.getByText(/next Fri 1 Jan\s*$/).waitFor();
  });

  /** Its statement of 12 Nov has closed. */
  async function card(): Promise<Method> {
    const methods = await web.send<Method[]>('GET', '/payment-methods');
    const found = methods.find(({ name }) => name === 'Credit card');
    if (!found) throw new Error('The sample household has a credit card');
    return found;
  }

  const cardPage = async (): Promise<string> => `/accounts/${(await card()).id}`;

  /** Of the cycle that includes today, in the API and in the pages. */
  async function cyclePath(): Promise<string> {
    const { cycles } = await web.send<{ cycles: { id: string }[] }>('GET', `/cycles?date=${TODAY}`);
    return `/cycles/${cycles[0]?.id}`;
  }

  async function expenses(): Promise<Expenses['expenses']> {
    return (await web.send<Expenses>('GET', `${await cyclePath()}/expenses`)).expenses;
  }

  async function statements(): Promise<Statement[]> {
    return web.send('GET', `/payment-methods/${(await card()).id}/statements?from=2026-11-12`);
  }

  const forecast = (): Promise<Forecast> =>
    web.send('GET', '/forecast?include=entries&set_aside=budgets');

  const statementsIn = ({ entries }: Forecast) =>
    entries
      .filter(({ entity_type: type }) => type === 'card_statement')
      .map(({ entry_date, description, amount }) => ({ entry_date, description, amount }));
});

/** `6618.19` as the English pages write it. */
const spoken = (amount = ''): string =>
  Number(amount).toLocaleString('en-US', { minimumFractionDigits: 2 });

/** A line of the sum of a statement. */
const part = (page: Page, term: string, amount: string) =>
  page.locator('dl > div').filter({ hasText: term }).filter({ hasText: amount });
