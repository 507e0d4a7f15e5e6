import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import type { ExpenseResponse } from '../../../src/expenses/dto/expense.dto.js';
import type { UpdatedExpensesResponse } from '../../../src/expenses/dto/update-expenses.dto.js';
import type { IncomeResponse } from '../../../src/incomes/dto/income.dto.js';
import type { ErrorBody } from '../../../src/platform/errors/error-body.js';
import type { Client } from '../../support/client.js';
import { FORMS, otherInstants } from '../../support/instants.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const INACTIVE = 'payment_method_id must be the id of an active payment method';
const TOO_SMALL = 'The converted amount rounds to 0.00';

describe('PATCH /cycles/{cycle_id}/expenses', () => {
  const service = useService();
  let user: Client;
  let method: string;
  let cycle: string;
  let a: ExpenseResponse;
  let b: ExpenseResponse;
  let c: ExpenseResponse;

  beforeEach(async () => {
    user = await service.signUp();
    ({ id: method } = await user.createPaymentMethod());
    ({ id: cycle } = await user.createCycle({ generate_from_templates: false }));
    const add = (body: object) => user.createExpense(cycle, { payment_method_id: method, ...body });
    a = await add({ description: 'A' });
    b = await add({ description: 'B' });
    c = await add({ description: 'C' });
  });

  const send = (expenses: unknown): Test =>
    user.send('patch', `/cycles/${cycle}/expenses`).send({ expenses });

  const update = async (expenses: object[]): Promise<UpdatedExpensesResponse> =>
    (await send(expenses).expect(200)).body as UpdatedExpensesResponse;

  async function refusalOf(expenses: unknown): Promise<{ status: number } & ErrorBody['error']> {
    const before = await user.expenses(cycle);
    const response = await send(expenses);
    expect(await user.expenses(cycle)).toEqual(before);
    return { status: response.status, ...(response.body as ErrorBody).error };
  }

  it('PATCH /cycles/{cycle_id}/expenses pays, changes and deletes expenses, in the order given, with the balance afterwards', async () => {
    const other = await user.createPaymentMethod();
    const response = await send([
      { id: c.id, paid: true, paid_at: '2026-01-25T20:11:09Z' },
      { id: b.id.toUpperCase(), active: false },
      {
        id: a.id,
        currency: 'MXN',
        amount: '812.35',
        payment_method_id: other.id,
        comments: ' Nota ',
      },
    ]).expect(200);
    const expected = [
      { ...c, status: 'paid', paid: true, paid_at: '2026-01-25T20:11:09.000Z' },
      {
        ...a,
        currency: 'MXN',
        amount: '812.35',
        amount_usd: '40.62',
        exchange_rate: { rate: '0.050000', rate_date: '2025-01-01' },
        payment_method: { id: other.id, name: other.name, method_type: 'debit' },
        comments: 'Nota',
      },
    ].map((expense): object => ({ ...expense, updated_at: expect.any(String) }));
    expect(response.body).toEqual({ expenses: expected, remaining_balance: '4859.38' });
    expect(response.get('ETag')).toBeUndefined();
    const { expenses } = response.body as UpdatedExpensesResponse;
    expect((await user.expenses(cycle)).expenses).toEqual([...expenses].reverse());
    expect((await user.cycle(cycle)).remaining_balance).toBe('4859.38');
  });

  it('PATCH /cycles/{cycle_id}/expenses gives each changed expense one record, and none to one that does not change', async () => {
    const { expenses } = await update([
      { id: a.id },
      { id: b.id, description: 'B', paid: false },
      { id: c.id, paid: true, description: 'Changed' },
    ]);
    expect(expenses.slice(0, 2)).toEqual([a, b]);
    const recordsOf = async ({ id }: { id: string }): Promise<string[]> =>
      (await user.activityOf('cycle_expense', id)).map(({ action }) => action);
    expect(await Promise.all([a, b, c].map(recordsOf))).toEqual([
      ['created'],
      ['created'],
      ['created', 'marked_paid'],
    ]);
    await update([{ id: c.id, active: false }]);
    expect((await recordsOf(c)).at(-1)).toBe('deactivated');
  });

  it('PATCH /cycles/{cycle_id}/expenses shows the representations of a GET', async () => {
    await update([{ id: a.id, due_date: '2026-01-25' }]);
    const { expenses } = await update([{ id: a.id }, { id: b.id }]);
    expect(expenses[0]?.status).toBe('overdue');
    for (const expense of expenses) {
      expect(await user.read(`/cycles/${cycle}/expenses/${expense.id}`)).toEqual(expense);
    }
  });

  it('PATCH /cycles/{cycle_id}/expenses takes an ETag or updated_at as the condition, with or without quotes', async () => {
    const path = `/cycles/${cycle}/expenses/${a.id}`;
    const etag = (await user.get(path).expect(200)).get('ETag') ?? '';
    for (const tag of [etag, etag.slice(1, -1), a.updated_at, `"${a.updated_at}"`]) {
      await update([{ id: a.id, if_match: tag }]);
    }
    await update([{ id: b.id, if_match: b.updated_at, paid: true }]);
    for (const tag of [b.updated_at, '*', '', 'x', `W/${etag}`, `${etag}, ${etag}`]) {
      expect(
        await refusalOf([
          { id: a.id, if_match: a.updated_at, paid: true },
          { id: b.id, if_match: tag, active: false },
        ]),
      ).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED', details: { id: b.id } });
    }
  });

  it('PATCH /cycles/{cycle_id}/expenses takes updated_at in every form of its instant, with or without quotes', async () => {
    for (const formOf of FORMS) {
      await update([{ id: a.id, if_match: formOf(a.updated_at) }]);
      await update([{ id: a.id, if_match: `"${formOf(a.updated_at)}"` }]);
    }
    const form = FORMS[0](a.updated_at);
    const others = [...otherInstants(a.updated_at), form.replace('T', ' ')];
    for (const tag of [...others, `W/"${form}"`, `"${form}`, `""${form}""`]) {
      const { status, details } = await refusalOf([{ id: a.id, if_match: tag, paid: true }]);
      expect([tag, status, details]).toEqual([tag, 412, { id: a.id }]);
    }
    const pay = { id: a.id, if_match: form, paid: true };
    expect((await update([pay])).expenses[0]?.paid).toBe(true);
    expect((await refusalOf([pay])).status).toBe(412);
  });

  it('PATCH /cycles/{cycle_id}/expenses names a proxy that has changed the ETag as the cause of a 412', async () => {
    const path = `/cycles/${cycle}/expenses/${a.id}`;
    const etag = (await user.get(path).expect(200)).get('ETag') ?? '';
    const compressed = `${etag.slice(1, -1)}-gzip`;
    for (const tag of [`W/${etag}`, compressed, `"${compressed}"`]) {
      const { status, details, message } = await refusalOf([{ id: a.id, if_match: tag }]);
      expect([tag, status, details]).toEqual([tag, 412, { id: a.id, cause: 'proxy' }]);
      expect(message).toMatch(/proxy/);
    }
  });

  it('PATCH /cycles/{cycle_id}/expenses ignores If-Match and Idempotency-Key', async () => {
    for (const paid of [true, false]) {
      await send([{ id: a.id, paid }])
        .set('If-Match', 'nonsense')
        .set('Idempotency-Key', 'the same')
        .expect(200);
    }
    expect((await user.expenses(cycle)).expenses[0]?.paid).toBe(false);
  });

  it('PATCH /cycles/{cycle_id}/expenses refuses a list that is none, is empty or has too many elements', async () => {
    const element = { id: UNKNOWN_UUID };
    const cases: [value: unknown, message: string, reason: string][] = [
      [undefined, 'is required', 'required'],
      [null, 'is required', 'required'],
      ['x', 'must be an array', 'not_an_array'],
      [element, 'must be an array', 'not_an_array'],
      [[], 'must have 1 to 200 elements', 'too_few'],
    ];
    for (const [value, message, reason] of cases) {
      expect(await refusalOf(value)).toMatchObject({
        status: 422,
        details: {
          fields: { expenses: [`expenses ${message}`] },
          reasons: { expenses: [reason] },
        },
      });
    }
    const many = Array.from({ length: 201 }, (_, n) => ({
      id: UNKNOWN_UUID.slice(0, -3) + String(n + 100),
    }));
    expect(await refusalOf(many)).toMatchObject({
      details: { fields: { expenses: ['expenses must have 1 to 200 elements'] } },
    });
    expect(await refusalOf(many.slice(1))).toMatchObject({ status: 404 });
  });

  it('PATCH /cycles/{cycle_id}/expenses names every refused field of all elements at once', async () => {
    const { status, details } = await refusalOf([
      { id: 'x', amount: '0', nonsense: 1 },
      { id: a.id, paid: true, status: 'pending' },
      { id: a.id },
      { id: b.id, paid: false, paid_at: '2026-01-01T00:00:00Z' },
      { id: c.id, active: false, amount: '5.00', if_match: c.updated_at },
      { id: UNKNOWN_UUID, active: true, if_match: 5, description: null },
      { paid: 'x', status: 'paid' },
      null,
      [],
      'x',
    ]);
    expect(status).toBe(422);
    expect(details.fields).toEqual({
      'expenses.0.id': ['expenses.0.id must be a UUID'],
      'expenses.0.amount': [
        'expenses.0.amount must be an amount from 0.01 to 999999999.99 with at most 2 decimals',
      ],
      'expenses.0.nonsense': ['property expenses.0.nonsense should not exist'],
      'expenses.1.paid': ['expenses.1.paid true contradicts status pending'],
      'expenses.1.status': ['expenses.1.status pending contradicts paid true'],
      'expenses.2.id': ['expenses.2.id must not be given twice'],
      'expenses.3.paid_at': ['expenses.3.paid_at is only for an expense that is paid'],
      'expenses.4.amount': ['property expenses.4.amount should not exist'],
      'expenses.5.active': ['expenses.5.active must be false'],
      'expenses.5.if_match': ['expenses.5.if_match must be a string'],
      'expenses.5.description': ['expenses.5.description is required'],
      'expenses.6.id': ['expenses.6.id is required'],
      'expenses.6.paid': ['expenses.6.paid must be true or false'],
      'expenses.7': ['expenses.7 must be an object'],
      'expenses.8': ['expenses.8 must be an object'],
      'expenses.9': ['expenses.9 must be an object'],
    });
    expect(details.reasons).toMatchObject({
      'expenses.1.paid': ['contradiction'],
      'expenses.2.id': ['repeated'],
      'expenses.4.amount': ['unknown_field'],
      'expenses.5.active': ['not_an_option'],
      'expenses.7': ['not_an_object'],
    });
  });

  it('PATCH /cycles/{cycle_id}/expenses checks all elements for one error before the next', async () => {
    const { id: inactive } = await user.createPaymentMethod();
    await user.put(`/payment-methods/${inactive}`, { active: false }).expect(200);
    const unknownMethod = { id: a.id, payment_method_id: UNKNOWN_UUID };
    const unknown = { id: UNKNOWN_UUID };
    const stale = { id: b.id, if_match: 'stale' };
    const unpaid = { id: a.id, paid_at: '2026-01-01T00:00:00Z' };
    const tooSmall = { id: b.id, currency: 'MXN', amount: '0.01' };
    const noMethod = { id: c.id, payment_method_id: inactive };
    expect(await refusalOf([unknownMethod, stale, unknown])).toMatchObject({
      status: 404,
      details: { resource: 'cycle_expense', id: UNKNOWN_UUID },
    });
    expect(await refusalOf([stale, unknownMethod])).toMatchObject({
      status: 404,
      details: { resource: 'payment_method', index: 1 },
    });
    expect(await refusalOf([unpaid, stale, noMethod])).toMatchObject({
      status: 412,
      details: { id: b.id },
    });
    expect(await refusalOf([unpaid, tooSmall, noMethod])).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      message: `expenses.2.${INACTIVE}`,
      details: {
        fields: { 'expenses.2.payment_method_id': [`expenses.2.${INACTIVE}`] },
        reasons: { 'expenses.2.payment_method_id': ['inactive'] },
        index: 2,
      },
    });
    expect(await refusalOf([tooSmall, unpaid])).toMatchObject({
      status: 422,
      details: {
        fields: {
          'expenses.1.paid_at': ['expenses.1.paid_at is only for an expense that is paid'],
        },
        index: 1,
      },
    });
    expect(await refusalOf([{ id: a.id, paid: true }, tooSmall])).toMatchObject({
      status: 422,
      code: 'CURRENCY_CONVERSION_ERROR',
      message: TOO_SMALL,
      details: { amount: '0.01', fields: { 'expenses.1.amount': [TOO_SMALL] }, index: 1 },
    });
    await user.put(`/cycles/${cycle}`, { status: 'completed' }).expect(200);
    expect(await refusalOf([unpaid, stale])).toMatchObject({ status: 412 });
    for (const elements of [[unpaid, noMethod], [{ id: a.id }]]) {
      expect(await refusalOf(elements)).toMatchObject({
        status: 409,
        code: 'CYCLE_ALREADY_COMPLETED',
      });
    }
    expect(
      (await user.send('patch', `/cycles/${UNKNOWN_UUID}/expenses`).send({ expenses: [unknown] }))
        .body,
    ).toMatchObject({ error: { code: 'CYCLE_NOT_FOUND' } });
  });

  it('PATCH /cycles/{cycle_id}/expenses keeps an inactive payment method that an expense has, also where another element chooses it', async () => {
    const { id: inactive } = await user.createPaymentMethod();
    await update([{ id: a.id, payment_method_id: inactive }]);
    await user.put(`/payment-methods/${inactive}`, { active: false }).expect(200);
    const { expenses } = await update([{ id: a.id, payment_method_id: inactive, paid: true }]);
    expect(expenses[0]).toMatchObject({ paid: true, payment_method: { id: inactive } });
    expect(
      await refusalOf([
        { id: a.id, payment_method_id: inactive, paid: false },
        { id: b.id, payment_method_id: inactive },
      ]),
    ).toMatchObject({ details: { index: 1 } });
  });

  it('PATCH /cycles/{cycle_id}/expenses refuses expenses of another cycle, of another user and deleted ones', async () => {
    const other = await user.createCycle({ generate_from_templates: false });
    const elsewhere = await user.createExpense(other.id, { payment_method_id: method });
    const stranger = await service.signUp();
    const theirs = await stranger.createExpense((await stranger.createCycle()).id);
    await update([{ id: c.id, active: false }]);
    for (const { id } of [elsewhere, theirs, c]) {
      expect(await refusalOf([{ id: a.id, paid: true }, { id }])).toMatchObject({
        status: 404,
        details: { resource: 'cycle_expense', id },
      });
    }
    const theirMethod = (await stranger.createPaymentMethod()).id;
    expect(await refusalOf([{ id: a.id, payment_method_id: theirMethod }])).toMatchObject({
      status: 404,
      details: { resource: 'payment_method', index: 0 },
    });
  });
});

