import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Response, Test } from 'supertest';
import type { CardStatementResponse } from '../../../src/cards/dto/card-statement.dto.js';
import type { Client } from '../../support/client.js';
import { setTime, travel } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const service = useService();

const NOW = '2026-04-02T18:00:00.000Z';

beforeEach(() => {
  setTime(NOW);
});
afterEach(() => {
  jest.useRealTimers();
});

/** A card in pesos with a statement of 100.00 that closed on 12 March, and 20.00 since then. */
class CardUser {
  constructor(
    readonly user: Client,
    readonly id: string,
    readonly cycleId: string,
  ) {}

  static async create(fields: object = {}): Promise<CardUser> {
    const user = await service.signUp();
    const { id } = await user.createCard({ first_closing_date: '2026-02-12', ...fields });
    const { id: cycleId } = await user.createCycle({
      ...{ start_date: '2026-02-10', end_date: '2026-03-25', generate_from_templates: false },
    });
    const card = new CardUser(user, id, cycleId);
    await card.buy('2026-02-13', '40');
    await card.buy('2026-03-12', '60');
    await card.buy('2026-03-13', '20');
    return card;
  }

  async buy(due_date: string, amount: string): Promise<void> {
    await this.user.createExpense(this.cycleId, {
      ...{ payment_method_id: this.id, currency: 'MXN', due_date, amount },
    });
  }

  path(closing = '2026-03-12'): string {
    return `/payment-methods/${this.id}/statements/${closing}`;
  }

  put(body: object, closing?: string): Test {
    return this.user.put(this.path(closing), body);
  }

  async change(body: object, closing?: string): Promise<CardStatementResponse> {
    return (await this.put(body, closing).expect(200)).body as CardStatementResponse;
  }

  read(closing = '2026-03-12'): Promise<CardStatementResponse> {
    return this.user.statement(this.id, closing);
  }
}

function expectReasons(response: Response, reasons: Record<string, string>): void {
  expectError(response, 422, 'VALIDATION_ERROR', {
    fields: Object.fromEntries(Object.keys(reasons).map((name) => [name, [expect.any(String)]])),
    reasons: Object.fromEntries(Object.entries(reasons).map(([name, reason]) => [name, [reason]])),
  });
}

const UNPAID = { paid: false, paid_at: null, paid_amount: null };

