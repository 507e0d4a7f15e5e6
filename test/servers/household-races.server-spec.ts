import { afterEach, describe, expect, it } from '@jest/globals';
import type { Response, Test } from 'supertest';
import type {
  HouseholdResponse,
  InvitationResponse,
} from '../../src/households/dto/household.dto.js';
import { TEST_PASSWORD, uniqueName, type Client } from '../support/client.js';
import { race, repeat, useReplicas } from '../support/races.js';
import { repetitions } from '../support/repetitions.js';
import { isSuccess, outcomeOf, refusalsOf, countOutcomes } from '../support/response-counts.js';

const ROUNDS = repetitions(5);
const INVITED_USERS = 4;

describe('concurrent requests to two processes about a household', () => {
  const replicas = useReplicas();

  afterEach(() => replicas.expectIntegrity());

  const newEmail = (): string => `${uniqueName('guest').replace(' ', '-')}@example.com`;

  async function invite(admin: Client): Promise<string> {
    const invitation = await admin.post('/households/current/invitations').expect(201);
    return (invitation.body as { code: string }).code;
  }

  const accept = (code: string, email = newEmail()): Test =>
    replicas.anonymous.post('/auth/register', {
      email,
      password: TEST_PASSWORD,
      invitation_code: code,
    });

  const householdOf = (user: Client): Promise<HouseholdResponse> =>
    user.read('/households/current');

  const openInvitations = (admin: Client): Promise<InvitationResponse[]> =>
    admin.read('/households/current/invitations');

  const setRole = (user: Client, memberId: string | undefined, role: string): Test =>
    user.put(`/households/current/members/${memberId ?? ''}`, { role });

  /** Two admins of one household. */
  async function createTwoAdmins(): Promise<{ admins: [Client, Client]; ids: string[] }> {
    const first = await replicas.signUp();
    const email = newEmail();
    await accept(await invite(first), email).expect(201);
    const { members } = await householdOf(first);
    const ids = members.map(({ id }) => id);
    await setRole(first, ids[1], 'admin').expect(200);
    return { admins: [first, await replicas.signIn(email)], ids };
  }

  it('concurrent requests to two processes about a household accept the same invitation for one of several users', async () => {
    const admin = await replicas.signUp();
    for (let round = 0; round < ROUNDS; round += 1) {
      const code = await invite(admin);
      const responses = await race(repeat(INVITED_USERS, () => accept(code)));
      expect(countOutcomes(responses)).toEqual({
        '201': 1,
        '404 RESOURCE_NOT_FOUND': INVITED_USERS - 1,
      });
      expect((await householdOf(admin)).members).toHaveLength(2 + round);
    }
    const households = await replicas.query(
      `SELECT id FROM households WHERE id NOT IN (SELECT household_id FROM users)`,
    );
    expect(households).toEqual([]);
  });

  it('concurrent requests to two processes about a household register an e-mail with one of two invitations, and leave the other open', async () => {
    const admin = await replicas.signUp();
    for (let round = 0; round < ROUNDS; round += 1) {
      const codes = [await invite(admin), await invite(admin)];
      const email = newEmail();
      const responses = await race(repeat(INVITED_USERS, (n) => accept(codes[n % 2] ?? '', email)));
      expect(responses.filter(isSuccess)).toHaveLength(1);
      const refusals = new Set(refusalsOf(responses));
      for (const refusal of refusals) {
        expect(['409 USER_ALREADY_EXISTS', '404 RESOURCE_NOT_FOUND']).toContain(refusal);
      }
      const open = await openInvitations(admin);
      expect(open).toHaveLength(1);
      const [{ id } = { id: '' }] = open;
      await admin.delete(`/households/current/invitations/${id}`).expect(204);
    }
  });

  it('concurrent requests to two processes about a household accept an invitation or revoke it, never both', async () => {
    const admin = await replicas.signUp();
    for (let round = 0; round < ROUNDS; round += 1) {
      const code = await invite(admin);
      const [{ id } = { id: '' }] = await openInvitations(admin);
      const before = (await householdOf(admin)).members.length;
      const [guest, ...revocations] = await race([
        accept(code),
        ...repeat(3, () => admin.delete(`/households/current/invitations/${id}`)),
      ]);
      const isIn = guest?.status === 201;
      expect(guest && outcomeOf(guest)).toBe(isIn ? '201' : '404 RESOURCE_NOT_FOUND');
      expect(countOutcomes(revocations)).toEqual(
        isIn ? { '404 RESOURCE_NOT_FOUND': 3 } : { '204': 1, '404 RESOURCE_NOT_FOUND': 2 },
      );
      expect((await householdOf(admin)).members).toHaveLength(before + (isIn ? 1 : 0));
    }
  });

  it('concurrent requests to two processes about a household demote one of two admins when both demote themselves', async () => {
    const { admins, ids } = await createTwoAdmins();
    for (let round = 0; round < ROUNDS; round += 1) {
      const responses = await race(admins.map((admin, n) => setRole(admin, ids[n], 'member')));
      expect(countOutcomes(responses)).toEqual({ '200': 1, '409 RESOURCE_CONFLICT': 1 });
      const left = responses[0]?.status === 200 ? 1 : 0;
      const { members } = await householdOf(admins[0]);
      expect(members.filter(({ role }) => role === 'admin').map(({ id }) => id)).toEqual([
        ids[left],
      ]);
      await setRole(admins[left], ids[1 - left], 'admin').expect(200);
    }
  });

  it('concurrent requests to two processes about a household never deadlock, for any mutations of admins and new members', async () => {
    const { admins, ids } = await createTwoAdmins();
    const retries = await replicas.retries();
    const responses: Response[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const code = await invite(admins[0]);
      const [{ id } = { id: '' }] = await openInvitations(admins[0]);
      const requests = [
        ...admins.flatMap((admin, n) => [
          admin.post('/households/current/invitations'),
          admin.put('/households/current', { name: `Household ${round} ${n}` }),
          admin.delete(`/households/current/invitations/${id}`),
          admin.get('/households/current/invitations'),
          admin.put('/auth/me', { first_name: `Name ${round}` }),
          setRole(admin, ids[1 - n], 'admin'),
        ]),
        accept(code),
      ];
      responses.push(...(await race(requests)));
    }
    const { '201': registered = 0, '204': revoked = 0, ...others } = countOutcomes(responses);
    // One of two revocations and one registration is first.
    expect(others).toEqual({ '200': 8 * ROUNDS, '404 RESOURCE_NOT_FOUND': 2 * ROUNDS });
    expect(registered + revoked).toBe(3 * ROUNDS);
    expect(await replicas.retries()).toBe(retries);
  });
});
