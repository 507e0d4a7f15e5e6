import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { VarianceResponse } from '../../../src/reports/dto/variance.dto.js';
import type { Client } from '../../support/client.js';
import { setTime } from '../../support/clock.js';
import { exportText, importText } from '../../support/data-document.js';
import { useService } from '../../support/service.js';

const service = useService();

/** The first ten months of 2026. */
const month = (number: number, days = 28): Record<string, string> => ({
  start_date: `2026-${String(number).padStart(2, '0')}-01`,
  end_date: `2026-${String(number).padStart(2, '0')}-${String(days)}`,
  income_amount: '0.00',
});

const report = (user: Client, query = ''): Promise<VarianceResponse> =>
  user.read(`/reports/variance${query}`);

/** Changes the only expense of the template in the cycle. */
async function changeExpense(
  user: Client,
  { id: cycleId }: CycleResponse,
  templateId: string,
  change: object,
): Promise<void> {
  const { expenses } = await user.expenses(cycleId);
  const [expense] = expenses.filter(({ template_id }) => template_id === templateId);
  await user.put(`/cycles/${cycleId}/expenses/${expense?.id ?? ''}`, change).expect(200);
}

describe('GET /reports/variance', () => {
  let user: Client;

  beforeEach(async () => {
    setTime('2026-11-20T12:00:00Z');
    user = await service.signUp();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('GET /reports/variance compares a household with its plan, template by template', async () => {
    const { id: pay } = await user.createIncomeTemplate({
      ...{ base_amount: '2000.00', recurrence_type: 'monthly' },
      recurrence_config: { day_of_month: 15 },
    });
    const { id: light } = await user.createTemplate({
      ...{ description: 'Luz', currency: 'MXN', base_amount: '800.00' },
      recurrence_config: { day_of_month: 10 },
    });
    const { id: rent } = await user.createTemplate({ recurrence_config: { day_of_month: 1 } });
    await user.createTemplate({ starts_on: '2027-01-01' });
    const [march, january, february] = [
      await user.createCycle({ name: 'March', ...month(3) }),
      await user.createCycle({ name: 'January', ...month(1) }),
      await user.createCycle({ name: 'February', ...month(2) }),
    ];
    // Light: 2 and 4 days late, and 1 day early, which is a mean of 1 2/3 days.
    await changeExpense(user, january, light, {
      amount: '850.50',
      paid_at: '2026-01-12T10:00:00Z',
      paid: true,
    });
    await changeExpense(user, february, light, {
      amount: '700.00',
      paid_at: '2026-02-14T00:00:00Z',
      paid: true,
    });
    await changeExpense(user, march, light, {
      amount: '900.25',
      paid_at: '2026-03-09T23:59:59.999Z',
      paid: true,
    });
    // Rent: one in another currency, one cancelled, one open.
    await changeExpense(user, january, rent, {
      currency: 'MXN',
      amount: '23000.00',
      paid: true,
      paid_at: '2026-01-01T00:00:00Z',
    });
    await changeExpense(user, february, rent, { status: 'cancelled' });
    const { incomes } = await user.incomes(march.id);
    const received = { received: true, received_at: '2026-03-14T12:00:00Z', amount: '1999.99' };
    await user.put(`/cycles/${march.id}/incomes/${incomes[0]?.id ?? ''}`, received).expect(200);
    const deleted = await user.incomes(january.id);
    await user.delete(`/cycles/${january.id}/incomes/${deleted.incomes[0]?.id ?? ''}`).expect(204);

    await user.createExpense(january.id, { amount: '10.50' });
    await user.createExpense(february.id, { amount: '100.00', currency: 'MXN' });
    const cancelled = await user.createExpense(february.id);
    await user
      .put(`/cycles/${february.id}/expenses/${cancelled.id}`, { status: 'cancelled' })
      .expect(200);
    await user.createIncome(march.id, { amount: '7.25' });

    expect(await report(user)).toEqual({
      cycles: [january, february, march].map(({ id, name, start_date, end_date }) => ({
        ...{ id, name, start_date, end_date },
      })),
      templates: [
        {
          template: {
            ...{ id: light, entity_type: 'recurrent_expense', description: 'Luz' },
            ...{ currency: 'MXN', base_amount: '800.00', active: true },
          },
          ...{ occurrences: 3, settled: 3 },
          ...{ planned: '2400.00', actual: '2450.75', difference: '50.75' },
          mean_days_late: 1.7,
          suggestion: { amount: '850.50', based_on: 3 },
        },
        {
          template: {
            ...{ id: rent, entity_type: 'recurrent_expense', description: 'Rent' },
            ...{ currency: 'USD', base_amount: '1200.00', active: true },
          },
          ...{ occurrences: 2, settled: 1 },
          ...{ planned: '0.00', actual: '0.00', difference: '0.00' },
          ...{ mean_days_late: 0, suggestion: null },
        },
        {
          template: {
            ...{ id: pay, entity_type: 'recurrent_income', description: 'Pay' },
            ...{ currency: 'USD', base_amount: '2000.00', active: true },
          },
          ...{ occurrences: 2, settled: 1 },
          ...{ planned: '2000.00', actual: '1999.99', difference: '-0.01' },
          ...{ mean_days_late: -1, suggestion: null },
        },
      ],
      unplanned: {
        ...{ expense_count: 2, expenses_usd: '15.50' },
        ...{ income_count: 1, incomes_usd: '7.25' },
      },
    });
    expect(
      await report(user, `?cycle_ids=${february.id},${january.id},${february.id}`),
    ).toMatchObject({
      cycles: [{ id: january.id }, { id: february.id }],
      templates: [
        { template: { id: light }, occurrences: 2, planned: '1600.00', mean_days_late: 3 },
        { template: { id: rent }, occurrences: 1, settled: 1 },
        { template: { id: pay }, occurrences: 1, settled: 0, mean_days_late: null },
      ],
      unplanned: { expense_count: 2, income_count: 0 },
    });
  });

  it("GET /reports/variance takes the day of a payment and today in the user's time zone", async () => {
    const { id } = await user.createTemplate({ recurrence_config: { day_of_month: 10 } });
    const january = await user.createCycle(month(1));
    const daysLate = async (paid_at: string, time_zone: string): Promise<unknown> => {
      await changeExpense(user, january, id, { paid: true, paid_at });
      await user.put('/auth/me', { time_zone }).expect(200);
      const { templates } = await report(user, `?cycle_ids=${january.id}`);
      return templates[0]?.mean_days_late;
    };
    expect(await daysLate('2026-01-11T05:59:59.999Z', 'UTC')).toBe(1);
    expect(await daysLate('2026-01-11T05:59:59.999Z', 'America/Mexico_City')).toBe(0);
    expect(await daysLate('2026-01-11T06:00:00Z', 'America/Mexico_City')).toBe(1);
    expect(await daysLate('2026-01-09T23:59:59Z', 'Asia/Kolkata')).toBe(0);
    expect(await daysLate('2026-01-09T18:29:59.999Z', 'Asia/Kolkata')).toBe(-1);
    setTime('2026-11-21T05:59:59Z');
    const other = await service.signUp();
    await other.createCycle({ start_date: '2026-11-21', end_date: '2026-11-30' });
    expect((await report(other)).cycles).toHaveLength(1);
    await other.put('/auth/me', { time_zone: 'America/Mexico_City' }).expect(200);
    expect((await report(other)).cycles).toEqual([]);
  });

  it('GET /reports/variance includes an inactive template, without a suggestion', async () => {
    const { id } = await user.createTemplate({ recurrence_config: { day_of_month: 1 } });
    const cycles: CycleResponse[] = [];
    for (const number of [1, 2, 3]) cycles.push(await user.createCycle(month(number)));
    for (const cycle of cycles)
      await changeExpense(user, cycle, id, { amount: '1.00', paid: true });
    const suggestion = { amount: '1.00', based_on: 3 };
    expect(await report(user)).toMatchObject({ templates: [{ suggestion }] });
    await user.delete(`/expense-templates/${id}`).expect(204);
    expect(await report(user)).toMatchObject({
      templates: [{ template: { id, active: false }, settled: 3, suggestion: null }],
    });
  });

  it.each([
    [['1.00', '2.00'], null],
    [['3.00', '1.00', '2.00'], { amount: '2.00', based_on: 3 }],
    [['1.00', '1.01', '1.02', '1.03'], { amount: '1.02', based_on: 4 }],
    [['0.01', '0.02', '0.02', '0.01'], { amount: '0.02', based_on: 4 }],
    [['5.00', '10.00', '20.00', '10.00'], null],
    [
      ['999999999.98', '999999999.99', '999999999.99', '999999999.98'],
      { amount: '999999999.99', based_on: 4 },
    ],
    [
      // The first three, which are the latest but for the twelve, do not count.
      [
        '900.00',
        '900.00',
        '900.00',
        '1.00',
        '2.00',
        '3.00',
        '4.00',
        '5.00',
        '6.00',
        '7.00',
        '8.00',
        '8.01',
        '8.02',
        '8.03',
        '8.04',
      ],
      { amount: '6.50', based_on: 12 },
    ],
  ])(
    'GET /reports/variance suggests the median of the latest 12 amounts: of %j it is %j',
    async (amounts, suggestion) => {
      const { id } = await user.createTemplate({
        ...{ base_amount: '10.00', recurrence_type: 'custom', starts_on: '2026-01-01' },
        recurrence_config: { interval: 1, unit: 'days' },
        reference_date: '2026-01-01',
      });
      const cycle = await user.createCycle(month(1, 15));
      const { expenses } = await user.expenses(cycle.id);
      const elements = expenses
        .slice(0, amounts.length)
        .map((expense, n) => ({ id: expense.id, amount: amounts[n], paid: true }));
      await user.patch(`/cycles/${cycle.id}/expenses`, { expenses: elements }).expect(200);
      const { templates } = await report(user);
      expect(templates).toMatchObject([{ template: { id }, suggestion }]);
    },
  );

  it('GET /reports/variance compares what it suggests with the amount in force today', async () => {
    const { id } = await user.createTemplate({ recurrence_config: { day_of_month: 1 } });
    for (const number of [1, 2, 3]) {
      const cycle = await user.createCycle(month(number));
      await changeExpense(user, cycle, id, { paid: true, amount: '900.00' });
    }
    const suggested = async (...amounts: [from: string, amount: string][]): Promise<unknown> => {
      const amount_changes = amounts.map(([from, amount]) => ({ from, amount }));
      await user.put(`/expense-templates/${id}`, { amount_changes }).expect(200);
      const { templates } = await report(user);
      expect(templates[0]?.template.base_amount).toBe('1200.00');
      return templates[0]?.suggestion;
    };
    const suggestion = { amount: '900.00', based_on: 3 };
    expect(await suggested(['2026-11-21', '900.00'])).toEqual(suggestion);
    expect(await suggested(['2026-02-01', '800.00'], ['2026-11-20', '900.00'])).toBeNull();
    expect(await suggested(['2026-02-01', '900.00'], ['2026-11-20', '800.00'])).toEqual(suggestion);
  });

  it('GET /reports/variance takes entries in another currency than the template has now for no comparison and no suggestion', async () => {
    const { id } = await user.createTemplate({ recurrence_config: { day_of_month: 1 } });
    for (const number of [1, 2, 3]) {
      await changeExpense(user, await user.createCycle(month(number)), id, { paid: true });
    }
    await user.put(`/expense-templates/${id}`, { currency: 'MXN' }).expect(200);
    expect(await report(user)).toMatchObject({
      templates: [
        { occurrences: 3, settled: 3, planned: '0.00', actual: '0.00', suggestion: null },
      ],
    });
  });

  it('GET /reports/variance counts imported entries and suggests an amount, but compares them with no plan', async () => {
    const { id } = await user.createTemplate({ recurrence_config: { day_of_month: 1 } });
    for (const number of [1, 2, 3]) {
      const cycle = await user.createCycle(month(number));
      await changeExpense(user, cycle, id, { paid: true, amount: '1300.00' });
    }
    const copy = await service.signUp();
    await importText(copy, await exportText(user)).expect(200);
    const suggestion = { amount: '1300.00', based_on: 3 };
    expect(await report(copy)).toMatchObject({
      templates: [{ settled: 3, planned: '0.00', actual: '0.00', difference: '0.00', suggestion }],
      unplanned: { expense_count: 0, expenses_usd: '0.00', income_count: 0, incomes_usd: '0.00' },
    });
  });

  it('GET /reports/variance takes a carried-over expense for a manual one', async () => {
    await user.createTemplate({ recurrence_config: { day_of_month: 1 } });
    const january = await user.createCycle(month(1));
    const february = await user.createCycle({ ...month(2), generate_from_templates: false });
    const body = { to_cycle_id: february.id };
    await user.post(`/cycles/${january.id}/carry-over`, body).expect(200);
    expect(await report(user)).toMatchObject({
      templates: [],
      unplanned: { expense_count: 1, expenses_usd: '1200.00' },
    });
  });
});