describe('PUT /payment-methods/{id}/statements/{closing_date}', () => {
  it('stores what is said of a statement, and leaves the others as they are', async () => {
    const card = await CardUser.create();
    const before = await card.read();
    const paid = await card.change({ paid: true, paid_amount: '60' });
    expect(paid).toEqual({
      ...{ ...before, id: expect.any(String), status: 'paid', paid: true, paid_at: NOW },
      ...{ paid_amount: '60.00', created_at: NOW, updated_at: NOW },
    });
    expect(await card.read()).toEqual(paid);
    expect(await card.read('2026-04-12')).toMatchObject({
      ...{ id: null, total_amount: '20.00', carried_amount: '40.00', amount: '60.00' },
    });
    // Of the list the same, and the later ones carry nothing until that one is paid.
    const listed = await card.user.statements(card.id, '?from=2026-03-12&to=2026-05-12');
    expect(listed.map(({ amount, carried_amount }) => [amount, carried_amount])).toEqual([
      ['100.00', '0.00'],
      ['60.00', '40.00'],
      ['0.00', '0.00'],
    ]);
    await travel(card.user, '2026-05-02T18:00:00.000Z');
    const second = await card.change({ paid: true }, '2026-04-12');
    expect(second).toMatchObject({
      amount: '60.00',
      paid_amount: '60.00',
      carried_amount: '40.00',
    });
    expect(await card.read('2026-05-12')).toMatchObject({ carried_amount: '0.00' });
    await expectIntegrity(service.dataSource);
  });

  it('changes nothing of a purchase', async () => {
    const card = await CardUser.create();
    const before = await card.user.expenses(card.cycleId);
    const cycle = await card.user.cycle(card.cycleId);
    await card.change({ paid: true });
    expect(await card.user.expenses(card.cycleId)).toEqual(before);
    expect(await card.user.cycle(card.cycleId)).toEqual(cycle);
  });

  it('keeps a paid amount: what is entered, changed or deleted later changes it no more', async () => {
    const card = await CardUser.create();
    await card.change({ paid: true, paid_amount: '60' });
    await card.buy('2026-03-10', '30');
    expect(await card.read()).toMatchObject({ amount: '100.00', paid_amount: '60.00' });
    expect(await card.read('2026-04-12')).toMatchObject({ carried_amount: '40.00' });
    const { expenses } = await card.user.expenses(card.cycleId);
    const [first] = expenses;
    const path = `/cycles/${card.cycleId}/expenses/${first?.id}`;
    await card.user.put(path, { amount: '999' }).expect(200);
    await card.user.delete(path).expect(204);
    expect(await card.read()).toMatchObject({ amount: '100.00', paid_amount: '60.00' });
    // A refund in the next one makes that one smaller.
    await card.user.createIncome(card.cycleId, {
      ...{ payment_method_id: card.id, currency: 'MXN', amount: '20', income_date: '2026-03-20' },
    });
    expect(await card.read('2026-04-12')).toMatchObject({ total_amount: '0.00', amount: '40.00' });
  });

  it('takes the sum of the bank, and null clears it', async () => {
    const card = await CardUser.create();
    const stated = await card.change({ stated_amount: '101.5' });
    expect(stated).toMatchObject({
      ...{ total_amount: '100.00', stated_amount: '101.50', amount: '101.50', amount_usd: '5.08' },
      ...{ ...UNPAID, status: 'closed' },
    });
    await card.buy('2026-03-10', '30');
    expect(await card.read()).toMatchObject({ total_amount: '130.00', amount: '101.50' });
    expect(await card.change({ stated_amount: null })).toMatchObject({
      ...{ id: stated.id, stated_amount: null, amount: '130.00' },
    });
    const negative = await card.change({ stated_amount: '-5' });
    expect(negative).toMatchObject({ status: 'paid', paid: true, paid_amount: '0.00' });
    expect(await card.read('2026-04-12')).toMatchObject({ carried_amount: '-5.00' });
  });

  it('takes another due date, also of one that has not closed, and null takes the rule', async () => {
    const card = await CardUser.create();
    expect(await card.change({ due_date: '2026-03-13' })).toMatchObject({
      ...{ due_date: '2026-03-13', status: 'overdue' },
    });
    expect(await card.change({ due_date: '2026-06-10' })).toMatchObject({
      ...{ due_date: '2026-06-10', status: 'closed' },
    });
    expect(await card.change({ due_date: null })).toMatchObject({ due_date: '2026-04-02' });
    const open = await card.change({ due_date: '2026-05-06' }, '2026-04-12');
    expect(open).toMatchObject({ due_date: '2026-05-06', status: 'open', ...UNPAID });
    const refused = { due_date: 'out_of_order' };
    expectReasons(await card.put({ due_date: '2026-03-12' }), refused);
    expectReasons(await card.put({ due_date: '2026-03-01' }), refused);
    expectReasons(await card.put({ due_date: '2026-06-11' }), { due_date: 'too_far_apart' });
  });

  it('clears the payment with paid false, and the amount is derived again', async () => {
    const card = await CardUser.create();
    const paid = await card.change({ paid: true, paid_amount: '7' });
    await card.buy('2026-03-10', '30');
    expect(await card.change({ paid: false })).toMatchObject({
      ...{ id: paid.id, ...UNPAID, amount: '130.00', status: 'closed' },
    });
    const again = await card.change({ paid: true, paid_at: '2026-04-01T20:00:00-06:00' });
    expect(again).toMatchObject({
      ...{ paid_at: '2026-04-02T02:00:00.000Z', amount: '130.00', paid_amount: '130.00' },
    });
  });

  it('changes the payment of one that is paid, whose amount stays', async () => {
    const card = await CardUser.create();
    await card.change({ paid: true });
    await card.buy('2026-03-10', '30');
    const paid_at = '2026-03-30T12:00:00.000Z';
    const changed = { amount: '100.00', paid_at, paid_amount: '90.00' };
    expect(await card.change({ paid_at, paid_amount: '90' })).toMatchObject(changed);
    expect(await card.change({ paid: true })).toMatchObject(changed);
    expect(await card.change({ stated_amount: '95' })).toMatchObject({
      ...{ ...changed, stated_amount: '95.00' },
    });
    expect(await card.read('2026-04-12')).toMatchObject({ carried_amount: '10.00' });
  });

  it('marks as paid with what is stated in the same body, or with 0.00 and carries all of it', async () => {
    const card = await CardUser.create();
    expect(await card.change({ stated_amount: '97.5', paid: true })).toMatchObject({
      ...{ amount: '97.50', paid_amount: '97.50', total_amount: '100.00' },
    });
    const other = await CardUser.create();
    expect(await other.change({ paid: true, paid_amount: 0 })).toMatchObject({
      ...{ amount: '100.00', paid_amount: '0.00' },
    });
    expect(await other.read('2026-04-12')).toMatchObject({ carried_amount: '100.00' });
    const tooMuch = await CardUser.create();
    await tooMuch.change({ paid: true, paid_amount: '125' });
    expect(await tooMuch.read('2026-04-12')).toMatchObject({
      ...{ carried_amount: '-25.00', amount: '-5.00', status: 'open' },
    });
    await travel(tooMuch.user, '2026-04-13T12:00:00Z');
    expect(await tooMuch.read('2026-04-12')).toMatchObject({
      ...{ status: 'paid', paid: true, paid_at: null, paid_amount: '0.00' },
    });
    expect(await tooMuch.read('2026-05-12')).toMatchObject({ carried_amount: '-5.00' });
  });

  it.each([
    [{}],
    [{ due_date: '2026-04-02' }],
    [{ due_date: null, stated_amount: null }],
    [{ paid: false }],
  ])('stores nothing for %j, which changes nothing', async (body) => {
    const card = await CardUser.create();
    const before = await card.read();
    expect(await card.change(body)).toEqual(before);
    expect(before).toMatchObject({ id: null, created_at: null });
  });

  it.each([
    [{ paid_amount: '5' }, { paid_amount: 'contradiction' }],
    [{ paid_at: NOW }, { paid_at: 'contradiction' }],
    [
      { paid: false, paid_at: NOW, paid_amount: '5' },
      { paid_at: 'contradiction', paid_amount: 'contradiction' },
    ],
  ])('refuses %j, a payment of one that is not paid', async (body, reasons) => {
    const card = await CardUser.create();
    expectReasons(await card.put(body), reasons);
    await card.change({ stated_amount: '5' });
    expectReasons(await card.put(body), reasons);
    expectReasons(await card.put({ ...body, stated_amount: null }), reasons);
    expect(await card.read()).toMatchObject({ stated_amount: '5.00', ...UNPAID });
  });

  it('refuses to pay or state one before it has closed', async () => {
    const card = await CardUser.create();
    for (const [body, reasons] of [
      [{ paid: true }, { paid: 'out_of_order' }],
      [{ stated_amount: '0' }, { stated_amount: 'out_of_order' }],
      [
        { paid: true, stated_amount: '5', paid_amount: '5' },
        { paid: 'out_of_order', stated_amount: 'out_of_order' },
      ],
    ] as const) {
      expectReasons(await card.put(body, '2026-04-12'), reasons);
    }
    await card.change({ stated_amount: null, paid: false }, '2026-04-12');
    // It closes with the owner's day.
    await travel(card.user, '2026-04-12T23:59:59Z');
    expectReasons(await card.put({ paid: true }, '2026-04-12'), { paid: 'out_of_order' });
    await card.user.put('/auth/me', { time_zone: 'Europe/Madrid' }).expect(200);
    expect(await card.change({ paid: true }, '2026-04-12')).toMatchObject({ paid: true });
  });

  it('reports the body first, then what is missing, the tag, and what the state forbids', async () => {
    const { user, id } = await CardUser.create();
    const put = (path: string, body: object): Test =>
      user.put(`/payment-methods/${path}`, body).set('If-Match', '"other"');
    const contradiction = { paid: false, paid_at: NOW };
    const early = { paid: true };
    for (const path of [`${UNKNOWN_UUID}/statements/2026-04-12`, `${id}/statements/2026-04-11`]) {
      expectReasons(await put(path, contradiction), { paid_at: 'contradiction' });
      expectError(await put(path, early), 404, 'RESOURCE_NOT_FOUND');
    }
    const path = `${id}/statements/2026-04-12`;
    expectReasons(await put(path, { due_date: '2026-04-12' }), { due_date: 'out_of_order' });
    expectError(await put(path, early), 412, 'PRECONDITION_FAILED', {});
    expectReasons(await user.put(`/payment-methods/${path}`, early), { paid: 'out_of_order' });
  });
});

