import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import type { BalanceResponse } from '../../../src/balances/dto/balance.dto.js';
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

const reasonsOf = (response: Response): unknown =>
  (response.body as { error: { details: { reasons?: unknown } } }).error.details.reasons;

describe('balances in an exported document', () => {
  it('are imported without deleted ones, and exported again the same', async () => {
    const ana = await service.signUp();
    const method = await ana.createPaymentMethod({ name: 'Bank', default_currency: 'MXN' });
    const stated = { payment_method_id: method.id };
    const first = await ana.createBalance({
      ...{ ...stated, amount: '-5', stated_at: '2026-01-01T00:00:00Z' },
    });
    const deleted = await ana.createBalance({ ...stated, stated_at: '2026-01-02T00:00:00Z' });
    await ana.delete(`/balances/${deleted.id}`).expect(204);
    const second = await ana.createBalance({ ...stated, amount: '7.5' });
    await ana.put(`/payment-methods/${method.id}`, { default_currency: 'USD' }).expect(200);
    await ana.delete(`/payment-methods/${method.id}`).expect(204);
    const text = await exportText(ana);
    const document = JSON.parse(text) as Document;
    expect(document.schema_version).toBe(3);
    expect(document.balances).toEqual(
      [first, second].map(({ payment_method, difference: _difference, ...fields }) => ({
        ...fields,
        payment_method_id: payment_method.id,
      })),
    );

    const luis = await service.signUp();
    const imported = await importText(luis, text).expect(200);
    expect(imported.body).toMatchObject({ imported: { balances: 2 } });
    expect(withoutIdsAndTimes(await exportText(luis))).toBe(withoutIdsAndTimes(text));
    const [copy, oldest] = await luis.read<BalanceResponse[]>('/balances');
    expect([copy, oldest]).toMatchObject([
      { currency: 'MXN', amount: '7.50', stated_at: second.stated_at },
      { currency: 'MXN', amount: '-5.00', stated_at: first.stated_at, expected: null },
    ]);
    expect(copy).toMatchObject({ expected: '-5.00', difference: '12.50' });
    expect(copy?.payment_method.name).toBe('Bank');
    const records = await luis.activityOf('balance', copy?.id ?? '');
    expect(records).toMatchObject([{ action: 'created', changes: { amount: { to: '7.50' } } }]);
    await expectIntegrity(service.dataSource);
  });

  it('versions 1 and 2 have none of them and are still imported', async () => {
    const user = await service.signUp();
    const second = secondVersionOf(sampleDocument());
    const budgets: string[] = ['budget_id', 'budget_limits'];
    const first: Row = { ...withoutFields(second, 'budgets'), schema_version: 1 };
    for (const section of ['expense_templates', 'cycles', 'expenses']) {
      first[section] = (first[section] as Row[]).map((row) => withoutFields(row, ...budgets));
    }
    for (const earlier of [first, second]) {
      const refused = await importDocument(user, { ...earlier, balances: [] });
      expect(reasonsOf(refused)).toEqual({ balances: ['unknown_field'] });
      const cycles = (earlier.cycles as Row[]).map((row) => ({ ...row, side: false }));
      const withSide = await importDocument(user, { ...earlier, cycles });
      expect(reasonsOf(withSide)).toEqual({ 'cycles.0.side': ['unknown_field'] });
    }
    const third = await importDocument(user, { ...second, schema_version: 3 });
    expectError(third, 422, 'VALIDATION_ERROR');
    expect(reasonsOf(third)).toEqual({ balances: ['required'] });
    for (const earlier of [first, second]) {
      const other = await service.signUp();
      const imported = await importDocument(other, earlier).expect(200);
      expect(imported.body).toMatchObject({ imported: { balances: 0, expenses: 1 } });
    }
  });

  it('may be a little later than now, and count as of now', async () => {
    const user = await service.signUp();
    const document = sampleDocument();
    const stated_at = new Date(Date.now() + 60_000).toISOString();
    const balances = document.balances.map((row) => ({ ...row, stated_at }));
    await importDocument(user, { ...document, balances }).expect(200);
    const [balance] = await user.read<BalanceResponse[]>('/balances');
    expect(Date.parse(balance?.stated_at ?? '')).toBeLessThanOrEqual(Date.now());
    expect(balance?.expected).toBe('12345678901.50');
  });
});
