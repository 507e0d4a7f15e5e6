import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Response } from 'supertest';
import type { ActivityResponse } from '../../../src/activity/dto/activity.dto.js';
import type { CurrentBalancesResponse } from '../../../src/balances/dto/current-balances.dto.js';
import type { ChangesResponse } from '../../../src/changes/dto/changes.dto.js';
import { without } from '../../model/views.js';
import { operationOf, type Client } from '../../support/client.js';
import { setTime } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { useService } from '../../support/service.js';

const NOW = '2026-02-10T12:00:00.000Z';
const THEN = '2026-02-07T18:45:00.500Z';

/** What differs between the two kinds of entries. */
const KINDS = {
  expense: {
    collection: 'expenses',
    type: 'cycle_expense',
    dateField: 'due_date',
    extra: { category: 'variable' },
    flag: 'paid',
    time: 'paid_at',
    unsettled: { status: 'pending', paid: false, paid_at: null },
    settledAt: (paid_at: string) => ({ status: 'paid', paid: true, paid_at }),
    action: 'marked_paid',
    takenBack: 'marked_unpaid',
  },
  income: {
    collection: 'incomes',
    type: 'cycle_income',
    dateField: 'income_date',
    extra: {},
    flag: 'received',
    time: 'received_at',
    unsettled: { received: false, received_at: null },
    settledAt: (received_at: string) => ({ received: true, received_at }),
    action: 'updated',
    takenBack: 'updated',
  },
} as const;

interface Entry extends Record<string, unknown> {
  id: string;
  created_at: string;
  updated_at: string;
}

