import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import type { BudgetResponse } from '../../../src/budgets/dto/budget.dto.js';
import type { CarryOverResponse } from '../../../src/cycles/dto/carry-over.dto.js';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { IncomeResponse } from '../../../src/incomes/dto/income.dto.js';
import type { IncomeTemplateResponse } from '../../../src/templates/dto/income-template.dto.js';
import type { Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const service = useService();

const referenceTo = ({ id, name }: BudgetResponse) => ({ id, name });

const reasonsOf = (response: Response): unknown =>
  (response.body as { error: { details: { reasons?: unknown } } }).error.details.reasons;

function expectInactive(response: Response): void {
  expectInvalid(response, 'budget_id');
  expect(reasonsOf(response)).toEqual({ budget_id: ['inactive'] });
}

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

const pathOf = ({ id }: { id: string }): string => `/cycles/${cycle.id}/incomes/${id}`;

describe('the budget of an income', () => {
  it('is chosen, changed, cleared, undone, and carried over with the income', async () => {
    const income = await user.createIncome(cycle.id, { budget_id: food.id });
    expect(income.budget).toEqual(referenceTo(food));
    const changed = await user.put(pathOf(income), { budget_id: home.id }).expect(200);
    expect(changed.body).toMatchObject({ budget: referenceTo(home) });
    await user.put(pathOf(income), { budget_id: null }).expect(200);
    expect(await user.lastRecord('cycle_income', income.id)).toMatchObject({
      changes: { budget_id: { from: home.id, to: null } },
    });
    await user.undo(['cycle_income', income.id]);
    expect(await user.read(pathOf(income))).toMatchObject({ budget: referenceTo(home) });
    const next = await user.createCycle();
    const body = { to_cycle_id: next.id, income_ids: [income.id] };
    const moved = await user.post(`/cycles/${cycle.id}/carry-over`, body).expect(200);
    expect((moved.body as CarryOverResponse).moved_incomes).toMatchObject([
      { from_id: income.id, income: { budget: referenceTo(home) } },
    ]);
    await expectIntegrity(service.dataSource);
  });

  it('is refused where it is not the own one, or inactive; what has an inactive one keeps it', async () => {
    const foreign = await (await service.signUpMember(user)).createBudget();
    const income = await user.createIncome(cycle.id, { budget_id: food.id });
    const list = `/cycles/${cycle.id}/incomes`;
    const fields = { description: 'Back', currency: 'USD', amount: '1', income_date: '2026-02-01' };
    for (const budget_id of [foreign.id, UNKNOWN_UUID]) {
      for (const response of [
        await user.post(list, { ...fields, budget_id }),
        await user.put(pathOf(income), { budget_id }),
      ]) {
        expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'budget' });
      }
      const patched = await user.patch(list, { incomes: [{ id: income.id, budget_id }] });
      expectError(patched, 404, 'RESOURCE_NOT_FOUND', { resource: 'budget', index: 0 });
    }
    await user.delete(`/budgets/${food.id}`).expect(204);
    expectInactive(await user.post(list, { ...fields, budget_id: food.id }));
    const kept = await user.put(pathOf(income), { budget_id: food.id, amount: '7.00' }).expect(200);
    expect(kept.body).toMatchObject({ budget: referenceTo(food), amount: '7.00' });
    await user.put(pathOf(income), { budget_id: null }).expect(200);
    expectInactive(await user.put(pathOf(income), { budget_id: food.id }));
    const incomes = [{ id: income.id, budget_id: food.id }];
    const patched = await user.patch(list, { incomes });
    expectError(patched, 422, 'VALIDATION_ERROR');
    expect(patched.body).toMatchObject({
      error: { details: { index: 0, reasons: { 'incomes.0.budget_id': ['inactive'] } } },
    });
  });

  it('is changed with others, and filters the list', async () => {
    const { id } = await user.createIncome(cycle.id, { budget_id: food.id });
    const { id: other } = await user.createIncome(cycle.id);
    const incomes = [
      { id, budget_id: null },
      { id: other, budget_id: home.id, received: true },
    ];
    const patched = await user.patch(`/cycles/${cycle.id}/incomes`, { incomes }).expect(200);
    expect(patched.body).toMatchObject({
      incomes: [{ budget: null }, { budget: referenceTo(home) }],
    });
    const idsOf = async (filter: string): Promise<string[]> =>
      (await user.incomes(cycle.id, `?budget_id=${filter}`)).incomes.map((income) => income.id);
    expect(await idsOf(home.id)).toEqual([other]);
    expect(await idsOf('none')).toEqual([id]);
    expect(await idsOf(UNKNOWN_UUID)).toEqual([]);
  });
});

