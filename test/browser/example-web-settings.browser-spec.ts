import { describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { choose, messageOf, useExampleWeb, violationsOf } from '../support/example-web.js';

const DESKTOP = { width: 1280, height: 900 };
const SMALL_PHONE = { width: 360, height: 740 };
const ENGLISH = { locale: 'en-GB', viewport: DESKTOP };
const SPANISH = { locale: 'es-MX', viewport: DESKTOP, timezoneId: 'America/Mexico_City' };

interface Me {
  reminders: { enabled: boolean; hour: number; days_before: number; confirmed: boolean };
}

describe('the settings of the example front end', () => {
  const web = useExampleWeb();

  it('reminds by mail once the link in the first mail has confirmed it, in Spanish', async () => {
    const { length } = web.sandbox.stdout;
    const page = await web.open(SPANISH, '/settings');
    await page.getByRole('tab', { name: 'Cuenta' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForURL('**/settings/reminders');
    const reminders = page.getByRole('region', { name: 'Recordatorios' });
    expect(await reminders.getByRole('combobox').count()).toBe(0);
    await reminders.getByRole('switch', { name: 'Un correo los días en que' }).focus();
    await page.keyboard.press('Space');
    await reminders.getByText('Falta tu confirmación').waitFor();
    await reminders.getByText('Te enviamos un enlace a ana@example.com.').waitFor();
    await choose(page, 'A partir de', '7:00 a.m.');
    await eventually('the stored hour', async () => (await remindersNow()).hour === 7);
    await choose(page, 'Con cuánta anticipación', /^1 día$/);
    await eventually('the stored days', async () => (await remindersNow()).days_before === 1);
    await reminders.getByRole('button', { name: 'Enviarlo otra vez' }).click();
    await messageOf(page, 'Va en camino otro enlace.').waitFor();
    const waiting = { enabled: true, hour: 7, days_before: 1, confirmed: false };
    expect(await remindersNow()).toEqual(waiting);

    const link = await eventually(
      'the link of the second mail',
      () => web.sandbox.stdout.slice(length).match(/\/reminders\/confirm#\S+/g)?.[1],
    );
    const other = await web.browser.newContext({
      ...{ locale: 'es-MX', viewport: SMALL_PHONE, colorScheme: 'dark' },
    });
    const phone = await other.newPage();
    await phone.goto(web.url + link);
    const confirm = phone.getByRole('button', { name: 'Quiero recibir recordatorios' });
    await confirm.waitFor();
    expect(phone.url()).toBe(`${web.url}/reminders/confirm`);
    expect(await problemsOf(phone)).toEqual([]);
    expect(await remindersNow()).toEqual(waiting);
    await confirm.focus();
    await phone.keyboard.press('Enter');
    await phone.getByText('Tus recordatorios están activados.').waitFor();
    expect(await confirm.count()).toBe(0);
    expect(await remindersNow()).toEqual({ ...waiting, confirmed: true });

    await phone.goto('about:blank');
    await phone.goto(web.url + link);
    await confirm.click();
    await phone.getByText('Este enlace ya se usó o venció.').waitFor();
    await phone.getByRole('link', { name: 'Ajustes de tus recordatorios' }).click();
    await phone.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
    await other.close();

    await page.reload();
    await reminders.getByText('Activados', { exact: true }).waitFor();
    expect(await reminders.getByRole('button', { name: 'Enviarlo otra vez' }).count()).toBe(0);
    await reminders.getByRole('switch').focus();
    await page.keyboard.press('Space');
    await reminders.getByRole('combobox').first().waitFor({ state: 'detached' });
    await eventually('reminders that are off', async () => !(await remindersNow()).enabled);
    expect(await remindersNow()).toEqual({ ...waiting, enabled: false, confirmed: true });
  });

  it('says that a link is not complete, and that one is not valid', async () => {
    const page = await web.visit(ENGLISH, '/reminders/confirm');
    await page.getByText('This link is incomplete').waitFor();
    await page.goto(`${web.url}/reminders/confirm#nothing`);
    await page.getByRole('button', { name: 'Send me reminders' }).click();
    await page.getByRole('alert').filter({ hasText: 'used or has expired' }).waitFor();
  });

  it('puts a switch back that could not be stored, and has none where nothing can be sent', async () => {
    const page = await web.open(ENGLISH, '/settings/reminders');
    const enabled = page.getByRole('switch', { name: 'An e-mail on days when' });
    await enabled.waitFor();
    await page.context().setOffline(true);
    await enabled.focus();
    await page.keyboard.press('Space');
    await messageOf(page, 'No connection. Your change is not saved yet').waitFor();
    expect(await enabled.isChecked()).toBe(false);
    await page.context().setOffline(false);

    await page.route(`${web.sandbox.origin}/account`, async (route) => {
      const response = await route.fetch();
      const offer = (await response.json()) as object;
      await route.fulfill({ response, json: { ...offer, reminders: false } });
    });
    await page.reload();
    await page.getByRole('region', { name: 'Calendar' }).waitFor();
    expect(await page.getByRole('region', { name: 'Reminders' }).count()).toBe(0);
  });

  it('gives an assistant a token and what to paste, and takes the token away', async () => {
    const page = await web.open(ENGLISH, '/settings/assistants');
    const assistants = page.getByRole('region', { name: 'Assistants' });
    const address = `${web.sandbox.origin}/mcp`;
    const code = assistants.locator('pre');
    await assistants.waitFor();
    expect(await assistants.getByLabel('Address').inputValue()).toBe(address);
    await assistants.getByRole('button', { name: 'New token' }).focus();
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: 'New token' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Claude');
    await choose(page, 'Access', 'Read and write');
    await form.getByRole('textbox', { name: 'Name' }).press('Enter');
    await code.waitFor();
    const command = await code.innerText();
    const [, url = '', token = ''] =
      /^claude mcp add --transport http expenses (\S+) --header "Authorization: Bearer (\S+)"$/.exec(
        command,
      ) ?? [];
    expect(url).toBe(address);
    await assistants.getByText('Other assistants', { exact: true }).click();
    expect(JSON.parse(await code.innerText())).toEqual({
      mcpServers: {
        expenses: { type: 'http', url, headers: { Authorization: `Bearer ${token}` } },
      },
    });
    expect(await toolsAt(url, token)).toContain('mark_as_paid');
    await assistants
      .getByRole('listitem')
      .filter({ hasText: /Claude\s+Read and write/ })
      .waitFor();

    await assistants.getByRole('button', { name: 'Revoke: Claude' }).click();
    await messageOf(page, 'Claude no longer has access').waitFor();
    await expect(toolsAt(url, token)).rejects.toThrow('INVALID_TOKEN');
    await assistants.getByRole('button', { name: 'Revoke: Sandbox' }).click();
    await assistants.getByRole('listitem').first().waitFor({ state: 'detached' });
  });

  it.each([
    ['en-GB', 'light'],
    ['es-MX', 'dark'],
  ] as const)(
    'is accessible and fits a small phone while it waits and has a token, in %s and %s colours',
    async (locale, colorScheme) => {
      const page = await web.open(
        { locale, colorScheme, viewport: DESKTOP },
        '/settings/reminders',
      );
      const problems: string[] = [];
      const press = (name: RegExp) => page.getByRole('button', { name }).click();
      await page.getByRole('switch').focus();
      await page.keyboard.press('Space');
      await page.getByText('ana@example.com').waitFor();
      problems.push(...(await problemsOf(page)));

      await page.getByRole('tab').nth(2).click();
      await press(/^(New token|Token nuevo)$/);
      await page.getByRole('textbox', { name: /^(Name|Nombre)/ }).fill('Claude');
      await press(/^(Save|Guardar)$/);
      await page.locator('pre').waitFor();
      problems.push(...(await problemsOf(page)));
      expect(problems).toEqual([]);
    },
  );

  async function remindersNow(): Promise<Me['reminders']> {
    return (await web.send<Me>('GET', '/auth/me')).reminders;
  }
});

/** The names of the tools of an assistant with a token. */
async function toolsAt(url: string, token: string): Promise<string[]> {
  const client = new Client({ name: 'assistant', version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

/** What axe finds once nothing moves, and whether the page is wider than a small phone. */
async function problemsOf(page: Page): Promise<string[]> {
  const size = page.viewportSize();
  await eventually('a page where nothing moves', () =>
    page.evaluate<boolean>(
      'document.getAnimations().every((each) => each.playState !== "running")',
    ),
  );
  const found = await violationsOf(page);
  await page.setViewportSize(SMALL_PHONE);
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  if (width > SMALL_PHONE.width) found.push(`is ${width} px wide`);
  if (size) await page.setViewportSize(size);
  return found;
}
