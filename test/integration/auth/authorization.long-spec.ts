import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import request, { type Response } from 'supertest';
import type { CommentResponse } from '../../../src/comments/dto/comment.dto.js';
import type { ErrorCode } from '../../../src/platform/errors/error-types.js';
import { TEST_PASSWORD, uniqueName, type Client } from '../../support/client.js';
import { expectError } from '../../support/errors.js';
import { splitName } from '../../support/operations.js';
import { databaseState } from '../../support/rejected-requests.js';
import { assertAsDocumented } from '../../support/response-contract.js';
import {
  bodyWith,
  fileWith,
  createEntitiesOf,
  replacePlaceholders,
  UNKNOWN_UUID,
  VALID_QUERIES,
} from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';
import {
  createTestTokens,
  createTestUsers,
  removeUser,
  ROLES,
  type TestUsers,
  type Role,
} from '../../support/test-users.js';

/**
 * Who may do what to the owner's things. `theirs`: it shows or changes something of the owner's.
 * `own`: it does neither, and gives or changes only what is one's own or everyone's. A number: it
 * is refused with that status, changes nothing, and is refused alike where there is no such thing.
 * Personal access tokens: `writer` and `reader` have those of the owner, `adminToken` has one of
 * the admin with write access.
 */
const TABLE = `
                                                   owner   writer  reader  member  admin   adminToken  former  stranger  deactivated  anonymous
  GET    /account                                  own     own     own     own     own     own         own     own       own          own
  POST   /account/password-reset                   own     own     own     own     own     own         own     own       own          own
  POST   /account/password-reset/confirm           401     401     401     401     401     401         401     401       401          401
  POST   /account/reminders/confirm                401     401     401     401     401     401         401     401       401          401
  GET    /account/reminders/unsubscribe            own     own     own     own     own     own         own     own       own          own
  POST   /account/reminders/unsubscribe            own     own     own     own     own     own         own     own       own          own
  POST   /auth/register                            own     own     own     own     own     own         own     own       own          own
  POST   /auth/login                               own     own     own     own     own     own         own     own       403          401
  POST   /auth/refresh                             own     403     403     own     own     403         own     own       403          401
  POST   /auth/logout                              own     403     403     own     own     403         own     own       403          401
  GET    /auth/sessions                            theirs  403     403     own     own     403         own     own       403          401
  DELETE /auth/sessions/{id}                       theirs  403     403     404     404     403         404     404       403          401
  POST   /auth/tokens                              own     403     403     own     own     403         own     own       403          401
  GET    /auth/tokens                              theirs  403     403     own     own     403         own     own       403          401
  DELETE /auth/tokens/{id}                         theirs  403     403     404     404     403         404     404       403          401
  GET    /auth/me                                  theirs  theirs  theirs  own     own     own         own     own       403          401
  PUT    /auth/me                                  theirs  403     403     own     own     403         own     own       403          401
  PUT    /auth/me/password                         theirs  403     403     own     own     403         own     own       403          401
  GET    /households/current                       theirs  theirs  theirs  theirs  theirs  theirs      own     own       403          401
  PUT    /households/current                       403     403     403     403     theirs  403         own     own       403          401
  PUT    /households/current/members/{user_id}     403     403     403     403     theirs  403         404     404       403          401
  POST   /households/current/invitations           403     403     403     403     own     403         own     own       403          401
  GET    /households/current/invitations           403     403     403     403     theirs  403         own     own       403          401
  DELETE /households/current/invitations/{id}      403     403     403     403     theirs  403         404     404       403          401
  GET    /payment-methods                          theirs  theirs  theirs  own     own     own         own     own       403          401
  POST   /payment-methods                          theirs  theirs  403     404     404     404         404     404       403          401
  GET    /payment-methods/{id}                     theirs  theirs  theirs  404     404     404         404     404       403          401
  PUT    /payment-methods/{id}                     theirs  theirs  403     404     404     404         404     404       403          401
  DELETE /payment-methods/{id}                     theirs  theirs  403     404     404     404         404     404       403          401
  GET    /payment-methods/{id}/statements          theirs  theirs  theirs  404     404     404         404     404       403          401
  GET    /payment-methods/{id}/statements/{closing_date}  theirs  theirs  theirs  404  404  404       404     404       403          401
  PUT    /payment-methods/{id}/statements/{closing_date}  theirs  theirs  403  404  404  404          404     404       403          401
  GET    /card-statements                          theirs  theirs  theirs  own     own     own         own     own       403          401
  GET    /budgets                                  theirs  theirs  theirs  own     own     own         own     own       403          401
  POST   /budgets                                  own     own     403     own     own     own         own     own       403          401
  GET    /budgets/{id}                             theirs  theirs  theirs  404     404     404         404     404       403          401
  PUT    /budgets/{id}                             theirs  theirs  403     404     404     404         404     404       403          401
  DELETE /budgets/{id}                             theirs  theirs  403     404     404     404         404     404       403          401
  GET    /expense-templates                        theirs  theirs  theirs  own     own     own         own     own       403          401
  GET    /balances                                 theirs  theirs  theirs  own     own     own         own     own       403          401
  GET    /balances/current                         theirs  theirs  theirs  own     own     own         own     own       403          401
  POST   /balances                                 theirs  theirs  403     404     404     404         404     404       403          401
  GET    /balances/{id}                            theirs  theirs  theirs  404     404     404         404     404       403          401
  DELETE /balances/{id}                            theirs  theirs  403     404     404     404         404     404       403          401
  POST   /expense-templates                        theirs  theirs  403     404     404     404         404     404       403          401
  GET    /expense-templates/{id}                   theirs  theirs  theirs  404     404     404         404     404       403          401
  PUT    /expense-templates/{id}                   theirs  theirs  403     404     404     404         404     404       403          401
  DELETE /expense-templates/{id}                   theirs  theirs  403     404     404     404         404     404       403          401
  GET    /expense-templates/{id}/occurrences       own     own     own     404     404     404         404     404       403          401
  GET    /income-templates                         theirs  theirs  theirs  own     own     own         own     own       403          401
  POST   /income-templates                         theirs  theirs  403     404     404     404         404     404       403          401
  GET    /income-templates/{id}                    theirs  theirs  theirs  404     404     404         404     404       403          401
  PUT    /income-templates/{id}                    theirs  theirs  403     404     404     404         404     404       403          401
  DELETE /income-templates/{id}                    theirs  theirs  403     404     404     404         404     404       403          401
  GET    /income-templates/{id}/occurrences        own     own     own     404     404     404         404     404       403          401
  POST   /occurrences                              own     own     own     own     own     own         own     own       403          401
  GET    /cycles                                   theirs  theirs  theirs  own     own     own         own     own       403          401
  POST   /cycles                                   theirs  theirs  403     own     own     own         own     own       403          401
  POST   /cycles/preview                           theirs  theirs  theirs  own     own     own         own     own       403          401
  GET    /cycles/next                              theirs  theirs  theirs  own     own     own         own     own       403          401
  GET    /forecast                                 theirs  theirs  theirs  own     own     own         own     own       403          401
  POST   /forecast                                 theirs  theirs  theirs  404     404     404         404     404       403          401
  GET    /cycles/{id}                              theirs  theirs  theirs  404     404     404         404     404       403          401
  GET    /cycles/{id}/cash-flow                    own     own     own     404     404     404         404     404       403          401
  GET    /cycles/{id}/sync                         theirs  theirs  theirs  404     404     404         404     404       403          401
  POST   /cycles/{id}/sync                         theirs  theirs  403     404     404     404         404     404       403          401
  POST   /cycles/{id}/reprice                      own     own     403     404     404     404         404     404       403          401
  POST   /cycles/{id}/carry-over                   theirs  theirs  403     404     404     404         404     404       403          401
  GET    /cycles/{id}/close                        own     own     own     404     404     404         404     404       403          401
  POST   /cycles/{id}/close                        theirs  theirs  403     404     404     404         404     404       403          401
  PUT    /cycles/{id}                              theirs  theirs  403     404     404     404         404     404       403          401
  DELETE /cycles/{id}                              theirs  theirs  403     404     404     404         404     404       403          401
  GET    /cycles/{cycle_id}/expenses               theirs  theirs  theirs  404     404     404         404     404       403          401
  POST   /cycles/{cycle_id}/expenses               theirs  theirs  403     404     404     404         404     404       403          401
  PATCH  /cycles/{cycle_id}/expenses               theirs  theirs  403     404     404     404         404     404       403          401
  GET    /cycles/{cycle_id}/expenses.csv           theirs  theirs  theirs  404     404     404         404     404       403          401
  POST   /cycles/{cycle_id}/expenses/import        theirs  theirs  403     404     404     404         404     404       403          401
  GET    /cycles/{cycle_id}/expenses/{expense_id}  theirs  theirs  theirs  404     404     404         404     404       403          401
  PUT    /cycles/{cycle_id}/expenses/{expense_id}  theirs  theirs  403     404     404     404         404     404       403          401
  DELETE /cycles/{cycle_id}/expenses/{expense_id}  theirs  theirs  403     404     404     404         404     404       403          401
  GET    /cycles/{cycle_id}/incomes                theirs  theirs  theirs  404     404     404         404     404       403          401
  POST   /cycles/{cycle_id}/incomes                theirs  theirs  403     404     404     404         404     404       403          401
  PATCH  /cycles/{cycle_id}/incomes                theirs  theirs  403     404     404     404         404     404       403          401
  GET    /cycles/{cycle_id}/incomes/{income_id}    theirs  theirs  theirs  404     404     404         404     404       403          401
  PUT    /cycles/{cycle_id}/incomes/{income_id}    theirs  theirs  403     404     404     404         404     404       403          401
  DELETE /cycles/{cycle_id}/incomes/{income_id}    theirs  theirs  403     404     404     404         404     404       403          401
  GET    /incomes                                  theirs  theirs  theirs  own     own     own         own     own       403          401
  GET    /expenses                                 theirs  theirs  theirs  own     own     own         own     own       403          401
  GET    /cycles/{cycle_id}/summary                theirs  theirs  theirs  404     404     404         404     404       403          401
  GET    /reports/cycles-comparison                theirs  theirs  theirs  404     404     404         404     404       403          401
  GET    /reports/variance                         theirs  theirs  theirs  404     404     404         404     404       403          401
  GET    /reports/budgets                          theirs  theirs  theirs  404     404     404         404     404       403          401
  GET    /changes                                  theirs  theirs  theirs  theirs  theirs  theirs      own     own       403          401
  GET    /activity                                 theirs  theirs  theirs  theirs  theirs  theirs      own     own       403          401
  POST   /activity/{id}/undo                       theirs  theirs  403     404     404     404         404     404       403          401
  POST   /activity/operations/{operation_id}/undo  theirs  theirs  403     404     404     404         404     404       403          401
  GET    /comments                                 theirs  theirs  theirs  theirs  theirs  theirs      own     own       403          401
  POST   /comments                                 theirs  theirs  403     theirs  theirs  theirs      404     404       403          401
  PATCH  /comments/{id}                            theirs  theirs  403     403     403     403         404     404       403          401
  DELETE /comments/{id}                            theirs  theirs  403     403     theirs  403         404     404       403          401
  POST   /calendar-feeds                           theirs  403     403     404     404     403         404     404       403          401
  GET    /calendar-feeds                           theirs  theirs  theirs  own     own     own         own     own       403          401
  PUT    /calendar-feeds/{id}                      theirs  403     403     404     404     403         404     404       403          401
  DELETE /calendar-feeds/{id}                      theirs  theirs  403     404     404     404         404     404       403          401
  GET    /calendar/{token}.ics                     theirs  theirs  theirs  theirs  theirs  theirs      theirs  theirs    theirs       theirs
  GET    /export                                   theirs  theirs  theirs  own     own     own         own     own       403          401
  POST   /import                                   409     409     403     409     409     409         409     409       403          401
  GET    /enums                                    own     own     own     own     own     own         own     own       403          401
  GET    /exchange-rates                           own     own     own     own     own     own         own     own       403          401
  GET    /health                                   own     own     own     own     own     own         own     own       403          401
  GET    /health/live                              own     own     own     own     own     own         own     own       own          own
  GET    /health/ready                             own     own     own     own     own     own         own     own       own          own
`;

