import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { choose, TODAY, undoOf, useExampleWeb } from '../support/example-web.js';
import { PROJECT } from '../support/typescript-client.js';

const PHONE = { width: 390, height: 844 };
const SMALL_PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 900 };

/** The cents of an amount as the page writes it: `−$1,234.50`, `US$1,234.50`. */
const cents = (text: string): bigint => {
  const digits = text.replace(/[^\d]/g, '');
  return BigInt(digits) * (/[−-]/.test(text) ? -1n : 1n);
};

const message = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole('alert').filter({ hasText: text }).waitFor();

/** What `term` stands for in the list of how the free amount comes about. */
const part = (page: Page, term: string | RegExp): Locator =>
  page
    .locator('dl > div')
    .filter({ has: page.locator('dt', { hasText: term }) })
    .locator('dd')
    .first();

async function setMinimum(page: Page, amount: string): Promise<void> {
  await page.getByRole('button', { name: /^(Change|Cambiar)$/ }).click();
  await page.getByRole('textbox', { name: /^(Minimum balance|Saldo mínimo)/ }).fill(amount);
  await page.keyboard.press('Enter');
}

/** Each part of the sum, as the page shows it: they add up to what is free. */
async function sumOfParts(page: Page): Promise<{ sum: bigint; free: bigint }> {
  const amounts = await page.locator('dl').first().locator('dd').allInnerTexts();
  const all = amounts.map(cents);
  const free = all.pop() ?? 0n;
  return { sum: all.reduce((sum, amount) => sum + amount, 0n), free };
}

interface Cycles {
  cycles: { id: string }[];
}

