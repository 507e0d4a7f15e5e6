import { expect, test } from '@playwright/test';
import { ExpenseClient } from 'expense-service-client';

const sandbox = process.env.SANDBOX_URL ?? 'http://localhost:3000';
const account = { email: 'ana@example.com', password: 'sandbox-password' };
const client = new ExpenseClient({ baseUrl: sandbox });

test.beforeEach(async () => {
  expect((await fetch(`${sandbox}/sandbox/reset`, { method: 'POST' })).status).toBe(204);
  await client.signIn(account);
});

test.afterEach(() => client.signOut());

async function activeCycle() {
  const { data } = await client.GET('/cycles', { params: { query: { status: 'active' } } });
  return data.cycles[0]!;
}

test('the front end shows the name that a cycle has in the API', async ({ page }) => {
  const { id } = await activeCycle();
  await client.PUT('/cycles/{id}', {
    params: { path: { id } },
    body: { name: 'Before the holidays' },
  });
  await page.goto('/cycles');
  await page.getByLabel(/e-?mail/i).fill(account.email);
  await page.locator('input[type=password]').fill(account.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Before the holidays').first()).toBeVisible();
});

test('each test begins with the sample household', async () => {
  expect((await activeCycle()).name).not.toBe('Before the holidays');
});