/** Bodies that would change something; the other operations get a body from the sample entities. */
const BODIES: Record<string, object> = {
  'PUT /auth/me': { first_name: 'Changed' },
  'PUT /auth/me/password': { current_password: TEST_PASSWORD, new_password: TEST_PASSWORD },
  'PUT /households/current': { name: 'Changed' },
  'PUT /households/current/members/{user_id}': { role: 'member' },
  'PUT /payment-methods/{id}': { description: 'Changed' },
  'PUT /budgets/{id}': { limit: '1.00' },
  'PUT /calendar-feeds/{id}': { name: 'Changed' },
  'PUT /expense-templates/{id}': { autopay_info: 'Changed' },
  'PUT /income-templates/{id}': { base_amount: '1.00' },
  'PUT /cycles/{id}': { income_amount: '1.00' },
  'PUT /cycles/{cycle_id}/incomes/{income_id}': { received: true },
  'PUT /cycles/{cycle_id}/expenses/{expense_id}': { comments: 'Changed' },
};

/** They end the session of the request. */
const ENDS_SESSION = ['POST /auth/logout', 'PUT /auth/me/password'];

type Cells = Record<Role, string>;
type Ids = Record<string, string>;

const [titles, ...lines] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/));

const rows = lines.map(([method = '', path = '', ...cells]) => ({
  operation: `${method} ${path}`,
  cells: Object.fromEntries(ROLES.map((role, at) => [role, cells[at]])) as Cells,
}));