describe('the overview of the example front end', () => {
  const web = useExampleWeb();

  it.each([
    {
      ...{ locale: 'en-GB', free: '$182.84', due: /Due by Thu 26 Nov/ },
      ...{ budgets: /Health until Fri 27 Nov and 4 more budgets/, kept: /Kept for Thu 14 Jan/ },
    },
    {
      ...{ locale: 'es-MX', free: 'US$182.84', due: /Por pagar hasta el jue 26 nov/ },
      ...{ budgets: /Health hasta el vie 27 nov y 4 presupuestos más/, kept: /Apartado para/ },
    },
  ])('says in $locale what can be spent, and how that comes about', async (expected) => {
    const page = await web.open({ locale: expected.locale, viewport: DESKTOP });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await setMinimum(page, '200.00');
    await page.getByText(expected.free).first().waitFor();
    expect(await part(page, expected.due).innerText()).toMatch(/^−(US)?\$148\.51$/);
    expect(await part(page, expected.budgets).innerText()).toMatch(/^−(US)?\$10\.83$/);
    expect(await part(page, expected.kept).innerText()).toMatch(/^−(US)?\$1,043\.73$/);
    const { sum, free } = await sumOfParts(page);
    expect(sum).toBe(free);
  });

  it('names the day on which the plan runs short, and what would fit', async () => {
    const page = await web.open({ viewport: DESKTOP });
    await setMinimum(page, '200.00');
    await page.getByText('$182.84').first().waitFor();

    await page.getByRole('button', { name: 'What if…' }).click();
    const drawer = page.getByRole('dialog', { name: 'What if' });
    await drawer.getByLabel('Description').fill('Washing machine');
    await drawer.getByRole('textbox', { name: 'Amount' }).fill('4,500.00');
    await drawer.getByText('MXN', { exact: true }).click();
    await drawer.getByLabel('Date').fill('10 Dec 2026');
    await drawer.getByLabel('Date').press('Enter');
    await drawer.getByText('Thursday 14 Jan runs short by $62.41.').waitFor();
    await drawer.getByText('On Friday 15 Jan it fits, and leaves $8.65 free.').waitFor();
    await drawer.getByRole('button', { name: 'Use 15 Jan' }).click();
    await drawer.getByText('It leaves $8.65 free until the next pay day.').waitFor();
    await choose(page, 'Payment method', 'Debit card');
    await drawer.getByRole('button', { name: 'Add to the plan' }).click();
    const undo = await undoOf(page, 'Washing machine saved');
    await page.getByText('$8.65').first().waitFor();
    await undo.press('Enter');
    await page.getByText('$182.84').first().waitFor();

    await addExpense(page, CAR_REPAIR);
    await page.getByText('Short by $165.96 · Thursday 14 Jan').waitFor();
    expect((await sumOfParts(page)).sum).toBe(-16_596n);
  });

  it('shows why the service refuses a minimum, and keeps one for every device', async () => {
    const page = await web.open({ viewport: DESKTOP });
    await setMinimum(page, '999999999999.00');
    await page.locator('[aria-invalid=true]').waitFor();
    await page.keyboard.press('Escape');
    await setMinimum(page, '200.00');
    await page.getByText('$182.84').first().waitFor();
    await page.reload();
    await page.getByText('$182.84').first().waitFor();
    const { minimum_balance: minimum } = await web.send<{ minimum_balance: string }>(
      'GET',
      '/auth/me',
      { token: await web.logIn() },
    );
    expect(minimum).toBe('200.00');
  });

  it('names an income that is late, and counts on it once it has arrived', async () => {
    const page = await web.open({ viewport: DESKTOP }, async () => {
      const { cycles } = await web.send<Cycles>('GET', `/cycles?date=${TODAY}`);
      const body = { description: 'Extra shift', income_date: '2026-11-20' };
      await web.send('POST', `/cycles/${cycles[0]?.id}/incomes`, {
        body: { ...body, currency: 'USD', amount: '164.00' },
      });
      return '/';
    });
    const late = page.locator('dl').filter({ hasText: /Extra shift.*not counted, 5 days late/s });
    await late.getByText('($164.00)').waitFor();
    const before = await sumOfParts(page);
    expect(before.sum).toBe(before.free);

    await late.getByRole('button', { name: 'Receive' }).click();
    await message(page, 'Extra shift received');
    await late.waitFor({ state: 'detached' });
    const after = await sumOfParts(page);
    expect(after).toEqual({ sum: before.sum + 16_400n, free: before.free + 16_400n });
  });

  it('shows on the last days what follows, and offers to close the cycle until that is put off', async () => {
    const page = await web.open({ viewport: DESKTOP });
    await web.moveTo('2026-12-16');
    await page.reload();
    const offer = page.getByRole('region', { name: 'Close this cycle' });
    await offer.getByText('Ended yesterday: 4 Nov – 15 Dec').waitFor();
    await offer.getByRole('link', { name: 'Close this cycle' }).click();
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByRole('heading', { name: 'What is due' }).waitFor();
    expect(await offer.count()).toBe(0);

    await web.moveTo('2026-12-17');
    await page.reload();
    await offer.getByText('Ended 2 days ago').waitFor();

    await web.moveTo('2026-12-14');
    await page.reload();
    const due = page.getByRole('region', { name: 'What is due' });
    await due.getByRole('button', { name: /^Show \d+ more until 26 Jan/ }).click();
    await due.getByText('Next cycle', { exact: true }).waitFor();
    await due.getByRole('link', { name: 'Open' }).waitFor();
    await due.getByRole('heading', { name: 'Friday 18 Dec · Year-end bonus' }).waitFor();

    const { cycles } = await web.send<Cycles>('GET', '/cycles');
    await web.send('DELETE', `/cycles/${cycles[0]?.id}`);
    await page.reload();
    await due.getByRole('button', { name: /^Show \d+ more until 26 Jan/ }).click();
    await due.getByText('16 Dec – 26 Jan, not created yet').waitFor();
    await due.getByText('Christmas gifts').waitFor();
    expect(await due.getByRole('button', { name: 'Pay Christmas gifts' }).count()).toBe(0);
  });

  it('pays with one press, takes that back, and says what is left', async () => {
    const page = await web.open({ viewport: SMALL_PHONE });
    const pay = page.getByRole('button', { name: 'Pay Water' });
    await pay.click();
    await message(page, 'Water paid, 385.00 MXN');
    await pay.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await message(page, 'Undone');
    await pay.waitFor();

    await page.getByRole('button', { name: 'Receive Paycheck' }).first().click();
    await message(page, 'Paycheck received');
    await page.getByRole('button', { name: 'Undo' }).click();
    await message(page, 'Undone');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('shows the balance by day, and the pay days as a table', async () => {
    const page = await web.open({ viewport: DESKTOP });
    const chart = page.locator('.recharts-surface').first();
    await chart.focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('.recharts-tooltip-wrapper').getByRole('status').waitFor();
    await page.getByText('Table', { exact: true }).click();
    const windows = page.getByRole('table', { name: 'By pay window' });
    const rows = await windows.getByRole('row').allInnerTexts();
    expect(rows[1]?.split(/\s*\t\s*/)).toEqual([
      ...['Wed 25 Nov', 'Thu 26 Nov', '$0.00', '$159.34', '$1,426.57', '$382.84'],
    ]);
  });

  it.each(['light', 'dark'] as const)(
    'has the colours of its style sheet, and loads nothing from elsewhere, in %s colours',
    async (scheme) => {
      const page = await web.open({ viewport: DESKTOP, colorScheme: scheme });
      const origins = new Set<string>();
      page.on('request', (request) => {
        const { protocol, origin } = new URL(request.url());
        if (protocol !== 'data:') origins.add(origin);
      });
      await page.reload();
      await setMinimum(page, '200.00');
      await addExpense(page, CAR_REPAIR);
      await page.getByText('Short by $165.96 · Thursday 14 Jan').waitFor();

      const wanted = coloursOf(scheme);
      const found = await page.evaluate<Record<string, string>>(
        `Object.fromEntries(${JSON.stringify(Object.keys(wanted))}.map((name) => {
          const probe = document.body.appendChild(document.createElement('p'));
          probe.style.color = 'var(--' + name + ')';
          const { color } = getComputedStyle(probe);
          probe.remove();
          return [name, color];
        }))`,
      );
      expect(found).toEqual(wanted);

      const pay = page.getByRole('button', { name: 'Pay Water' });
      expect(await coloursAt(pay)).toEqual([wanted['on-accent'], wanted.accent]);
      const texts = page.locator('.chart svg text');
      const colours = await Promise.all((await texts.all()).map(coloursAt));
      const unreadable = colours.filter(([text = '', ground = '']) => contrast(text, ground) < 4.5);
      expect(unreadable).toEqual([]);
      expect(new Set(colours.map(([text]) => text))).toEqual(new Set([wanted.muted, wanted.card]));
      expect(origins).toEqual(new Set([web.url, web.sandbox.origin]));
    },
  );

  it.each(['light', 'dark'] as const)('is as the pictures show, in %s colours', async (scheme) => {
    const page = await web.open({ viewport: DESKTOP, colorScheme: scheme });
    await setMinimum(page, '200.00');
    await page.getByText('$182.84').first().waitFor();
    await addExpense(page, CAR_REPAIR);
    await page.getByText('Short by $165.96 · Thursday 14 Jan').waitFor();

    const phone = await web.open({ viewport: PHONE, colorScheme: scheme, locale: 'es-MX' });
    await setMinimum(phone, '200.00');
    await phone.getByText('US$182.84').first().waitFor();
    const background = await phone.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(Number(/\d+/.exec(String(background))?.[0]) > 127).toBe(scheme === 'light');
  });
});

/** The colours of the style sheet in a scheme by their names, as browsers write them. */
function coloursOf(scheme: 'light' | 'dark'): Record<string, string> {
  const read = (file: string): string =>
    readFileSync(join(PROJECT, 'examples/web/src', file), 'utf8');
  const tones = read('theme.ts').match(/#\w{6}/g) ?? [];
  const styles = read('styles.css').replaceAll(
    /var\(--mantine-color-accent-(\d)\)/g,
    (_, tone: string) => tones[Number(tone)] ?? '',
  );
  const declared = Array.from(styles.matchAll(/--([\w-]+): light-dark\(#(\w+), #(\w+)\)/g));
  expect(declared.length).toBeGreaterThan(20);
  return Object.fromEntries(
    declared.map(([, name = '', light = '', dark = '']) => {
      const channels = (scheme === 'light' ? light : dark).match(/../g) ?? [];
      return [name, `rgb(${channels.map((channel) => parseInt(channel, 16)).join(', ')})`];
    }),
  );
}

interface PageElement {
  tagName: string;
  parentElement: PageElement;
  previousElementSibling: PageElement | null;
  ownerDocument: {
    defaultView: {
      getComputedStyle: (of: PageElement) => {
        color: string;
        fill: string;
        backgroundColor: string;
      };
    };
  };
}

/** The colours of an element's text and of what is behind it; in a chart, of a rectangle before it. */
const coloursAt = (element: Locator): Promise<string[]> =>
  element.evaluate((it: PageElement) => {
    const styleOf = it.ownerDocument.defaultView.getComputedStyle;
    const { color, fill } = styleOf(it);
    const before = it.previousElementSibling;
    if (before?.tagName === 'rect') return [fill, styleOf(before).fill];
    let ground = it;
    while (styleOf(ground).backgroundColor === 'rgba(0, 0, 0, 0)') ground = ground.parentElement;
    return [it.tagName === 'text' ? fill : color, styleOf(ground).backgroundColor];
  });

/** The contrast of two colours (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio), from 1 to 21. */
function contrast(...colours: [string, string]): number {
  const [darker = 0, lighter = 0] = colours
    .map((colour) => {
      const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map((channel) => {
        const value = Number(channel) / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    })
    .sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const CAR_REPAIR = { name: 'Car repair', amount: '6,400.00', day: '3 Dec 2026' };

async function addExpense(
  page: Page,
  { name, amount, day }: { name: string; amount: string; day: string },
): Promise<void> {
  await page.getByRole('button', { name: 'Add something else' }).click();
  await page.getByRole('menuitem', { name: 'Planned expense' }).click();
  const drawer = page.getByRole('dialog', { name: 'Expense' });
  await drawer.getByLabel('Description').fill(name);
  await drawer.getByText('MXN', { exact: true }).click();
  await drawer.getByRole('textbox', { name: 'Amount' }).fill(amount);
  await drawer.getByLabel('Date').fill(day);
  await drawer.getByLabel('Date').press('Enter');
  await drawer.getByRole('combobox', { name: 'Payment method' }).click();
  await page.getByRole('option', { name: 'Credit card' }).click();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.waitFor({ state: 'detached' });
}