describe('the budget of an income template', () => {
  const fields = { recurrence_type: 'monthly', recurrence_config: { day_of_month: 20 } };

  it('is that of the incomes that are generated, and fills what has none in a synchronization', async () => {
    const template = await user.createIncomeTemplate({ ...fields, budget_id: food.id });
    expect(template.budget).toEqual(referenceTo(food));
    const generated = await user.createCycle();
    const [income] = (await user.incomes(generated.id)).incomes;
    expect(income?.budget).toEqual(referenceTo(food));
    await user.put(`/cycles/${generated.id}/incomes/${income?.id}`, { budget_id: null });
    await user.post(`/cycles/${generated.id}/sync`, {}).expect(200);
    expect((await user.incomes(generated.id)).incomes[0]?.budget).toEqual(referenceTo(food));
  });

  it('is refused where it is not the own one, or inactive, and is undone', async () => {
    const template = await user.createIncomeTemplate({ ...fields, budget_id: food.id });
    const path = `/income-templates/${template.id}`;
    const foreign = await (await service.signUpMember(user)).createBudget();
    const response = await user.put(path, { budget_id: foreign.id });
    expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'budget' });
    await user.put(path, { budget_id: null }).expect(200);
    const undone = await user.undo(['recurrent_income', template.id]);
    expect(undone.representation).toMatchObject({ budget: referenceTo(food) });
    const list = await user.read<IncomeTemplateResponse[]>(
      `/income-templates?budget_id=${food.id}`,
    );
    expect(list.map(({ id }) => id)).toEqual([template.id]);
    await user.delete(`/budgets/${home.id}`).expect(204);
    expectInactive(await user.put(path, { budget_id: home.id }));
    await expectIntegrity(service.dataSource);
  });
});

describe('a document', () => {
  it('has the currency of budgets and the budget of incomes, also an inactive one', async () => {
    const pesos = await user.createBudget({ name: 'Súper', currency: 'MXN', limit: '900.00' });
    await user.createIncomeTemplate({ budget_id: pesos.id });
    await user.createIncome(cycle.id, { budget_id: food.id });
    for (const { id } of [food, pesos]) await user.delete(`/budgets/${id}`).expect(204);
    const copy = await service.signUp();
    await copy.post('/import', await user.read<object>('/export')).expect(200);
    const budgets = await copy.read<BudgetResponse[]>('/budgets');
    expect(budgets.map(({ name, currency, active }) => [name, currency, active])).toEqual([
      ['Súper', 'MXN', false],
      ['Casa', 'USD', true],
      ['Despensa', 'USD', false],
    ]);
    const [template] = await copy.read<IncomeTemplateResponse[]>('/income-templates');
    expect(template?.budget).toMatchObject({ name: 'Súper' });
    const { cycles } = await copy.read<{ cycles: CycleResponse[] }>('/cycles');
    const incomes: IncomeResponse[] = (await copy.incomes(cycles[0]?.id ?? '')).incomes;
    expect(incomes.map(({ budget }) => budget?.name)).toEqual(['Despensa']);
    await expectIntegrity(service.dataSource);
  });
});
