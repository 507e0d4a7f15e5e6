import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { messageOf, useExampleWeb, violationsOf } from '../support/example-web.js';

const ENGLISH = { locale: 'en-GB', viewport: { width: 1280, height: 900 } };

interface Proposal {
  start_date: string;
  end_date: string;
}

interface Forecast {
  days: { date: string; balance: string }[];
}

describe('the next cycle in the example front end', () => {
  const web = useExampleWeb();

  it('is previewed as the forecast has it, and then the one after it is proposed', async () => {
    const page = await web.open(ENGLISH, '/cycles/next');
    const starts = page.getByLabel('Starts on');
    const { start_date: first, end_date: end } = await web.send<Proposal>('GET', '/cycles/next');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('Purchases by card leave your balance with their statement.').waitFor();
    const shown = await preview.innerText();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create this cycle' }).click();
    await messageOf(page, / created/).waitFor();
    const { days } = await web.send<Forecast>(
      'GET',
      '/forecast?set_aside=budgets&include=days&to=2027-05-01',
    );
    const balance = Number(days.find(({ date }) => date === end)?.balance);
    expect(shown).toContain(`$${balance.toLocaleString('en-US')}`);

    await page.getByRole('link', { name: 'Cycles' }).click();
    await page.getByRole('link', { name: 'Next cycle' }).click();
    const { start_date: second } = await web.send<Proposal>('GET', '/cycles/next');
    expect(second).not.toBe(first);
    const shownAs = new Date(second).toLocaleDateString('en-GB', {
      timeZone: 'UTC',
      month: 'short',
      year: 'numeric',
    });
    await eventually('the new proposal', async () => (await starts.inputValue()).includes(shownAs));
  });
});
