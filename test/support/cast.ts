import type { NewInvitationResponse } from '../../src/households/dto/household.dto.js';
import type { UserResponse } from '../../src/users/user.response.js';
import type { Client } from './client.js';
import type { Service } from './service.js';

/** Everyone who may ask for what is the owner's. */
export const ROLES = [
  'owner',
  'member',
  'admin',
  'former',
  'stranger',
  'deactivated',
  'anonymous',
] as const;

export type Role = (typeof ROLES)[number];

export type Cast = Record<Role, Client>;

/**
 * The owner is a plain member of the admin's household, together with another member. The former one was
 * an admin of it, and the deactivated one a member, when they signed in. The stranger has a household.
 */
export async function gather(service: Service): Promise<Cast> {
  const admin = await service.signUp();
  const join = async (): Promise<Client> => {
    const response = await admin.post('/households/current/invitations').expect(201);
    const { code } = response.body as NewInvitationResponse;
    return service.signUp({ invitation_code: code });
  };
  const cast: Cast = {
    owner: await join(),
    member: await join(),
    admin,
    former: await join(),
    stranger: await service.signUp(),
    deactivated: await join(),
    anonymous: service.anonymous,
  };
  const { id } = (await cast.former.get('/auth/me').expect(200)).body as UserResponse;
  await admin.put(`/households/current/members/${id}`, { role: 'admin' }).expect(200);
  await leave(service, cast.former);
  await service.query('UPDATE users SET active = false WHERE email = $1', [cast.deactivated.email]);
  await service.forget(cast.deactivated);
  return cast;
}

/** To a household of their own. The API moves no one; a token must not hold on to the old one even so. */
export async function leave(service: Service, user: Client): Promise<void> {
  await service.query(
    `WITH own AS (INSERT INTO households (name) VALUES ('Own') RETURNING id)
     UPDATE users SET household_id = own.id, role = 'admin' FROM own WHERE email = $1`,
    [user.email],
  );
  await service.forget(user);
}
