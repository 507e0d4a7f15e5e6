import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Response } from 'supertest';
import type { PaymentMethodResponse } from '../../../src/payment-methods/dto/payment-method.dto.js';
import { operationOf, uniqueName, type Client } from '../../support/client.js';
import { setTime } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const service = useService();

beforeEach(() => {
  setTime('2026-05-20T18:00:00Z');
});
afterEach(() => {
  jest.useRealTimers();
});

type Members = Partial<Record<keyof PaymentMethodResponse, unknown>>;

/** The members of a card. */
const membersOf = ({ closing_day, ...method }: PaymentMethodResponse): Members => ({
  closing_day,
  due_day: method.due_day,
  due_days_after: method.due_days_after,
  due_weekend_rule: method.due_weekend_rule,
  first_closing_date: method.first_closing_date,
  autopay: method.autopay,
  paid_from_id: method.paid_from_id,
});

const NONE: Members = {
  ...{ closing_day: null, due_day: null, due_days_after: null, due_weekend_rule: 'keep' },
  ...{ first_closing_date: null, autopay: false, paid_from_id: null },
};

const CREDIT = { method_type: 'credit', default_currency: 'MXN' };

const create = (user: Client, body: object): Promise<Response> =>
  user.post('/payment-methods', { ...CREDIT, name: uniqueName('Card'), ...body });

const change = async (user: Client, id: string, body: object): Promise<PaymentMethodResponse> =>
  (await user.put(`/payment-methods/${id}`, body).expect(200)).body as PaymentMethodResponse;

function expectReasons(response: Response, reasons: Record<string, string>): void {
  expectError(response, 422, 'VALIDATION_ERROR', {
    fields: Object.fromEntries(Object.keys(reasons).map((name) => [name, [expect.any(String)]])),
    reasons: Object.fromEntries(Object.entries(reasons).map(([name, reason]) => [name, [reason]])),
  });
}

