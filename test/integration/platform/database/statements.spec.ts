import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Test } from 'supertest';
import { ExpiredRows } from '../../../../src/platform/database/expired-rows.js';
import { operationOf, type Client } from '../../../support/client.js';
import {
  namesOfOperations,
  recordStatements,
  statementsOf,
} from '../../../support/operation-statements.js';
import { createSampleEntities, type SampleEntities } from '../../../support/sample-entities.js';
import { sentBatches } from '../../../support/sent-statements.js';
import { useService } from '../../../support/service.js';

/** The table that a statement reads or writes, or the function that it calls. */
const TABLE = /(?:FROM|INTO|UPDATE) "?(\w+)|SELECT (pg_\w+)\(/;

/**
 * How many SQL statements an operation takes once the user is known, the two that begin and end a
 * transaction included; with a transaction also how often it waits for results: statements that do
 * not depend on each other are sent together.
 */
const STATEMENTS: Record<string, number | [statements: number, waits: number]> = {
  'DELETE /auth/sessions/{id}': [3, 3],
  'DELETE /auth/tokens/{id}': [3, 3],
  'DELETE /balances/{id}': [5, 2],
  'DELETE /budgets/{id}': [5, 2],
  'DELETE /calendar-feeds/{id}': [3, 3],
  'DELETE /comments/{id}': [5, 2],
  'DELETE /cycles/{cycle_id}/expenses/{expense_id}': [8, 2],
  'DELETE /cycles/{cycle_id}/incomes/{income_id}': [8, 2],
  // The timestamps of the expenses and of the incomes are read before both are written.
  'DELETE /cycles/{id}': [9, 4],
  'DELETE /expense-templates/{id}': [6, 3],
  'DELETE /income-templates/{id}': [6, 3],
  'DELETE /households/current/invitations/{id}': [4, 3],
  'DELETE /payment-methods/{id}': [5, 2],
  'GET /activity': 1,
  'GET /auth/me': 1,
  'GET /auth/sessions': 1,
  'GET /auth/tokens': 1,
  'GET /balances': 1,
  'GET /balances/current': [8, 6],
  'GET /balances/{id}': 1,
  'GET /budgets': 1,
  'GET /budgets/{id}': 1,
  'GET /calendar-feeds': 1,
  'GET /comments': 1,
  // The snapshot, the entities, one for each of the ten types, and the purchases and the rate of
  // statements.
  'GET /changes': 14,
  'GET /cycles': 1,
  'GET /cycles/{cycle_id}/expenses': 1,
  'GET /cycles/{cycle_id}/expenses.csv': 1,
  'GET /cycles/{cycle_id}/expenses/{expense_id}': 1,
  'GET /cycles/{cycle_id}/incomes': 1,
  'GET /cycles/{cycle_id}/incomes/{income_id}': 1,
  'GET /cycles/{cycle_id}/summary': 1,
  'GET /cycles/{id}': 1,
  'GET /cycles/{id}/cash-flow': 1,
  // The cycle, the templates, the rates of one currency, the expenses and the incomes, and what other
  // cycles have of what would be added.
  'GET /cycles/{id}/sync': 6,
  // With the cards and their purchases.
  'GET /cycles/next': 3,
  'GET /cycles/{id}/close': 3,
  'GET /exchange-rates': 1,
  'GET /expense-templates': 1,
  'GET /expenses': 1,
  'GET /export': [44, 44],
  'GET /expense-templates/{id}': 1,
  'GET /expense-templates/{id}/occurrences': 1,
  'GET /forecast': [13, 8],
  'GET /households/current': 2,
  'GET /households/current/invitations': [4, 3],
  'GET /incomes': 1,
  'GET /income-templates': 1,
  'GET /income-templates/{id}': 1,
  'GET /income-templates/{id}/occurrences': 1,
  'GET /payment-methods': 1,
  'GET /payment-methods/{id}': 1,
  // The snapshot, the payment method, the card, its purchases and the rate of the one currency that
  // is not USD.
  'GET /payment-methods/{id}/statements': [8, 7],
  'GET /payment-methods/{id}/statements/{closing_date}': [8, 7],
  // Without the payment method.
  'GET /card-statements': [7, 6],
  'GET /reports/budgets': 1,
  'GET /reports/cycles-comparison': 1,
  // The snapshot, the cycles, the templates and the manual entries.
  'GET /reports/variance': [7, 5],
  'PATCH /comments/{id}': [6, 3],
  'PATCH /cycles/{cycle_id}/expenses': [6, 3],
  'PATCH /cycles/{cycle_id}/incomes': [6, 3],
  'POST /auth/logout': [3, 3],
  'POST /auth/refresh': [3, 3],
  'POST /activity/{id}/undo': [8, 4],
  // With the records of the operation, and the lock of all that they changed.
  'POST /activity/operations/{operation_id}/undo': [9, 5],
  'POST /auth/tokens': [6, 4],
  // The payment methods; the number, what is expected and what is open; both writes, and the
  // expenses and incomes that are open, of cards without those of their statements.
  'POST /balances': [13, 6],
  'POST /budgets': [5, 3],
  'POST /calendar-feeds': [5, 2],
  'POST /comments': [7, 3],
  // With the budgets, and the rates of the one currency that is not USD. One of them stores incomes:
  // without any it is 11.
  'POST /cycles': [12, 6],
  // The related cycles, the budgets, the templates and the rates of one currency.
  'POST /cycles/preview': 4,
  'POST /cycles/{cycle_id}/expenses': [8, 2],
  // With the rates of the one currency that is not USD.
  'POST /cycles/{cycle_id}/expenses/import': [9, 3],
  'POST /cycles/{id}/sync': [14, 7],
  // The lock of the cycle, the entries in another currency than USD, and their rates.
  'POST /cycles/{id}/reprice': [6, 5],
  'POST /cycles/{id}/carry-over': [12, 4],
  'POST /cycles/{id}/close': [22, 7],
  'POST /cycles/{cycle_id}/incomes': [8, 2],
  'POST /expense-templates': [6, 2],
  'POST /income-templates': [6, 2],
  'POST /forecast': [14, 9],
  'POST /households/current/invitations': [5, 2],
  'POST /occurrences': 0,
  // With the one from which it is paid.
  'POST /payment-methods': [6, 4],
  'PUT /auth/me': [4, 2],
  // With the lock of the sign-ins, the sessions and tokens that end, and the new session.
  'PUT /auth/me/password': [10, 3],
  'PUT /budgets/{id}': [5, 2],
  'PUT /calendar-feeds/{id}': [4, 2],
  'PUT /cycles/{cycle_id}/expenses/{expense_id}': [7, 2],
  'PUT /cycles/{cycle_id}/incomes/{income_id}': [7, 2],
  'PUT /cycles/{id}': [7, 3],
  'PUT /expense-templates/{id}': [6, 3],
  'PUT /income-templates/{id}': [6, 3],
  'PUT /households/current': [7, 5],
  'PUT /households/current/members/{user_id}': [5, 4],
  'PUT /payment-methods/{id}': [5, 2],
  // The locks, the card and its purchases, both writes, and again the card, its purchases and the rate.
  'PUT /payment-methods/{id}/statements/{closing_date}': [11, 8],
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
      await user.createBudget({ limit: '5.00' });
      await user.createExpense(cycle, { payment_method_id: method });
      await user.createCycle();
      await user.post('/comments', many.validBody('POST /comments')).expect(201);
      await user.post('/households/current/invitations').expect(201);
    }
  });

  async function countsOf(name: string, entities: SampleEntities): Promise<unknown> {
    const { statements, waits } = await statementsOf(name, service, entities);
    const hasTransaction = statements.some(({ sql }) => sql === 'COMMIT');
    return hasTransaction ? [statements.length, waits] : statements.length;
  }

  it('the number of statements matches the table, for few rows and for many', async () => {
    const counts: Record<string, unknown> = {};
    for (const name of namesOfOperations(service)) {
      if (name === 'POST /cycles/{id}/sync') {
        // What the cycles have that were created meanwhile is not added.
        for (const { user } of [few, many]) {
          await user.createTemplate({ currency: 'MXN' });
          await user.createIncomeTemplate();
        }
      }
      const ofFew = await countsOf(name, few);
      counts[name] = [ofFew, await countsOf(name, many)];
    }
    const expected = Object.entries(STATEMENTS).map(([name, count]) => [name, [count, count]]);
    expect(counts).toEqual(Object.fromEntries(expected));
  });

  it('the number of statements does not depend on the clock', async () => {
    const entities = await createSampleEntities(service);
    // On a server a connection for each of the two, because a new one takes its time.
    await Promise.all([1, 2].map((n) => service.query(`SELECT ${n}`)));
    // More than the three seconds for which a user is cached, whenever it is read.
    let now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 5000));
    const expiredRows = service.app.get(ExpiredRows, { strict: false });
    let isCounted = false;
    const removeExpiredRows = async (): Promise<void> => {
      while (!isCounted) await expiredRows.remove();
    };
    const counts = countsOf('PUT /auth/me', entities).finally(() => (isCounted = true));
    await removeExpiredRows();
    clock.mockRestore();
    expect(await counts).toEqual(STATEMENTS['PUT /auth/me']);
  });

  it('a change of an entry sends statements twice: the locks, the cycle first, and the writes', async () => {
    const { user, fill, validBody } = await createSampleEntities(service);
    // The user stays cached, so that no request reads it.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    await user.get('/auth/me').expect(200);
    const path = fill('/cycles/{cycle_id}/expenses');
    const send = (key: string): Promise<unknown> =>
      user
        .post(path, validBody('POST /cycles/{cycle_id}/expenses'))
        .set(key === '' ? {} : { 'Idempotency-Key': key })
        .expect(201);
    const tables = (batches: string[][]): string[][] =>
      batches.map((batch) => batch.map((sql) => TABLE.exec(sql)?.slice(1).find(Boolean) ?? sql));
    const change = tables(
      await sentBatches(() =>
        user.put(fill('/cycles/{cycle_id}/expenses/{expense_id}'), { paid: true }).expect(200),
      ),
    );
    expect(change).toEqual([
      // The last one reads the payment method and the budget of the expense.
      ['START TRANSACTION', 'cycles', 'cycle_expenses', 'cycle_expenses'],
      ['cycle_expenses', 'activity_log', 'COMMIT'],
    ]);
    const locks = ['cycles', 'payment_methods', 'cycle_expenses'];
    const writes = ['cycle_expenses', 'cycles', 'activity_log'];
    expect(tables(await sentBatches(() => send('')))).toEqual([
      ['START TRANSACTION', ...locks],
      [...writes, 'COMMIT'],
    ]);
    expect(tables(await sentBatches(() => send('key')))).toEqual([
      ['START TRANSACTION', 'pg_try_advisory_xact_lock', 'idempotency_keys'],
      locks,
      [...writes, 'idempotency_keys', 'COMMIT'],
    ]);
    jest.restoreAllMocks();
  });

  it('a sign-in sends statements three times', async () => {
    const user = await service.signUp();
    const batches = await sentBatches(() => user.signInAgain());
    expect(batches.map(({ length }) => length)).toEqual([1, 4, 2]);
  });

  /** The statements of requests about 1 and about 30 expenses or incomes of a cycle. */
  async function countsForOneAndMany(
    request: (user: Client, cycle: string, count: number) => Promise<() => Test>,
  ): Promise<[number, number]> {
    const counts: number[] = [];
    for (const count of [1, 30]) {
      const user = await service.signUp();
      const { id: cycle } = await user.createCycle({ generate_from_templates: false });
      const send = await request(user, cycle, count);
      // The user is cached for three seconds: it is read with each of the requests, not with some.
      await service.invalidateUserCache(user);
      const statements = await recordStatements(service, () => send().expect(200));
      counts.push(statements.length);
    }
    return [counts[0] ?? 0, counts[1] ?? 0];
  }

  const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

  it('the number of statements does not depend on the number of updated expenses, of their payment methods and conversions', async () => {
    const [one, many] = await countsForOneAndMany(async (user, cycle, count) => {
      const expenses: object[] = [];
      for (const n of numbers(count)) {
        const { id } = await user.createExpense(cycle);
        const method = await user.createPaymentMethod();
        const currency = {
          currency: 'MXN',
          due_date: `2026-02-${String((n % 28) + 1).padStart(2, '0')}`,
        };
        expenses.push({ id, payment_method_id: method.id, ...currency, paid: true });
      }
      return () => user.send('patch', `/cycles/${cycle}/expenses`).send({ expenses });
    });
    expect(many).toBe(one);
  });

  it('the number of statements does not depend on the number of deleted incomes', async () => {
    const [one, many] = await countsForOneAndMany(async (user, cycle, count) => {
      const incomes: object[] = [];
      for (const n of numbers(count)) {
        const { id } = await user.createIncome(cycle, { description: `Refund ${n}` });
        incomes.push({ id, active: false });
      }
      return () => user.send('patch', `/cycles/${cycle}/incomes`).send({ incomes });
    });
    expect(many).toBe(one);
  });

  it.each(['carry-over', 'close'])(
    'the number of statements of %s does not depend on the number of expenses and incomes that are carried over',
    async (path) => {
      const [one, many] = await countsForOneAndMany(async (user, cycle, count) => {
        const income_ids: string[] = [];
        for (const n of numbers(count)) {
          await user.createExpense(cycle, { description: `Dinner ${n}` });
          income_ids.push((await user.createIncome(cycle)).id);
        }
        const expense_ids = (await user.expenses(cycle)).expenses.map(({ id }) => id);
        const { id: to_cycle_id } = await user.createCycle({ generate_from_templates: false });
        const ids = path === 'close' ? {} : { expense_ids, income_ids };
        return () => user.post(`/cycles/${cycle}/${path}`, { to_cycle_id, ...ids });
      });
      expect(many).toBe(one);
    },
  );

  it('the number of statements does not depend on the number of expenses of a cycle that the undo of an operation takes back', async () => {
    const [few, many] = await countsForOneAndMany(async (user, cycle, count) => {
      const expenses: object[] = [];
      for (const n of numbers(count + 1)) {
        const { id } = await user.createExpense(cycle);
        const { id: payment_method_id } = await user.createPaymentMethod();
        expenses.push(n % 2 === 0 ? { id, active: false } : { id, payment_method_id });
      }
      const change = await user.patch(`/cycles/${cycle}/expenses`, { expenses }).expect(200);
      return () => user.post(`/activity/operations/${operationOf(change)}/undo`);
    });
    expect(many).toBe(few);
  });
});
