import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { choose, messageOf, TODAY, useExampleWeb, violationsOf } from '../support/example-web.js';

const DESKTOP = { width: 1280, height: 900 };
const SPANISH = {
  locale: 'es-MX',
  viewport: DESKTOP,
  timezoneId: 'America/Mexico_City',
};
const ENGLISH = { locale: 'en-GB', viewport: DESKTOP };

interface Cycles {
  cycles: { id: string; status: string }[];
}
interface Forecast {
  days: { date: string; balance: string }[];
}
interface Expenses {
  expenses: {
    id: string;
    description: string;
    amount: string;
    comments: string | null;
    paid: boolean;
  }[];
}
interface Holdings {
  payment_methods: { payment_method: { name: string }; amount: string }[];
}

describe('the pages of the example front end', () => {
  const web = useExampleWeb();

  it('takes a new account by five steps to its first cycle, in Spanish', async () => {
    const page = await web.visit(SPANISH, '/register');
    const field = (name: string | RegExp) => page.getByRole('textbox', { name });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

    await field('Nombre').fill('Eva');
    await field('Correo electrónico').fill('eva@example.com');
    await field('Contraseña').fill('corta');
    await press('Crear una cuenta');
    await page.getByText('Es demasiado corto (de 8 a 128).').waitFor();
    expect(await field('Contraseña').getAttribute('aria-invalid')).toBe('true');

    await field('Contraseña').fill('una contraseña larga');
    await press('Crear una cuenta');
    await page.getByRole('heading', { name: 'Cinco pasos para tu primer ciclo' }).waitFor();
    await field('Nombre').fill('Tarjeta azul');
    await field('Saldo de hoy').fill('12,204.30');
    await press('Otra cuenta');
    await field('Nombre').nth(1).fill('Ahorro');
    await page.getByText('USD', { exact: true }).nth(1).click();
    await field('Saldo de hoy').nth(1).fill('585.40');
    await press('Guardar y continuar');
    await page.getByText('Tarjeta azul tiene 12,204.30 MXN').waitFor();
    await page.getByText('Ahorro tiene US$585.40').waitFor();

    await field('Descripción').fill('Sueldo');
    await field('Monto').fill('1,000');
    await press('Guardar');
    await messageOf(page, 'Sueldo: guardado').waitFor();
    await press('Continuar');

    await field('Descripción').fill('Renta');
    await field('Monto').fill('420');
    await choose(page, 'Forma de pago', 'Tarjeta azul');
    await press('Guardar');
    await messageOf(page, 'Renta: guardado').waitFor();
    await press('Continuar');

    await field('Nombre').fill('Despensa');
    await field(/^Límite/).fill('300');
    await press('Guardar');
    await messageOf(page, 'Despensa: guardado').waitFor();
    await press('Continuar');
    const preview = page.getByRole('region', { name: 'Vista previa' });
    await preview.getByRole('row', { name: /Renta/ }).first().waitFor();
    expect(await preview.getByRole('row', { name: /Renta|Sueldo/ }).count()).toBe(4);
    await press('Crea el ciclo');
    await messageOf(page, 'Tu primer ciclo está listo').waitFor();
    await page.getByRole('button', { name: 'Pagar Renta' }).first().waitFor();
    const parts = page.locator('dl').first();
    await parts.filter({ hasText: /En tus cuentas.*US\$1,250\.53/s }).waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  it('sets a forgotten password by the link of the mail, which works once', async () => {
    const page = await web.visit(ENGLISH);
    const password = page.getByRole('textbox', { name: 'Password' });
    await page.getByRole('textbox', { name: 'E-mail' }).fill('ana@example.com');
    await password.fill('another-password');
    await page.keyboard.press('Enter');
    await messageOf(page, /password/i).waitFor();

    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('textbox', { name: 'E-mail' }).fill('ana@example.com');
    const { length } = web.sandbox.stdout;
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('If ana@example.com has an account').waitFor();
    const link = await eventually('the link of the mail', () =>
      /\/reset-password#\S+/.exec(web.sandbox.stdout.slice(length))?.at(0),
    );

    await page.goto(web.url + link);
    const newPassword = page.getByRole('textbox', { name: 'New password' });
    await newPassword.fill('the-new-password');
    await page.keyboard.press('Enter');
    await messageOf(page, 'Your password is set.').waitFor();
    await page.getByRole('textbox', { name: 'E-mail' }).fill('ana@example.com');
    await password.fill('the-new-password');
    await page.keyboard.press('Enter');
    await page.getByRole('banner').waitFor();

    await page.goto(web.url + link);
    await newPassword.fill('yet-another-password');
    await page.keyboard.press('Enter');
    await messageOf(page, /link|token/i).waitFor();
  });

  it('pays with the keyboard, goes to the next expense, and takes it back', async () => {
    const page = await web.open(ENGLISH, cyclePath);
    const pay = page.getByRole('button', { name: /^Pay / });
    await pay.first().waitFor();
    const count = await pay.count();
    const firstLabel = await pay.first().getAttribute('aria-label');
    const secondLabel = await pay.nth(1).getAttribute('aria-label');

    await pay.first().focus();
    await page.keyboard.press('p');
    await messageOf(page, `${firstLabel?.slice('Pay '.length)} paid`).waitFor();
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe(secondLabel);
    expect(await pay.count()).toBe(count - 1);

    await page.keyboard.press('Control+z');
    await messageOf(page, 'Undone').waitFor();
    await eventually('the unpaid expense', async () => (await pay.count()) === count);
    expect(await pay.first().getAttribute('aria-label')).toBe(firstLabel);
  });

  it('takes what the bank says, after it has asked what has gone out already', async () => {
    const page = await web.open(ENGLISH, '/accounts');
    const bankSays = page.getByRole('button', { name: 'Debit card: The bank says…' });
    const amount = page.getByRole('textbox', { name: 'The bank says' });
    const water = page.getByRole('checkbox', { name: /^Water/ });
    const before = await amountNow();
    await bankSays.click();
    await amount.fill('12,204.30');
    await page.keyboard.press('Enter');
    await messageOf(page, 'Debit card has 12,204.30 MXN').waitFor();
    await page.getByText(/^stated 12,204\.30 MXN .*, nothing since then/).waitFor();
    expect(await page.locator(':focus').innerText()).toBe('The bank says…');

    await page.keyboard.press('Enter');
    await amount.fill('12,204.30');
    await page.getByText('As expected.').first().waitFor();
    expect(await water.count()).toBe(0);
    await amount.fill('11,819.30');
    await page.getByText('385.00 MXN less than expected').waitFor();
    await water.check();
    await page.getByText('This explains all of it.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    const stated = messageOf(page, 'Debit card has 11,819.30 MXN, As expected.');
    await stated.waitFor();
    expect(await amountNow()).toBe('11819.30');
    expect(await isPaid('Water')).toBe(true);

    await stated.getByRole('button', { name: 'Undo' }).click();
    await messageOf(page, 'Undone').waitFor();
    expect(await amountNow()).toBe('12204.30');
    expect(await isPaid('Water')).toBe(false);

    await page.getByRole('button', { name: 'Delete: Debit card' }).first().click();
    await messageOf(page, 'Debit card deleted').waitFor();
    expect(await amountNow()).toBe(before);
  });

  it('carries marked expenses over to the draft, and takes that back', async () => {
    const page = await web.open(ENGLISH, cyclePath);
    const pay = page.getByRole('button', { name: /^Pay / });
    const hasUnpaid = (count: number) =>
      eventually(`${count} unpaid expenses`, async () => (await pay.count()) === count);
    const carryOver = page.getByRole('region', { name: 'What is marked' });
    const marks = page.getByRole('checkbox', { name: /^Mark [A-Z]/ });
    await pay.first().waitFor();
    const count = await pay.count();

    await marks.nth(0).check();
    await marks.nth(1).check();
    await carryOver.getByText('2 not paid').waitFor();
    await carryOver.getByRole('button', { name: 'Carry over' }).click();
    await messageOf(page, '2 carried over to').waitFor();
    await hasUnpaid(count - 2);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await messageOf(page, 'Undone').waitFor();
    await hasUnpaid(count);

    await page.getByRole('button', { name: 'More about this cycle' }).click();
    await page.getByRole('menuitem', { name: 'Carry over what is not paid' }).click();
    await carryOver.getByText(`${count} not paid`).waitFor();
    expect(await marks.and(page.locator(':checked')).count()).toBe(count);
    await carryOver.getByRole('button', { name: 'Close' }).click();
    expect(await page.locator(':checked').count()).toBe(0);
  });

  it('closes a cycle on a page that says what is open and where it goes', async () => {
    const page = await web.open(ENGLISH, cyclePath);
    const path = await cyclePath();
    const pay = page.getByRole('button', { name: /^Pay (?!all |the one )/ });
    const row = (name: string) => page.locator('dl > div').filter({ hasText: name });
    await page.getByRole('button', { name: 'More about this cycle' }).click();
    await page.getByRole('menuitem', { name: 'Close this cycle' }).click();
    await page.getByRole('heading', { name: 'Close 4 Nov – 15 Dec' }).waitFor();
    await page.getByText('16 bills and 4 incomes.').waitFor();
    await page.getByRole('button', { name: 'Pay Water' }).click();
    await messageOf(page, 'Water paid').waitFor();
    await page.getByText('15 bills and 4 incomes.').waitFor();
    expect(await pay.count()).toBe(15);

    const ends = await row('Ends with').locator('dd').innerText();
    await page.getByRole('radio', { name: 'Leave it open in the closed cycle' }).check();
    expect(await row('Ends with').locator('dd').innerText()).not.toBe(ends);
    await page.getByRole('radio', { name: 'Into 16 Dec – 26 Jan' }).check();
    await page.getByRole('button', { name: 'Close and start 16 Dec – 26 Jan' }).click();
    const closed = messageOf(page, 'closed, 19 moved');
    await closed.waitFor();
    expect(await closed.getByRole('button', { name: 'Undo' }).count()).toBe(0);

    const { cycles } = await web.send<Cycles>('GET', '/cycles');
    expect(cycles.map(({ status }) => status)).toEqual(['active', 'completed', 'completed']);
    await page.goto(`${web.url}/cycles/${cycles[0]?.id}`);
    const { days } = await web.send<Forecast>('GET', '/forecast?include=days&set_aside=budgets');
    const balance = days.find(({ date }) => date === '2027-01-26')?.balance;
    expect(ends).toBe(`$${Number(balance).toLocaleString('en-US')}`);
    await page.goto(web.url + path);
    await page.getByText('Completed', { exact: true }).waitFor();
    expect(await pay.count()).toBe(0);
    await page.getByRole('button', { name: 'More about this cycle' }).click();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Export expenses']);
  });

  it('plans a trip beside the cycles, whose days stay theirs', async () => {
    const page = await web.open(ENGLISH, '/cycles');
    const form = page.getByRole('dialog', { name: 'Expense' });
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    async function add(name: string): Promise<void> {
      await form.getByRole('textbox', { name: 'Description' }).fill(name);
      await form.getByRole('textbox', { name: 'Amount' }).fill('980.00');
      await choose(page, 'Payment method', 'Cash');
      await form.getByRole('button', { name: 'Save' }).click();
      await messageOf(page, `${name} saved`).waitFor();
    }

    await page.getByRole('link', { name: 'Trip or project' }).click();
    await field('Name').fill('Oaxaca');
    await page.getByLabel('Starts on').fill('24 Nov 2026');
    await page.getByLabel('Ends on').fill('27 Nov 2026');
    await page.getByRole('button', { name: 'Create this cycle' }).click();
    await messageOf(page, 'Oaxaca created').waitFor();
    await page.getByText('beside, 24 Nov – 27 Nov').waitFor();
    await page.getByRole('button', { name: 'Add an expense' }).click();
    await add('Bus');
    await page.getByRole('button', { name: 'Pay Bus' }).waitFor();
    await page.getByRole('button', { name: 'Add something else' }).click();
    await page.getByRole('menuitem', { name: 'Planned expense' }).click();
    await add('Tacos');
    expect(await page.getByRole('button', { name: 'Pay Tacos' }).count()).toBe(0);

    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('This cycle: 4 Nov – 15 Dec').waitFor();
    await page.getByRole('button', { name: 'Pay Bus' }).waitFor();
    await page.getByRole('button', { name: 'Pay Tacos' }).waitFor();
    await page.getByRole('link', { name: 'Cycles' }).click();
    await page.getByRole('row', { name: /Oaxaca.*beside.*Draft/s }).waitFor();
  });

  it('reads a day as people of the locale type it', async () => {
    const page = await web.open(SPANISH);
    await page.getByRole('button', { name: 'Agregar otra cosa' }).click();
    await page.getByRole('menuitem', { name: 'Gasto planeado' }).click();
    const day = page.getByRole('dialog').getByLabel('Fecha');
    for (const typed of ['3/12/2026', '03-12-2026', '3 dic 2026', '2026-12-03']) {
      await day.fill('1/12/2026');
      await day.blur();
      await day.fill(typed);
      await day.blur();
      expect({ typed, day: await day.inputValue() }).toEqual({ typed, day: '3 dic 2026' });
    }
  });

  it('keeps what was typed when the service refuses it or another client was faster', async () => {
    const page = await web.open(ENGLISH, cyclePath);
    const path = await cyclePath();
    const expense = async () => {
      const { expenses } = await web.send<Expenses>('GET', `${path}/expenses`);
      return expenses.find(({ description }) => description === 'Rent');
    };
    const form = page.getByRole('dialog', { name: 'Rent' });
    const amount = form.getByRole('textbox', { name: 'Amount' });
    const notes = form.getByRole('textbox', { name: 'Notes' });
    const save = form.getByRole('button', { name: 'Save' });
    const open = page.getByRole('button', { name: 'Rent', exact: true });

    await open.click();
    await amount.fill('0');
    await save.click();
    await form.locator('[aria-invalid=true]').waitFor();
    expect(await amount.getAttribute('aria-invalid')).toBe('true');
    await amount.fill('9,612.50');
    await save.click();
    await messageOf(page, 'Rent saved').waitFor();
    await page
      .locator('[data-row]')
      .filter({ hasText: /Rent.*9,612\.50/ })
      .waitFor();

    await open.click();
    await form.getByLabel('Date').fill('24/12/2026');
    await form.getByText('This day is not in its cycle, 4 Nov – 15 Dec').waitFor();
    await form.getByLabel('Date').fill('1/12/2026');
    await notes.fill('Ask for a discount');
    await web.send('PUT', `${path}/expenses/${(await expense())?.id}`, {
      body: { amount: '9700.00' },
    });
    await save.click();
    const present = form.getByRole('alert').filter({ hasText: 'Rent was changed elsewhere' });
    await present.getByText('9,700.00').waitFor();
    expect(await notes.inputValue()).toBe('Ask for a discount');
    await amount.fill('9700');
    await save.click();
    await form.waitFor({ state: 'detached' });
    expect(await expense()).toMatchObject({ amount: '9700.00', comments: 'Ask for a discount' });
  });

  it('plans what repeats, a limit and the next cycle, in Spanish', async () => {
    const page = await web.open(SPANISH, '/recurring');
    const field = (name: string | RegExp) => page.getByRole('textbox', { name });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Jardinero' });

    await press('Agregar: Gastos');
    await field('Descripción').fill('Jardinero');
    await field('Monto').fill('350');
    await choose(page, 'Se repite', 'Cada miércoles');
    const next = page.getByRole('status').filter({ hasText: 'Próximos días de pago' });
    await next.getByText('mié 25 nov').waitFor();
    await next.getByText('mié 2 dic').waitFor();
    await choose(page, 'Forma de pago', 'Cash');
    await press('Guardar');
    await messageOf(page, 'Jardinero: guardado').waitFor();
    await press('Dejarlos como están');
    await row.getByText('Cada miércoles').waitFor();
    await press('Deshacer');
    await messageOf(page, 'Deshecho').waitFor();
    await row.getByText('Inactivo').waitFor();

    await page.getByRole('link', { name: 'Presupuestos' }).click();
    await page.getByText('quedan de US$275.00').waitFor();
    await page.getByRole('link', { name: 'Transport' }).click();
    await press('Editar');
    await field(/^Límite/).fill('300');
    await page.getByRole('combobox', { name: 'Se aplica a' }).waitFor();
    await press('Guardar');
    await messageOf(page, 'Transport: guardado').waitFor();
    await page.getByText(/^de US\$300\.00/).waitFor();

    await page.getByRole('link', { name: 'Ciclos' }).click();
    await page.getByRole('link', { name: 'Siguiente ciclo' }).click();
    const preview = page.getByRole('region', { name: 'Vista previa' });
    await preview.waitFor();
    const { days } = await web.send<Forecast>('GET', '/forecast?include=days&set_aside=budgets');
    const before = days.find(({ date }) => date === '2027-01-26')?.balance ?? '';
    const amount = Number(before).toLocaleString('en-US', { minimumFractionDigits: 2 });
    await preview.getByText(`US$${amount}`).waitFor();
    expect(await preview.getByText(/El saldo baja de cero/).count()).toBe(0);
    const name = await field('Nombre').inputValue();
    await press('Crear este ciclo');
    await messageOf(page, `${name}: creado`).waitFor();
    await page.getByText('Borrador').waitFor();
    const { cycles } = await web.send<Cycles>('GET', '/cycles');
    expect(new URL(page.url()).pathname).toBe(`/cycles/${cycles[0]?.id}`);
  });

  it('plans a quincena as two templates, and takes both back', async () => {
    const page = await web.open(ENGLISH, '/recurring');
    const form = page.getByRole('dialog');
    const rows = page.getByRole('listitem').filter({ hasText: 'Half pay' });
    await page.getByRole('button', { name: 'Add: Incomes' }).click();
    await form.getByRole('textbox', { name: 'Description' }).fill('Half pay');
    await form.getByRole('textbox', { name: 'Amount' }).fill('480');
    await choose(page, 'How often', 'On the 15th and on the last day of each month');
    await form.getByText('Mon 30 Nov').waitFor();
    await form.getByText('Tue 15 Dec').waitFor();
    await form.getByRole('button', { name: 'Save' }).click();
    await messageOf(page, 'Half pay saved').waitFor();
    await form.getByRole('button', { name: 'Leave them as they are' }).click();
    await rows.filter({ hasText: 'On the 15th and on the last day of each month' }).waitFor();
    expect(await rows.count()).toBe(1);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await messageOf(page, 'Undone').waitFor();
    await rows.filter({ hasText: 'Inactive' }).waitFor();
  });

  it('changes the language, and gives tokens and calendars that can be ended', async () => {
    const page = await web.open(ENGLISH, '/settings');
    const part = (name: string) => page.getByRole('region', { name });
    await choose(page, 'Language', /Spanish/);
    await part('Profile').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Ajustes' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    await choose(page, 'Idioma', /inglés/);
    await part('Perfil').getByRole('button', { name: 'Guardar' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();

    const show = (name: string) => page.getByRole('tab', { name }).click();
    await show('Assistants');
    const tokens = part('Assistants');
    await tokens.getByRole('button', { name: 'New token' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Report');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await tokens.getByText('Copy this now: it is shown only once').waitFor();
    await tokens.getByText('A script', { exact: true }).click();
    const token = await tokens.locator('pre').innerText();
    const me = await web.send<{ email: string }>('GET', '/auth/me', { token });
    expect(me.email).toBe('ana@example.com');
    await tokens.getByRole('button', { name: 'Revoke: Report' }).click();
    await messageOf(page, 'Report no longer has access').waitFor();
    await expect(web.send('GET', '/auth/me', { token })).rejects.toThrow('INVALID_TOKEN');

    await show('Reminders');
    const calendar = part('Calendar');
    await calendar.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Bills');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    const address = await calendar.locator('pre').innerText();
    expect(await (await fetch(address)).text()).toMatch(/^BEGIN:VCALENDAR/);
    await calendar.getByRole('button', { name: 'Delete: Bills' }).waitFor();

    await show('Sign-ins');
    const sessions = part('Signed-in devices');
    await sessions.getByText('this device').waitFor();
    expect(await sessions.getByRole('listitem').count()).toBeGreaterThan(0);
    await show('Assistants');
    await page.reload();
    await tokens.waitFor();
    expect(await page.getByText(token).count()).toBe(0);
  });

  /** What the debit card has. */
  async function amountNow(): Promise<string | undefined> {
    const { payment_methods: all } = await web.send<Holdings>('GET', '/balances/current');
    return all.find(({ payment_method: { name } }) => name === 'Debit card')?.amount;
  }

  async function isPaid(name: string): Promise<boolean | undefined> {
    const { expenses } = await web.send<Expenses>('GET', `${await cyclePath()}/expenses`);
    return expenses.find(({ description }) => description === name)?.paid;
  }

  /** Of the cycle that includes today, in the API and in the pages. */
  async function cyclePath(): Promise<string> {
    const { cycles } = await web.send<Cycles>('GET', `/cycles?date=${TODAY}`);
    return `/cycles/${cycles[0]?.id}`;
  }
});