describe('a card', () => {
  it('has the days of its statements, with defaults, and the embedded reference stays', async () => {
    const user = await service.signUp();
    const response = await create(user, { closing_day: 12, due_day: 2 });
    expect(response.status).toBe(201);
    const card = response.body as PaymentMethodResponse;
    expect(membersOf(card)).toEqual({
      ...{ ...NONE, closing_day: 12, due_day: 2, first_closing_date: '2026-05-12' },
    });
    expect(await user.read(`/payment-methods/${card.id}`)).toEqual(card);
    expect(await user.read('/payment-methods')).toEqual([card]);
    const template = await user.createTemplate({ payment_method_id: card.id });
    const { id, name, method_type } = card;
    expect(template.payment_method).toEqual({ id, name, method_type });
    const records = await user.activityOf('payment_method', id);
    expect(records).toMatchObject([
      {
        action: 'created',
        changes: {
          closing_day: { from: null, to: 12 },
          due_days_after: { from: null, to: null },
          due_weekend_rule: { from: null, to: 'keep' },
          first_closing_date: { from: null, to: '2026-05-12' },
          autopay: { from: null, to: false },
          paid_from_id: { from: null, to: null },
        },
      },
    ]);
  });

  it('has each of the other members', async () => {
    const user = await service.signUp();
    const bank = await user.createPaymentMethod();
    const response = await create(user, {
      ...{ closing_day: 31, due_days_after: 60, due_day: null, due_weekend_rule: 'before' },
      ...{ first_closing_date: '2026-02-28', autopay: true, paid_from_id: bank.id.toUpperCase() },
    });
    expect(membersOf(response.body as PaymentMethodResponse)).toEqual({
      ...{ closing_day: 31, due_day: null, due_days_after: 60, due_weekend_rule: 'before' },
      ...{ first_closing_date: '2026-02-28', autopay: true, paid_from_id: bank.id },
    });
  });

  it('of another kind is refused, also when it becomes one', async () => {
    const user = await service.signUp();
    for (const method_type of ['debit', 'cash', 'transfer']) {
      const refused = await create(user, { method_type, closing_day: 12, due_day: 2 });
      expectReasons(refused, { closing_day: 'not_an_option' });
    }
    const card = await user.createCard();
    const path = `/payment-methods/${card.id}`;
    expectReasons(await user.put(path, { method_type: 'debit' }), { closing_day: 'not_an_option' });
    const without = await change(user, card.id, { method_type: 'debit', closing_day: null });
    expect({ ...membersOf(without), type: without.method_type }).toEqual({
      ...NONE,
      type: 'debit',
    });
    const refused = await user.put(path, { closing_day: 12, due_day: 2 });
    expectReasons(refused, { closing_day: 'not_an_option' });
    const again = { method_type: 'credit', closing_day: 1, due_days_after: 1 };
    expect(membersOf(await change(user, card.id, again))).toMatchObject({ closing_day: 1 });
  });

  it.each([
    [{ closing_day: 12 }, { due_day: 'required' }],
    [{ closing_day: 12, due_day: null, due_days_after: null }, { due_day: 'required' }],
    [{ closing_day: 12, due_day: 2, due_days_after: 20 }, { due_days_after: 'contradiction' }],
    [{ due_day: 2 }, { due_day: 'contradiction' }],
    [{ due_days_after: 2 }, { due_days_after: 'contradiction' }],
    [
      { closing_day: null, due_day: 2, due_days_after: 3 },
      { due_day: 'contradiction', due_days_after: 'contradiction' },
    ],
    [
      { due_weekend_rule: 'after', autopay: true },
      { due_weekend_rule: 'contradiction', autopay: 'contradiction' },
    ],
    [{ first_closing_date: '2026-05-12' }, { first_closing_date: 'contradiction' }],
  ])('that is %j is refused with %j', async (body, reasons) => {
    const user = await service.signUp();
    expectReasons(await create(user, body), reasons);
    const { id } = await user.createPaymentMethod(CREDIT);
    expectReasons(await user.put(`/payment-methods/${id}`, body), reasons);
    expect(membersOf(await user.read(`/payment-methods/${id}`))).toEqual(NONE);
  });

  it('takes what an account has by default without a closing day', async () => {
    const user = await service.signUp();
    const body = { ...NONE, method_type: 'cash' };
    expect(membersOf((await create(user, body)).body as PaymentMethodResponse)).toEqual(NONE);
  });

  it('changes to days after the closing only where null clears the day', async () => {
    const user = await service.signUp();
    const { id } = await user.createCard();
    const refused = await user.put(`/payment-methods/${id}`, { due_days_after: 20 });
    expectReasons(refused, { due_days_after: 'contradiction' });
    expectReasons(await user.put(`/payment-methods/${id}`, { due_day: null }), {
      due_day: 'required',
    });
    const changed = await change(user, id, { due_day: null, due_days_after: 20 });
    expect(membersOf(changed)).toMatchObject({ due_day: null, due_days_after: 20 });
  });

  it('that has no closing day any more keeps only from what it is paid', async () => {
    const user = await service.signUp();
    const bank = await user.createPaymentMethod();
    const { id } = await user.createCard({
      ...{ due_weekend_rule: 'after', autopay: true, paid_from_id: bank.id },
    });
    const changed = await change(user, id, { closing_day: null });
    expect(membersOf(changed)).toEqual({ ...NONE, paid_from_id: bank.id });
    expect(await user.lastRecord('payment_method', id)).toMatchObject({
      action: 'updated',
      changes: {
        closing_day: { from: 12, to: null },
        due_day: { from: 2, to: null },
        due_weekend_rule: { from: 'after', to: 'keep' },
        first_closing_date: { from: '2026-05-12', to: null },
        autopay: { from: true, to: false },
      },
    });
    await user.undo(['payment_method', id]);
    expect(membersOf(await user.read(`/payment-methods/${id}`))).toEqual({
      ...{ closing_day: 12, due_day: 2, due_days_after: null, due_weekend_rule: 'after' },
      ...{ first_closing_date: '2026-05-12', autopay: true, paid_from_id: bank.id },
    });
    await expectIntegrity(service.dataSource);
  });

  it('cannot have its days back by an undo once it is of another kind', async () => {
    const user = await service.signUp();
    const { id } = await user.createCard();
    await change(user, id, { closing_day: null });
    const record = await user.lastRecord('payment_method', id);
    await change(user, id, { method_type: 'debit' });
    const refused = await user.post(`/activity/${record.id}/undo`);
    expectReasons(refused, { closing_day: 'not_an_option' });
  });
});

