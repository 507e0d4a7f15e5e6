import { fireEvent, render, screen } from '@testing-library/react';
import { MantineProvider } from '@mantine/core';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { App } from '../src/App';
import { LocaleProvider } from '../src/locale';
import { theme } from '../src/theme';
import answers from './answers.json';

/** What the service answered to a household with one bill, by path. */
const recorded: Record<string, unknown> = answers;
const requests: string[] = [];

/** Returns recorded answers; a sign-in succeeds with the password of the household. */
async function answer(request: Request): Promise<Response> {
  const path = request.url.replace(/.*\/api\/v1/, '');
  requests.push(`${request.method} ${path}`);
  if (path === '/auth/login') {
    const isRight = (await request.text()).includes('a-long-enough-password');
    const error = { code: 'INVALID_CREDENTIALS', message: 'Wrong' };
    return isRight
      ? Response.json({ access_token: 'token', token_type: 'bearer', expires_in: 3600 })
      : Response.json({ success: false, error }, { status: 401 });
  }
  const key = Object.keys(recorded).find((each) => each.split('?')[0] === path.split('?')[0]);
  return key
    ? Response.json(recorded[key])
    : Response.json({ success: false, error: { code: 'RESOURCE_NOT_FOUND' } }, { status: 404 });
}

function open(): void {
  render(
    <MantineProvider theme={theme} env="test">
      <LocaleProvider>
        <App />
      </LocaleProvider>
    </MantineProvider>,
  );
}

async function signIn(password: string): Promise<void> {
  const email = await screen.findByLabelText(/^E-mail/, undefined, { timeout: 15_000 });
  fireEvent.change(email, { target: { value: 'rosa@example.com' } });
  fireEvent.change(screen.getByLabelText(/^Password/), { target: { value: password } });
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
}

describe('the pages', () => {
  beforeEach(() => {
    vi.stubGlobal('fetch', answer);
    localStorage.setItem('locale', 'en-US');
    requests.length = 0;
  });

  it('say that a password is wrong', async () => {
    open();
    await signIn('wrong');
    await screen.findByRole('alert');
  });

  it('show what is free to spend after the sign-in', async () => {
    open();
    await signIn('a-long-enough-password');
    await screen.findByText('Rent', undefined, { timeout: 15_000 });
    await screen.findByText('Free to spend');
    expect(requests).toContain('POST /auth/login');
  });
});