const { paths } = JSON.parse(
  readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
) as { paths: Record<string, object> };

/** By operation, its whole path. */
const documented = Object.fromEntries(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [
      `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
      path,
    ]),
  ),
);

/** Refusals first, as long as everything is there. */
const inOrder = (cells: Cells): Role[] =>
  [...ROLES].sort((a, b) => cells[a].localeCompare(cells[b]));

/** The same addresses, with nothing there: a different UUID for each. */
const nothing = (ids: Ids): Ids =>
  Object.fromEntries(
    Object.keys(ids).map((place, n) => [place, UNKNOWN_UUID.slice(0, -2) + String(n + 10)]),
  );

function codeOf(operation: string, role: Role, status: number): ErrorCode {
  if (status === 401) {
    return operation === 'POST /auth/login' ? 'INVALID_CREDENTIALS' : 'INVALID_TOKEN';
  }
  if (status === 403) return role === 'deactivated' ? 'INACTIVE_USER' : 'FORBIDDEN';
  if (status === 409) return 'RESOURCE_CONFLICT';
  if (operation.includes('members')) return 'USER_NOT_FOUND';
  return /cycles|reports/.test(operation) ? 'CYCLE_NOT_FOUND' : 'RESOURCE_NOT_FOUND';
}

describe('access to entities', () => {
  const service = useService();
  let cast: TestUsers;
  let household: string;
  /** The owner's entities; undefined when a request has changed or deleted one. */
  let ids: Ids | undefined;

  beforeAll(async () => {
    cast = await createTestUsers(service);
    const response = await cast.owner.get('/households/current').expect(200);
    household = (response.body as { id: string }).id;
  });

  async function send(client: Client, operation: string, ids: Ids): Promise<Response> {
    const { method } = splitName(operation);
    const address = replacePlaceholders(
      `${documented[operation] ?? ''}${VALID_QUERIES[operation] ?? ''}`,
      ids,
    );
    const sent = request(service.server)
      [method](address)
      .expect((response) => assertAsDocumented(method, response));
    if (client.token !== undefined) sent.set('Authorization', `Bearer ${client.token}`);
    switch (operation) {
      case 'POST /auth/login': {
        const username = client.email || 'nobody@example.com';
        return sent.type('form').send({ username, password: TEST_PASSWORD });
      }
      case 'POST /auth/register':
        return sent.send({
          email: `${uniqueName('u').replace(' ', '-')}@example.com`,
          password: TEST_PASSWORD,
        });
      case 'POST /payment-methods':
      case 'POST /budgets':
      case 'POST /cycles':
        // A user and the scripts of the user must not create two with the same name.
        return sent.send({ ...bodyWith(operation, ids), name: uniqueName('New') });
      default: {
        const file = fileWith(operation, ids);
        if (file !== undefined) return sent.type('text/csv').send(file);
        return sent.send(BODIES[operation] ?? bodyWith(operation, ids));
      }
    }
  }

  /** The rows of these ids, whatever table they are in. */
  async function stored(ids: readonly string[]): Promise<string> {
    const tables = await service.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'id'`,
    );
    const selects = tables.map(
      ({ name }) => `SELECT t::text AS row FROM "${name}" t WHERE id::text = ANY($1)`,
    );
    return JSON.stringify(
      await service.query(`${selects.join(' UNION ALL ')} ORDER BY row`, [ids]),
    );
  }

  /** What comes of it when someone does it: a cell of the table. */
  async function outcome(role: Role, operation: string, ids: Ids): Promise<string> {
    const things = [...Object.values(ids), household];
    const before = { all: await databaseState(service), things: await stored(things) };
    const response = await send(cast[role], operation, ids);
    const { status, text } = response;
    if (status < 400 && ENDS_SESSION.includes(operation)) {
      cast[role] = await cast[role].signInAgain();
      // A new password ends the tokens, too.
      Object.assign(cast, await createTestTokens(cast));
    }
    if (status >= 400) {
      const code = codeOf(operation, role, status);
      expectError(response, status, code);
      expect(await databaseState(service)).toEqual(before.all);
      if (!(code === 'FORBIDDEN' && operation.includes('comments'))) {
        const missing = await send(cast[role], operation, nothing(ids));
        expect([missing.status, missing.text]).toEqual([status, text]);
      }
      return String(status);
    }
    const isTold = [...things, cast.owner.email].some((thing) => text.includes(thing));
    return isTold || (await stored(things)) !== before.things ? 'theirs' : 'own';
  }

  it('access to entities is tested for every operation and every role', () => {
    expect(rows.map(({ operation }) => operation).sort()).toEqual(Object.keys(documented).sort());
    expect(titles).toEqual(ROLES);
    expect(lines.map(({ length }) => length)).toEqual(lines.map(() => ROLES.length + 2));
  });

  it.each(rows)(
    'access of every role matches the table for $operation',
    async ({ operation, cells }) => {
      const outcomes: Partial<Cells> = {};
      for (const role of inOrder(cells)) {
        ids ??= (await createEntitiesOf(cast.owner, cast.admin)).ids;
        outcomes[role] = await outcome(role, operation, ids);
        const isChanged = outcomes[role] === 'theirs' && !operation.startsWith('GET');
        if (!isChanged) continue;
        ids = undefined;
        // The next entities must not exceed the limits on these.
        await service.query(`DELETE FROM personal_access_tokens WHERE name = 'Script'`);
        await service.query('DELETE FROM calendar_feeds');
        await service.query('DELETE FROM budgets');
        await service.query('DELETE FROM household_invitations');
      }
      expect(outcomes).toEqual(cells);
    },
  );

  it('access is refused to former members, also to their own comments', async () => {
    const leaver = await createTestUsers(service);
    const { ids } = await createEntitiesOf(leaver.owner, leaver.admin);
    const target = { entity_type: 'payment_method', entity_id: ids['{payment_method_id}'] };
    const body = { ...target, body: 'Before I go' };
    const comment = (await leaver.member.post('/comments', body).expect(201))
      .body as CommentResponse;
    await removeUser(service, leaver.member);
    for (const response of [
      await leaver.member.send('patch', `/comments/${comment.id}`).send({ body: 'After' }),
      await leaver.member.delete(`/comments/${comment.id}`),
    ]) {
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'comment' });
    }
    const query = `entity_type=payment_method&entity_id=${target.entity_id ?? ''}`;
    expect((await leaver.member.get(`/comments?${query}`).expect(200)).body).toEqual([]);
    const seen = (await leaver.owner.get(`/comments?${query}`).expect(200)).body as unknown[];
    expect(seen).toContainEqual(comment);
  });
});
