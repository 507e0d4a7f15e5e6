import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Response } from 'supertest';
import type { CardStatementResponse } from '../../../src/cards/dto/card-statement.dto.js';
import type { PaymentMethodResponse } from '../../../src/payment-methods/dto/payment-method.dto.js';
import { setTime } from '../../support/clock.js';
import {
  exportText,
  importDocument,
  importText,
  sampleDocument,
  secondVersionOf,
  withoutFields,
  withoutIdsAndTimes,
  type Document,
  type Row,
} from '../../support/data-document.js';
import { expectError } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { useService } from '../../support/service.js';

const service = useService();

afterEach(() => {
  jest.useRealTimers();
});

const reasonsOf = (response: Response): unknown =>
  (response.body as { error: { details: { reasons?: unknown } } }).error.details.reasons;

const statement = (fields: Row): Row => ({
  ...{ from: '2026-01-13', closing_date: '2026-02-12', due_date: '2026-03-02' },
  ...{ stated_amount: null, amount: null, paid: false, paid_at: null, paid_amount: null },
  ...fields,
});

describe('cards in an exported document', () => {
  it('are imported with their stored statements, and exported again the same', async () => {
    setTime('2026-05-20T12:00:00Z');
    const ana = await service.signUp();
    const card = await ana.createCard({
      ...{ name: 'Visa', due_weekend_rule: 'after', first_closing_date: '2026-01-12' },
    });
    const bank = await ana.createPaymentMethod({ name: 'Bank', default_currency: 'MXN' });
    const other = await ana.createCard({ name: 'Amex', due_day: null, due_days_after: 20 });
    await ana.put(`/payment-methods/${card.id}`, { paid_from_id: bank.id }).expect(200);
    const cycle = await ana.createCycle({ start_date: '2026-02-01', end_date: '2026-03-14' });
    await ana.createExpense(cycle.id, {
      ...{ payment_method_id: card.id, currency: 'MXN', amount: '75.50' },
      due_date: '2026-02-10',
    });
    const pay = (id: string, date: string, body: Row): Promise<unknown> =>
      ana.put(`/payment-methods/${id}/statements/${date}`, body).expect(200);
    await pay(other.id, '2026-05-12', { stated_amount: '9' });
    await pay(card.id, '2026-03-12', { due_date: '2026-04-01' });
    const paid = { paid: true, paid_at: '2026-03-01T10:00:00.000Z', paid_amount: '70.00' };
    await pay(card.id, '2026-02-12', paid);
    await pay(other.id, '2026-06-12', { due_date: '2026-07-01' });
    await ana.undo(['card_statement', (await ana.statement(other.id, '2026-06-12')).id ?? '']);
    await ana.put(`/payment-methods/${bank.id}`, { active: false }).expect(200);
    const text = await exportText(ana);
    const document = JSON.parse(text) as Document;
    expect(document.schema_version).toBe(3);
    const none: Row = {
      ...{ closing_day: null, due_day: null, due_days_after: null, due_weekend_rule: 'keep' },
      ...{ first_closing_date: null, autopay: false, paid_from_id: null },
    };
    const rules = { closing_day: 12, due_day: 2 };
    expect(document.payment_methods.slice(0, 3)).toMatchObject([
      {
        ...{ name: 'Visa', ...none, ...rules, due_weekend_rule: 'after', paid_from_id: bank.id },
        first_closing_date: '2026-01-12',
      },
      { name: 'Bank', active: false, ...none },
      {
        ...{ name: 'Amex', ...none, closing_day: 12, due_days_after: 20 },
        first_closing_date: '2026-05-12',
      },
    ]);
    const times = {
      id: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    } as Row;
    expect(document.card_statements).toEqual([
      statement({
        ...{ ...times, payment_method_id: card.id, amount: '75.50', ...paid },
      }),
      statement({
        ...{ ...times, payment_method_id: card.id, from: '2026-02-13' },
        ...{ closing_date: '2026-03-12', due_date: '2026-04-01' },
      }),
      statement({
        ...{ ...times, payment_method_id: other.id, from: '2026-04-13' },
        ...{ closing_date: '2026-05-12', due_date: '2026-06-01', stated_amount: '9.00' },
      }),
    ]);

    // Long after, and in an account whose day is an earlier one.
    setTime('2029-05-20T05:00:00Z');
    const luis = await service.signUp();
    await luis.put('/auth/me', { time_zone: 'America/Mexico_City' }).expect(200);
    const imported = await importText(luis, text).expect(200);
    expect(imported.body).toMatchObject({ imported: { payment_methods: 3, card_statements: 3 } });
    expect(withoutIdsAndTimes(await exportText(luis))).toBe(withoutIdsAndTimes(text));
    const methods = await luis.read<PaymentMethodResponse[]>('/payment-methods');
    const [visa, from] = ['Visa', 'Bank'].map((name) => methods.find((one) => one.name === name));
    expect(visa?.paid_from_id).toBe(from?.id);
    const range = '?from=2026-02-12&to=2026-03-12';
    const copies = await luis.statements(visa?.id ?? '', range);
    expect(copies).toMatchObject([
      { total_amount: '75.50', amount: '75.50', ...paid, status: 'paid' },
      { carried_amount: '5.50', amount: '5.50', due_date: '2026-04-01', status: 'overdue' },
    ]);
    const records = await luis.activityOf('card_statement', copies[0]?.id ?? '');
    expect(records).toMatchObject([
      { action: 'created', changes: { from: { to: '2026-01-13' }, paid_amount: { to: '70.00' } } },
    ]);
    await expectIntegrity(service.dataSource);
  });

  it('may close on a day that has not come where they are imported', async () => {
    setTime('2026-06-12T23:00:00Z');
    const ana = await service.signUp();
    await ana.put('/auth/me', { time_zone: 'Pacific/Kiritimati' }).expect(200);
    const { id } = await ana.createCard({ first_closing_date: '2027-07-12' });
    const refused = await ana.put(`/payment-methods/${id}`, { first_closing_date: '2027-08-12' });
    expectError(refused, 422, 'VALIDATION_ERROR');
    await ana.put(`/payment-methods/${id}`, { first_closing_date: '2026-06-12' }).expect(200);
    const path = `/payment-methods/${id}/statements/2026-06-12`;
    await ana.put(path, { stated_amount: '5.00' }).expect(200);
    const text = await exportText(ana);
    await importText(await service.signUp(), text).expect(200);
    const later = text.replace('"closing_date":"2026-06-12"', '"closing_date":"2026-06-14"');
    const tooEarly = await importText(await service.signUp(), later);
    expect(reasonsOf(tooEarly)).toEqual({ 'card_statements.0.stated_amount': ['out_of_order'] });
  });

  it('may be named by many payment methods that come before them', async () => {
    const ana = await service.signUp();
    const document = sampleDocument();
    const [first] = document.payment_methods;
    const names = Array.from({ length: 600 }, (_, index) => `Method ${index}`);
    const methods = names.map((name): Row => ({ ...first, name, id: crypto.randomUUID() }));
    for (const [index, method] of methods.entries()) {
      // A cycle of them, too: nothing of each but its card refers to it.
      method.paid_from_id = methods[(index + 300) % methods.length]?.id;
    }
    document.payment_methods.push(...methods);
    await importDocument(ana, document).expect(200);
    const copies = await ana.read<PaymentMethodResponse[]>('/payment-methods');
    const nameOf = new Map(copies.map(({ id, name }) => [id, name]));
    const paidFrom = copies.map((one) => [one.name, nameOf.get(one.paid_from_id ?? '')]);
    expect(Object.fromEntries(paidFrom)).toMatchObject({
      ...{ Visa: 'Card', 'Method 0': 'Method 300', 'Method 599': 'Method 299' },
    });
    await expectIntegrity(service.dataSource);
  });

  it('begin with the default of a new card where the first closing is not given', async () => {
    setTime('2026-05-20T12:00:00Z');
    const ana = await service.signUp();
    const document = sampleDocument();
    document.card_statements = [];
    for (const method of document.payment_methods) {
      Reflect.deleteProperty(method, 'first_closing_date');
    }
    await importDocument(ana, document).expect(200);
    const [visa] = await ana.read<PaymentMethodResponse[]>('/payment-methods?active=true');
    expect(visa?.first_closing_date).toBe('2026-05-12');
  });

  it('versions 1 and 2 have none of them, and a third version of before is still imported', async () => {
    const user = await service.signUp();
    const second = secondVersionOf(sampleDocument());
    const refused = await importDocument(user, { ...second, card_statements: [] });
    expect(reasonsOf(refused)).toEqual({ card_statements: ['unknown_field'] });
    for (const [field, value] of Object.entries({
      ...{ closing_day: null, due_day: null, due_days_after: null, due_weekend_rule: 'keep' },
      ...{ first_closing_date: null, autopay: false, paid_from_id: null },
    })) {
      const [first, ...others] = second.payment_methods;
      const payment_methods = [{ ...first, [field]: value }, ...others];
      const response = await importDocument(user, { ...second, payment_methods });
      expect(reasonsOf(response)).toEqual({ [`payment_methods.0.${field}`]: ['unknown_field'] });
    }
    const before = withoutFields({ ...second, schema_version: 3, balances: [] });
    const imported = await importDocument(user, before).expect(200);
    expect(imported.body).toMatchObject({ imported: { payment_methods: 2, card_statements: 0 } });
    const [visa] = await user.read<PaymentMethodResponse[]>('/payment-methods?active=true');
    expect(visa).toMatchObject({ name: 'Visa', closing_day: null, due_weekend_rule: 'keep' });
    expect(
      await user.read<CardStatementResponse[]>(`/payment-methods/${visa?.id}/statements`),
    ).toEqual([]);
    const wrong = await importDocument(await service.signUp(), { ...before, card_statements: 1 });
    expect(reasonsOf(wrong)).toEqual({ card_statements: ['not_an_array'] });
  });
});
