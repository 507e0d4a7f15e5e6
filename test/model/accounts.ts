import fc from 'fast-check';
import type { HouseholdResponse } from '../../src/households/dto/household.dto.js';
import type { UserResponse } from '../../src/users/user.response.js';
import { TEST_PASSWORD, type Client } from '../support/client.js';
import { effect, type Mutation } from './mutation.js';
import { notFound, when } from './refusals.js';
import { anyCurrency, anyNumber, partly, textOf } from './values.js';
import { userView } from './views.js';
import type { Household, User } from './world.js';

/** Each has passwords to hash, which takes longer than anything else here. */
const MOST_USERS = 6;

const PASSWORDS = [TEST_PASSWORD, 'another password'];

const anyProfile = {
  first_name: fc.constantFrom(null, 'Ana', ' José Ángel '),
  last_name: fc.constantFrom(null, 'Ruiz'),
  preferred_currency: anyCurrency,
  locale: fc.constantFrom('es-MX', ' en-GB '),
};

type Profile = User['profile'];

const asStored = ({ first_name, locale, ...sent }: Partial<Profile>): Partial<Profile> => ({
  ...sent,
  ...(first_name !== undefined && { first_name: textOf(first_name) }),
  ...(locale !== undefined && { locale: locale.trim() }),
});

/** With an invitation that is open one joins its household; without any, one has a household made. */
export const register: Mutation<{
  profile: Partial<Profile>;
  /** Of anyone's, used and revoked ones too. */
  invitation: number | undefined;
  /** Whose e-mail is tried. */
  taken: number | undefined;
}> = {
  operation: 'POST /auth/register',
  values: fc.record({
    profile: partly<Profile>(anyProfile),
    invitation: fc.option(anyNumber, { nil: undefined, freq: 4 }),
    taken: fc.oneof(
      { weight: 4, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: anyNumber },
    ),
  }),
  flaws: { email: 'nobody', password: 'short', role: 'admin' },
  attempt: (world, { profile, invitation: number, taken }) => {
    if (world.users.length >= MOST_USERS) return undefined;
    const invitation = number === undefined ? undefined : world.pick(world.invitations, number);
    const holder = taken === undefined ? undefined : world.pick(world.users, taken);
    const email = holder?.client.email ?? `user-${world.users.length}@example.com`;
    return {
      path: '/auth/register',
      body: {
        ...{ email: email.toUpperCase(), password: TEST_PASSWORD, ...profile },
        ...(invitation && { invitation_code: invitation.code }),
      },
      faults: [
        ...when(holder !== undefined, { status: 409, code: 'USER_ALREADY_EXISTS' }),
        ...when(invitation?.isOpen === false, notFound('invitation')),
      ],
      effect: effect(201, async (made: UserResponse) => {
        const client = await world.service.signIn(email);
        const defaults = { first_name: null, last_name: null, preferred_currency: 'USD' };
        const user: User = {
          ...{ client, id: made.id, password: TEST_PASSWORD },
          household: invitation?.household ?? (await householdOf(client)),
          role: invitation ? 'member' : 'admin',
          profile: { ...defaults, locale: 'en-US', ...asStored(profile) },
          ...{ createdAt: made.created_at, updatedAt: made.updated_at },
        };
        if (invitation) invitation.isOpen = false;
        world.users.push(user);
        world.version += 1;
        return userView(user);
      }),
    };
  },
};

async function householdOf(client: Client): Promise<Household> {
  const response = await client.get('/households/current').expect(200);
  const { id, name, created_at, updated_at } = response.body as HouseholdResponse;
  return { id, name, createdAt: created_at, updatedAt: updated_at };
}

export const updateProfile: Mutation<{ actor: number; sent: Partial<Profile> }> = {
  operation: 'PUT /auth/me',
  values: fc.record({ actor: anyNumber, sent: partly<Profile>(anyProfile) }),
  flaws: { locale: null, email: 'ana@example.com', active: false },
  attempt: (world, { actor: number, sent }) => {
    const actor = world.pick(world.users, number);
    if (!actor) return undefined;
    return {
      actor,
      path: '/auth/me',
      body: sent,
      faults: [],
      effect: effect(200, ({ updated_at: updatedAt }: UserResponse) => {
        const before = JSON.stringify(actor.profile);
        Object.assign(actor.profile, asStored(sent));
        if (JSON.stringify(actor.profile) !== before) {
          actor.updatedAt = updatedAt;
          world.version += 1;
        }
        return userView(actor);
      }),
    };
  },
};

export const changePassword: Mutation<{ actor: number; current: string; wanted: string }> = {
  operation: 'PUT /auth/me/password',
  values: fc.record({
    actor: anyNumber,
    current: fc.constantFrom(...PASSWORDS),
    wanted: fc.constantFrom(...PASSWORDS),
  }),
  flaws: { new_password: 'short' },
  attempt: (world, { actor: number, current, wanted }) => {
    const actor = world.pick(world.users, number);
    if (!actor) return undefined;
    return {
      actor,
      path: '/auth/me/password',
      body: { current_password: current, new_password: wanted },
      faults: when(current !== actor.password, { status: 400, code: 'INCORRECT_PASSWORD' }),
      effect: effect(200, async () => {
        await world.service.signIn(actor.client.email, wanted);
        Object.assign(actor, { password: wanted, updatedAt: undefined });
        world.version += 1;
        return { message: 'Password updated successfully' };
      }),
    };
  },
};
