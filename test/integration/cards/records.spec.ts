import { describe, expect, it } from '@jest/globals';
import type { CardStatementResponse } from '../../../src/cards/dto/card-statement.dto.js';
import { monthDayBefore } from '../../../src/payment-methods/statement-dates.js';
import { addDays, todayInUtc } from '../../../src/platform/values/calendar-date.js';
import type { UserResponse } from '../../../src/users/dto/user.dto.js';
import { ChangesCopy, readChanges } from '../../support/changes-copy.js';
import { operationOf, type Client } from '../../support/client.js';
import { passMidnight } from '../../support/clock.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { useService } from '../../support/service.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const service = useService();

/** A card whose statement of the last days closed on `closing`. */
async function closedStatement(
  user: Client,
): Promise<{ id: string; closing: string; path: string }> {
  await passMidnight();
  const closing = monthDayBefore(todayInUtc(), 12);
  const { id } = await user.createCard({ first_closing_date: closing });
  return { id, closing, path: `/payment-methods/${id}/statements/${closing}` };
}

async function change(user: Client, path: string, body: object): Promise<CardStatementResponse> {
  return (await user.put(path, body).expect(200)).body as CardStatementResponse;
}

const isNow = (statement: CardStatementResponse): object => ({
  ...statement,
  updated_at: expect.stringMatching(TIMESTAMP),
});

describe('the activity of a statement', () => {
  it('has every field from null, and is shown to the household', async () => {
    const user = await service.signUp();
    const me = await user.read<UserResponse>('/auth/me');
    const { id: cardId, closing, path } = await closedStatement(user);
    const paid_at = '2026-01-05T12:00:00.000Z';
    const statement = await change(user, path, { stated_amount: '9', paid: true, paid_at });
    const records = await user.activityOf('card_statement', statement.id ?? '');
    const recorded = {
      ...{ id: statement.id, payment_method_id: cardId, from: statement.from },
      ...{ closing_date: closing, due_date: statement.due_date, stated_amount: '9.00' },
      ...{ amount: '9.00', paid: true, paid_at, paid_amount: '9.00', active: true },
      ...{ created_at: statement.created_at, updated_at: statement.updated_at },
    };
    expect(records).toEqual([
      {
        id: expect.stringMatching(UUID),
        household_id: expect.stringMatching(UUID),
        entity_type: 'card_statement',
        entity_id: statement.id,
        cycle_id: null,
        actor_user_id: me.id,
        action: 'created',
        changes: Object.fromEntries(
          Object.entries(recorded).map(([field, to]) => [field, { from: null, to }]),
        ),
        undoes: null,
        operation_id: expect.stringMatching(UUID),
        created_at: expect.stringMatching(TIMESTAMP),
        actor: { id: me.id, email: user.email, first_name: null, last_name: null },
      },
    ]);
    const member = await service.signUpMember(user);
    expect(await member.activityOf('card_statement', statement.id ?? '')).toEqual(records);
    const stranger = await service.signUp();
    expect(await stranger.activityOf('card_statement', statement.id ?? '')).toEqual([]);
  });

  it('has exactly what later changes change, and nothing where they change nothing', async () => {
    const user = await service.signUp();
    const { closing, path } = await closedStatement(user);
    const first = await change(user, path, { stated_amount: '9' });
    const due_date = addDays(closing, 90);
    for (const body of [
      ...[{ stated_amount: '9.00' }, { due_date }, { due_date }, {}],
      ...[{ paid: true, paid_amount: '5', paid_at: '2026-01-05T12:00:00Z' }, { paid: true }],
      { paid: false },
    ]) {
      await change(user, path, body);
    }
    const records = await user.activityOf('card_statement', first.id ?? '');
    const payment = {
      amount: { from: null, to: '9.00' },
      paid: { from: false, to: true },
      paid_at: { from: null, to: '2026-01-05T12:00:00.000Z' },
      paid_amount: { from: null, to: '5.00' },
    };
    const back = Object.fromEntries(
      Object.entries(payment).map(([field, { from, to }]) => [field, { from: to, to: from }]),
    );
    expect(records.slice(1).map(({ action, changes }) => ({ action, changes }))).toEqual([
      { action: 'updated', changes: { due_date: { from: first.due_date, to: due_date } } },
      { action: 'updated', changes: payment },
      { action: 'updated', changes: back },
    ]);
    await expectIntegrity(service.dataSource);
  });

  it('has no comments', async () => {
    const user = await service.signUp();
    const { path } = await closedStatement(user);
    const { id } = await change(user, path, { stated_amount: '9' });
    const body = { entity_type: 'card_statement', entity_id: id, body: 'Why?' };
    expectInvalid(await user.post('/comments', body), 'entity_type');
  });
});

