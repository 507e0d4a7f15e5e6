import fc from 'fast-check';
import type { PaymentMethodResponse } from '../../src/payment-methods/dto/payment-method.dto.js';
import { effect, silently, type Mutation } from './mutation.js';
import { invalid, notFound, when, type Refusal } from './refusals.js';
import { anyCurrency, anyNumber, anyTarget, partly, textOf } from './values.js';
import { methodView } from './views.js';
import type { Choice, Method, User, World } from './world.js';

const anyFields = {
  name: fc.constantFrom('Card', 'Cash', 'Bank', 'Visa', ' Card '),
  method_type: fc.constantFrom('debit', 'credit', 'cash', 'transfer'),
  default_currency: anyCurrency,
  description: fc.constantFrom(null, '', ' Nómina ', 'Old one'),
};

const FLAWS = { name: '', method_type: 'gold', default_currency: 'EUR', typo: 1 };

interface Sent {
  name: string;
  method_type: string;
  default_currency: string;
  description: string | null;
  active: boolean;
}

/** A name stays taken after the soft delete. */
function nameFaults(world: World, owner: User, name?: string, self?: Method): Refusal[] {
  const holder = world.methodsOf(owner).find(({ fields }) => fields.name === name?.trim());
  if (!holder || holder === self) return [];
  const { id, fields } = holder;
  const details = { resource: 'payment_method', id, active: fields.active };
  return [{ status: 409, code: 'RESOURCE_CONFLICT', details }];
}

/** Of a payment method that is to be used: an own one that is active, or the one that was used before. */
export function choiceFaults(actor: User, method: Method, usedBefore?: string): Refusal[] {
  if (method.owner !== actor) return [notFound('payment_method')];
  const isRefused = !method.fields.active && method.id !== usedBefore;
  return when(isRefused, invalid('payment_method_id'));
}

/** One of the user's own, or of anyone's. */
export function chosen(
  world: World,
  user: User,
  { number, isAnyones }: Choice,
): Method | undefined {
  return world.pick(isAnyones ? world.methods : world.methodsOf(user), number);
}

/** An empty description becomes null. */
const asStored = ({ name, description, ...sent }: Partial<Sent>): Partial<Sent> => ({
  ...sent,
  ...(name !== undefined && { name: name.trim() }),
  ...(description !== undefined && {
    description: description?.trim() === '' ? null : textOf(description),
  }),
});

export const createMethod: Mutation<Omit<Sent, 'active'> & { actor: number }> = {
  operation: 'POST /payment-methods',
  values: fc.record({ actor: anyNumber, ...anyFields }),
  flaws: FLAWS,
  attempt: (world, { actor: number, ...sent }) => {
    const actor = world.pick(world.users, number);
    if (!actor) return undefined;
    return {
      actor,
      path: '/payment-methods',
      body: sent,
      faults: nameFaults(world, actor, sent.name),
      effect: effect(201, (made: PaymentMethodResponse) => {
        const method: Method = {
          type: 'payment_method',
          id: made.id,
          owner: actor,
          cycleId: null,
          fields: { ...sent, ...(asStored(sent) as Sent), active: true },
          createdAt: made.created_at,
          updatedAt: made.updated_at,
        };
        world.methods.push(method);
        world.recordCreation(actor, method);
        return methodView(method);
      }),
    };
  },
};

export const updateMethod: Mutation<{
  target: { number: number; as: number | undefined };
  sent: Partial<Sent>;
}> = {
  operation: 'PUT /payment-methods/{id}',
  values: fc.record({
    target: anyTarget,
    sent: partly<Sent>({ ...anyFields, active: fc.boolean() }),
  }),
  flaws: { ...FLAWS, active: 'yes', name: null },
  attempt: (world, { target, sent }) => {
    const method = world.pick(world.methods, target.number);
    if (!method) return undefined;
    const actor = world.actor(method.owner, target.as);
    return {
      actor,
      path: `/payment-methods/${method.id}`,
      body: sent,
      focus: method,
      faults:
        actor === method.owner
          ? nameFaults(world, actor, sent.name, method)
          : [notFound('payment_method')],
      effect: effect(200, (answer: PaymentMethodResponse) => {
        if (world.change(actor, method, asStored(sent))) method.updatedAt = answer.updated_at;
        return methodView(method);
      }),
    };
  },
};

export const removeMethod: Mutation<{ number: number; as: number | undefined }> = {
  operation: 'DELETE /payment-methods/{id}',
  values: anyTarget,
  attempt: (world, { number, as }) => {
    const method = world.pick(world.methods, number);
    if (!method) return undefined;
    const actor = world.actor(method.owner, as);
    return {
      actor,
      path: `/payment-methods/${method.id}`,
      focus: method,
      faults: when(actor !== method.owner, notFound('payment_method')),
      effect: silently(() => {
        world.change(actor, method, { active: false });
      }),
    };
  },
};
