import { randomUUID } from 'node:crypto';
import type { Test } from 'supertest';
import type { Section } from '../../src/records/record-types.js';
import type { Client } from './client.js';

export type Row = Record<string, unknown>;
export type Document = Record<string, unknown> & Record<Section, Row[]>;

/** A document with a row of each kind, each of which is referred to where that is possible. */
export function sampleDocument(): Document {
  const [method, template, income, cycle, expense, budget, card] = Array.from({ length: 7 }, () =>
    randomUUID(),
  );
  const rule = (): Row => ({
    recurrence_type: 'monthly',
    recurrence_config: { day_of_month: 1 },
    reference_date: '2026-01-01',
  });
  const generated = { description: 'Rent', currency: 'MXN', amount: '100.00' };
  return {
    schema_version: 3,
    exported_at: '2026-01-01T00:00:00.000Z',
    payment_methods: [
      { id: method, name: 'Card', method_type: 'debit', default_currency: 'MXN', active: false },
      {
        ...{ id: card, name: 'Visa', method_type: 'credit', default_currency: 'MXN', active: true },
        ...{ closing_day: 12, due_day: 2, due_weekend_rule: 'after', autopay: true },
        ...{ first_closing_date: '2024-01-12', paid_from_id: method },
      },
    ],
    budgets: [{ id: budget, name: 'Home', limit: '500.00', active: true }],
    expense_templates: [
      {
        ...{ id: template, payment_method_id: method, description: 'Rent', currency: 'MXN' },
        ...{ base_amount: '100.00', category: 'fixed', active: true, ...rule() },
        budget_id: budget,
      },
    ],
    income_templates: [
      {
        id: income,
        description: 'Pay',
        currency: 'USD',
        base_amount: '9',
        active: true,
        ...rule(),
      },
    ],
    cycles: [
      {
        ...{ id: cycle, name: 'One', start_date: '2026-01-19', end_date: '2026-03-01' },
        ...{ income_amount: '500.00', status: 'completed' },
        budget_limits: [{ budget_id: budget, limit: '90.00' }],
        side: true,
      },
    ],
    expenses: [
      {
        ...{ id: expense, cycle_id: cycle, payment_method_id: method, template_id: template },
        ...{ ...generated, amount_usd: '5.00', due_date: '2026-02-01', category: 'fixed' },
        ...{ exchange_rate: { rate: '0.050000', rate_date: '2025-01-01' }, status: 'paid' },
        ...{ paid_at: '2026-02-01T10:00:00.000Z', occurrence_date: '2026-02-01' },
        budget_id: budget,
        generated: {
          ...{ ...generated, payment_method_id: method, due_date: '2026-02-01' },
          ...{ category: 'fixed', autopay_info: null },
        },
      },
    ],
    incomes: [
      {
        ...{ id: randomUUID(), cycle_id: cycle, description: 'Pay', currency: 'USD' },
        ...{ amount: '9.00', amount_usd: '9.00', income_date: '2026-02-01' },
      },
    ],
    balances: [
      {
        ...{ id: randomUUID(), payment_method_id: method, currency: 'MXN', amount: '-5.00' },
        ...{ stated_at: '2026-02-01T12:00:00.000Z', expected: '12345678901.50' },
      },
    ],
    card_statements: [
      {
        ...{ id: randomUUID(), payment_method_id: card, from: '2024-01-13', paid: true },
        ...{ closing_date: '2024-02-12', due_date: '2024-03-04', stated_amount: '-1.5' },
        ...{ amount: '12345678901.50', paid_at: '2024-03-02T10:00:00.000Z', paid_amount: '0' },
      },
    ],
    comments: [
      { id: randomUUID(), entity_type: 'cycle_expense', entity_id: expense, body: 'Paid late' },
    ],
  };
}

const CARD_FIELDS = [
  ...['closing_day', 'due_day', 'due_days_after', 'due_weekend_rule', 'first_closing_date'],
  ...['autopay', 'paid_from_id'],
];

/** What a document of version 2 has of one of version 3. */
export function secondVersionOf(document: Document): Document {
  const second: Document = {
    ...{ ...document, schema_version: 2 },
    payment_methods: document.payment_methods.map((row) => withoutFields(row, ...CARD_FIELDS)),
    cycles: document.cycles.map((row) => withoutFields(row, 'side')),
  };
  Reflect.deleteProperty(second, 'balances');
  Reflect.deleteProperty(second, 'card_statements');
  return second;
}

export const withoutFields = (row: Row, ...names: string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

/** Sends the text of a document. */
export const importText = (user: Client, text: string | Buffer): Test =>
  user
    .send('post', '/import')
    .type('json')
    .serialize((body) => body as string)
    .send(text as string);

export const importDocument = (user: Client, document: object): Test =>
  importText(user, JSON.stringify(document));

export const exportText = async (user: Client): Promise<string> =>
  (await user.get('/export').expect(200)).text;

const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;
const TIME = /,"(created_at|updated_at|edited_at|exported_at)":("[^"]*"|null)/g;

/**
 * JSON without the times of records, and with numbers in place of ids, by their first appearance.
 */
export function withoutIdsAndTimes(text: string): string {
  const ids = new Map<string, string>();
  return text.replace(TIME, '').replace(UUID, (id) => {
    const number = ids.get(id) ?? `#${ids.size}`;
    ids.set(id, number);
    return number;
  });
}