describe('the first closing of a card', () => {
  it.each([
    // Closed on 12 May, due today, or due yesterday.
    ['2026-05-20T12:00:00Z', { closing_day: 12, due_day: 20 }, '2026-05-12'],
    ['2026-05-20T12:00:00Z', { closing_day: 12, due_day: 19 }, '2026-06-12'],
    ['2026-05-20T12:00:00Z', { closing_day: 20, due_day: 10 }, '2026-05-20'],
    ['2026-05-20T12:00:00Z', { closing_day: 21, due_days_after: 30 }, '2026-04-21'],
    // Saturday 16 May is moved to Monday.
    [
      '2026-05-18T12:00:00Z',
      { closing_day: 12, due_day: 16, due_weekend_rule: 'after' },
      '2026-05-12',
    ],
    ['2026-05-18T12:00:00Z', { closing_day: 12, due_day: 16 }, '2026-06-12'],
    // 60 days after 31 March is 30 May.
    ['2026-05-30T12:00:00Z', { closing_day: 31, due_days_after: 60 }, '2026-03-31'],
  ])('is on %s for %j by default %s', async (now, rules, expected) => {
    setTime(now);
    const user = await service.signUp();
    const card = await user.createCard({ due_day: null, ...rules });
    expect(card.first_closing_date).toBe(expected);
  });

  it("depends on the owner's day", async () => {
    setTime('2026-05-20T23:00:00Z');
    const user = await service.signUp();
    await user.put('/auth/me', { time_zone: 'Pacific/Auckland' }).expect(200);
    const card = await user.createCard({ closing_day: 12, due_day: 20 });
    expect(card.first_closing_date).toBe('2026-06-12');
  });

  it('is after a change of days the first one after today', async () => {
    const user = await service.signUp();
    const { id } = await user.createCard();
    for (const [body, expected] of [
      [{ closing_day: 20 }, '2026-06-20'],
      [{ closing_day: 21 }, '2026-05-21'],
      [{ due_day: 3 }, '2026-05-21'],
      [{ closing_day: 20, due_weekend_rule: 'before' }, '2026-06-20'],
    ] as const) {
      expect((await change(user, id, body)).first_closing_date).toBe(expected);
    }
    const other = await user.createCard();
    for (const body of [
      ...[{ autopay: true }, { name: uniqueName('Visa') }, { closing_day: 12, due_day: 2 }],
      ...[{ first_closing_date: null }, { active: false }],
    ]) {
      expect((await change(user, other.id, body)).first_closing_date).toBe('2026-05-12');
    }
  });

  it('may be a closing within 400 days of today', async () => {
    const user = await service.signUp();
    const { id } = await user.createCard({ closing_day: 15 });
    const path = `/payment-methods/${id}`;
    const refused = { first_closing_date: 'not_an_option' };
    for (const date of ['2026-05-14', '2025-03-15', '2027-07-15']) {
      expectReasons(await user.put(path, { first_closing_date: date }), refused);
      const body = { closing_day: 15, due_day: 2, first_closing_date: date };
      expectReasons(await create(user, body), refused);
    }
    for (const date of ['2025-04-15', '2027-06-15', '2026-05-15']) {
      const changed = await change(user, id, { first_closing_date: date });
      expect(changed.first_closing_date).toBe(date);
    }
    const both = await change(user, id, { closing_day: 31, first_closing_date: '2026-02-28' });
    expect(both.first_closing_date).toBe('2026-02-28');
    const old = { closing_day: 30, first_closing_date: '2026-02-27' };
    expectReasons(await user.put(path, old), refused);
  });

  it('that was set long ago is taken with the other fields', async () => {
    const user = await service.signUp();
    const card = await user.createCard({ first_closing_date: '2025-05-12' });
    setTime('2028-05-20T18:00:00Z');
    const later = await user.signInAgain();
    const body = { ...membersOf(card), name: uniqueName('Visa') };
    expect((await change(later, card.id, body)).first_closing_date).toBe('2025-05-12');
    const other = await later.put(`/payment-methods/${card.id}`, {
      first_closing_date: '2025-06-12',
    });
    expectReasons(other, { first_closing_date: 'not_an_option' });
  });
});

