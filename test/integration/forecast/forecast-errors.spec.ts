import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { addDays } from '../../../src/platform/values/calendar-date.js';
import type { Client } from '../../support/client.js';
import { setTime } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { useService } from '../../support/service.js';

const TODAY = '2026-01-10';

const day = (days: number): string => addDays(TODAY, days);

const ENTRY = { op: 'add_expense', description: 'TV', currency: 'USD', amount: '1.00' };
const TEMPLATE = {
  op: 'add_income_template',
  description: 'Salary',
  currency: 'USD',
  base_amount: '1.00',
  recurrence_type: 'weekly',
  recurrence_config: { day_of_week: 5 },
  reference_date: TODAY,
};
const SKIP = {
  op: 'skip_template',
  template_id: '8c3e7b10-6f52-4d7a-b1a9-9e8d7c6b5a04',
  ...{ from: TODAY, to: TODAY },
};
const AMOUNT = {
  op: 'change_template',
  ...{ template_id: SKIP.template_id, amount: '1.00', from: TODAY },
};
const RATE = { op: 'exchange_rate', rate: '0.050000' };

describe('a refused forecast', () => {
  const service = useService();
  let user: Client;
  beforeAll(async () => {
    setTime(`${TODAY}T12:00:00Z`);
    user = await service.signUp();
  });
  afterAll(() => {
    jest.useRealTimers();
  });

  /** The reasons of the refused fields. */
  const reasonsOf = ({ body }: { body: unknown }): unknown =>
    (body as { error: { details: { reasons?: unknown } } }).error.details.reasons;

  it.each([
    [`to=${day(-1)}`, 'to', 'out_of_order'],
    [`to=${day(401)}`, 'to', 'too_far_apart'],
    ['to=2026-02-30', 'to', 'not_a_date'],
    [`free_until=${day(179)}`, 'free_until', 'out_of_order'],
    [`to=${day(5)}&free_until=${day(4)}`, 'free_until', 'out_of_order'],
    [`to=${day(5)}&free_until=${day(401)}`, 'free_until', 'too_far_apart'],
    ['free_until=3000-01-01', 'free_until', 'not_a_date'],
    ['currency=EUR', 'currency', 'not_an_option'],
    ['payment_method_id=1', 'payment_method_id', 'not_a_uuid'],
    ['opening_balance=1.005', 'opening_balance', 'not_an_amount'],
    ['opening_balance=1e3', 'opening_balance', 'not_an_amount'],
    ['opening_balance=-1000000000', 'opening_balance', 'not_an_amount'],
    ['minimum_balance=-0.01', 'minimum_balance', 'not_an_amount'],
    ['include=', 'include', 'not_an_option'],
    ['include=days,weeks', 'include', 'not_an_option'],
  ])('GET ?%s: %s is %s', async (query, field, reason) => {
    const response = await user.get(`/forecast?${query}`);
    expectError(response, 422, 'VALIDATION_ERROR');
    expect(reasonsOf(response)).toEqual({ [field]: [reason] });
  });

  it.each([
    ['a change that is no object', { changes: [7] }, 'changes.0', 'not_an_object'],
    ['no list of changes', { changes: {} }, 'changes', 'not_an_array'],
    ['a change too many', { changes: Array(51).fill(RATE) }, 'changes', 'too_many'],
    ['an unknown change', { changes: [RATE, { op: 'x' }] }, 'changes.1.op', 'not_an_option'],
    ['a change without op', { changes: [{ rate: '1' }] }, 'changes.0.op', 'required'],
    [
      'a field of another change',
      { changes: [{ ...RATE, amount: '1' }] },
      'changes.0.amount',
      'unknown_field',
    ],
    [
      'an amount',
      { changes: [{ ...ENTRY, date: TODAY, amount: '0' }] },
      'changes.0.amount',
      'not_an_amount',
    ],
    [
      'a day before today',
      { changes: [{ ...ENTRY, date: day(-1) }] },
      'changes.0.date',
      'out_of_order',
    ],
    [
      'a day after the last one that counts',
      { to: day(3), free_until: day(5), changes: [{ ...RATE, from: day(6) }] },
      'changes.0.from',
      'out_of_order',
    ],
    ['a rate of zero', { changes: [{ ...RATE, rate: '0' }] }, 'changes.0.rate', 'not_a_rate'],
    ['a rate as a number', { changes: [{ ...RATE, rate: 0.05 }] }, 'changes.0.rate', 'not_a_rate'],
    [
      'too large a rate',
      { changes: [{ ...RATE, rate: '1000000' }] },
      'changes.0.rate',
      'not_a_rate',
    ],
    [
      'a rule',
      { changes: [{ ...TEMPLATE, recurrence_config: { day_of_week: 7 } }] },
      'changes.0.recurrence_config.day_of_week',
      'too_large',
    ],
    [
      'occurrences long before today',
      { changes: [{ ...SKIP, from: day(-401) }] },
      'changes.0.from',
      'out_of_order',
    ],
    [
      'another amount long before today',
      { changes: [{ ...AMOUNT, from: day(-401) }] },
      'changes.0.from',
      'out_of_order',
    ],
    [
      'another amount after the last day that counts',
      { to: day(3), free_until: day(5), changes: [{ ...AMOUNT, from: day(6) }] },
      'changes.0.from',
      'out_of_order',
    ],
    [
      'occurrences that end before they begin',
      { changes: [{ ...SKIP, from: day(1) }] },
      'changes.0.to',
      'out_of_order',
    ],
    [
      'occurrences without an end',
      { changes: [{ ...SKIP, to: null }] },
      'changes.0.to',
      'required',
    ],
    [
      'another amount of zero',
      { changes: [{ ...AMOUNT, amount: '0.00' }] },
      'changes.0.amount',
      'not_an_amount',
    ],
    [
      'a template without an id',
      { changes: [{ ...AMOUNT, template_id: '1' }] },
      'changes.0.template_id',
      'not_a_uuid',
    ],
    [
      'another amount with a last day',
      { changes: [{ ...AMOUNT, to: TODAY }] },
      'changes.0.to',
      'unknown_field',
    ],
    ['no parts', { include: [] }, 'include', 'too_few'],
    ['parts as text', { include: 'days' }, 'include', 'not_an_array'],
    ['another part', { include: ['weeks'] }, 'include', 'not_an_option'],
    ['an unknown member', { until: TODAY }, 'until', 'unknown_field'],
  ])('POST with %s', async (_what, body, field, reason) => {
    const response = await user.post('/forecast', body);
    expectError(response, 422, 'VALIDATION_ERROR');
    expect(reasonsOf(response)).toEqual({ [field]: [reason] });
  });

  it('the payment method of a change must be one of your own, but may be inactive', async () => {
    const other = await service.signUp();
    const { id: foreign } = await other.createPaymentMethod();
    const { id: own } = await user.createPaymentMethod();
    await user.delete(`/payment-methods/${own}`).expect(204);
    const add = (payment_method_id: string | null): object => ({
      ...ENTRY,
      date: TODAY,
      payment_method_id,
    });
    await user.post('/forecast', { changes: [add(own), add(null)] }).expect(200);
    const response = await user.post('/forecast', { changes: [add(own), add(foreign)] });
    expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'payment_method', index: 1 });
  });

  it.each([
    ['of an entry', { ...ENTRY, currency: 'MXN', date: TODAY, amount: '0.01' }, 'amount'],
    ['of a template', { ...TEMPLATE, currency: 'MXN', base_amount: '0.01' }, 'base_amount'],
  ])('an amount %s that cannot be converted is refused', async (_what, change, field) => {
    const response = await user.post('/forecast', { changes: [change] });
    expectError(response, 422, 'VALIDATION_ERROR');
    expect(reasonsOf(response)).toEqual({ [`changes.0.${field}`]: ['not_convertible'] });
  });

  it('an amount that a rate of the changes cannot convert is refused at the rate', async () => {
    const changes = [
      { ...ENTRY, currency: 'MXN', date: TODAY, amount: '0.01' },
      { ...RATE, rate: '0.000001' },
    ];
    const response = await user.post('/forecast', { changes });
    expect(reasonsOf(response)).toEqual({ 'changes.1.rate': ['not_convertible'] });
  });

  it('a template that cannot be converted is named, whatever the changes', async () => {
    const poor = await service.signUp();
    const { id } = await poor.createTemplate({ currency: 'MXN', base_amount: '0.01' });
    for (const response of [
      await poor.get('/forecast'),
      await poor.post('/forecast', { changes: [{ ...RATE, rate: '900000' }] }),
    ]) {
      expectError(response, 422, 'CYCLE_GENERATION_ERROR');
      expect(response.body).toMatchObject({ error: { details: { template: { id } } } });
    }
    await poor.get('/forecast?currency=USD').expect(200);
  });

  it('at most 5,000 entries are generated or added, and 1,000 in a cycle', async () => {
    const daily = { recurrence_type: 'custom', recurrence_config: { interval: 1, unit: 'days' } };
    const busy = await service.signUp();
    await busy.createTemplate({ ...daily, currency: 'USD' });
    // From today to the last day: 401 entries, and up to 41 more until the last cycle ends.
    const changes = Array<object>(11).fill({ ...TEMPLATE, ...daily });
    await busy.post('/forecast', { to: day(400), changes }).expect(200);
    const tooMany = await busy.post('/forecast', {
      to: day(400),
      currency: 'MXN',
      changes: [...changes, { ...TEMPLATE, ...daily }],
    });
    expectError(tooMany, 422, 'CYCLE_GENERATION_ERROR', { limit: 5000 });
    for (let n = 0; n < 23; n += 1) await busy.createTemplate({ ...daily, currency: 'USD' });
    const response = await busy.get(`/forecast?to=${day(40)}`);
    expectError(response, 422, 'CYCLE_GENERATION_ERROR', { limit: 1000 });
  });

  it('at most 10,000 stored entries count', async () => {
    const busy = await service.signUp();
    const method = await busy.createPaymentMethod();
    const dates = { start_date: TODAY, end_date: day(10), income_amount: '0.00' };
    for (const name of ['Full', 'Full, too']) {
      const { id } = await busy.createCycle({ ...dates, name });
      await service.query(
        `INSERT INTO cycle_expenses (household_id, cycle_id, payment_method_id, description, currency, amount,
           amount_usd, due_date, category)
         SELECT c.household_id, c.id, $2, 'E' || n, 'USD', 1, 1, $3, 'fixed'
         FROM cycles c, generate_series(1, $4::int) n WHERE c.id = $1`,
        [id, method.id, day(1), 5000],
      );
    }
    const response = await busy.get('/forecast?include=entries').expect(200);
    expect(response.body).toMatchObject({ closing_balance: '-10000.00', entries_left_out: 8000 });
    const { id } = await busy.createCycle({ ...dates, name: 'One more' });
    await busy.createExpense(id, {
      currency: 'USD',
      due_date: day(2),
      payment_method_id: method.id,
    });
    expectError(await busy.get('/forecast'), 422, 'CYCLE_GENERATION_ERROR', { limit: 10_000 });
    await busy.get(`/forecast?to=${day(1)}&free_until=${day(1)}`).expect(200);
  });
});