describe('the tag of a statement', () => {
  it('is taken by a write, also of one that is not stored', async () => {
    const card = await CardUser.create();
    const derived = await card.user.get(card.path()).expect(200);
    const tag = derived.get('ETag') ?? '';
    await card.buy('2026-03-11', '5');
    const refused = await card.put({ paid: true }).set('If-Match', tag);
    expectError(refused, 412, 'PRECONDITION_FAILED', {});
    const present = (await card.user.get(card.path())).get('ETag') ?? '';
    const paid = await card.put({ paid: true }).set('If-Match', present).expect(200);
    expect(paid.get('ETag')).toMatch(/^"[\w-]{43}"$/);
    const again = await card.put({ paid: false }).set('If-Match', present);
    expectError(again, 412, 'PRECONDITION_FAILED', {});
    const byTime = `"${(paid.body as CardStatementResponse).updated_at}"`;
    await card.put({ paid_amount: '1' }).set('If-Match', byTime).expect(200);
    for (const other of ['"null"', '""', '"1970-01-01T00:00:00.000Z"', `W/${tag}`]) {
      const response = await card.put({ paid: false }, '2026-04-12').set('If-Match', other);
      expectError(response, 412, 'PRECONDITION_FAILED');
    }
    await card.put({ due_date: null }, '2026-04-12').set('If-Match', '*').expect(200);
  });
});

