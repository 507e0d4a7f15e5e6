import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { AuthService } from '../../../src/auth/auth.service.js';
import { ExchangeRatesService } from '../../../src/exchange-rates/exchange-rates.service.js';
import { HouseholdsService } from '../../../src/households/households.service.js';
import { InvitationsService } from '../../../src/households/invitations.service.js';
import { HouseholdAdminService } from '../../../src/operators/households/household-admin.service.js';
import { IntegrityService } from '../../../src/operators/integrity/integrity.service.js';
import { Database } from '../../../src/platform/database/database.js';
import { inCommand } from '../../../src/platform/values/requester.js';
import type { User } from '../../../src/users/user.entity.js';
import { UsersService } from '../../../src/users/users.service.js';
import type { Client } from '../../support/client.js';
import { expectError } from '../../support/errors.js';
import { TEST_PASSWORD, useService } from '../../support/service.js';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

describe('the operators service', () => {
  const service = useService();

  const households = (): HouseholdAdminService =>
    new HouseholdAdminService(service.app.get(Database), service.app.get(HouseholdsService));
  const stored = ({ email }: Client): Promise<User> =>
    service.app.get(UsersService).getByEmail(email);
  const setActive = async (client: Client, active: boolean): Promise<boolean> =>
    service.app.get(AuthService).setActive(await stored(client), active);

  /** An admin and a member of one household. */
  async function signUpTwo(): Promise<[Client, Client]> {
    const admin = await service.signUp();
    const { code } = await service.app
      .get(InvitationsService)
      .invite(inCommand(await stored(admin)));
    return [admin, await service.signUp({ invitation_code: code })];
  }

  it('an operator deactivates a user at once, for tokens and passwords, and activates them again', async () => {
    const user = await service.signUp();
    expect(await setActive(user, false)).toBe(true);
    expect(await setActive(user, false)).toBe(false);
    expectError(await user.get('/auth/me'), 403, 'INACTIVE_USER');
    await expect(service.signIn(user.email)).rejects.toThrow('403');
    expect(await setActive(user, true)).toBe(true);
    expect(await setActive(user, true)).toBe(false);
    expectError(await user.get('/auth/me'), 401, 'INVALID_TOKEN');
    await (await service.signIn(user.email)).get('/auth/me').expect(200);
  });

  it('an operator replaces a forgotten password', async () => {
    const user = await service.signUp();
    const { id } = await stored(user);
    await service.app.get(AuthService).setPassword(id, 'a new password');
    await service.signIn(user.email, 'a new password');
    await expect(service.signIn(user.email, TEST_PASSWORD)).rejects.toThrow('401');
  });

  it('an operator cannot leave active members without an active admin', async () => {
    const [admin, member] = await signUpTwo();
    await expect(setActive(admin, false)).rejects.toThrow('no active admin');
    await admin.get('/auth/me').expect(200);
    await expect(households().assignRole(await stored(admin), 'member')).rejects.toThrow(
      'at least one active admin',
    );

    await households().assignRole(await stored(member), 'admin');
    await households().assignRole(await stored(admin), 'member');
    expect(await setActive(admin, false)).toBe(true);
    // The last member may be deactivated: no active member is left who needs an admin.
    expect(await setActive(member, false)).toBe(true);
    await expect(setActive(admin, true)).rejects.toThrow('no active admin');
    expect(await setActive(member, true)).toBe(true);
    expect(await setActive(admin, true)).toBe(true);
  });

  it('an operator renames any household', async () => {
    const [admin, member] = await signUpTwo();
    const { householdId } = await stored(member);
    const { household } = await households().rename(householdId, 'Casa Ruiz');
    expect(household.name).toBe('Casa Ruiz');
    expect((await admin.get('/households/current')).body).toMatchObject({ name: 'Casa Ruiz' });
    await expect(households().rename(UNKNOWN_ID, 'Casa')).rejects.toThrow('Household not found');
    await expect(households().get(UNKNOWN_ID)).rejects.toThrow('Household not found');
  });

  it('an operator sees how many members every household has', async () => {
    const [admin, member] = await signUpTwo();
    await setActive(member, false);
    const { householdId: id } = await stored(admin);
    expect(await households().list()).toContainEqual({
      id,
      name: 'My household',
      members: 2,
      active_members: 1,
      admins: 1,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/),
    });
  });

  it('the check has the rules that docs/operations.md lists', async () => {
    const results = await new IntegrityService(service.app.get(Database)).check();
    const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const [, table = ''] = /\$ cli check\n(.*?)\n\n/s.exec(page) ?? [];
    const rows = table.split('\n').slice(2);
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual(
      results.map(({ rule, description }) => [rule, '0', description]),
    );
  });

  it('an operator imports rates, which apply to the next expense, and replaces them', async () => {
    const rates = service.app.get(ExchangeRatesService);
    const importLines = (...lines: string[]) =>
      rates.importFile(Buffer.from(['from,to,rate,date', ...lines].join('\n')));
    const user = await service.signUp();
    const { id } = await user.createCycle();
    const convert = async (): Promise<string> => {
      const expense = { currency: 'MXN', amount: '100.00', due_date: '2026-03-15' };
      return (await user.createExpense(id, expense)).amount_usd;
    };

    expect(await convert()).toBe('5.00');
    await expect(importLines('MXN,USD,0.06,2026-03-01', 'nonsense')).rejects.toThrow('line 3');
    expect(await convert()).toBe('5.00');
    expect(await importLines('MXN,USD,0.06,2026-03-01', 'MXN,USD,0.05,2025-01-01')).toEqual({
      rates: 2,
      changed: 1,
    });
    expect(await convert()).toBe('6.00');
    expect(await importLines('MXN,USD,0.07,2026-03-01')).toEqual({ rates: 1, changed: 1 });
    expect(await importLines('MXN,USD,0.070000,2026-03-01')).toEqual({ rates: 1, changed: 0 });
    expect(await importLines()).toEqual({ rates: 0, changed: 0 });
    expect(await convert()).toBe('7.00');

    const { pairs, months } = await rates.coverage();
    expect(pairs).toEqual(['MXN-USD']);
    expect(months.filter(({ days }) => days['MXN-USD'] === 1)).toEqual([
      { month: '2025-01', days: { 'MXN-USD': 1 } },
      { month: '2026-03', days: { 'MXN-USD': 1 } },
    ]);
  });
});