describe('the payment method from which another one is paid', () => {
  it("must be one of one's own, active and without statements, and not itself", async () => {
    const user = await service.signUp();
    const member = await service.signUpMember(user);
    const theirs = await member.createPaymentMethod();
    const card = await user.createCard();
    const path = `/payment-methods/${card.id}`;
    for (const paid_from_id of [theirs.id, UNKNOWN_UUID]) {
      for (const response of [
        await create(user, { paid_from_id }),
        await user.put(path, { paid_from_id }),
      ]) {
        expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'payment_method' });
      }
    }
    const inactive = await user.createPaymentMethod();
    await user.delete(`/payment-methods/${inactive.id}`).expect(204);
    const other = await user.createCard();
    for (const [paid_from_id, reason] of [
      [inactive.id, 'inactive'],
      [other.id, 'not_an_option'],
    ] as const) {
      expectReasons(await create(user, { paid_from_id }), { paid_from_id: reason });
      expectReasons(await user.put(path, { paid_from_id }), { paid_from_id: reason });
    }
    const itself = await user.put(path, { paid_from_id: card.id });
    expectReasons(itself, { paid_from_id: 'not_an_option' });
    const cash = await user.createPaymentMethod({ method_type: 'cash' });
    const own = await user.put(`/payment-methods/${cash.id}`, { paid_from_id: cash.id });
    expectReasons(own, { paid_from_id: 'not_an_option' });
    expect(await user.read(`/payment-methods/${card.id}`)).toEqual(card);
  });

  it('may be that of every kind, and null clears it', async () => {
    const user = await service.signUp();
    const bank = await user.createPaymentMethod();
    for (const method_type of ['debit', 'credit', 'cash', 'transfer']) {
      const response = await create(user, { method_type, paid_from_id: bank.id });
      const { id, paid_from_id } = response.body as PaymentMethodResponse;
      expect(paid_from_id).toBe(bank.id);
      expect((await change(user, id, { paid_from_id: null })).paid_from_id).toBeNull();
      await user.undo(['payment_method', id]);
      expect(await user.read(`/payment-methods/${id}`)).toMatchObject({ paid_from_id: bank.id });
    }
  });

  it('stays when it becomes inactive, and is not chosen again', async () => {
    const user = await service.signUp();
    const bank = await user.createPaymentMethod();
    const card = await user.createCard({ paid_from_id: bank.id });
    await user.delete(`/payment-methods/${bank.id}`).expect(204);
    const kept = await change(user, card.id, { name: uniqueName('Visa'), paid_from_id: bank.id });
    expect(kept.paid_from_id).toBe(bank.id);
    await change(user, card.id, { paid_from_id: null });
    const record = await user.lastRecord('payment_method', card.id);
    for (const response of [
      await user.put(`/payment-methods/${card.id}`, { paid_from_id: bank.id }),
      await user.post(`/activity/${record.id}/undo`),
    ]) {
      expectReasons(response, { paid_from_id: 'inactive' });
    }
  });

  it('cannot get statements, also by an undo', async () => {
    const user = await service.signUp();
    const payer = await user.createCard();
    await change(user, payer.id, { closing_day: null });
    const record = await user.lastRecord('payment_method', payer.id);
    const card = await user.createCard({ paid_from_id: payer.id });
    await user.delete(`/payment-methods/${card.id}`).expect(204);
    for (const response of [
      await user.put(`/payment-methods/${payer.id}`, { closing_day: 12, due_day: 2 }),
      await user.post(`/activity/${record.id}/undo`),
    ]) {
      expectReasons(response, { closing_day: 'contradiction' });
    }
    await change(user, card.id, { paid_from_id: null });
    await change(user, payer.id, { closing_day: 12, due_day: 2 });
    const back = await user.lastRecord('payment_method', card.id);
    const refused = await user.post(`/activity/${back.id}/undo`);
    expectReasons(refused, { paid_from_id: 'not_an_option' });
  });

  it('is checked after what the body alone contradicts, tags and names', async () => {
    const user = await service.signUp();
    const inactive = await user.createPaymentMethod();
    await user.delete(`/payment-methods/${inactive.id}`).expect(204);
    const { id } = await user.createCard();
    const unknown = { paid_from_id: UNKNOWN_UUID };
    expectReasons(await create(user, { ...unknown, closing_day: 3 }), { due_day: 'required' });
    const taken = { name: inactive.name };
    expectError(await create(user, { ...taken, ...unknown }), 404, 'RESOURCE_NOT_FOUND');
    const both = { ...taken, paid_from_id: inactive.id };
    expectError(await create(user, both), 409, 'RESOURCE_CONFLICT');
    const put = (body: object) =>
      user.put(`/payment-methods/${id}`, body).set('If-Match', '"other"');
    expectError(await put(unknown), 404, 'RESOURCE_NOT_FOUND');
    expectError(await put(both), 412, 'PRECONDITION_FAILED');
    expectError(await user.put(`/payment-methods/${id}`, both), 409, 'RESOURCE_CONFLICT');
  });
});

