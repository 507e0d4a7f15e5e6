import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { without } from '../../model/views.js';
import {
  exportText,
  importDocument,
  importText,
  sampleDocument,
  withoutIdsAndTimes,
  type Document,
  type Row,
} from '../../support/data-document.js';
import { expectIntegrity } from '../../support/integrity.js';
import { useService } from '../../support/service.js';

const service = useService();

const reasonsOf = (response: Response): unknown =>
  (response.body as { error: { details: { reasons?: unknown } } }).error.details.reasons;

const PLAN = {
  amount_changes: [{ from: '2026-02-01', amount: '7.50' }],
  last_amount: '5.00',
  skipped_dates: ['2026-03-01'],
  recurrence_type: 'monthly',
  recurrence_config: { day_of_month: 1 },
  starts_on: '2026-01-01',
  ends_on: '2026-12-31',
};

type Section = 'expense_templates' | 'income_templates' | 'expenses' | 'incomes';

const withFields = (document: Document, section: Section, fields: Row): Document => ({
  ...document,
  [section]: document[section].map((row) => ({ ...row, ...fields })),
});

describe('amounts of templates and instalments in an exported document', () => {
  it('are imported, and exported again the same', async () => {
    const ana = await service.signUp();
    await ana.createTemplate(PLAN);
    await ana.createIncomeTemplate({ ...PLAN, last_amount: null });
    await ana.createTemplate();
    await ana.createCycle();
    const text = await exportText(ana);
    const document = JSON.parse(text) as Document;
    const { amount_changes, last_amount, skipped_dates } = PLAN;
    expect(document.expense_templates).toMatchObject([
      { amount_changes, last_amount, skipped_dates },
      { amount_changes: [], last_amount: null, skipped_dates: [] },
    ]);
    expect(document.income_templates).toMatchObject([
      { amount_changes, last_amount: null, skipped_dates },
    ]);
    // The occurrence of March is skipped.
    const second = { number: 2, count: 11 };
    expect(document.expenses).toMatchObject([
      { amount: '7.50', instalment: second },
      { instalment: null },
      { instalment: null },
    ]);
    expect(document.incomes).toMatchObject([{ amount: '7.50', instalment: second }]);

    const luis = await service.signUp();
    await importText(luis, text).expect(200);
    expect(withoutIdsAndTimes(await exportText(luis))).toBe(withoutIdsAndTimes(text));
    const [template] = await luis.read<{ id: string }[]>('/income-templates');
    const [record] = await luis.activityOf('recurrent_income', template?.id ?? '');
    expect(record).toMatchObject({
      changes: { amount_changes: { to: amount_changes }, skipped_dates: { to: skipped_dates } },
    });
    await expectIntegrity(service.dataSource);
  });

  it('are absent from documents of the version before them, which are imported with none', async () => {
    const user = await service.signUp();
    await importDocument(user, sampleDocument()).expect(200);
    const none = { amount_changes: [], last_amount: null, skipped_dates: [] };
    expect(await user.read('/expense-templates')).toMatchObject([none]);
    expect(await user.read('/income-templates')).toMatchObject([none]);
    const exported = JSON.parse(await exportText(user)) as Document;
    expect([...exported.expenses, ...exported.incomes]).toMatchObject([
      { instalment: null },
      { instalment: null },
    ]);
  });

  it.each<[Section, string, unknown]>([
    ['expense_templates', 'amount_changes', []],
    ['expense_templates', 'last_amount', null],
    ['income_templates', 'skipped_dates', []],
    ['expenses', 'instalment', null],
    ['incomes', 'instalment', null],
  ])('versions 1 and 2 refuse them in %s: %s', async (section, field, value) => {
    const user = await service.signUp();
    const sample = withFields(sampleDocument(), section, { [field]: value });
    const second = without(sample, 'balances', 'card_statements');
    const first = without(second, 'budgets');
    for (const earlier of [
      { ...first, schema_version: 1 },
      { ...second, schema_version: 2 },
    ]) {
      const refused = await importDocument(user, earlier);
      expect(reasonsOf(refused)).toMatchObject({ [`${section}.0.${field}`]: ['unknown_field'] });
    }
    await importDocument(user, sample).expect(200);
  });

  it.each<[Section, Row, Record<string, string[]>]>([
    ['expense_templates', { last_amount: '5.00' }, { last_amount: ['contradiction'] }],
    ['income_templates', { amount_changes: [{}] }, { 'amount_changes.0.from': ['required'] }],
    [
      'income_templates',
      { skipped_dates: ['2026-01-02', '2026-01-01'] },
      { skipped_dates: ['out_of_order'] },
    ],
    ['expenses', { instalment: { number: 0, count: 1 } }, { 'instalment.number': ['too_small'] }],
    ['expenses', { instalment: { number: 1, count: 121 } }, { 'instalment.count': ['too_large'] }],
    ['expenses', { instalment: { number: 3, count: 2 } }, { instalment: ['contradiction'] }],
    ['expenses', { instalment: 5 }, { instalment: ['not_an_object'] }],
    ['incomes', { instalment: { number: 1, count: 1 } }, { instalment: ['contradiction'] }],
  ])('in %s, %j is refused at its place', async (section, fields, reasons) => {
    const user = await service.signUp();
    const refused = await importDocument(user, withFields(sampleDocument(), section, fields));
    const places = Object.entries(reasons).map(([field, reason]) => [
      `${section}.0.${field}`,
      reason,
    ]);
    expect(reasonsOf(refused)).toMatchObject(Object.fromEntries(places) as object);
  });
});
