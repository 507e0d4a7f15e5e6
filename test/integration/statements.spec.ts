import { beforeAll, describe, expect, it } from '@jest/globals';
import { namesOfOperations, statementsOf } from '../support/operation-statements.js';
import { createSampleEntities, type SampleEntities } from '../support/sample-entities.js';
import { useService } from '../support/service.js';

/**
 * How many SQL statements an operation takes once the user is known, the two that begin and end a
 * transaction included.
 */
const STATEMENTS: Record<string, number> = {
  'DELETE /auth/sessions/{id}': 3,
  'DELETE /calendar-feeds/{id}': 3,
  'DELETE /comments/{id}': 5,
  'DELETE /cycles/{cycle_id}/expenses/{expense_id}': 7,
  'DELETE /cycles/{cycle_id}/incomes/{income_id}': 7,
  // The timestamps of the expenses and of the incomes are read before both are written.
  'DELETE /cycles/{id}': 9,
  'DELETE /expense-templates/{id}': 6,
  'DELETE /income-templates/{id}': 6,
  'DELETE /households/current/invitations/{id}': 4,
  'DELETE /payment-methods/{id}': 5,
  'GET /activity': 1,
  'GET /auth/me': 1,
  'GET /auth/sessions': 1,
  'GET /calendar-feeds': 1,
  'GET /comments': 1,
  // The snapshot, the entities, and one for each of the seven types.
  'GET /changes': 9,
  'GET /cycles': 1,
  'GET /cycles/{cycle_id}/expenses': 1,
  'GET /cycles/{cycle_id}/expenses.csv': 1,
  'GET /cycles/{cycle_id}/expenses/{expense_id}': 1,
  'GET /cycles/{cycle_id}/incomes': 1,
  'GET /cycles/{cycle_id}/incomes/{income_id}': 1,
  'GET /cycles/{cycle_id}/summary': 1,
  'GET /cycles/{id}': 1,
  'GET /cycles/{id}/cash-flow': 1,
  // The cycle, the templates, the rates of one currency, the expenses and the incomes.
  'GET /cycles/{id}/sync': 5,
  'GET /cycles/next': 1,
  'GET /exchange-rates': 1,
  'GET /expense-templates': 1,
  'GET /expenses': 1,
  'GET /export': 32,
  'GET /expense-templates/{id}': 1,
  'GET /expense-templates/{id}/occurrences': 1,
  'GET /households/current': 2,
  'GET /households/current/invitations': 4,
  'GET /income-templates': 1,
  'GET /income-templates/{id}': 1,
  'GET /income-templates/{id}/occurrences': 1,
  'GET /payment-methods': 1,
  'GET /payment-methods/{id}': 1,
  'GET /reports/cycles-comparison': 1,
  'PATCH /comments/{id}': 6,
  'POST /auth/logout': 3,
  'POST /auth/refresh': 3,
  'POST /calendar-feeds': 5,
  'POST /comments': 7,
  // With the rates of the one currency that is not USD. One of them stores incomes: without any it is 10.
  'POST /cycles': 11,
  // The related cycles, the templates and the rates of one currency.
  'POST /cycles/preview': 3,
  'POST /cycles/{cycle_id}/expenses': 8,
  // With the rates of the one currency that is not USD.
  'POST /cycles/{cycle_id}/expenses/import': 9,
  'POST /cycles/{id}/sync': 13,
  // The lock of the cycle, the entries in another currency than USD, and their rates.
  'POST /cycles/{id}/reprice': 6,
  'POST /cycles/{cycle_id}/incomes': 8,
  'POST /expense-templates': 6,
  'POST /income-templates': 6,
  'POST /households/current/invitations': 5,
  'POST /occurrences': 0,
  'POST /payment-methods': 5,
  'PUT /auth/me': 4,
  // With a lock of the sign-ins, and three for the new session: the lock, the user and the insertion.
  'PUT /auth/me/password': 10,
  'PUT /cycles/{cycle_id}/expenses/{expense_id}': 6,
  'PUT /cycles/{cycle_id}/incomes/{income_id}': 6,
  'PUT /cycles/{id}': 7,
  'PUT /expense-templates/{id}': 6,
  'PUT /income-templates/{id}': 6,
  'PUT /households/current': 7,
  'PUT /households/current/members/{user_id}': 5,
  'PUT /payment-methods/{id}': 5,
};

describe('the number of statements', () => {
  const service = useService();
  let few: SampleEntities;
  let many: SampleEntities;

  beforeAll(async () => {
    few = await createSampleEntities(service);
    many = await createSampleEntities(service);
    const { user } = many;
    for (const one of [few.user, user]) await one.createTemplate({ currency: 'MXN' });
    const { id: method } = await user.createPaymentMethod();
    const { id: cycle } = await user.cycle(many.fill('{cycle_id}'));
    for (let n = 0; n < 12; n += 1) {
      await user.createTemplate({ payment_method_id: method, description: `Template ${n}` });
      await user.createIncomeTemplate({ payment_method_id: method, description: `Pay ${n}` });
      await user.createIncome(cycle, { payment_method_id: method });
      await user.createPaymentMethod();
      await user.createExpense(cycle, { payment_method_id: method });
      await user.createCycle();
      await user.post('/comments', many.validBody('POST /comments')).expect(201);
      await user.post('/households/current/invitations').expect(201);
    }
  });

  it('matches the table, for few rows and for many', async () => {
    const counts: Record<string, [number, number]> = {};
    for (const name of namesOfOperations(service)) {
      const ofFew = await statementsOf(name, service, few);
      counts[name] = [ofFew.length, (await statementsOf(name, service, many)).length];
    }
    const expected = Object.entries(STATEMENTS).map(([name, count]) => [name, [count, count]]);
    expect(counts).toEqual(Object.fromEntries(expected));
  });
});
