import fc from 'fast-check';
import type { PaymentMethodResponse } from '../../src/payment-methods/dto/payment-method.dto.js';
import { invalid, notFound, when, type Refusal } from './expected-errors.js';
import {
  NO_STATEMENTS,
  type Budget,
  type Choice,
  type Entity,
  type Method,
  type Model,
  type User,
} from './model.js';
import { effect, noContent, type Mutation } from './mutation.js';
import { anyCurrency, anyNumber, anyTarget, partly, textOf } from './values.js';
import { methodView } from './views.js';

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

/** A deleted payment method or budget keeps its name. */
export function nameFaults<Named extends Entity<{ name: string }>>(
  all: readonly Named[],
  name?: string,
  self?: Named,
): Refusal[] {
  const holder = all.find(({ fields }) => fields.name === name?.trim());
  if (!holder || holder === self) return [];
  const { type: resource, id, fields } = holder;
  const details = { resource, id, active: fields.active };
  return [{ status: 409, code: 'RESOURCE_CONFLICT', details }];
}

/**
 * Errors of a reference: it must be an active payment method or budget of the owner, or the one
 * referenced before.
 */
export function choiceFaults(
  actor: User,
  chosenOne: Method | Budget | null | undefined,
  usedBefore?: string | null,
): Refusal[] {
  if (!chosenOne) return [];
  if (chosenOne.owner !== actor) return [notFound(chosenOne.type)];
  const isRefused = !chosenOne.fields.active && chosenOne.id !== usedBefore;
  return when(isRefused, invalid(`${chosenOne.type}_id`));
}

/** A payment method of the user, or of any user. */
export function chosen(
  model: Model,
  user: User,
  { number, isFromAll }: Choice,
): Method | undefined {
  return model.pick(isFromAll ? model.methods : model.methodsOf(user), number);
}

/** The same for an optional reference, which may be null. */
export const chosenOrNone = (
  model: Model,
  user: User,
  choice: Choice | null,
): Method | null | undefined => choice && chosen(model, user, choice);

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
  attempt: (model, { actor: number, ...sent }) => {
    const actor = model.pick(model.users, number);
    if (!actor) return undefined;
    return {
      actor,
      path: '/payment-methods',
      body: sent,
      faults: nameFaults(model.methodsOf(actor), sent.name),
      effect: effect(201, (created: PaymentMethodResponse) => {
        const method: Method = {
          type: 'payment_method',
          id: created.id,
          owner: actor,
          cycleId: null,
          fields: { ...sent, ...(asStored(sent) as Sent), ...NO_STATEMENTS, active: true },
          createdAt: created.created_at,
          updatedAt: created.updated_at,
        };
        model.methods.push(method);
        model.recordCreation(actor, method);
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
  attempt: (model, { target, sent }) => {
    const method = model.pick(model.methods, target.number);
    if (!method) return undefined;
    const actor = model.actor(method.owner, target.as);
    return {
      actor,
      path: `/payment-methods/${method.id}`,
      body: sent,
      focus: method,
      faults:
        actor === method.owner
          ? nameFaults(model.methodsOf(actor), sent.name, method)
          : [notFound('payment_method')],
      effect: effect(200, (responseBody: PaymentMethodResponse) => {
        if (model.change(actor, method, asStored(sent))) method.updatedAt = responseBody.updated_at;
        return methodView(method);
      }),
    };
  },
};

export const removeMethod: Mutation<{ number: number; as: number | undefined }> = {
  operation: 'DELETE /payment-methods/{id}',
  values: anyTarget,
  attempt: (model, { number, as }) => {
    const method = model.pick(model.methods, number);
    if (!method) return undefined;
    const actor = model.actor(method.owner, as);
    return {
      actor,
      path: `/payment-methods/${method.id}`,
      focus: method,
      faults: when(actor !== method.owner, notFound('payment_method')),
      effect: noContent(() => {
        model.change(actor, method, { active: false });
      }),
    };
  },
};