describe('autopay', () => {
  it('pays a statement in full once its due date has passed', async () => {
    const card = await CardUser.create({ autopay: true });
    expect(await card.read()).toMatchObject({ ...UNPAID, status: 'closed' });
    await travel(card.user, '2026-04-03T18:00:00Z');
    expect(await card.read()).toMatchObject({
      ...{ id: null, status: 'paid', paid: true, paid_at: '2026-04-02T00:00:00.000Z' },
      ...{ amount: '100.00', paid_amount: '100.00' },
    });
    expect(await card.read('2026-04-12')).toMatchObject({ carried_amount: '0.00' });
    // It is paid until somebody says otherwise.
    expectReasons(await card.put({ paid_amount: '5' }), { paid_amount: 'contradiction' });
    const stated = await card.change({ stated_amount: '90' });
    expect(stated).toMatchObject({ status: 'paid', amount: '90.00', paid_amount: '90.00' });
    const partly = await card.change({ paid: true, paid_amount: '50' });
    expect(partly).toMatchObject({ amount: '90.00', paid_amount: '50.00' });
    expect(await card.read('2026-04-12')).toMatchObject({ carried_amount: '40.00' });
  });

  it("pays on the due date of the owner's time zone", async () => {
    const card = await CardUser.create({ autopay: true });
    await card.user.put('/auth/me', { time_zone: 'America/Mexico_City' }).expect(200);
    await travel(card.user, '2026-04-03T18:00:00Z');
    expect(await card.read()).toMatchObject({ paid: true, paid_at: '2026-04-02T06:00:00.000Z' });
    await travel(card.user, '2026-04-03T05:00:00Z');
    expect(await card.read()).toMatchObject({ paid: false, status: 'closed' });
  });
});
