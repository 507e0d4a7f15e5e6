import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import type { BudgetResponse } from '../../../src/budgets/dto/budget.dto.js';
import type { ChangesResponse } from '../../../src/changes/dto/changes.dto.js';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { PreviewResponse } from '../../../src/cycles/dto/preview.dto.js';
import type { Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const service = useService();

describe('the limits of a cycle', () => {
  let user: Client;
  let food: BudgetResponse;
  let home: BudgetResponse;

  beforeEach(async () => {
    user = await service.signUp();
    food = await user.createBudget({ name: 'Despensa', limit: '400.00' });
    await user.createBudget({ name: 'Viajes' });
    home = await user.createBudget({ name: 'Casa', limit: 1200.5 });
    const old = await user.createBudget({ name: 'Antes', limit: '1.00' });
    await user.delete(`/budgets/${old.id}`).expect(204);
  });

  const limits = (...amounts: [BudgetResponse, string][]) =>
    amounts.map(([{ id }, limit]) => ({ budget_id: id, limit }));

  const put = (cycle: CycleResponse, budget_limits: unknown) =>
    user.put(`/cycles/${cycle.id}`, { budget_limits });

  const reasonsOf = (response: Response): unknown =>
    (response.body as { error: { details: { reasons?: unknown } } }).error.details.reasons;

  it('are those of the active budgets at its creation, in the order of theirs', async () => {
    for (const generate_from_templates of [true, false]) {
      const cycle = await user.createCycle({ generate_from_templates });
      expect(cycle.budget_limits).toEqual(limits([food, '400.00'], [home, '1200.50']));
      expect(await user.cycle(cycle.id)).toEqual(cycle);
      const [created] = await user.activityOf('cycle', cycle.id);
      expect(created?.changes.budget_limits).toEqual({ from: null, to: cycle.budget_limits });
    }
    const body = { name: 'x', start_date: '2026-01-19', end_date: '2026-03-01', income_amount: 0 };
    expectInvalid(await user.post('/cycles', { ...body, budget_limits: [] }), 'budget_limits');
    await expectIntegrity(service.dataSource);
  });

  it('do not follow later changes of budgets', async () => {
    const cycle = await user.createCycle();
    await user.put(`/budgets/${food.id}`, { limit: null }).expect(200);
    await user.delete(`/budgets/${home.id}`).expect(204);
    expect(await user.cycle(cycle.id)).toEqual(cycle);
    expect((await user.createCycle()).budget_limits).toEqual([]);
  });

  it('are replaced as a whole, in any order, recorded and undone', async () => {
    const cycle = await user.createCycle();
    const before = await user.read<ChangesResponse>('/changes?limit=500');
    const wanted = limits([home, '7.1'], [food, '.50']);
    const changed = await put(cycle, wanted).expect(200);
    const stored = limits([food, '0.50'], [home, '7.10']);
    expect(changed.body).toMatchObject({ budget_limits: stored, name: cycle.name });
    const record = await user.lastRecord('cycle', cycle.id);
    expect(record).toMatchObject({
      action: 'updated',
      changes: { budget_limits: { from: cycle.budget_limits, to: stored } },
    });
    const { changes } = await user.read<ChangesResponse>(`/changes?since=${before.next}`);
    expect(changes).toMatchObject([
      { entity_id: cycle.id, representation: changed.body as object },
    ]);
    // The same again is no change.
    const again = await put(cycle, stored).expect(200);
    expect(again.body).toEqual(changed.body);
    expect((await user.lastRecord('cycle', cycle.id)).id).toBe(record.id);
    await put(cycle, []).expect(200);
    await user.delete(`/budgets/${food.id}`).expect(204);
    // An undo may bring the limit of an inactive budget back.
    const undone = await user.undo(['cycle', cycle.id]);
    expect(undone.representation).toMatchObject({ budget_limits: stored });
    await expectIntegrity(service.dataSource);
  });

  it('of an inactive budget may stay, go and change, but not come', async () => {
    const cycle = await user.createCycle();
    await user.delete(`/budgets/${food.id}`).expect(204);
    await put(cycle, limits([food, '5.00'])).expect(200);
    await put(cycle, limits([food, '6.00'], [home, '1.00'])).expect(200);
    await put(cycle, limits([home, '1.00'])).expect(200);
    const refused = await put(cycle, limits([home, '1.00'], [food, '6.00']));
    expectInvalid(refused, 'budget_limits.1.budget_id');
    expect(reasonsOf(refused)).toEqual({ 'budget_limits.1.budget_id': ['inactive'] });
  });

  it.each<[string, (ids: { food: string }) => unknown, Record<string, string[]>]>([
    ['null', () => null, { budget_limits: ['null'] }],
    ['an object', () => ({}), { budget_limits: ['not_an_array'] }],
    ['elements of another type', () => [null, 5], { 'budget_limits.1': ['not_an_object'] }],
    [
      'a budget twice',
      (ids) => [
        { budget_id: ids.food, limit: '1' },
        { budget_id: ids.food.toUpperCase(), limit: '2' },
      ],
      { 'budget_limits.1.budget_id': ['repeated'] },
    ],
    [
      'limits that are not greater than 0, unknown and missing fields',
      (ids) => [{ budget_id: ids.food, limit: '0.00', name: 'x' }, { limit: '-1' }],
      {
        'budget_limits.0.limit': ['not_an_amount'],
        'budget_limits.0.name': ['unknown_field'],
        'budget_limits.1.budget_id': ['required'],
        'budget_limits.1.limit': ['not_an_amount'],
      },
    ],
    [
      'one too many',
      () => Array.from({ length: 51 }, (_, n) => ({ budget_id: uuid(n), limit: '1' })),
      { budget_limits: ['too_many'] },
    ],
  ])('refuse %s', async (_kind, valueOf, reasons) => {
    const cycle = await user.createCycle();
    const refused = await put(cycle, valueOf({ food: food.id }));
    expectError(refused, 422, 'VALIDATION_ERROR');
    const found = Object.entries(reasonsOf(refused) as Record<string, string[]>);
    expect(Object.fromEntries(found.filter(([path]) => path in reasons))).toEqual(reasons);
    expect(await user.cycle(cycle.id)).toEqual(cycle);
  });

  it('refuse budgets that are not the own ones, with the index', async () => {
    const cycle = await user.createCycle();
    const foreign = await (await service.signUpMember(user)).createBudget();
    for (const id of [foreign.id, UNKNOWN_UUID]) {
      const refused = await put(cycle, [...limits([food, '1.00']), { budget_id: id, limit: '1' }]);
      expectError(refused, 404, 'RESOURCE_NOT_FOUND', { resource: 'budget', index: 1 });
    }
  });

  it('of a completed cycle do not change', async () => {
    const cycle = await user.createCycle();
    await user.put(`/cycles/${cycle.id}`, { status: 'completed' }).expect(200);
    expectError(await put(cycle, []), 409, 'CYCLE_ALREADY_COMPLETED');
  });

  it('are in the preview, which warns of those that generation exceeds', async () => {
    const period = { start_date: '2026-01-19', end_date: '2026-03-01', income_amount: '9000.00' };
    await user.createTemplate({ base_amount: '200.00', budget_id: food.id });
    await user.createTemplate({ base_amount: '600.26', budget_id: home.id });
    await user.createTemplate({ base_amount: '9.00' });
    const preview = (await user.post('/cycles/preview', period)).body as PreviewResponse;
    expect(preview.cycle.budget_limits).toEqual(limits([food, '400.00'], [home, '1200.50']));
    expect(preview.expenses.map(({ budget }) => budget?.name ?? null).sort()).toEqual([
      ...['Casa', 'Casa', 'Despensa', 'Despensa', null, null],
    ]);
    const { id, name } = home;
    expect(preview.warnings.filter(({ code }) => code === 'over_limit')).toEqual([
      {
        code: 'over_limit',
        message: expect.any(String),
        details: {
          budgets: [
            {
              ...{ budget: { id, name }, currency: 'USD', limit: '1200.50' },
              ...{ total_amount: '1200.52', refunded_amount: '0.00' },
            },
          ],
        },
      },
    ]);
    const created = await user.createCycle(period);
    expect(created.budget_limits).toEqual(preview.cycle.budget_limits);
  });

  it('are exceeded in the currency of the budget, by what no refund gives back', async () => {
    const period = { start_date: '2026-01-19', end_date: '2026-02-18', income_amount: '9000.00' };
    const pesos = await user.createBudget({ name: 'Súper', currency: 'MXN', limit: '12000.00' });
    const fields = { budget_id: pesos.id, recurrence_type: 'monthly' };
    await user.createTemplate({
      ...{ ...fields, currency: 'MXN', base_amount: '12000.00' },
      recurrence_config: { day_of_month: 1 },
    });
    const overLimit = async () =>
      ((await user.post('/cycles/preview', period)).body as PreviewResponse).warnings
        .filter(({ code }) => code === 'over_limit')
        .map(({ details }) => details);
    expect(await overLimit()).toEqual([]);
    // 4.00 pesos at 0.05.
    const expense = { ...fields, recurrence_config: { day_of_month: 1 } };
    await user.createTemplate({ ...expense, currency: 'USD', base_amount: '0.20' });
    await user.createIncomeTemplate({ ...expense, currency: 'MXN', base_amount: '3.00' });
    const { id, name } = pesos;
    expect(await overLimit()).toEqual([
      {
        budgets: [
          {
            ...{ budget: { id, name }, currency: 'MXN', limit: '12000.00' },
            ...{ total_amount: '12004.00', refunded_amount: '3.00' },
          },
        ],
      },
    ]);
    await user.createIncomeTemplate({ ...expense, currency: 'MXN', base_amount: '1.00' });
    expect(await overLimit()).toEqual([]);
  });
});

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
