import { describe, expect, it } from '@jest/globals';
import type { OccurrencesResponse } from '../../../src/templates/dto/occurrences.dto.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { useService } from '../../support/service.js';

const service = useService();

type OccurrenceDates = Pick<
  OccurrencesResponse['occurrences'][number],
  'date' | 'rule_date' | 'reasons'
>;

/** A monthly rule on the 30th, moved off weekends. */
const RULE = {
  recurrence_type: 'monthly',
  recurrence_config: { day_of_month: 30, handle_month_end: true },
  reference_date: '2025-01-30',
  weekend_rule: 'before',
};

/** Of a template without an end. */
const AMOUNT = { amount: '1200.00', instalment: null };

/** A purchase in 13 instalments, which are due in the months with 31 days. */
const PURCHASE = {
  base_amount: '1291.58',
  last_amount: '1291.62',
  recurrence_type: 'monthly',
  recurrence_config: { day_of_month: 31 },
  reference_date: '2025-08-31',
  starts_on: '2025-08-01',
  ends_on: '2027-05-31',
};

const SPRING = 'from=2026-01-01&to=2026-05-31';

/** 2026-02-28 is a Saturday, 2026-05-30 as well. */
const occurrencesOf = (amount: string | null): OccurrencesResponse => ({
  occurrences: [
    { date: '2026-01-30', rule_date: '2026-01-30', reasons: [] },
    { date: '2026-02-27', rule_date: '2026-02-28', reasons: ['month_end', 'weekend'] },
    { date: '2026-03-30', rule_date: '2026-03-30', reasons: [] },
    { date: '2026-04-30', rule_date: '2026-04-30', reasons: [] },
    { date: '2026-05-29', rule_date: '2026-05-30', reasons: ['weekend'] },
  ].map((one) => ({ ...(one as OccurrenceDates), amount, instalment: null })),
  skipped: [],
});

describe('GET /expense-templates/{id}/occurrences', () => {
  it('GET /expense-templates/{id}/occurrences lists the occurrences with the reasons of moved dates, also of an inactive template', async () => {
    const user = await service.signUp();
    const { id } = await user.createTemplate(RULE);
    const path = `/expense-templates/${id}/occurrences?${SPRING}`;
    expect(await user.read(path)).toEqual(occurrencesOf('1200.00'));
    await user.delete(`/expense-templates/${id}`).expect(204);
    expect(await user.read(path)).toEqual(occurrencesOf('1200.00'));
  });

  it('GET /expense-templates/{id}/occurrences lists the months that the rule leaves out, within its limits', async () => {
    const user = await service.signUp();
    const { id } = await user.createTemplate({
      recurrence_config: { day_of_month: 31 },
      starts_on: '2026-03-01',
    });
    expect(await user.read(`/expense-templates/${id}/occurrences?${SPRING}`)).toEqual({
      occurrences: [
        { date: '2026-03-31', rule_date: '2026-03-31', reasons: [], ...AMOUNT },
        { date: '2026-05-31', rule_date: '2026-05-31', reasons: [], ...AMOUNT },
      ],
      skipped: [{ month: '2026-04', date: null, reason: 'no_such_day' }],
    });
  });

  it('the occurrences of a template are the dates that a cycle generates', async () => {
    const user = await service.signUp();
    const { id } = await user.createTemplate(RULE);
    const cycle = await user.createCycle({ start_date: '2026-02-01', end_date: '2026-03-10' });
    const { expenses } = await user.expenses(cycle.id);
    const listed = await user.read<OccurrencesResponse>(
      `/expense-templates/${id}/occurrences?from=2026-02-01&to=2026-03-10`,
    );
    expect(listed.occurrences.map(({ date }) => date)).toEqual(
      expenses.map(({ due_date }) => due_date),
    );
  });

  it("GET /expense-templates/{id}/occurrences is 404 for another user's template and for an income template", async () => {
    const user = await service.signUp();
    const other = await service.signUp();
    const { id } = await user.createTemplate();
    const { id: incomeTemplateId } = await user.createIncomeTemplate();
    const details = { resource: 'recurrent_expense' };
    for (const response of [
      await other.get(`/expense-templates/${id}/occurrences?${SPRING}`),
      await user.get(`/expense-templates/${incomeTemplateId}/occurrences?${SPRING}`),
    ]) {
      expectError(response, 404, 'RESOURCE_NOT_FOUND', details);
    }
  });

  it('GET /expense-templates/{id}/occurrences accepts at most 1100 days, and requires both ends', async () => {
    const user = await service.signUp();
    const { id } = await user.createTemplate();
    const get = (query: string) => user.get(`/expense-templates/${id}/occurrences?${query}`);
    const response = await get('from=2026-01-01&to=2029-01-05').expect(200);
    expect((response.body as OccurrencesResponse).occurrences).toHaveLength(37);
    await get('from=2026-01-01&to=2026-01-01').expect(200);
    expectInvalid(await get('from=2026-01-01&to=2029-01-06'), 'to');
    expectInvalid(await get('from=2026-01-02&to=2026-01-01'), 'to');
    expectInvalid(await get(''), 'from', 'to');
  });
});