describe('a change of the days', () => {
  /** A card with purchases of 10.00, 20.00 and 30.00 in statements that closed in the past. */
  async function cardWithPurchases(user: Client): Promise<string> {
    const { id } = await user.createCard({ first_closing_date: '2026-01-12' });
    const cycle = await user.createCycle({
      ...{ start_date: '2026-01-05', end_date: '2026-02-15', generate_from_templates: false },
    });
    for (const [due_date, amount] of [
      ['2026-01-10', '10.00'],
      ['2026-02-10', '20.00'],
      ['2026-02-13', '30.00'],
    ]) {
      await user.createExpense(cycle.id, {
        ...{ payment_method_id: id, currency: 'MXN', due_date, amount },
      });
    }
    return id;
  }

  it('stores the closed statements that are not paid, which keep their dates', async () => {
    const user = await service.signUp();
    const id = await cardWithPurchases(user);
    const path = `/payment-methods/${id}`;
    await user.put(`${path}/statements/2026-01-12`, { paid: true }).expect(200);
    const before = await user.statements(id, '?from=2026-01-01&to=2026-05-31');
    expect(before.map(({ closing_date, status }) => [closing_date, status])).toEqual([
      ['2026-01-12', 'paid'],
      ['2026-02-12', 'overdue'],
      ['2026-03-12', 'overdue'],
      ['2026-04-12', 'paid'],
      ['2026-05-12', 'paid'],
    ]);
    const response = await user.put(path, { closing_day: 25, due_day: 14 }).expect(200);
    expect(response.body).toMatchObject({ first_closing_date: '2026-05-25' });
    const after = await user.statements(id, '?from=2026-01-01&to=2026-06-30');
    const [paid, february, march] = before;
    const stored = {
      id: expect.any(String) as unknown,
      created_at: expect.any(String) as unknown,
      updated_at: expect.any(String) as unknown,
    };
    expect(after).toEqual([
      paid,
      { ...february, ...stored },
      { ...march, ...stored },
      expect.objectContaining({ closing_date: '2026-05-25', due_date: '2026-06-14' }),
      expect.objectContaining({ closing_date: '2026-06-25', due_date: '2026-07-14' }),
    ]);
    const records = await user.activity(`operation_id=${operationOf(response) ?? ''}`);
    expect(records).toMatchObject([
      {
        ...{ entity_type: 'card_statement', action: 'created', entity_id: after[1]?.id },
        changes: { closing_date: { to: '2026-02-12' }, due_date: { to: '2026-03-02' } },
      },
      {
        ...{ entity_type: 'card_statement', action: 'created', entity_id: after[2]?.id },
        changes: { closing_date: { to: '2026-03-12' }, due_date: { to: '2026-04-02' } },
      },
      { entity_type: 'payment_method', action: 'updated', entity_id: id },
    ]);
    await expectIntegrity(service.dataSource);

    // All of it is taken back, and done again.
    const undone = await user.undoOperation(response);
    expect(await user.statements(id, '?from=2026-01-01&to=2026-05-31')).toEqual(before);
    await user.undoOperation(undone.operation_id ?? '');
    const again = await user.statements(id, '?from=2026-01-01&to=2026-06-30');
    const withoutTimes = ({ updated_at: _at, ...fields }: { updated_at: unknown }): object =>
      fields;
    expect(again.map(withoutTimes)).toEqual(after.map(withoutTimes));
    await expectIntegrity(service.dataSource);
  });

  it('stores nothing of other changes, and what is stored once', async () => {
    const user = await service.signUp();
    const id = await cardWithPurchases(user);
    const count = async (): Promise<number> =>
      (await user.statements(id, '?from=2026-01-01&to=2026-05-31')).filter((one) => one.id !== null)
        .length;
    for (const body of [{ autopay: false }, { name: uniqueName('Visa') }, { closing_day: 12 }]) {
      await change(user, id, body);
      expect(await count()).toBe(0);
    }
    await change(user, id, { due_day: 5 });
    expect(await count()).toBe(3);
    await change(user, id, { due_day: 6 });
    expect(await count()).toBe(3);
    await change(user, id, { closing_day: null });
    const kept = await user.statements(id, '?from=2026-01-01&to=2026-05-31');
    expect(kept.map(({ closing_date, due_date }) => [closing_date, due_date])).toEqual([
      ['2026-01-12', '2026-02-02'],
      ['2026-02-12', '2026-03-02'],
      ['2026-03-12', '2026-04-02'],
    ]);
  });

  it('keeps the currency of what is stored', async () => {
    const user = await service.signUp();
    const id = await cardWithPurchases(user);
    await change(user, id, { default_currency: 'USD' });
    await change(user, id, { default_currency: 'MXN', due_day: 5 });
    const refused = await user.put(`/payment-methods/${id}`, { default_currency: 'USD' });
    expectReasons(refused, { default_currency: 'contradiction' });
  });
});
