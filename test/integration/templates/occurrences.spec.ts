import { describe, expect, it } from '@jest/globals';
import type { OccurrencesResponse } from '../../../src/templates/dto/occurrences.dto.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { useService } from '../../support/service.js';

const service = useService();

/** A monthly rule on the 30th, moved off weekends. */
const RULE = {
  recurrence_type: 'monthly',
  recurrence_config: { day_of_month: 30, handle_month_end: true },
  reference_date: '2025-01-30',
  weekend_rule: 'before',
};

const SPRING = 'from=2026-01-01&to=2026-05-31';

/** 2026-02-28 is a Saturday, 2026-05-30 as well. */
const OCCURRENCES = {
  occurrences: [
    { date: '2026-01-30', rule_date: '2026-01-30', reasons: [] },
    { date: '2026-02-27', rule_date: '2026-02-28', reasons: ['month_end', 'weekend'] },
    { date: '2026-03-30', rule_date: '2026-03-30', reasons: [] },
    { date: '2026-04-30', rule_date: '2026-04-30', reasons: [] },
    { date: '2026-05-29', rule_date: '2026-05-30', reasons: ['weekend'] },
  ],
  skipped: [],
};

describe('GET /expense-templates/{id}/occurrences', () => {
  it('GET /expense-templates/{id}/occurrences lists the occurrences with the reasons of moved dates, also of an inactive template', async () => {
    const user = await service.signUp();
    const { id } = await user.createTemplate(RULE);
    const path = `/expense-templates/${id}/occurrences?${SPRING}`;
    expect(await user.read(path)).toEqual(OCCURRENCES);
    await user.delete(`/expense-templates/${id}`).expect(204);
    expect(await user.read(path)).toEqual(OCCURRENCES);
  });

  it('GET /expense-templates/{id}/occurrences lists the months that the rule leaves out, within its limits', async () => {
    const user = await service.signUp();
    const { id } = await user.createTemplate({
      recurrence_config: { day_of_month: 31 },
      starts_on: '2026-03-01',
    });
    expect(await user.read(`/expense-templates/${id}/occurrences?${SPRING}`)).toEqual({
      occurrences: [
        { date: '2026-03-31', rule_date: '2026-03-31', reasons: [] },
        { date: '2026-05-31', rule_date: '2026-05-31', reasons: [] },
      ],
      skipped: [{ month: '2026-04', reason: 'no_such_day' }],
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
    expect(await user.read(path)).toEqual(OCCURRENCES);
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
    expect(response.body).toEqual(OCCURRENCES);
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
      from: '2026-01-02',
      to: '2026-01-08',
    };
    const response = await user.post('/occurrences', body).expect(200);
    expect(response.body).toEqual({
      occurrences: [{ date: '2026-01-08', rule_date: '2026-01-08', reasons: [] }],
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
      from: '2026-02-01',
      to: '2026-01-01',
    };
    const response = await user.post('/occurrences', wrong);
    expectInvalid(response, 'recurrence_config.day_of_month', 'reference_date', 'ends_on', 'to');
    expectInvalid(
      await user.post('/occurrences', {}),
      ...['recurrence_type', 'recurrence_config', 'reference_date', 'from', 'to'],
    );
  });
});