describe.each(['expense', 'income'] as const)('an %s that is settled at once', (kind) => {
  const { collection, type, dateField, extra, flag, time, unsettled, settledAt, ...of } =
    KINDS[kind];
  const service = useService();
  let user: Client;
  let path: string;
  let methodId: string;

  beforeEach(async () => {
    setTime(NOW);
    user = await service.signUp();
    path = `/cycles/${(await user.createCycle()).id}/${collection}`;
    methodId = (await user.createPaymentMethod()).id;
  });
  afterAll(() => {
    jest.useRealTimers();
  });

  const bodyWith = (fields: object): object => ({
    ...{ description: 'Dinner', currency: 'USD', amount: '100.00', [dateField]: '2026-02-07' },
    ...{ payment_method_id: methodId, ...extra, ...fields },
  });

  const create = async (fields: object = {}): Promise<{ entry: Entry; response: Response }> => {
    const response = await user.post(path, bodyWith(fields)).expect(201);
    return { entry: response.body as Entry, response };
  };

  const recordsOf = ({ id }: Entry): Promise<ActivityResponse[]> => user.activityOf(type, id);

  const hasActed = async (entry: Entry): Promise<string[]> =>
    (await recordsOf(entry)).map(({ action }) => action);

  it.each([
    ['now', { [flag]: true }, NOW],
    ['at a time', { [flag]: true, [time]: '2026-02-07T12:45:00.5-06:00' }, THEN],
    [
      'later than now',
      { [flag]: true, [time]: '2999-12-31T23:59:59Z' },
      '2999-12-31T23:59:59.000Z',
    ],
  ])('is settled %s, with the tag of a GET', async (_when, fields, settled) => {
    const { entry, response } = await create(fields);
    expect(entry).toMatchObject(settledAt(settled));
    const read = await user.get(`${path}/${entry.id}`).expect(200);
    expect(read.body).toEqual(entry);
    expect(read.headers.etag).toBe(response.headers.etag);
    const changed = user.put(`${path}/${entry.id}`, { comments: 'Late' });
    await changed.set('If-Match', response.headers.etag ?? '').expect(200);
  });

  it('has the record of a creation, then that of the settlement, of one operation', async () => {
    const { entry, response } = await create({ [flag]: true, [time]: THEN });
    const [created, settled, ...others] = await recordsOf(entry);
    expect(others).toEqual([]);
    expect(created).toMatchObject({
      action: 'created',
      changes: Object.fromEntries(
        Object.entries({ ...unsettled, active: true, updated_at: entry.created_at }).map(
          ([field, to]) => [field, { from: null, to }],
        ),
      ),
    });
    const before: Record<string, unknown> = unsettled;
    expect(settled).toMatchObject({ action: of.action });
    expect(settled?.changes).toEqual(
      Object.fromEntries(
        Object.entries(settledAt(THEN)).map(([field, to]) => [field, { from: before[field], to }]),
      ),
    );
    const operation = operationOf(response);
    expect([created?.operation_id, settled?.operation_id]).toEqual([operation, operation]);
    await expectIntegrity(service.dataSource);
  });

  it.each([{}, { [flag]: false }])('is not settled with %j: one record', async (fields) => {
    const { entry } = await create(fields);
    expect(entry).toMatchObject({ ...unsettled, updated_at: entry.created_at });
    expect(await hasActed(entry)).toEqual(['created']);
  });

  it.each([
    [{ [time]: THEN }, { [time]: 'contradiction' }],
    [{ [flag]: false, [time]: THEN }, { [time]: 'contradiction' }],
    [{ [time]: 'yesterday' }, { [time]: 'not_a_timestamp' }],
    [{ [flag]: null }, { [flag]: 'null' }],
    [{ [flag]: 'true' }, { [flag]: 'not_a_boolean' }],
    [{ [flag]: 'true', [time]: THEN }, { [flag]: 'not_a_boolean' }],
    [{ [flag]: true, [time]: null }, { [time]: 'null' }],
    [{ [flag]: true, [time]: '2026-02-07' }, { [time]: 'not_a_timestamp' }],
    [{ [flag]: true, [time]: '1899-12-31T23:59:59Z' }, { [time]: 'not_a_timestamp' }],
    [{ [flag]: true, [time]: '3000-01-01T00:00:00Z' }, { [time]: 'not_a_timestamp' }],
    [{ [flag]: true, status: 'paid' }, { status: 'unknown_field' }],
  ])('is refused with %j', async (fields, reasons) => {
    const response = await user.post(path, bodyWith(fields));
    expectError(response, 422, 'VALIDATION_ERROR', {
      fields: Object.fromEntries(
        Object.keys(reasons).map((field) => [field, [expect.any(String)]]),
      ),
      reasons: Object.fromEntries(
        Object.entries(reasons).map(([field, reason]) => [field, [reason]]),
      ),
    });
    expect(await user.read(path)).toMatchObject({ summary: { total_count: 0 } });
  });

  it('is open again when its settlement is undone, and settled when that is undone', async () => {
    const { entry } = await create({ [flag]: true, [time]: THEN });
    const [created] = await recordsOf(entry);
    const response = await user.post(`/activity/${created?.id ?? ''}/undo`);
    expectError(response, 409, 'RESOURCE_CONFLICT');
    await user.undo([type, entry.id]);
    const open = without({ ...entry, ...unsettled }, 'updated_at');
    const shown = { ...open, ...(kind === 'expense' && { status: 'overdue' }) };
    expect(await user.read(`${path}/${entry.id}`)).toMatchObject(shown);
    await user.undo([type, entry.id]);
    expect(await user.read(`${path}/${entry.id}`)).toMatchObject(settledAt(THEN));
    await expectIntegrity(service.dataSource);
  });

  it('is removed when its operation is undone, and there again when that is undone', async () => {
    const { entry, response } = await create({ [flag]: true, [time]: THEN });
    const undone = await user.undoOperation(response);
    expect(undone.records.map(({ representation }) => representation)).toEqual([null, null]);
    expectError(await user.get(`${path}/${entry.id}`), 404, 'RESOURCE_NOT_FOUND');
    expect(await hasActed(entry)).toEqual(['created', of.action, of.takenBack, 'deactivated']);
    await user.undoOperation(undone.operation_id ?? '');
    const restored = await user.read(`${path}/${entry.id}`);
    expect(restored).toMatchObject(without(entry, 'updated_at'));
    await expectIntegrity(service.dataSource);
  });

  it('is created once by an Idempotency-Key', async () => {
    const body = bodyWith({ [flag]: true });
    const send = (): Promise<Response> =>
      user.post(path, body).set('Idempotency-Key', `once-${kind}`).expect(201);
    const first = await send();
    setTime('2026-02-10T12:05:00.000Z');
    const again = await send();
    expect([again.body, again.headers.etag]).toEqual([first.body, first.headers.etag]);
    expect(await hasActed(first.body as Entry)).toEqual(['created', of.action]);
  });

  it('is among the changes of the account once', async () => {
    const { next_cursor: cursor } = await user.read<{ next_cursor: string }>('/changes');
    const { entry } = await create({ [flag]: true });
    const { changes } = await user.read<ChangesResponse>(`/changes?cursor=${cursor}`);
    expect(changes.filter(({ entity_type }) => entity_type === type)).toMatchObject([
      { entity_id: entry.id, representation: entry },
    ]);
  });

  it('counts after a balance by the time of its settlement', async () => {
    const balances = [{ payment_method_id: methodId, amount: '500.00' }];
    await user.post('/balances', { balances, stated_at: '2026-02-08T00:00:00Z' }).expect(201);
    await create({ [flag]: true, [time]: THEN });
    await create({ [flag]: true, [time]: '2026-02-08T00:00:00.001Z', amount: '7.00' });
    await create({ [flag]: true, amount: '0.50' });
    const current = await user.read<CurrentBalancesResponse>('/balances/current');
    const counted = kind === 'expense' ? 'paid' : 'received';
    const amount = kind === 'expense' ? '492.50' : '507.50';
    expect(current.payment_methods).toMatchObject([{ [counted]: '7.50', amount }]);
  });

  it('with a card belongs to the statement of its date', async () => {
    const card = await user.createCard({ default_currency: 'USD' });
    await create({ payment_method_id: card.id, amount: '100.00' });
    await create({ payment_method_id: card.id, amount: '20.00', [flag]: true });
    const total_amount = kind === 'expense' ? '120.00' : '-120.00';
    expect(await user.statement(card.id, '2026-02-12')).toMatchObject({
      total_amount,
      paid: false,
    });
  });
});
