import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import type { BudgetResponse } from '../../../src/budgets/dto/budget.dto.js';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { ExpenseTemplateResponse } from '../../../src/templates/dto/expense-template.dto.js';
import type { Client } from '../../support/client.js';
import {
  exportText,
  importText,
  sampleDocument,
  secondVersionOf,
  withoutIdsAndTimes,
  type Document,
  type Row,
} from '../../support/data-document.js';
import { expectError } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { useService } from '../../support/service.js';

const service = useService();

const importOf = (user: Client, document: object) => user.post('/import', document);

const reasonsOf = (response: Response): unknown =>
  (response.body as { error: { details: { reasons?: unknown } } }).error.details.reasons;

const withFields = (
  document: Document,
  section: 'budgets' | 'cycles' | 'expenses' | 'incomes' | 'income_templates',
  fields: Row,
): Document => ({
  ...document,
  [section]: document[section].map((row, index) => (index === 0 ? { ...row, ...fields } : row)),
});

describe('budgets in an exported document', () => {
  it('are imported with what refers to them, and exported again the same', async () => {
    const ana = await service.signUp();
    const home = await ana.createBudget({ name: 'Casa', limit: '300.00' });
    const food = await ana.createBudget({ name: 'Despensa', limit: '200.00' });
    const old = await ana.createBudget({ name: 'Antes' });
    await ana.delete(`/budgets/${old.id}`).expect(204);
    await ana.createTemplate({ budget_id: food.id });
    const cycle = await ana.createCycle();
    const budget_limits = [
      { budget_id: food.id, limit: '7.00' },
      { budget_id: home.id, limit: '5.00' },
    ];
    await ana.put(`/cycles/${cycle.id}`, { budget_limits }).expect(200);
    await ana.createExpense(cycle.id, { budget_id: home.id });
    const document = await ana.read<Document>('/export');
    expect(document).toMatchObject({ schema_version: 3 });
    expect(document.budgets).toMatchObject([
      { id: home.id, name: 'Casa', limit: '300.00', active: true },
      { name: 'Despensa' },
      { name: 'Antes', limit: null, active: false },
    ]);

    const luis = await service.signUp();
    const imported = await importOf(luis, document).expect(200);
    expect(imported.body).toMatchObject({ imported: { budgets: 3 } });
    const budgets = await luis.read<BudgetResponse[]>('/budgets');
    expect(budgets.map(({ name, active }) => [name, active])).toEqual([
      ...[
        ['Antes', false],
        ['Despensa', true],
        ['Casa', true],
      ],
    ]);
    const idOf = (name: string): string | undefined =>
      budgets.find((budget) => budget.name === name)?.id;
    const { cycles } = await luis.read<{ cycles: CycleResponse[] }>('/cycles');
    expect(cycles[0]?.budget_limits).toEqual([
      { budget_id: idOf('Casa'), limit: '5.00' },
      { budget_id: idOf('Despensa'), limit: '7.00' },
    ]);
    const { expenses } = await luis.expenses(cycles[0]?.id ?? '');
    expect(expenses.map(({ budget }) => budget?.name)).toEqual(['Despensa', 'Despensa', 'Casa']);
    const [created] = await luis.activityOf('budget', idOf('Casa') ?? '');
    expect(created).toMatchObject({ action: 'created', changes: { limit: { to: '300.00' } } });
    await expectIntegrity(service.dataSource);
  });

  it('an inactive one that a template, a cycle and an expense have is kept by their copies', async () => {
    const ana = await service.signUp();
    const { id: budget_id } = await ana.createBudget({ name: 'Despensa', limit: '200.00' });
    await ana.createTemplate({ budget_id });
    await ana.createCycle();
    await ana.delete(`/budgets/${budget_id}`).expect(204);
    const text = await exportText(ana);

    const luis = await service.signUp();
    await importText(luis, text).expect(200);
    expect(withoutIdsAndTimes(await exportText(luis))).toBe(withoutIdsAndTimes(text));
    const [budget] = await luis.read<BudgetResponse[]>('/budgets');
    expect(budget).toMatchObject({ name: 'Despensa', active: false });
    const reference = { id: budget?.id, name: 'Despensa' };
    const [template] = await luis.read<ExpenseTemplateResponse[]>('/expense-templates');
    expect(template?.budget).toEqual(reference);
    const { cycles } = await luis.read<{ cycles: CycleResponse[] }>('/cycles');
    expect(cycles[0]?.budget_limits).toEqual([{ budget_id: budget?.id, limit: '200.00' }]);
    const { expenses } = await luis.expenses(cycles[0]?.id ?? '');
    expect(expenses.map((expense) => expense.budget)).toEqual([reference, reference]);
    await expectIntegrity(service.dataSource);

    // What has it keeps it, and nothing can choose it.
    const path = `/cycles/${cycles[0]?.id ?? ''}/expenses/${expenses[0]?.id ?? ''}`;
    const refused = await luis.put(path, { budget_id: budget?.id });
    expect(refused.body).toMatchObject({ budget: reference });
    await luis.put(path, { budget_id: null }).expect(200);
    expect(reasonsOf(await luis.put(path, { budget_id: budget?.id }))).toEqual({
      budget_id: ['inactive'],
    });
  });

  it('an import with an inactive one is undone, and its undo too', async () => {
    const ana = await service.signUp();
    const document = sampleDocument();
    const cycles = document.cycles.map((row) => ({ ...row, status: 'active' }));
    const budgets = document.budgets.map((row) => ({ ...row, active: false }));
    const imported = await importOf(ana, { ...document, cycles, budgets, comments: [] });
    const before = await exportText(ana);
    const undo = await ana.undoOperation(imported);
    expect(await ana.read('/cycles')).toMatchObject({ cycles: [] });
    // There is nothing to take back of the inactive budget and the inactive payment method.
    expect(undo.records.map(({ entity_type }) => entity_type)).toEqual([
      ...['card_statement', 'balance', 'cycle', 'recurrent_income', 'recurrent_expense'],
      'payment_method',
    ]);
    for (const { activity_id, entity_type, entity_id } of undo.records) {
      const [record] = (await ana.activityOf(entity_type, entity_id)).slice(-1);
      expect(record).toMatchObject({ id: activity_id });
    }
    await ana.undoOperation(undo.operation_id ?? '');
    expect(withoutIdsAndTimes(await exportText(ana))).toBe(withoutIdsAndTimes(before));
    await expectIntegrity(service.dataSource);

    const [budget] = await ana.read<BudgetResponse[]>('/budgets');
    const [created] = await ana.activityOf('budget', budget?.id ?? '');
    const path = `/activity/${created?.id ?? ''}/undo`;
    const fields = { active: ['active has changed since'] };
    expectError(await ana.post(path), 409, 'RESOURCE_CONFLICT', { resource: 'budget', fields });
  });

  it('an account with a budget is not empty', async () => {
    const user = await service.signUp();
    await user.createBudget();
    const refused = await importOf(user, sampleDocument());
    expectError(refused, 409, 'RESOURCE_CONFLICT', { resource: 'account' });
  });

  it('version 1 has none of them and is still imported', async () => {
    const user = await service.signUp();
    const second = secondVersionOf(withoutBudgets(sampleDocument()));
    const first = { ...second, schema_version: 1 };
    Reflect.deleteProperty(first, 'budgets');
    const refusals: [object, Record<string, string[]>][] = [
      [{ ...first, budgets: [] }, { budgets: ['unknown_field'] }],
      [
        withFields(first, 'expenses', { budget_id: null }),
        { 'expenses.0.budget_id': ['unknown_field'] },
      ],
      [
        withFields(first, 'cycles', { budget_limits: [] }),
        { 'cycles.0.budget_limits': ['unknown_field'] },
      ],
      [{ ...first, schema_version: 4 }, { schema_version: ['not_an_option'] }],
      [{ ...first, schema_version: 2 }, { budgets: ['required'] }],
    ];
    for (const [document, reasons] of refusals) {
      const refused = await importOf(user, document);
      expectError(refused, 422, 'VALIDATION_ERROR');
      expect(reasonsOf(refused)).toEqual(reasons);
    }
    const imported = await importOf(user, first).expect(200);
    expect(imported.body).toMatchObject({ imported: { budgets: 0, expenses: 1 } });
    await expectIntegrity(service.dataSource);
  });

  it.each([
    ['budgets', 'currency', 'USD'],
    ['incomes', 'budget_id', null],
    ['income_templates', 'budget_id', null],
  ] as const)('version 2 has no %s.%s', async (section, field, value) => {
    const user = await service.signUp();
    const second = secondVersionOf(sampleDocument());
    const refused = await importOf(user, withFields(second, section, { [field]: value }));
    expectError(refused, 422, 'VALIDATION_ERROR');
    expect(reasonsOf(refused)).toEqual({ [`${section}.0.${field}`]: ['unknown_field'] });
    await importOf(user, second).expect(200);
  });

  it('refuses references to a budget that is unknown, at their place', async () => {
    const user = await service.signUp();
    const document = withoutBudgets(sampleDocument());
    const [active, other, unknown] = ['a', 'b', 'c'].map(
      (letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`,
    );
    const budgets = [
      { id: active, name: 'A', active: true },
      { id: other, name: 'B', active: false, limit: '1' },
    ];
    const limit = (budget_id: string | undefined): object => ({ budget_id, limit: '5.00' });
    const wrong = {
      ...withFields(document, 'expenses', { budget_id: unknown }),
      budgets,
      cycles: [{ ...document.cycles[0], budget_limits: [limit(active), limit(unknown)] }],
      expense_templates: [{ ...document.expense_templates[0], budget_id: unknown }],
    };
    const refused = await importOf(user, wrong);
    expectError(refused, 422, 'VALIDATION_ERROR');
    expect(reasonsOf(refused)).toEqual({
      'expense_templates.0.budget_id': ['not_found'],
      'cycles.0.budget_limits.1.budget_id': ['not_found'],
      'expenses.0.budget_id': ['not_found'],
    });
    const repeated = await importOf(user, {
      ...{ ...document, budgets: [...budgets, { ...budgets[0], id: unknown }] },
    });
    expect(reasonsOf(repeated)).toEqual({ 'budgets.2': ['repeated'] });
    const many = Array.from({ length: 51 }, (_, n) => ({ ...budgets[0], name: `${n}` }));
    const tooMany = await importOf(user, { ...document, budgets: many });
    expect(reasonsOf(tooMany)).toEqual({ 'budgets.50': ['too_many'] });
    const twice = [limit(active), limit(active)];
    const cycles = [{ ...document.cycles[0], budget_limits: twice }];
    const repeatedLimit = await importOf(user, { ...document, budgets, cycles });
    expect(reasonsOf(repeatedLimit)).toEqual({
      'cycles.0.budget_limits.1.budget_id': ['repeated'],
    });
  });
});

/** The document with no reference to a budget. */
function withoutBudgets(document: Document): Document {
  const without = ({ budget_id: _id, budget_limits: _limits, ...row }: Row): Row => row;
  return {
    ...document,
    budgets: [],
    expense_templates: document.expense_templates.map(without),
    cycles: document.cycles.map(without),
    expenses: document.expenses.map(without),
  };
}
