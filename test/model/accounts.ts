import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { HouseholdResponse } from '../../src/households/dto/household.dto.js';
import type { UserResponse } from '../../src/users/dto/user.dto.js';
import { TEST_PASSWORD, type Client } from '../support/client.js';
import { notFound, when } from './expected-errors.js';
import type { Household, User } from './model.js';
import { effect, type Mutation } from './mutation.js';
import { anyCurrency, anyNumber, partly, textOf } from './values.js';
import { userView } from './views.js';

/** Limits the number of password hashes, which are slow. */
const MAX_USERS = 6;

const PASSWORDS = [TEST_PASSWORD, 'another password'];

const anyProfile = {
  first_name: fc.constantFrom(null, 'Ana', ' José Ángel '),
  last_name: fc.constantFrom(null, 'Ruiz'),
  preferred_currency: anyCurrency,
  locale: fc.constantFrom('es-MX', ' en-GB '),
  time_zone: fc.constantFrom('America/Mexico_City', ' Pacific/Kiritimati '),
  minimum_balance: fc.constantFrom('0.00', '250.50'),
  next_income_amount: fc.constantFrom<User['profile']['next_income_amount']>('same', 'zero'),
};

type Profile = Omit<User['profile'], 'reminders'>;

const asStored = ({
  first_name,
  locale,
  time_zone,
  ...sent
}: Partial<Profile>): Partial<Profile> => ({
  ...sent,
  ...(first_name !== undefined && { first_name: textOf(first_name) }),
  ...(locale !== undefined && { locale: locale.trim() }),
  ...(time_zone !== undefined && { time_zone: time_zone.trim() }),
});

/** With an open invitation the user joins that household; without one, a household is created. */
export const register: Mutation<{
  profile: Partial<Profile>;
  /** An invitation of any household, open, used or revoked. */
  invitation: number | undefined;
  /** The user whose e-mail is used. */
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
  flaws: { email: 'nobody', password: 'short', role: 'admin', time_zone: '-06:00' },
  attempt: (model, { profile, invitation: number, taken }) => {
    if (model.users.length >= MAX_USERS) return undefined;
    const invitation = number === undefined ? undefined : model.pick(model.invitations, number);
    const holder = taken === undefined ? undefined : model.pick(model.users, taken);
    const email = holder?.client.email ?? `user-${model.users.length}@example.com`;
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
      effect: effect(201, async (created: UserResponse) => {
        const client = await model.service.signIn(email);
        const defaults = { first_name: null, last_name: null, preferred_currency: 'USD' };
        const user: User = {
          ...{ client, id: created.id, password: TEST_PASSWORD },
          household: invitation?.household ?? (await householdOf(client)),
          role: invitation ? 'member' : 'admin',
          profile: {
            ...{ ...defaults, locale: 'en-US', time_zone: 'UTC' },
            ...{ minimum_balance: '0.00', next_income_amount: 'same' },
            reminders: { enabled: false, hour: 8, days_before: 3, confirmed: false },
            ...asStored(profile),
          },
          ...{ createdAt: created.created_at, updatedAt: created.updated_at },
        };
        if (invitation) invitation.isOpen = false;
        model.users.push(user);
        model.version += 1;
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
  flaws: { locale: null, email: 'ana@example.com', active: false, time_zone: null },
  attempt: (model, { actor: number, sent }) => {
    const actor = model.pick(model.users, number);
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
          model.version += 1;
        }
        return userView(actor);
      }),
    };
  },
};

export const changePassword: Mutation<{ actor: number; current: string; newPassword: string }> = {
  operation: 'PUT /auth/me/password',
  values: fc.record({
    actor: anyNumber,
    current: fc.constantFrom(...PASSWORDS),
    newPassword: fc.constantFrom(...PASSWORDS),
  }),
  flaws: { new_password: 'short' },
  attempt: (model, { actor: number, current, newPassword }) => {
    const actor = model.pick(model.users, number);
    if (!actor) return undefined;
    return {
      actor,
      path: '/auth/me/password',
      body: { current_password: current, new_password: newPassword },
      faults: when(current !== actor.password, { status: 400, code: 'INCORRECT_PASSWORD' }),
      effect: effect(200, async () => {
        // Tokens issued before are now refused.
        actor.client = await model.service.signIn(actor.client.email, newPassword);
        Object.assign(actor, { password: newPassword, updatedAt: undefined });
        model.version += 1;
        return {
          message: 'Password updated successfully',
          access_token: expect.any(String),
          token_type: 'bearer',
          expires_in: 1800,
        };
      }),
    };
  },
};
