import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { messageOf, TODAY, useExampleWeb } from '../support/example-web.js';

const PHONE = { width: 360, height: 740 };

interface Cycles {
  cycles: { id: string }[];
}

/** The requests of a page to the API from now on, as `GET /cycles`. */
function requestsOf(page: Page, origin: string): string[] {
  const list: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin || request.method() === 'OPTIONS') return;
    const path = url.pathname.replace('/api/v1', '').replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '{id}');
    list.push(`${request.method()} ${path}`);
  });
  return list;
}

/** Until no request has begun for some time. */
const quiet = (page: Page): Promise<void> => page.waitForLoadState('networkidle');

describe('the data of the overview of the example front end', () => {
  const web = useExampleWeb();

  it('is read with eight requests, and after a payment with three', async () => {
    const page = await web.open();
    await page.getByRole('heading', { name: 'What is due' }).waitFor();
    await quiet(page);
    const requests = requestsOf(page, web.sandbox.origin);
    await page.reload();
    await page.locator('.chart svg').first().waitFor();
    await page.getByRole('region', { name: 'Budgets' }).waitFor();
    await quiet(page);
    expect(requests.splice(0).sort()).toEqual([
      'GET /auth/me',
      'GET /card-statements',
      'GET /cycles',
      'GET /cycles/{id}/summary',
      'GET /exchange-rates',
      'GET /expenses',
      'GET /forecast',
      'GET /incomes',
    ]);

    await page.getByRole('button', { name: 'Pay Water' }).click();
    await messageOf(page, 'Water paid').waitFor();
    await page.waitForTimeout(2000);
    await quiet(page);
    expect(requests.splice(0).sort()).toEqual([
      'GET /cycles/{id}/summary',
      'GET /expenses',
      'GET /forecast',
      'PUT /cycles/{id}/expenses/{id}',
    ]);

    // What was not read after the payment is read when another page shows it.
    await page.getByRole('link', { name: 'Cycles' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Cycles' }).waitFor();
    await quiet(page);
    await page.getByRole('link', { name: 'Overview' }).first().click();
    await page.getByRole('heading', { name: 'What is due' }).waitFor();
    await quiet(page);
    expect(requests).toContain('GET /cycles');
    expect(requests).toContain('GET /incomes');
  });

  it('has the entries of open cycles whatever their day, also more than a hundred', async () => {
    const page = await web.open({}, async () => {
      const { cycles } = await web.send<Cycles>('GET', `/cycles?date=${TODAY}`);
      const methods = await web.send<{ id: string; name: string }[]>('GET', '/payment-methods');
      const trip = await web.send<{ id: string }>('POST', '/cycles', {
        body: {
          ...{ name: 'Trip', start_date: '2026-11-28', end_date: '2026-11-29' },
          ...{ income_amount: '0.00', side: true },
        },
      });
      const rows = Array.from(
        { length: 120 },
        (_, i) => `2025-01-01,Old ${i},variable,USD,1.00,Debit card`,
      );
      const text = ['due_date,description,category,currency,amount,payment_method', ...rows].join(
        '\n',
      );
      const url = `${web.sandbox.api}/cycles/${cycles[0]?.id}/expenses/import`;
      const headers = {
        'Content-Type': 'text/csv',
        Authorization: `Bearer ${await web.logIn()}`,
      };
      const response = await fetch(url, { method: 'POST', headers, body: text });
      if (!response.ok) throw new Error(await response.text());
      const expense = {
        ...{ description: 'Museum', currency: 'USD', amount: '20.00', category: 'variable' },
        ...{ due_date: '2026-11-28', payment_method_id: methods[0]?.id },
      };
      await web.send('POST', `/cycles/${trip.id}/expenses`, { body: expense });
      return '/';
    });
    const due = page.getByRole('region', { name: 'What is due' });
    await due.getByRole('button', { name: /^Show \d+ more/ }).click();
    await due.getByRole('button', { name: 'Pay Old 119' }).waitFor();
    await due.getByRole('button', { name: 'Pay Museum' }).waitFor();
    // With the two of the sample household.
    await due.getByRole('heading', { name: 'Overdue' }).locator('..').getByText('122').waitFor();
  });

  it.each([
    { locale: 'en-GB', other: "$382.84 at today's rate", label: 'What if…' },
    { locale: 'es-MX', other: 'US$382.84 al tipo de cambio de hoy', label: /^¿Y si/ },
  ])('is in pesos first for whoever prefers them, in $locale', async ({ locale, other, label }) => {
    const page = await web.open({ locale, viewport: PHONE }, async () => {
      const body = { preferred_currency: 'MXN' };
      await web.send('PUT', '/auth/me', { body, token: await web.logIn() });
      return '/';
    });
    await page.getByText(other).first().waitFor();
    const free = page.locator('.free');
    expect((await free.innerText()).replaceAll(/\s+/g, ' ')).toBe('7,024.59 MXN');

    await page.getByRole('button', { name: label }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('textbox').first().fill('Washing machine');
    await drawer.locator('[inputmode=decimal]').fill('999,999.00');
    await drawer.getByRole('status').waitFor();
    const cut =
      await page.evaluate(`[...document.querySelectorAll('[role=dialog] :is(button, dl, dt, dd)')]
      .filter((it) => it.innerText)
      .filter((it) => it.scrollWidth > it.clientWidth || it.getBoundingClientRect().right > innerWidth - 16)
      .map((it) => it.innerText)`);
    expect(cut).toEqual([]);
  });

  it('has what recurs in the next cycle where the last one has ended and none is created', async () => {
    const page = await web.open({}, async () => {
      const { cycles } = await web.send<Cycles>('GET', '/cycles');
      await web.send('DELETE', `/cycles/${cycles[0]?.id}`);
      await web.moveTo('2026-12-16');
      return '/';
    });
    await page.getByText('your next pay day').waitFor();
    await page.getByText('Friday 18 Dec').first().waitFor();
    const incomes = page.getByRole('region', { name: 'Incomes expected' });
    await incomes.getByText('Year-end bonus').waitFor();
    expect(await incomes.getByRole('button', { name: 'Receive Year-end bonus' }).count()).toBe(0);
    const due = page.getByRole('region', { name: 'What is due' });
    await due.getByRole('button', { name: /^Show \d+ more until 26 Jan/ }).click();
    await due.getByText('16 Dec – 26 Jan, not created yet').waitFor();
  });

  it.each([360, 768, 1280])('has no word on a line of the chart, at %i px', async (width) => {
    const page = await web.open({ viewport: { width, height: 900 } });
    await page.locator('.recharts-cartesian-grid').waitFor();
    for (const range of ['This cycle', 'Two cycles', '6 months']) {
      await page
        .getByRole('region', { name: 'Your balance ahead' })
        .getByText(range, { exact: true })
        .first()
        .click();
      const inPlot = await page.evaluate(`(() => {
        const { left, right, top, bottom } = document
          .querySelector('.recharts-cartesian-grid')
          .getBoundingClientRect();
        return [...document.querySelectorAll('.chart svg text')]
          .filter((text) => {
            const box = text.getBoundingClientRect();
            const isBeside = box.right < left + 1 || box.left > right;
            return !isBeside && box.bottom > top + 1 && box.top < bottom;
          })
          .map((text) => text.textContent);
      })()`);
      expect(inPlot).toEqual([]);
    }
  });
});