describe('GET /income-templates/{id}/occurrences', () => {
  it('GET /income-templates/{id}/occurrences lists the occurrences of an income template', async () => {
    const user = await service.signUp();
    const { id } = await user.createIncomeTemplate(RULE);
    const path = `/income-templates/${id}/occurrences?${SPRING}`;
    expect(await user.read(path)).toEqual(occurrencesOf('2000.00'));
    const other = await service.signUp();
    const details = { resource: 'recurrent_income' };
    expectError(await other.get(path), 404, 'RESOURCE_NOT_FOUND', details);
  });
});

describe('POST /occurrences', () => {
  it('POST /occurrences computes the occurrences of a rule that is not stored', async () => {
    const user = await service.signUp();
    const period = { from: '2026-01-01', to: '2026-05-31' };
    const response = await user.post('/occurrences', { ...RULE, ...period }).expect(200);
    expect(response.body).toEqual(occurrencesOf(null));
  });

  it('POST /occurrences treats null like an omitted field', async () => {
    const user = await service.signUp();
    const body = {
      recurrence_type: 'custom',
      recurrence_config: { interval: 1, unit: 'weeks', day_of_week: null },
      reference_date: '2026-01-01',
      starts_on: null,
      ends_on: null,
      weekend_rule: null,
      base_amount: null,
      amount_changes: null,
      last_amount: null,
      skipped_dates: null,
      from: '2026-01-02',
      to: '2026-01-08',
    };
    const response = await user.post('/occurrences', body).expect(200);
    expect(response.body).toEqual({
      occurrences: [
        {
          ...{ date: '2026-01-08', rule_date: '2026-01-08', reasons: [] },
          ...{ amount: null, instalment: null },
        },
      ],
      skipped: [],
    });
  });

  it('POST /occurrences refuses every invalid field at once', async () => {
    const user = await service.signUp();
    const wrong = {
      recurrence_type: 'monthly',
      recurrence_config: { day_of_month: 32 },
      reference_date: 'soon',
      starts_on: '2026-02-01',
      ends_on: '2026-01-01',
      base_amount: '0',
      amount_changes: [{ from: '2026-01-01' }],
      skipped_dates: ['soon'],
      from: '2026-02-01',
      to: '2026-01-01',
    };
    const response = await user.post('/occurrences', wrong);
    expectInvalid(
      response,
      ...['recurrence_config.day_of_month', 'reference_date', 'ends_on', 'to'],
      ...['base_amount', 'amount_changes.0.amount', 'skipped_dates'],
    );
    expectInvalid(
      await user.post('/occurrences', {}),
      ...['recurrence_type', 'recurrence_config', 'reference_date', 'from', 'to'],
    );
  });

  it.each(['/expense-templates', '/income-templates', null])(
    'the occurrences of a plan in instalments, of %s, are counted from its start',
    async (kind) => {
      const user = await service.signUp();
      const plan = { ...PURCHASE, skipped_dates: ['2025-12-31', '2026-01-31', '2026-02-28'] };
      const period = { from: '2025-11-15', to: '2026-04-30' };
      const query = new URLSearchParams(period).toString();
      const read = async (): Promise<unknown> => {
        if (kind === null) {
          return (await user.post('/occurrences', { ...plan, ...period }).expect(200)).body;
        }
        const { id } = await (kind === '/expense-templates'
          ? user.createTemplate(plan)
          : user.createIncomeTemplate(plan));
        return user.read(`${kind}/${id}/occurrences?${query}`);
      };
      expect(await read()).toEqual({
        occurrences: [
          {
            ...{ date: '2026-03-31', rule_date: '2026-03-31', reasons: [] },
            ...{ amount: '1291.58', instalment: { number: 3, count: 11 } },
          },
        ],
        skipped: [
          { month: '2025-11', date: null, reason: 'no_such_day' },
          { month: '2025-12', date: '2025-12-31', reason: 'skipped_date' },
          { month: '2026-01', date: '2026-01-31', reason: 'skipped_date' },
          { month: '2026-02', date: null, reason: 'no_such_day' },
          { month: '2026-04', date: null, reason: 'no_such_day' },
        ],
      });
    },
  );

  it('POST /occurrences has the amount in force on each date before the weekend rule, and the last one', async () => {
    const user = await service.signUp();
    const response = await user.post('/occurrences', {
      ...{ ...RULE, base_amount: '10', last_amount: '5', ends_on: '2026-05-31' },
      amount_changes: [
        { from: '2026-02-28', amount: '20' },
        { from: '2026-05-01', amount: '30' },
      ],
      ...{ from: '2026-01-01', to: '2026-12-31' },
    });
    const { occurrences } = response.body as OccurrencesResponse;
    expect(occurrences.map(({ date, amount }) => [date, amount])).toEqual([
      ['2026-01-30', '10.00'],
      ['2026-02-27', '20.00'],
      ['2026-03-30', '20.00'],
      ['2026-04-30', '20.00'],
      ['2026-05-29', '5.00'],
    ]);
  });

  it('POST /occurrences refuses a last amount without an end', async () => {
    const user = await service.signUp();
    const body = { ...RULE, last_amount: '5', from: '2026-01-01', to: '2026-12-31' };
    expectError(await user.post('/occurrences', body), 422, 'VALIDATION_ERROR', {
      fields: { last_amount: ['last_amount must be null without ends_on'] },
      reasons: { last_amount: ['contradiction'] },
    });
  });
});
