import fc from 'fast-check';
import type {
  HouseholdResponse,
  InvitationResponse,
  CreatedInvitationResponse,
} from '../../src/households/dto/household.dto.js';
import { FORBIDDEN, notFound, when, type Refusal } from './expected-errors.js';
import type { Choice, User, Model } from './model.js';
import { effect, noContent, type Mutation } from './mutation.js';
import { anyChoice, anyNumber, partly } from './values.js';
import { householdView, memberView } from './views.js';

const LAST_ADMIN: Refusal = {
  status: 409,
  code: 'RESOURCE_CONFLICT',
  details: { resource: 'household' },
};

export const renameHousehold: Mutation<{ actor: number; sent: { name?: string } }> = {
  operation: 'PUT /households/current',
  values: fc.record({
    actor: anyNumber,
    sent: partly<{ name: string }>({ name: fc.constantFrom('Casa', ' Casa ', 'Home') }),
  }),
  flaws: { name: ' ', id: 'mine' },
  attempt: (model, { actor: number, sent }) => {
    const actor = model.pick(model.users, number);
    if (!actor) return undefined;
    const { household } = actor;
    return {
      actor,
      path: '/households/current',
      body: sent,
      faults: when(actor.role !== 'admin', FORBIDDEN),
      effect: effect(200, ({ updated_at: updatedAt }: HouseholdResponse) => {
        const name = sent.name?.trim() ?? household.name;
        if (name !== household.name) {
          Object.assign(household, { name, updatedAt });
          model.version += 1;
        }
        return householdView(model, household);
      }),
    };
  },
};

export const changeRole: Mutation<{
  actor: Choice;
  member: number;
  sent: { role?: User['role'] };
}> = {
  operation: 'PUT /households/current/members/{user_id}',
  values: fc.record({
    actor: anyChoice,
    member: anyNumber,
    sent: fc.oneof(
      fc.record({ role: fc.constantFrom<User['role']>('admin', 'member') }),
      fc.constant({}),
    ),
  }),
  flaws: { role: 'owner' },
  attempt: (model, { actor: choice, member: number, sent: { role } }) => {
    const member = model.pick(model.users, number);
    const actor = member && model.member(member.household, choice);
    if (!actor) return undefined;
    return {
      actor,
      path: `/households/current/members/${member.id}`,
      body: { role },
      faults: roleFaults(model, actor, member, role),
      effect: effect(200, () => {
        if (role !== undefined && role !== member.role) {
          Object.assign(member, { role, updatedAt: undefined });
          model.version += 1;
        }
        return memberView(member);
      }),
    };
  },
};

/** Only an admin may change the household's members, and the household must keep an admin. */
function roleFaults(model: Model, actor: User, member: User, role?: User['role']): Refusal[] {
  if (actor.role !== 'admin') return [FORBIDDEN];
  if (member.household !== actor.household) return [{ status: 404, code: 'USER_NOT_FOUND' }];
  const others = model.users.filter(
    (user) => user.household === actor.household && user.role === 'admin' && user !== member,
  );
  return when(role === 'member' && member.role === 'admin' && others.length === 0, LAST_ADMIN);
}

export const invite: Mutation<{ actor: number }> = {
  operation: 'POST /households/current/invitations',
  values: fc.record({ actor: anyNumber }),
  attempt: (model, { actor: number }) => {
    const actor = model.pick(model.users, number);
    if (!actor) return undefined;
    const path = '/households/current/invitations';
    return {
      actor,
      path,
      faults: when(actor.role !== 'admin', FORBIDDEN),
      effect: effect(201, async ({ code, expires_at: expiresAt }: CreatedInvitationResponse) => {
        // The response of POST has no id; the list has it, newest first.
        const [created] = (await actor.client.get(path).expect(200)).body as [InvitationResponse];
        const { id, created_at: createdAt } = created;
        const { household } = actor;
        const invitation = { id, code, household, createdBy: actor, createdAt, expiresAt };
        model.invitations.push({ ...invitation, isOpen: true });
        model.version += 1;
        return { code, expires_at: expiresAt };
      }),
    };
  },
};

export const revokeInvitation: Mutation<{ actor: Choice; invitation: number }> = {
  operation: 'DELETE /households/current/invitations/{id}',
  values: fc.record({ actor: anyChoice, invitation: anyNumber }),
  attempt: (model, { actor: choice, invitation: number }) => {
    const invitation = model.pick(model.invitations, number);
    const actor = invitation && model.member(invitation.household, choice);
    if (!actor) return undefined;
    const isFound = invitation.isOpen && invitation.household === actor.household;
    return {
      actor,
      path: `/households/current/invitations/${invitation.id}`,
      faults: actor.role === 'admin' ? when(!isFound, notFound('invitation')) : [FORBIDDEN],
      effect: noContent(() => {
        invitation.isOpen = false;
        model.version += 1;
      }),
    };
  },
};
