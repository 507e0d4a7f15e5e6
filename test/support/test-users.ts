import type { UserResponse } from '../../src/users/dto/user.dto.js';
import type { Client } from './client.js';
import type { Service } from './service.js';

/**
 * The relations of a user to the owner of a resource, and the personal access tokens of two of
 * them.
 */
export const ROLES = [
  'owner',
  'writer',
  'reader',
  'member',
  'admin',
  'adminToken',
  'former',
  'stranger',
  'deactivated',
  'anonymous',
] as const;

export type Role = (typeof ROLES)[number];

export type TestUsers = Record<Role, Client>;

type TestTokens = Pick<TestUsers, 'writer' | 'reader' | 'adminToken'>;

/** Creates a token for every role that has one: two of the owner, and one of the admin. */
export async function createTestTokens({
  owner,
  admin,
}: Pick<TestUsers, 'owner' | 'admin'>): Promise<TestTokens> {
  const [writer, reader, adminToken] = [
    await owner.script({ name: 'Test', access: 'write' }),
    await owner.script({ name: 'Test', access: 'read' }),
    await admin.script({ name: 'Test', access: 'write' }),
  ];
  // The first use of a token writes its time; later ones within the hour write nothing.
  for (const script of [writer, reader, adminToken]) await script.get('/auth/me').expect(200);
  return { writer, reader, adminToken };
}

/**
 * Creates a user for every role. The owner is a member of the admin's household, like `member`.
 * `former` was an admin of it and has another household now, `deactivated` was a member. The
 * stranger has another household.
 */
export async function createTestUsers(service: Service): Promise<TestUsers> {
  const admin = await service.signUp();
  const join = (): Promise<Client> => service.signUpMember(admin);
  const owner = await join();
  const users: TestUsers = {
    owner,
    ...(await createTestTokens({ owner, admin })),
    member: await join(),
    admin,
    former: await join(),
    stranger: await service.signUp(),
    deactivated: await join(),
    anonymous: service.anonymous,
  };
  const { id } = (await users.former.get('/auth/me').expect(200)).body as UserResponse;
  await admin.put(`/households/current/members/${id}`, { role: 'admin' }).expect(200);
  await removeUser(service, users.former);
  await service.query('UPDATE users SET active = false WHERE email = $1', [
    users.deactivated.email,
  ]);
  await service.invalidateUserCache(users.deactivated);
  return users;
}

/**
 * Moves a user to a new household. The API cannot do this, but tokens must not keep the old
 * household.
 */
export async function removeUser(service: Service, user: Client): Promise<void> {
  await service.query(
    `WITH own AS (INSERT INTO households (name) VALUES ('Own') RETURNING id)
     UPDATE users SET household_id = own.id, role = 'admin' FROM own WHERE email = $1`,
    [user.email],
  );
  await service.query(
    `UPDATE sessions SET household_id = users.household_id FROM users
     WHERE users.id = user_id AND email = $1`,
    [user.email],
  );
  await service.invalidateUserCache(user);
}
