import { afterEach, describe, expect, it } from '@jest/globals';
import type { Response, Test } from 'supertest';
import type {
  HouseholdResponse,
  InvitationResponse,
} from '../../src/households/dto/household.dto.js';
import { TEST_PASSWORD, uniqueName, type Client } from '../support/client.js';
import { repetitions } from '../support/effort.js';
import { isSuccess, outcomeOf, refusalsOf, tally } from '../support/outcomes.js';
import { race, times, useRaceTrack } from '../support/races.js';

const ROUNDS = repetitions(5);
const GUESTS = 4;

describe('requests at once, to two processes, about a household', () => {
  const track = useRaceTrack();

  afterEach(() => track.expectIntegrity());

  const newEmail = (): string => `${uniqueName('guest').replace(' ', '-')}@example.com`;

  async function invite(admin: Client): Promise<string> {
    const invitation = await admin.post('/households/current/invitations').expect(201);
    return (invitation.body as { code: string }).code;
  }

  const accept = (code: string, email = newEmail()): Test =>
    track.anonymous.post('/auth/register', {
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

  /** An admin, and another one who joined. */
  async function twoAdmins(): Promise<{ admins: [Client, Client]; ids: string[] }> {
    const first = await track.signUp();
    const email = newEmail();
    await accept(await invite(first), email).expect(201);
    const { members } = await householdOf(first);
    const ids = members.map(({ id }) => id);
    await setRole(first, ids[1], 'admin').expect(200);
    return { admins: [first, await track.signIn(email)], ids };
  }

  it('let one of several people in by the same invitation', async () => {
    const admin = await track.signUp();
    for (let round = 0; round < ROUNDS; round += 1) {
      const code = await invite(admin);
      const answers = await race(times(GUESTS, () => accept(code)));
      expect(tally(answers)).toEqual({ '201': 1, '404 RESOURCE_NOT_FOUND': GUESTS - 1 });
      expect((await householdOf(admin)).members).toHaveLength(2 + round);
    }
    const households = await track.query(
      `SELECT id FROM households WHERE id NOT IN (SELECT household_id FROM users)`,
    );
    expect(households).toEqual([]);
  });

  it('let one person in once, by one of two invitations, and leave the other open', async () => {
    const admin = await track.signUp();
    for (let round = 0; round < ROUNDS; round += 1) {
      const codes = [await invite(admin), await invite(admin)];
      const email = newEmail();
      const answers = await race(times(GUESTS, (n) => accept(codes[n % 2] ?? '', email)));
      expect(answers.filter(isSuccess)).toHaveLength(1);
      const refusals = new Set(refusalsOf(answers));
      for (const refusal of refusals) {
        expect(['409 USER_ALREADY_EXISTS', '404 RESOURCE_NOT_FOUND']).toContain(refusal);
      }
      const open = await openInvitations(admin);
      expect(open).toHaveLength(1);
      const [{ id } = { id: '' }] = open;
      await admin.delete(`/households/current/invitations/${id}`).expect(204);
    }
  });

  it('use an invitation or revoke it, and never both', async () => {
    const admin = await track.signUp();
    for (let round = 0; round < ROUNDS; round += 1) {
      const code = await invite(admin);
      const [{ id } = { id: '' }] = await openInvitations(admin);
      const before = (await householdOf(admin)).members.length;
      const [guest, ...revocations] = await race([
        accept(code),
        ...times(3, () => admin.delete(`/households/current/invitations/${id}`)),
      ]);
      const isIn = guest?.status === 201;
      expect(guest && outcomeOf(guest)).toBe(isIn ? '201' : '404 RESOURCE_NOT_FOUND');
      expect(tally(revocations)).toEqual(
        isIn ? { '404 RESOURCE_NOT_FOUND': 3 } : { '204': 1, '404 RESOURCE_NOT_FOUND': 2 },
      );
      expect((await householdOf(admin)).members).toHaveLength(before + (isIn ? 1 : 0));
    }
  });

  it('let one of two admins step down when both want to', async () => {
    const { admins, ids } = await twoAdmins();
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await race(admins.map((admin, n) => setRole(admin, ids[n], 'member')));
      expect(tally(answers)).toEqual({ '200': 1, '409 RESOURCE_CONFLICT': 1 });
      const left = answers[0]?.status === 200 ? 1 : 0;
      const { members } = await householdOf(admins[0]);
      expect(members.filter(({ role }) => role === 'admin').map(({ id }) => id)).toEqual([
        ids[left],
      ]);
      await setRole(admins[left], ids[1 - left], 'admin').expect(200);
    }
  });

  it('never meet in a deadlock, whatever admins and guests do together', async () => {
    const { admins, ids } = await twoAdmins();
    const retries = await track.retries();
    const answers: Response[] = [];
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
      answers.push(...(await race(requests)));
    }
    const { '201': made = 0, '204': revoked = 0, ...others } = tally(answers);
    // Of two who revoke an invitation and one who uses it, one comes first.
    expect(others).toEqual({ '200': 8 * ROUNDS, '404 RESOURCE_NOT_FOUND': 2 * ROUNDS });
    expect(made + revoked).toBe(3 * ROUNDS);
    expect(await track.retries()).toBe(retries);
  });
});
