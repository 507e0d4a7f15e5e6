import { describe, expect, it } from '@jest/globals';
import { AuthService } from '../../../src/auth/auth.service.js';
import type { CreatedInvitationResponse } from '../../../src/households/dto/household.dto.js';
import { InvitationsService } from '../../../src/households/invitations.service.js';
import { inCommand } from '../../../src/platform/values/requester.js';
import { UsersService } from '../../../src/users/users.service.js';
import type { Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { TEST_PASSWORD, useService, type Service } from '../../support/service.js';

const registration = (email: string) => ({ email, password: TEST_PASSWORD });

/** A user whom operators create, which they can in every mode. */
async function createdUser(service: Service, email: string): Promise<Client> {
  await service.app.get(AuthService, { strict: false }).createUser(registration(email));
  return service.signIn(email);
}

async function optionsOf(service: Service): Promise<unknown> {
  const response = await service.anonymous.get('/account').expect(200);
  expect(response.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-request-id': expect.any(String),
  });
  return response.body as unknown;
}

describe('open registration', () => {
  const service = useService();

  it('open registration is what GET /account says, with and without a token', async () => {
    const expected = { registration: 'open', password_reset: true, reminders: false };
    expect(await optionsOf(service)).toEqual(expected);
    const withToken = service.anonymous.get('/account').set('Authorization', 'Bearer x');
    expect((await withToken).body).toEqual(expected);
  });

  it('open registration takes bodies with and without an invitation code', async () => {
    const admin = await service.signUp();
    await service.signUpMember(admin);
  });
});

describe('registration by invitation', () => {
  const service = useService({ registration: 'invitation', mail: undefined });

  it('registration by invitation is what GET /account says', async () => {
    expect(await optionsOf(service)).toEqual({
      registration: 'invitation',
      ...{ password_reset: false, reminders: false },
    });
  });

  it('registration by invitation requires a code, which it checks as ever', async () => {
    const admin = await createdUser(service, 'admin@example.com');
    const body = registration('member@example.com');
    for (const invitation_code of [undefined, null]) {
      const refused = await service.anonymous.post('/auth/register', { ...body, invitation_code });
      expectError(refused, 403, 'FORBIDDEN', {});
    }
    const wrong = await service.anonymous.post('/auth/register', {
      ...body,
      invitation_code: 'wrong',
    });
    expectError(wrong, 404, 'RESOURCE_NOT_FOUND', { resource: 'invitation' });
    const { code } = (await admin.post('/households/current/invitations').expect(201))
      .body as CreatedInvitationResponse;
    await service.anonymous.post('/auth/register', { ...body, invitation_code: code }).expect(201);
  });

  it('registration by invitation checks the fields first, and says nothing of the e-mail without a code', async () => {
    await createdUser(service, 'known@example.com');
    expectInvalid(
      await service.anonymous.post('/auth/register', { email: 'known@example.com' }),
      'password',
    );
    const known = await service.anonymous.post('/auth/register', registration('known@example.com'));
    const unknown = await service.anonymous.post('/auth/register', registration('new@example.com'));
    expectError(known, 403, 'FORBIDDEN', {});
    expect(known.body).toEqual(unknown.body);
  });

  it('registration by invitation does not depend on mails: without a server there is no reset to request', async () => {
    const { anonymous } = service;
    const requested = anonymous.post('/account/password-reset', { email: 'known@example.com' });
    expectError(await requested, 404, 'RESOURCE_NOT_FOUND', { resource: 'route' });
    const body = { token: 'unknown', new_password: TEST_PASSWORD };
    const confirmed = anonymous.post('/account/password-reset/confirm', body);
    expectError(await confirmed, 401, 'INVALID_TOKEN', {});
  });
});

describe('closed registration', () => {
  const service = useService({ registration: 'closed' });

  it('closed registration is what GET /account says', async () => {
    expect(await optionsOf(service)).toEqual({
      registration: 'closed',
      password_reset: true,
      reminders: false,
    });
  });

  it('closed registration refuses every body, also with an invitation code from before', async () => {
    const admin = await createdUser(service, 'admin@example.com');
    const user = await service.app.get(UsersService, { strict: false }).getByEmail(admin.email);
    const invitations = service.app.get(InvitationsService, { strict: false });
    const { code } = await invitations.invite(inCommand(user));
    for (const body of [
      registration('new@example.com'),
      { ...registration('new@example.com'), invitation_code: code },
      {},
      { email: 'x' },
    ]) {
      expectError(await service.anonymous.post('/auth/register', body), 403, 'FORBIDDEN', {});
    }
    const text = service.anonymous.send('post', '/auth/register').type('text/plain').send('x');
    expectError(await text, 403, 'FORBIDDEN', {});
  });

  it('closed registration refuses new invitations, and lets admins see and revoke those from before', async () => {
    const admin = await createdUser(service, 'inviting@example.com');
    const user = await service.app.get(UsersService, { strict: false }).getByEmail(admin.email);
    const invitations = service.app.get(InvitationsService, { strict: false });
    await invitations.invite(inCommand(user));
    const path = '/households/current/invitations';
    expectError(await admin.post(path), 403, 'FORBIDDEN', {});
    expectError(await service.anonymous.post(path), 401, 'INVALID_TOKEN');
    const [open] = await admin.read<{ id: string }[]>(path);
    await admin.delete(`${path}/${open?.id}`).expect(204);
  });
});