describe('PATCH /cycles/{cycle_id}/incomes', () => {
  const service = useService();
  let user: Client;
  let cycle: string;
  let a: IncomeResponse;
  let b: IncomeResponse;

  beforeEach(async () => {
    user = await service.signUp();
    ({ id: cycle } = await user.createCycle({ generate_from_templates: false }));
    const { id: method } = await user.createPaymentMethod();
    a = await user.createIncome(cycle, { payment_method_id: method });
    b = await user.createIncome(cycle);
  });

  const send = (incomes: unknown): Test =>
    user.send('patch', `/cycles/${cycle}/incomes`).send({ incomes });

  it('PATCH /cycles/{cycle_id}/incomes receives, changes and deletes incomes', async () => {
    const response = await send([
      { id: b.id, active: false, if_match: b.updated_at },
      {
        id: a.id,
        received: true,
        received_at: '2026-01-30T15:00:00Z',
        payment_method_id: null,
        amount: '7',
      },
    ]).expect(200);
    const changed = {
      ...a,
      ...{ amount: '7.00', amount_usd: '7.00', payment_method: null },
      ...{ received: true, received_at: '2026-01-30T15:00:00.000Z' },
      updated_at: expect.any(String) as unknown,
    };
    expect(response.body).toEqual({ incomes: [changed], remaining_balance: '5007.00' });
    expect((await user.incomes(cycle)).incomes).toEqual([changed]);
    const actions = (await user.activity(`cycle_id=${cycle}`)).map(({ action }) => action);
    expect(actions.slice(-2)).toEqual(['deactivated', 'updated']);
  });

  it('PATCH /cycles/{cycle_id}/incomes names the element of an error', async () => {
    const { id: inactive } = await user.createPaymentMethod();
    await user.put(`/payment-methods/${inactive}`, { active: false }).expect(200);
    const errorOf = async (incomes: unknown): Promise<unknown> =>
      ((await send(incomes)).body as ErrorBody).error;
    expect(
      await errorOf([
        { id: a.id },
        { id: a.id, received: false, received_at: '2026-01-30T15:00:00Z' },
      ]),
    ).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: {
        fields: {
          'incomes.1.id': ['incomes.1.id must not be given twice'],
          'incomes.1.received_at': ['incomes.1.received_at is only for an income that is received'],
        },
      },
    });
    expect(await errorOf([{ id: a.id }, { id: UNKNOWN_UUID }])).toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
      details: { resource: 'cycle_income', id: UNKNOWN_UUID },
    });
    expect(await errorOf([{ id: a.id, if_match: '' }])).toMatchObject({
      code: 'PRECONDITION_FAILED',
      details: { id: a.id },
    });
    expect(
      await errorOf([
        { id: b.id, received_at: '2026-01-30T15:00:00Z' },
        { id: a.id, payment_method_id: inactive },
      ]),
    ).toMatchObject({
      details: { fields: { 'incomes.1.payment_method_id': [`incomes.1.${INACTIVE}`] } },
    });
    expect(await errorOf([{ id: b.id, received_at: '2026-01-30T15:00:00Z' }])).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { index: 0 },
    });
    expect(await errorOf([{ id: b.id, amount: '0.01', currency: 'MXN' }])).toMatchObject({
      code: 'CURRENCY_CONVERSION_ERROR',
      details: { fields: { 'incomes.0.amount': [TOO_SMALL] }, index: 0 },
    });
  });
});
