import type { CommentResponse } from '../../src/comments/dto/comment.dto.js';
import type { InvitationResponse } from '../../src/households/dto/household.dto.js';
import type { UserResponse } from '../../src/users/user.response.js';
import { TEST_PASSWORD, type Client } from './client.js';

/** An id that nothing has. */
export const NOBODY = '00000000-0000-4000-8000-000000000000';

/** A body that is taken, for every operation that does not take an empty one. */
export const RIGHT_BODIES: Record<string, object> = {
  'POST /auth/register': { email: 'new@example.com', password: TEST_PASSWORD },
  'POST /auth/login': { username: 'new@example.com', password: TEST_PASSWORD },
  'PUT /auth/me/password': { current_password: TEST_PASSWORD, new_password: 'a new password' },
  'POST /payment-methods': { name: 'New', method_type: 'cash', default_currency: 'USD' },
  'POST /expense-templates': {
    description: 'Rent',
    currency: 'USD',
    payment_method_id: '{payment_method_id}',
    base_amount: '5',
    category: 'fixed',
    recurrence_type: 'monthly',
    recurrence_config: { day_of_month: 1 },
    reference_date: '2025-01-01',
  },
  'POST /cycles': {
    name: 'New',
    start_date: '2026-01-19',
    end_date: '2026-03-01',
    income_amount: '5',
  },
  'POST /cycles/{cycle_id}/expenses': {
    description: 'Dinner',
    currency: 'USD',
    payment_method_id: '{payment_method_id}',
    amount: '5',
    due_date: '2026-02-01',
    category: 'fixed',
  },
  'POST /comments': {
    entity_type: 'payment_method',
    entity_id: '{payment_method_id}',
    body: 'Hello',
  },
  'PATCH /comments/{id}': { body: 'Hello' },
};

export interface Everything {
  user: Client;
  /** By what they stand for in addresses and bodies. */
  ids: Record<string, string>;
  /** Puts ids in the place of their names: `/cycles/{id}` becomes the address of the user's cycle. */
  fill: (text: string) => string;
  /** The body of {@link RIGHT_BODIES}, with its ids. */
  rightBody: (operation: string) => object;
}

/** A new user who has one of everything that can be addressed. */
export async function oneOfEverything(service: {
  signUp: () => Promise<Client>;
}): Promise<Everything> {
  const user = await service.signUp();
  return everythingOf(user, user);
}

/** Gives a user one of everything; the invitation is an admin's of the same household. */
export async function everythingOf(user: Client, admin: Client): Promise<Everything> {
  const method = await user.createPaymentMethod();
  const template = await user.createTemplate({ payment_method_id: method.id });
  const cycle = await user.createCycle({ generate_from_templates: false });
  const expense = await user.createExpense(cycle.id, { payment_method_id: method.id });
  const commented = { entity_type: 'payment_method', entity_id: method.id, body: 'First' };
  const comment = (await user.post('/comments', commented).expect(201)).body as CommentResponse;
  await admin.post('/households/current/invitations').expect(201);
  const invitations = await admin.get('/households/current/invitations').expect(200);
  const [invitation] = invitations.body as [InvitationResponse];
  const account = (await user.get('/auth/me').expect(200)).body as UserResponse;
  const ids = {
    'payment-methods/{id}': method.id,
    'expense-templates/{id}': template.id,
    'cycles/{id}': cycle.id,
    'comments/{id}': comment.id,
    'invitations/{id}': invitation.id,
    '{payment_method_id}': method.id,
    '{cycle_id}': cycle.id,
    '{expense_id}': expense.id,
    '{user_id}': account.id,
  };
  const fill = (text: string): string => fillIn(text, ids);
  const rightBody = (operation: string): object => bodyWith(operation, ids);
  return { user, ids, fill, rightBody };
}

/** Puts ids in the place of their names. */
export function fillIn(text: string, ids: Record<string, string>): string {
  return Object.entries(ids).reduce(
    (filled, [place, id]) => filled.replaceAll(place, place.replace(/\{\w+\}/, id)),
    text,
  );
}

/** The body of {@link RIGHT_BODIES}, with these ids. */
export function bodyWith(operation: string, ids: Record<string, string>): object {
  return JSON.parse(fillIn(JSON.stringify(RIGHT_BODIES[operation] ?? {}), ids)) as object;
}
