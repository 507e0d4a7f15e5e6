import { describe, expect, it } from '@jest/globals';
import { AuthService } from '../../../src/auth/auth.service.js';
import { UsersService } from '../../../src/users/users.service.js';
import { expectError } from '../../support/errors.js';
import { eventually } from '../../support/eventually.js';
import { useService } from '../../support/service.js';

const service = useService();

describe('a cached user who is deactivated', () => {
  it('a cached user is refused at once by the process that deactivated it, and after a reactivation signs in again', async () => {
    const user = await service.signUp();
    const other = await user.signInAgain();
    await user.get('/auth/me').expect(200);
    const userRecord = await service.app
      .get(UsersService, { strict: false })
      .getByEmail(user.email);
    const operations = service.app.get(AuthService, { strict: false });

    await operations.setActive(userRecord, false);
    const refused = await user.get('/auth/me').expect(403);
    expect(refused.body).toMatchObject({ error: { code: 'INACTIVE_USER' } });
    await operations.setActive(userRecord, true);
    expectError(await user.get('/auth/me'), 401, 'INVALID_TOKEN');
    expectError(await other.post('/auth/refresh'), 401, 'INVALID_TOKEN');
    const again = await service.signIn(user.email);
    expect(await again.read('/auth/sessions')).toEqual([
      expect.objectContaining({ current: true }),
    ]);
  });

  it('a cached user who is deactivated is refused by every other process after the cache expires', async () => {
    const user = await service.signUp();
    await user.get('/auth/me').expect(200);
    await service.query('UPDATE users SET active = false WHERE email = $1', [user.email]);
    await eventually('the user is refused', async () => {
      const response = await user.get('/payment-methods');
      return response.status === 403;
    });
  });

  it('a cached user is refused after the cache expires when the account is deleted', async () => {
    const user = await service.signUp();
    await user.get('/auth/me').expect(200);
    await service.query('DELETE FROM users WHERE email = $1', [user.email]);
    await eventually('the token is refused', async () => {
      const response = await user.get('/payment-methods');
      return response.status === 401;
    });
  });

  it.each([
    ['post', '/payment-methods', { name: 'Nu', method_type: 'debit', default_currency: 'USD' }],
    [
      'post',
      '/cycles',
      { name: 'Spring', start_date: '2026-03-01', end_date: '2026-04-11', income_amount: '10.00' },
    ],
    ['post', '/households/current/invitations', {}],
    ['put', '/auth/me', { first_name: 'Ana' }],
    ['get', '/auth/me', undefined],
  ] as const)(
    'a cached user cannot %s %s after the account is deleted',
    async (method, path, body) => {
      const user = await service.signUp();
      await user.get('/auth/me').expect(200);
      await service.query('DELETE FROM users WHERE email = $1', [user.email]);
      const refused = await user[method](path).send(body);
      expectError(refused, 401, 'INVALID_TOKEN');
    },
  );
});
