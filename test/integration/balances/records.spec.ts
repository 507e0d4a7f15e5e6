import { describe, expect, it } from '@jest/globals';
import type {
  BalanceResponse,
  CreatedBalancesResponse,
} from '../../../src/balances/dto/balance.dto.js';
import type { UserResponse } from '../../../src/users/dto/user.dto.js';
import { ChangesCopy, readChanges } from '../../support/changes-copy.js';
import { operationOf, type Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { useService } from '../../support/service.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const service = useService();

const read = (user: Client, id: string): Promise<BalanceResponse> => user.read(`/balances/${id}`);

const isNow = (balance: BalanceResponse): object => ({
  ...balance,
  updated_at: expect.stringMatching(TIMESTAMP),
});

describe('the activity of a balance', () => {
  it('has every field from null but the difference, and is shown to the household', async () => {
    const user = await service.signUp();
    const me = await user.read<UserResponse>('/auth/me');
    const balance = await user.createBalance({ amount: '-5' });
    const { payment_method, difference, ...fields } = balance;
    expect(difference).toBeNull();
    const recorded = { ...fields, payment_method_id: payment_method.id, active: true };
    const records = await user.activityOf('balance', balance.id);
    expect(records).toEqual([
      {
        id: expect.stringMatching(UUID),
        household_id: expect.stringMatching(UUID),
        entity_type: 'balance',
        entity_id: balance.id,
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
    expect(await member.activityOf('balance', balance.id)).toEqual(records);
    expect(await (await service.signUp()).activityOf('balance', balance.id)).toEqual([]);
  });

  it('records what was expected', async () => {
    const user = await service.signUp();
    const first = await user.createBalance({ amount: '10' });
    const payment_method_id = first.payment_method.id;
    const second = await user.createBalance({ payment_method_id, amount: '12' });
    expect(second).toMatchObject({ expected: '10.00', difference: '2.00' });
    expect(await read(user, second.id)).toEqual(second);
    const { changes } = await user.lastRecord('balance', second.id);
    expect(changes.expected).toEqual({ from: null, to: '10.00' });
    // What was expected is not computed again.
    await user.delete(`/balances/${first.id}`).expect(204);
    expect(await read(user, second.id)).toEqual(second);
  });

  it('has no comments', async () => {
    const user = await service.signUp();
    const { id } = await user.createBalance();
    const body = { entity_type: 'balance', entity_id: id, body: 'Why?' };
    expectInvalid(await user.post('/comments', body), 'entity_type');
  });
});

describe('the undo of a change of a balance', () => {
  it('of a creation deletes it, of a deletion brings it back, and each can be undone', async () => {
    const user = await service.signUp();
    const balance = await user.createBalance();
    const { id } = balance;
    expect((await user.undo(['balance', id])).representation).toBeNull();
    expectError(await user.get(`/balances/${id}`), 404, 'RESOURCE_NOT_FOUND');
    expect((await user.undo(['balance', id])).representation).toEqual(isNow(balance));
    await user.delete(`/balances/${id}`).expect(204);
    expect((await user.undo(['balance', id])).representation).toEqual(isNow(balance));
    const records = await user.activityOf('balance', id);
    expect(records.map(({ action }) => action)).toEqual([
      ...['created', 'deactivated', 'reactivated', 'deactivated', 'reactivated'],
    ]);
    const refused = await user.post(`/activity/${records[3]?.id ?? ''}/undo`);
    expectError(refused, 409, 'RESOURCE_CONFLICT', {
      resource: 'balance',
      fields: { active: ['active has changed since'] },
    });
    await expectIntegrity(service.dataSource);
  });

  it('does not need an active payment method', async () => {
    const user = await service.signUp();
    const balance = await user.createBalance();
    await user.delete(`/balances/${balance.id}`).expect(204);
    await user.delete(`/payment-methods/${balance.payment_method.id}`).expect(204);
    const { representation } = await user.undo(['balance', balance.id]);
    expect(representation).toEqual(isNow(balance));
  });

  it('of an operation takes all its balances back, and its undo brings them back', async () => {
    const user = await service.signUp();
    const methods = await Promise.all([1, 2, 3].map(() => user.createPaymentMethod()));
    const balances = methods.map(({ id }) => ({ payment_method_id: id, amount: '1' }));
    const created = await user.post('/balances', { balances }).expect(201);
    const { balances: stated } = created.body as CreatedBalancesResponse;
    const undone = await user.undoOperation(created);
    expect(undone.records.map(({ entity_id }) => entity_id)).toEqual(
      stated.map(({ id }) => id).reverse(),
    );
    expect(await user.read('/balances')).toEqual([]);
    const again = await user.undoOperation(undone.operation_id ?? '');
    expect(again.records.map(({ representation }) => representation)).toEqual(stated.map(isNow));
    expect(await user.read('/balances')).toEqual(stated.map(isNow).reverse());
  });

  it("of another user's record is a 404, also a member's", async () => {
    const owner = await service.signUp();
    const balance = await owner.createBalance();
    const { id } = await owner.lastRecord('balance', balance.id);
    for (const other of [await service.signUpMember(owner), await service.signUp()]) {
      const response = await other.post(`/activity/${id}/undo`);
      expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'activity_record' });
    }
  });
});

describe('balances in GET /changes', () => {
  it('are in the first read unless they are deleted, and of no other user', async () => {
    const owner = await service.signUp();
    await (await service.signUpMember(owner)).createBalance();
    const deleted = await owner.createBalance();
    await owner.delete(`/balances/${deleted.id}`).expect(204);
    const balance = await owner.createBalance();
    const { changes } = await readChanges(owner);
    expect(changes.filter(({ entity_type }) => entity_type === 'balance')).toEqual([
      {
        ...{ entity_type: 'balance', entity_id: balance.id, cycle_id: null, deleted: false },
        representation: balance,
      },
    ]);
  });

  it('are named after each change, as deleted after a deletion', async () => {
    const user = await service.signUp();
    const { id: payment_method_id } = await user.createPaymentMethod();
    const copy = new ChangesCopy(user);
    await copy.update();
    const { id } = await user.createBalance({ payment_method_id });
    const change = { entity_type: 'balance', entity_id: id, cycle_id: null };
    const expectPresent = async (): Promise<void> => {
      const representation = await read(user, id);
      expect(await copy.update()).toEqual([{ ...change, deleted: false, representation }]);
    };
    await expectPresent();
    const deletion = await user.delete(`/balances/${id}`).expect(204);
    expect(await copy.update()).toEqual([{ ...change, deleted: true, representation: null }]);
    await user.undoOperation(operationOf(deletion) ?? '');
    await expectPresent();
    expect(await copy.update()).toEqual([]);
  });
});