describe('the undo of a change of a statement', () => {
  it('of a creation derives it again, and each undo can be undone', async () => {
    const user = await service.signUp();
    const { id: cardId, closing, path } = await closedStatement(user);
    const derived = await user.statement(cardId, closing);
    const stored = await change(user, path, { stated_amount: '9', paid: true });
    const id = stored.id ?? '';
    expect((await user.undo(['card_statement', id])).representation).toBeNull();
    expect(await user.statement(cardId, closing)).toEqual(derived);
    expect((await user.undo(['card_statement', id])).representation).toEqual(isNow(stored));
    expect(await user.statement(cardId, closing)).toEqual(isNow(stored));
    await user.undo(['card_statement', id]);
    const records = await user.activityOf('card_statement', id);
    expect(records.map(({ action }) => action)).toEqual([
      ...['created', 'deactivated', 'reactivated', 'deactivated'],
    ]);
    // Stored anew, it is another record.
    const other = await change(user, path, { stated_amount: '3' });
    expect(other.id).not.toBe(id);
    const refused = await user.post(`/activity/${records[3]?.id ?? ''}/undo`);
    expectError(refused, 409, 'RESOURCE_CONFLICT', { resource: 'card_statement' });
    await expectIntegrity(service.dataSource);
  });

  it('of an update brings back what was, but not where it has changed since', async () => {
    const user = await service.signUp();
    const { id: cardId, closing, path } = await closedStatement(user);
    const stated = await change(user, path, { stated_amount: '9' });
    const id = stated.id ?? '';
    await change(user, path, { paid: true, paid_amount: '4' });
    const payment = await user.lastRecord('card_statement', id);
    const { representation } = await user.undo(payment);
    expect(representation).toEqual(isNow(stated));
    const again = await user.undo(['card_statement', id]);
    expect(again.representation).toMatchObject({ paid: true, amount: '9.00', paid_amount: '4.00' });
    await change(user, path, { paid_amount: '5' });
    const refused = await user.post(`/activity/${payment.id}/undo`);
    expectError(refused, 409, 'RESOURCE_CONFLICT', {
      resource: 'card_statement',
      fields: { paid_amount: ['paid_amount has changed since'] },
    });
    expect(await user.statement(cardId, closing)).toMatchObject({ paid_amount: '5.00' });
  });

  it('does not need an active card, or one that has further statements', async () => {
    const user = await service.signUp();
    const { id: cardId, closing, path } = await closedStatement(user);
    const stated = await change(user, path, { stated_amount: '9' });
    await change(user, path, { paid: true });
    await user.put(`/payment-methods/${cardId}`, { closing_day: null, active: false }).expect(200);
    await user.undo(['card_statement', stated.id ?? '']);
    expect(await user.statement(cardId, closing)).toMatchObject({ paid: false, amount: '9.00' });
    await user.undo((await user.activityOf('card_statement', stated.id ?? ''))[0] ?? { id: '' });
    const path404 = await user.get(path);
    expectError(path404, 404, 'RESOURCE_NOT_FOUND', { resource: 'card_statement' });
    await expectIntegrity(service.dataSource);
  });

  it('of an operation is like that of its record', async () => {
    const user = await service.signUp();
    const { id: cardId, closing, path } = await closedStatement(user);
    const response = await user.put(path, { stated_amount: '9' }).expect(200);
    const undone = await user.undoOperation(response);
    expect(undone.records).toMatchObject([{ entity_type: 'card_statement', representation: null }]);
    expect(await user.statement(cardId, closing)).toMatchObject({ id: null });
    const again = await user.undoOperation(undone.operation_id ?? '');
    expect(again.records).toMatchObject([{ representation: { stated_amount: '9.00' } }]);
  });

  it("of another user's record is a 404, also a member's", async () => {
    const owner = await service.signUp();
    const { path } = await closedStatement(owner);
    const { id } = await change(owner, path, { stated_amount: '9' });
    const record = await owner.lastRecord('card_statement', id ?? '');
    for (const other of [await service.signUpMember(owner), await service.signUp()]) {
      const response = await other.post(`/activity/${record.id}/undo`);
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'activity_record' });
    }
  });
});

describe('statements in GET /changes', () => {
  it('are in the first read once they are stored, and of no other user', async () => {
    const owner = await service.signUp();
    const member = await service.signUpMember(owner);
    const theirs = await closedStatement(member);
    await change(member, theirs.path, { stated_amount: '1' });
    const { path } = await closedStatement(owner);
    const statement = await change(owner, path, { stated_amount: '9' });
    const { changes } = await readChanges(owner);
    expect(changes.filter(({ entity_type }) => entity_type === 'card_statement')).toEqual([
      {
        ...{ entity_type: 'card_statement', entity_id: statement.id, cycle_id: null },
        ...{ deleted: false, representation: statement },
      },
    ]);
  });

  it('are named after each change, as deleted when they are derived again', async () => {
    const user = await service.signUp();
    const { path } = await closedStatement(user);
    const copy = new ChangesCopy(user);
    await copy.update();
    const response = await user.put(path, { stated_amount: '9' }).expect(200);
    const statement = response.body as CardStatementResponse;
    const named = { entity_type: 'card_statement', entity_id: statement.id, cycle_id: null };
    expect(await copy.update()).toEqual([{ ...named, deleted: false, representation: statement }]);
    const paid = await change(user, path, { paid: true });
    expect(await copy.update()).toEqual([{ ...named, deleted: false, representation: paid }]);
    await user.undo(['card_statement', statement.id ?? '']);
    await copy.update();
    await user.undoOperation(operationOf(response) ?? '');
    expect(await copy.update()).toEqual([{ ...named, deleted: true, representation: null }]);
    expect(await copy.update()).toEqual([]);
  });
});

describe('personal access tokens', () => {
  it('read statements with read access, and change them with write access', async () => {
    const user = await service.signUp();
    const { id, closing, path } = await closedStatement(user);
    const reader = await user.script({ access: 'read' });
    const writer = await user.script({ access: 'write' });
    const derived = await user.statement(id, closing);
    expect(await reader.statement(id, closing)).toEqual(derived);
    expect(await reader.statements(id)).toEqual(await user.statements(id));
    expectError(await reader.put(path, { stated_amount: '9' }), 403, 'FORBIDDEN');
    expect(await change(writer, path, { stated_amount: '9' })).toMatchObject({ amount: '9.00' });
    expect(await reader.statement(id, closing)).toEqual(await user.statement(id, closing));
  });
});
