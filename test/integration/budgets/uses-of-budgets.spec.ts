import { beforeEach, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import type { ActivityResponse } from '../../../src/activity/dto/activity.dto.js';
import type { BudgetResponse } from '../../../src/budgets/dto/budget.dto.js';
import type { ChangesResponse } from '../../../src/changes/dto/changes.dto.js';
import type { CarryOverResponse } from '../../../src/cycles/dto/carry-over.dto.js';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { SyncResponse } from '../../../src/cycles/dto/sync.dto.js';
import type { ExpensePageResponse } from '../../../src/expenses/dto/expense-search.dto.js';
import type { ExpenseResponse } from '../../../src/expenses/dto/expense.dto.js';
import type { ExpenseTemplateResponse } from '../../../src/templates/dto/expense-template.dto.js';
import type { Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const service = useService();

const NOT_FOUND = { resource: 'budget' };
const INACTIVE = { budget_id: ['inactive'] };

const referenceTo = ({ id, name }: BudgetResponse) => ({ id, name });

const reasonsOf = (response: Response): unknown =>
  (response.body as { error: { details: { reasons?: unknown } } }).error.details.reasons;

function expectInactive(response: Response): void {
  expectInvalid(response, 'budget_id');
  expect(reasonsOf(response)).toEqual(INACTIVE);
}

describe('the budget of a template', () => {
  it('is chosen at the creation, changed, cleared, and in the activity', async () => {
    const user = await service.signUp();
    const [food, home] = [await user.createBudget(), await user.createBudget()];
    const template = await user.createTemplate({ budget_id: food.id });
    expect(template.budget).toEqual(referenceTo(food));
    const path = `/expense-templates/${template.id}`;
    const changed = await user.put(path, { budget_id: home.id }).expect(200);
    expect(changed.body).toMatchObject({ budget: referenceTo(home) });
    expect(await user.read(path)).toEqual(changed.body);
    const cleared = await user.put(path, { budget_id: null }).expect(200);
    expect(cleared.body).toMatchObject({ budget: null });
    const records = await user.activityOf('recurrent_expense', template.id);
    expect(records.map(({ changes }) => changes.budget_id)).toEqual([
      { from: null, to: food.id },
      { from: food.id, to: home.id },
      { from: home.id, to: null },
    ]);
    await expectIntegrity(service.dataSource);
  });

  it('is one of the active budgets of the user; what has an inactive one keeps it', async () => {
    const user = await service.signUp();
    const food = await user.createBudget();
    const foreign = await (await service.signUpMember(user)).createBudget();
    const template = await user.createTemplate({ budget_id: food.id });
    const path = `/expense-templates/${template.id}`;
    for (const budget_id of [foreign.id, UNKNOWN_UUID]) {
      const response = await user.put(path, { budget_id });
      expectError(response, 404, 'RESOURCE_NOT_FOUND', NOT_FOUND);
    }
    await user.delete(`/budgets/${food.id}`).expect(204);
    const other = await user.createTemplate();
    expectInactive(await user.put(`/expense-templates/${other.id}`, { budget_id: food.id }));
    const kept = await user.put(path, { budget_id: food.id, base_amount: '7.00' }).expect(200);
    expect(kept.body).toMatchObject({ budget: referenceTo(food), base_amount: '7.00' });
    await user.put(path, { budget_id: null }).expect(200);
    expectInactive(await user.put(path, { budget_id: food.id }));
    // Nor by an undo.
    expectInactive(
      await user.post(
        `/activity/${(await user.lastRecord('recurrent_expense', template.id)).id}/undo`,
      ),
    );
    await user.put(`/budgets/${food.id}`, { active: true }).expect(200);
    const undone = await user.undo(['recurrent_expense', template.id]);
    expect(undone.representation).toMatchObject({ budget: referenceTo(food) });
  });

  it('filters the list', async () => {
    const user = await service.signUp();
    const food = await user.createBudget();
    const { id: withFood } = await user.createTemplate({ budget_id: food.id });
    const { id: without } = await user.createTemplate();
    const idsOf = async (filter: string): Promise<string[]> => {
      const path = `/expense-templates?budget_id=${filter}`;
      return (await user.read<ExpenseTemplateResponse[]>(path)).map(({ id }) => id);
    };
    expect(await idsOf(food.id.toUpperCase())).toEqual([withFood]);
    expect(await idsOf('none')).toEqual([without]);
    expect(await idsOf(UNKNOWN_UUID)).toEqual([]);
    for (const filter of ['', 'None', 'null', food.id.slice(1)]) {
      const response = await user.get(`/expense-templates?budget_id=${filter}`);
      expectInvalid(response, 'budget_id');
      expect(reasonsOf(response)).toEqual({ budget_id: ['not_a_uuid'] });
    }
  });
});

describe('the budget of an expense', () => {
  let user: Client;
  let food: BudgetResponse;
  let home: BudgetResponse;
  let cycle: CycleResponse;

  beforeEach(async () => {
    user = await service.signUp();
    food = await user.createBudget({ name: 'Despensa' });
    home = await user.createBudget({ name: 'Casa' });
    cycle = await user.createCycle();
  });

  const pathOf = ({ id }: { id: string }): string => `/cycles/${cycle.id}/expenses/${id}`;

  it('is chosen, changed, cleared, undone, and carried over with the expense', async () => {
    const expense = await user.createExpense(cycle.id, { budget_id: food.id });
    expect(expense.budget).toEqual(referenceTo(food));
    const changed = await user.put(pathOf(expense), { budget_id: home.id }).expect(200);
    expect(changed.body).toMatchObject({ budget: referenceTo(home), amount: expense.amount });
    expect((await user.get(pathOf(expense))).body).toEqual(changed.body);
    await user.put(pathOf(expense), { budget_id: null }).expect(200);
    const undone = await user.undo(['cycle_expense', expense.id]);
    expect(undone.representation).toMatchObject({ budget: referenceTo(home) });
    await user.delete(`/budgets/${home.id}`).expect(204);
    const next = await user.createCycle({ generate_from_templates: false });
    const carryOver = await user.post(`/cycles/${cycle.id}/carry-over`, { to_cycle_id: next.id });
    const { moved } = carryOver.body as CarryOverResponse;
    expect(moved.map((one) => one.expense.budget)).toEqual([referenceTo(home)]);
    await expectIntegrity(service.dataSource);
  });

  it('is refused where it is not the own one, or inactive', async () => {
    const expense = await user.createExpense(cycle.id);
    const foreign = await (await service.signUp()).createBudget();
    const create = {
      ...{ description: 'Milk', currency: 'USD', amount: '2.00', due_date: '2026-02-01' },
      ...{ category: 'variable', payment_method_id: expense.payment_method.id },
    };
    const path = `/cycles/${cycle.id}/expenses`;
    for (const response of [
      await user.post(path, { ...create, budget_id: foreign.id }),
      await user.put(pathOf(expense), { budget_id: foreign.id }),
    ]) {
      expectError(response, 404, 'RESOURCE_NOT_FOUND', NOT_FOUND);
    }
    await user.delete(`/budgets/${food.id}`).expect(204);
    expectInactive(await user.post(path, { ...create, budget_id: food.id }));
    expectInactive(await user.put(pathOf(expense), { budget_id: food.id }));
    const malformed = await user.put(pathOf(expense), { budget_id: 'food' });
    expectInvalid(malformed, 'budget_id');
  });

  it('is changed with others, each check for all of them before the next', async () => {
    const expenses: ExpenseResponse[] = [];
    for (let n = 0; n < 3; n += 1) {
      expenses.push(await user.createExpense(cycle.id, { budget_id: food.id }));
    }
    const [first, second, third] = expenses as [ExpenseResponse, ExpenseResponse, ExpenseResponse];
    const path = `/cycles/${cycle.id}/expenses`;
    const patched = await user.patch(path, {
      expenses: [
        { id: first.id, budget_id: home.id },
        { id: second.id, budget_id: null },
        { id: third.id, comments: 'Kept' },
      ],
    });
    expect(patched.body).toMatchObject({
      expenses: [
        { budget: referenceTo(home) },
        { budget: null },
        { budget: referenceTo(food), comments: 'Kept' },
      ],
    });
    await user.delete(`/budgets/${home.id}`).expect(204);
    const inactive = await user.patch(path, {
      expenses: [
        { id: first.id, budget_id: home.id },
        { id: third.id, budget_id: home.id },
      ],
    });
    expectError(inactive, 422, 'VALIDATION_ERROR');
    const { error } = inactive.body as { error: { details: Record<string, unknown> } };
    expect(error.details).toMatchObject({
      index: 1,
      reasons: { 'expenses.1.budget_id': ['inactive'] },
    });
    const unknown = await user.patch(path, {
      expenses: [
        { id: third.id, budget_id: home.id },
        { id: second.id, budget_id: UNKNOWN_UUID },
      ],
    });
    expectError(unknown, 404, 'RESOURCE_NOT_FOUND', { ...NOT_FOUND, index: 1 });
    expect((await user.expenses(cycle.id)).expenses.map(({ budget }) => budget?.id)).toEqual([
      home.id,
      undefined,
      food.id,
    ]);
  });

  it('filters lists and searches, with their totals', async () => {
    await user.createExpense(cycle.id, { budget_id: food.id, amount: '10.00', description: 'a' });
    await user.createExpense(cycle.id, { budget_id: home.id, amount: '20.00', description: 'b' });
    await user.createExpense(cycle.id, { amount: '40.00', description: 'c' });
    const totals: Record<string, string> = {
      [food.id]: '10.00',
      [home.id.toUpperCase()]: '20.00',
      none: '40.00',
      [UNKNOWN_UUID]: '0.00',
    };
    for (const [filter, total_amount_usd] of Object.entries(totals)) {
      const list = await user.expenses(cycle.id, `?budget_id=${filter}`);
      expect(list.summary).toMatchObject({ total_amount_usd });
      const path = `/expenses?budget_id=${filter}&q=a`;
      const found = await user.read<ExpensePageResponse>(path);
      expect(found.summary.total_count).toBe(filter === food.id ? 1 : 0);
    }
    const all = await user.read<ExpensePageResponse>(`/expenses?budget_id=${food.id}`);
    expect(all.expenses).toMatchObject([{ budget: referenceTo(food) }]);
    expectInvalid(await user.get('/expenses?budget_id=food'), 'budget_id');
    expectInvalid(await user.get(`/cycles/${cycle.id}/expenses?budget_id=`), 'budget_id');
  });

  it('is in CSV files by its name, and inactive or unknown names are refused', async () => {
    await user.createBudget({ name: '=Viajes' });
    const method = await user.createPaymentMethod({ name: 'Card' });
    const row = (budget: string): string => `2026-02-01,Milk,variable,USD,2.00,Card,${budget}`;
    const importRows = (...budgets: string[]) =>
      user
        .post(`/cycles/${cycle.id}/expenses/import`)
        .set('Content-Type', 'text/csv')
        .send(
          [
            'due_date,description,category,currency,amount,payment_method,budget',
            ...budgets.map(row),
          ].join('\n'),
        );
    await importRows('despensa', "'=Viajes", '', ' ').expect(200);
    const { expenses } = await user.expenses(cycle.id);
    expect(expenses.map(({ budget }) => budget?.name ?? null)).toEqual([
      ...['Despensa', '=Viajes', null, null],
    ]);
    const exported = await user.get(`/cycles/${cycle.id}/expenses.csv`).expect(200);
    const [header, ...lines] = exported.text.split('\r\n');
    expect(header?.split(',').at(-1)).toBe('budget');
    expect(lines.map((line) => line.split(',').at(-1))).toEqual([
      ...['Despensa', "'=Viajes", '', '', ''],
    ]);
    await user
      .post(`/cycles/${cycle.id}/expenses/import`)
      .set('Content-Type', 'text/csv')
      .send(exported.text)
      .expect(200);
    await user.delete(`/budgets/${food.id}`).expect(204);
    await user.createBudget({ name: 'casa' });
    const refused = await importRows('Despensa', 'Fun', 'CASA', 'Casa');
    expectError(refused, 422, 'VALIDATION_ERROR');
    const { error } = refused.body as { error: { details: Record<string, unknown> } };
    expect(error.details.row_reasons).toEqual({
      2: { budget: ['inactive'] },
      3: { budget: ['not_found'] },
      4: { budget: ['ambiguous'] },
    });
    expect(method.active).toBe(true);
  });

  it('is in the calendar, which changes with its name', async () => {
    const feed = await user.createCalendarFeed();
    const today = new Date().toISOString().slice(0, 10);
    await user.createExpense(cycle.id, { due_date: today, budget_id: food.id });
    const { pathname } = new URL(feed.url);
    const calendar = async (): Promise<string> =>
      (await request(service.server).get(pathname).expect(200)).text;
    expect(await calendar()).toContain(String.raw`\nBudget: Despensa\nStatus`);
    await user.put(`/budgets/${food.id}`, { name: 'Comida' }).expect(200);
    expect(await calendar()).toContain('Budget: Comida');
  });

  it('is told by changes', async () => {
    const first = await user.read<ChangesResponse>('/changes?limit=500');
    const { changes } = first;
    expect(changes.filter((change) => change.entity_type === 'budget')).toMatchObject([
      { entity_id: food.id, cycle_id: null, deleted: false, representation: { name: 'Despensa' } },
      { entity_id: home.id },
    ]);
    await user.put(`/budgets/${food.id}`, { limit: '5.00' }).expect(200);
    await user.delete(`/budgets/${home.id}`).expect(204);
    const next = await user.read<ChangesResponse>(`/changes?since=${first.next}`);
    expect(next.changes).toMatchObject([
      { entity_id: food.id, representation: { limit: '5.00' } },
      { entity_id: home.id, deleted: false, representation: { active: false } },
    ]);
  });
});

describe('generation and synchronization', () => {
  let user: Client;
  let food: BudgetResponse;
  let home: BudgetResponse;
  let template: ExpenseTemplateResponse;

  beforeEach(async () => {
    user = await service.signUp();
    food = await user.createBudget();
    home = await user.createBudget();
    template = await user.createTemplate({ budget_id: food.id });
  });

  const synchronize = async (cycle: CycleResponse): Promise<SyncResponse> => {
    const announced = await user.read<SyncResponse>(`/cycles/${cycle.id}/sync`);
    const response = await user.post(`/cycles/${cycle.id}/sync`).expect(200);
    expect(response.body).toEqual(announced);
    return announced;
  };

  const expensesOf = async (cycle: CycleResponse): Promise<[ExpenseResponse, ExpenseResponse]> => {
    const { expenses } = await user.expenses(cycle.id);
    return expenses as [ExpenseResponse, ExpenseResponse];
  };

  const setBudget = (budget_id: string | null) =>
    user.put(`/expense-templates/${template.id}`, { budget_id }).expect(200);

  it('a generated expense has the budget of its template, also an inactive one', async () => {
    await user.delete(`/budgets/${food.id}`).expect(204);
    const cycle = await user.createCycle();
    const [first, second] = await expensesOf(cycle);
    expect([first.budget, second.budget]).toEqual([referenceTo(food), referenceTo(food)]);
    expect(await user.read(`/cycles/${cycle.id}/sync`)).toMatchObject({
      change: [],
      protected: [],
    });
  });

  it('a synchronization gives the budget to what has none, and leaves another one alone', async () => {
    await setBudget(null);
    const cycle = await user.createCycle();
    const [first, second] = await expensesOf(cycle);
    const path = `/cycles/${cycle.id}/expenses`;
    await user.put(`${path}/${second.id}`, { budget_id: home.id }).expect(200);
    await setBudget(food.id);
    expect(await synchronize(cycle)).toEqual({
      add: [],
      change: [
        {
          ...{ id: first.id, entity_type: 'cycle_expense' },
          changes: { budget_id: { from: null, to: food.id } },
        },
      ],
      remove: [],
      protected: [],
    });
    expect((await expensesOf(cycle)).map(({ budget }) => budget?.id)).toEqual([food.id, home.id]);
    // A budget that the template has no more is left alone too.
    await setBudget(null);
    expect(await synchronize(cycle)).toMatchObject({ change: [], protected: [] });
    await expectIntegrity(service.dataSource);
  });

  it('what is protected gets no budget, and is not named for that alone', async () => {
    await setBudget(null);
    const cycle = await user.createCycle();
    const [first, second] = await expensesOf(cycle);
    const path = `/cycles/${cycle.id}/expenses`;
    await user.put(`${path}/${first.id}`, { paid: true }).expect(200);
    await user.put(`${path}/${second.id}`, { description: 'Edited' }).expect(200);
    await setBudget(food.id);
    expect(await synchronize(cycle)).toEqual({
      ...{ add: [], change: [], remove: [] },
      protected: [{ id: second.id, entity_type: 'cycle_expense', reason: 'edited' }],
    });
    expect((await expensesOf(cycle)).map(({ budget }) => budget)).toEqual([null, null]);
  });

  it('a budget that was cleared by hand comes back; a choice by hand is no edit', async () => {
    const cycle = await user.createCycle();
    const [first, second] = await expensesOf(cycle);
    const path = `/cycles/${cycle.id}/expenses`;
    await user.put(`${path}/${first.id}`, { budget_id: null }).expect(200);
    await user.put(`${path}/${second.id}`, { budget_id: home.id }).expect(200);
    await user.put(`/expense-templates/${template.id}`, { base_amount: '1300.00' }).expect(200);
    const { change } = await synchronize(cycle);
    expect(change).toMatchObject([
      { id: first.id, changes: { budget_id: { from: null, to: food.id } } },
      { id: second.id },
    ]);
    expect(change[1]?.changes).not.toHaveProperty('budget_id');
    expect((await expensesOf(cycle)).map(({ budget }) => budget?.id)).toEqual([food.id, home.id]);
  });

  it('what an undo of a synchronization took back stays, and the undo can be undone', async () => {
    await setBudget(null);
    const cycle = await user.createCycle();
    await setBudget(food.id);
    const synchronized = await user.post(`/cycles/${cycle.id}/sync`).expect(200);
    const undone = await user.undoOperation(synchronized);
    expect((await expensesOf(cycle)).map(({ budget }) => budget)).toEqual([null, null]);
    expect(await synchronize(cycle)).toEqual({ add: [], change: [], remove: [], protected: [] });
    await user.undoOperation(undone.operation_id ?? '');
    expect((await expensesOf(cycle)).map(({ budget }) => budget?.id)).toEqual([food.id, food.id]);
    await expectIntegrity(service.dataSource);
  });

  it('the undo of a change by hand is no undo of a synchronization', async () => {
    await setBudget(null);
    const cycle = await user.createCycle();
    const [first] = await expensesOf(cycle);
    const path = `/cycles/${cycle.id}/expenses/${first.id}`;
    await user.put(path, { budget_id: home.id }).expect(200);
    await user.undo(['cycle_expense', first.id]);
    await setBudget(food.id);
    const { change } = await synchronize(cycle);
    expect(change.map(({ id }) => id)).toContain(first.id);
  });

  it('records in the activity which budget an expense began with', async () => {
    const cycle = await user.createCycle();
    const [first] = await expensesOf(cycle);
    const [created] = (await user.activityOf('cycle_expense', first.id)) as [ActivityResponse];
    expect(created.changes.budget_id).toEqual({ from: null, to: food.id });
  });
});
