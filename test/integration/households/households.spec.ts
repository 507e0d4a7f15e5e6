import { describe, expect, it } from '@jest/globals';
import type {
  HouseholdResponse,
  InvitationResponse,
  CreatedInvitationResponse,
} from '../../../src/households/dto/household.dto.js';
import { uniqueName, type Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { TEST_PASSWORD, useService } from '../../support/service.js';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('households', () => {
  const service = useService();

  async function householdOf(user: Client): Promise<HouseholdResponse> {
    return (await user.get('/households/current').expect(200)).body as HouseholdResponse;
  }

  async function invite(admin: Client): Promise<CreatedInvitationResponse> {
    const response = await admin.post('/households/current/invitations').expect(201);
    return response.body as CreatedInvitationResponse;
  }

  async function openInvitations(admin: Client): Promise<InvitationResponse[]> {
    const response = await admin.get('/households/current/invitations').expect(200);
    return response.body as InvitationResponse[];
  }

  async function memberId(user: Client, email = user.email): Promise<string> {
    const { members } = await householdOf(user);
    return members.find((member) => member.email === email)?.id ?? '';
  }

  describe('GET /households/current', () => {
    it('GET /households/current returns the household created by registration, with its first user as admin', async () => {
      const user = await service.signUp({ first_name: 'Ana', last_name: 'Ruiz' });
      expect(await householdOf(user)).toEqual({
        id: expect.any(String),
        name: "Ana's household",
        members: [
          {
            id: expect.any(String),
            email: user.email,
            first_name: 'Ana',
            last_name: 'Ruiz',
            role: 'admin',
          },
        ],
        created_at: expect.stringMatching(ISO),
        updated_at: expect.stringMatching(ISO),
      });
    });

    it('GET /households/current generates a valid household name for any first name', async () => {
      const withoutFirstName = await service.signUp();
      expect((await householdOf(withoutFirstName)).name).toBe('My household');
      const long = await service.signUp({ first_name: '🏡'.repeat(100) });
      expect((await householdOf(long)).name).toBe('🏡'.repeat(100));
    });
  });

  describe('PUT /households/current', () => {
    it('PUT /households/current lets an admin rename it, and no one else', async () => {
      const admin = await service.signUp();
      const member = await service.signUpMember(admin);
      const before = await householdOf(admin);
      const renamed = await admin.put('/households/current', { name: ' Casa Ruiz ' }).expect(200);
      const { updated_at } = renamed.body as HouseholdResponse;
      expect(renamed.body).toEqual({ ...before, name: 'Casa Ruiz', updated_at });
      expect(updated_at > before.updated_at).toBe(true);
      expectError(await member.put('/households/current', { name: 'Mine' }), 403, 'FORBIDDEN');
      expect((await householdOf(member)).name).toBe('Casa Ruiz');
    });

    it('PUT /households/current accepts a name of 100 characters', async () => {
      const admin = await service.signUp();
      const name = '🏡'.repeat(100);
      const renamed = await admin.put('/households/current', { name }).expect(200);
      expect(renamed.body).toMatchObject({ name });
    });

    it('changes nothing for an empty body or the same name', async () => {
      const admin = await service.signUp();
      const before = await householdOf(admin);
      for (const body of [{}, { name: before.name }]) {
        expect((await admin.put('/households/current', body).expect(200)).body).toEqual(before);
      }
    });

    it.each([{ name: '' }, { name: 'x'.repeat(101) }, { name: null }, { name: 1 }])(
      'PUT /households/current refuses %p',
      async (body) => {
        const admin = await service.signUp();
        expectInvalid(await admin.put('/households/current', body), 'name');
      },
    );
  });

  describe('an invitation', () => {
    it('an invitation adds a member to the household once', async () => {
      const admin = await service.signUp();
      const { code, expires_at } = await invite(admin);
      const days = (Date.parse(expires_at) - Date.now()) / 86_400_000;
      expect(Math.round(days)).toBe(7);

      const member = await service.signUp({ invitation_code: code });
      const { members, id } = await householdOf(member);
      expect(id).toBe((await householdOf(admin)).id);
      expect(members.map(({ email, role }) => ({ email, role }))).toEqual([
        { email: admin.email, role: 'admin' },
        { email: member.email, role: 'member' },
      ]);
      await expectRefused(code);
    });

    async function register(invitation_code: unknown, email = newEmail()): Promise<number> {
      const body = { email, password: TEST_PASSWORD, invitation_code };
      return (await service.anonymous.post('/auth/register', body)).status;
    }

    const newEmail = (): string => `${uniqueName('guest').replace(' ', '-')}@example.com`;

    async function expectRefused(invitation_code: string): Promise<void> {
      const body = { email: newEmail(), password: TEST_PASSWORD, invitation_code };
      const response = await service.anonymous.post('/auth/register', body);
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'invitation' });
      expect(await service.query('SELECT 1 FROM users WHERE email = $1', [body.email])).toEqual([]);
    }

    it('an invitation is listed without its code until it is used, newest first', async () => {
      const admin = await service.signUp();
      const first = await invite(admin);
      const second = await invite(admin);
      const listed = await openInvitations(admin);
      expect(listed).toEqual(
        [second, first].map(({ expires_at }) => ({
          id: expect.any(String),
          created_by: expect.any(String),
          created_at: expect.stringMatching(ISO),
          expires_at,
        })),
      );
      expect(listed[0]?.created_by).toBe(await memberId(admin));
      await service.signUp({ invitation_code: first.code });
      expect((await openInvitations(admin)).map(({ id }) => id)).toEqual([listed[0]?.id]);
    });

    it('an invitation is stored hashed', async () => {
      const { code } = await invite(await service.signUp());
      const rows = await service.query<object>('SELECT * FROM household_invitations');
      expect(JSON.stringify(rows)).not.toContain(code);
    });

    it('an invitation is refused if it is unknown, revoked or expired', async () => {
      const admin = await service.signUp();
      await expectRefused('wrong');

      const revoked = await invite(admin);
      const [open] = await openInvitations(admin);
      await admin.delete(`/households/current/invitations/${open?.id ?? ''}`).expect(204);
      await expectRefused(revoked.code);

      const expired = await invite(admin);
      const [{ id } = { id: '' }] = await openInvitations(admin);
      await service.query(
        `UPDATE household_invitations SET expires_at = now() - interval '1 second' WHERE id = $1`,
        [id],
      );
      await expectRefused(expired.code);
      expect(await openInvitations(admin)).toEqual([]);
    });

    it('an invitation stays valid when the registration fails', async () => {
      const admin = await service.signUp();
      const { code } = await invite(admin);
      expect(await register(code, admin.email)).toBe(409);
      expect(await register(code)).toBe(201);
    });

    it('an invitation is accepted for one of two concurrent registrations', async () => {
      const { code } = await invite(await service.signUp());
      const statuses = await Promise.all([register(code), register(code), register(code)]);
      expect(statuses.sort()).toEqual([201, 404, 404]);
    });

    it.each(['', 'x'.repeat(101), 1, ['x'], {}])(
      'an invitation is refused as %p',
      async (invitation_code) => {
        expect(await register(invitation_code)).toBe(422);
      },
    );

    it('an invitation can be created, listed and revoked by admins only', async () => {
      const admin = await service.signUp();
      const member = await service.signUpMember(admin);
      await invite(admin);
      const [open] = await openInvitations(admin);
      const path = '/households/current/invitations';
      expectError(await member.post(path), 403, 'FORBIDDEN');
      expectError(await member.get(path), 403, 'FORBIDDEN');
      expectError(await member.delete(`${path}/${open?.id ?? ''}`), 403, 'FORBIDDEN');
      expect(await openInvitations(admin)).toHaveLength(1);
    });

    it("an invitation cannot be revoked by another household's admin", async () => {
      const admin = await service.signUp();
      await invite(admin);
      const [open] = await openInvitations(admin);
      const stranger = await service.signUp();
      for (const id of [open?.id ?? '', UNKNOWN_ID]) {
        const response = await stranger.delete(`/households/current/invitations/${id}`);
        expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'invitation' });
      }
      expect(await openInvitations(admin)).toHaveLength(1);
    });
  });

  describe('PUT /households/current/members/{user_id}', () => {
    it('PUT /households/current/members/{user_id} lets an admin promote another member and demote themselves', async () => {
      const admin = await service.signUp();
      const member = await service.signUpMember(admin, { first_name: 'Luis' });
      const id = await memberId(member);
      const promoted = await admin
        .put(`/households/current/members/${id}`, { role: 'admin' })
        .expect(200);
      expect(promoted.body).toEqual({
        id,
        email: member.email,
        first_name: 'Luis',
        last_name: null,
        role: 'admin',
      });
      const own = `/households/current/members/${await memberId(admin)}`;
      await admin.put(own, { role: 'member' }).expect(200);
      expectError(await admin.put(own, { role: 'admin' }), 403, 'FORBIDDEN');
    });

    it('PUT /households/current/members/{user_id} refuses to demote the last admin', async () => {
      const admin = await service.signUp();
      const own = `/households/current/members/${await memberId(admin)}`;
      expectError(await admin.put(own, { role: 'member' }), 409, 'RESOURCE_CONFLICT');
      expect((await householdOf(admin)).members[0]?.role).toBe('admin');
    });

    it('PUT /households/current/members/{user_id} does not count an admin whose account is not active', async () => {
      const admin = await service.signUp();
      const other = await service.signUpMember(admin);
      const otherId = await memberId(other);
      await admin.put(`/households/current/members/${otherId}`, { role: 'admin' }).expect(200);
      await service.query('UPDATE users SET active = false WHERE id = $1', [otherId]);
      const own = `/households/current/members/${await memberId(admin)}`;
      expectError(await admin.put(own, { role: 'member' }), 409, 'RESOURCE_CONFLICT');
    });

    it('PUT /households/current/members/{user_id} keeps one admin when two are demoted concurrently', async () => {
      const admin = await service.signUp();
      const other = await service.signUpMember(admin);
      const ids = [await memberId(admin), await memberId(other)];
      await admin.put(`/households/current/members/${ids[1] ?? ''}`, { role: 'admin' }).expect(200);
      const responses = await Promise.all([
        admin.put(`/households/current/members/${ids[0] ?? ''}`, { role: 'member' }),
        other.put(`/households/current/members/${ids[1] ?? ''}`, { role: 'member' }),
      ]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
      const roles = (await householdOf(admin)).members.map(({ role }) => role);
      expect(roles.sort()).toEqual(['admin', 'member']);
    });

    it('PUT /households/current/members/{user_id} is for admins only', async () => {
      const admin = await service.signUp();
      const member = await service.signUpMember(admin);
      const own = `/households/current/members/${await memberId(member)}`;
      expectError(await member.put(own, { role: 'admin' }), 403, 'FORBIDDEN');
    });

    it('PUT /households/current/members/{user_id} does not find members of other households', async () => {
      const admin = await service.signUp();
      const stranger = await service.signUp();
      for (const id of [await memberId(stranger), UNKNOWN_ID]) {
        const response = await admin.put(`/households/current/members/${id}`, { role: 'member' });
        expectError(response, 404, 'USER_NOT_FOUND');
      }
    });

    it.each([{ role: 'owner' }, { role: null }, { role: 1 }])(
      'PUT /households/current/members/{user_id} refuses %p',
      async (body) => {
        const admin = await service.signUp();
        const own = `/households/current/members/${await memberId(admin)}`;
        expectInvalid(await admin.put(own, body), 'role');
      },
    );
  });

  it('households share their activity, but no other data', async () => {
    const admin = await service.signUp();
    const member = await service.signUpMember(admin);
    const stranger = await service.signUp();
    const template = await admin.createTemplate();
    const method = template.payment_method;
    const cycle = await admin.createCycle();
    const { expenses } = await admin.expenses(cycle.id);
    const seen = async (user: Client): Promise<number> =>
      (await user.activityOf('payment_method', method.id)).length;
    expect([await seen(admin), await seen(member), await seen(stranger)]).toEqual([1, 1, 0]);
    for (const [path, code] of [
      [`/payment-methods/${method.id}`, 'RESOURCE_NOT_FOUND'],
      [`/expense-templates/${template.id}`, 'RESOURCE_NOT_FOUND'],
      [`/cycles/${cycle.id}`, 'CYCLE_NOT_FOUND'],
      [`/cycles/${cycle.id}/expenses`, 'CYCLE_NOT_FOUND'],
      [`/cycles/${cycle.id}/expenses/${expenses[0]?.id ?? ''}`, 'CYCLE_NOT_FOUND'],
      [`/cycles/${cycle.id}/summary`, 'CYCLE_NOT_FOUND'],
      [`/reports/cycles-comparison?cycle_ids=${cycle.id}`, 'CYCLE_NOT_FOUND'],
    ] as const) {
      await admin.get(path).expect(200);
      expectError(await member.get(path), 404, code);
    }
    expect((await member.get('/payment-methods')).body).toEqual([]);
    expect((await member.get('/expense-templates')).body).toEqual([]);
    expect((await member.get('/cycles')).body).toMatchObject({ cycles: [] });
  });
});
