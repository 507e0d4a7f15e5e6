import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import type { Response, Test } from 'supertest';
import type { ActivityResponse } from '../../src/activity/dto/activity.dto.js';
import type { CommentResponse } from '../../src/comments/dto/comment.dto.js';
import type { CycleResponse } from '../../src/cycles/dto/cycle.dto.js';
import type { ExpenseListResponse } from '../../src/expenses/dto/expense-list.dto.js';
import type { PaymentMethodResponse } from '../../src/payment-methods/dto/payment-method.dto.js';
import type { CycleSummaryResponse } from '../../src/reports/dto/cycle-summary.dto.js';
import type { ExpenseTemplateResponse } from '../../src/templates/dto/expense-template.dto.js';
import { uniqueName, type Client } from '../support/client.js';
import { race, repeat, useReplicas } from '../support/races.js';
import { repetitions } from '../support/repetitions.js';
import { isSuccess, outcomeOf, refusalsOf, countOutcomes } from '../support/response-counts.js';

const ROUNDS = repetitions(5);

describe('concurrent requests to two processes about related entities', () => {
  const replicas = useReplicas();
  let retries: number;
  let user: Client;
  let method: PaymentMethodResponse;

  beforeEach(async () => {
    retries = await replicas.retries();
    user = await replicas.signUp();
    method = await user.createPaymentMethod();
  });

  afterEach(async () => {
    await replicas.expectIntegrity();
    expect(await replicas.retries()).toBe(retries);
  });

  const sum = (amounts: readonly string[]): string =>
    amounts.reduce((subtotal, amount) => subtotal.plus(amount), new Big(0)).toFixed(2);

  /** The actions of an entity's records, oldest first. */
  const actionsOf = async (type: string, id: string): Promise<string[]> =>
    (await user.activityOf(type, id)).map(({ action }) => action);

  const postCycle = (): Test =>
    user.post('/cycles', {
      name: uniqueName('Generated'),
      start_date: '2026-01-05',
      end_date: '2026-02-02',
      income_amount: '5000.00',
    });

  it('concurrent requests to two processes about related entities change different fields of a template, and no change is lost', async () => {
    const other = await user.createPaymentMethod();
    const changes = {
      description: 'Changed',
      currency: 'MXN',
      base_amount: '77.00',
      category: 'variable',
      recurrence_config: { day_of_month: 9 },
      reference_date: '2025-03-03',
      autopay_info: 'changed',
      active: false,
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await user.createTemplate({ payment_method_id: method.id });
      const bodies: object[] = Object.entries(changes).map(([field, value]) => ({
        [field]: value,
      }));
      bodies.push({ payment_method_id: other.id });
      const path = `/expense-templates/${id}`;
      const responses = await race(bodies.map((body) => user.put(path, body)));
      expect(countOutcomes(responses)).toEqual({ '200': bodies.length });
      expect(await user.read(path)).toMatchObject({ ...changes, payment_method: { id: other.id } });
      expect(await actionsOf('recurrent_expense', id)).toHaveLength(1 + bodies.length);
    }
  });

  it('concurrent requests to two processes about related entities generate each cycle from one state of a changing template', async () => {
    const weekly = { recurrence_type: 'weekly', recurrence_config: { day_of_week: 1 } };
    const OCCURRENCES = 5;
    const templates: ExpenseTemplateResponse[] = [];
    for (const payment of [method, await user.createPaymentMethod()]) {
      templates.push(
        await user.createTemplate({ ...weekly, payment_method_id: payment.id, base_amount: '10' }),
      );
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      const responses = await race([
        ...repeat(4, () => postCycle()),
        ...templates.map(({ id }) =>
          user.put(`/expense-templates/${id}`, { base_amount: `${20 + round}.00` }),
        ),
        ...templates.map(({ payment_method: { id } }) => user.delete(`/payment-methods/${id}`)),
        user.put(`/expense-templates/${templates[0]?.id ?? ''}`, { active: round % 2 === 1 }),
      ]);
      expect(refusalsOf(responses)).toEqual([]);
      for (const { body } of responses.filter(({ status }) => status === 201)) {
        const { id, summary } = body as CycleResponse;
        const { expenses } = await user.expenses(id);
        for (const template of templates) {
          const its = expenses.filter(({ template_id }) => template_id === template.id);
          expect([0, OCCURRENCES]).toContain(its.length);
          expect(new Set(its.map(({ amount }) => amount)).size).toBeLessThan(2);
        }
        expect(expenses.length).toBeGreaterThanOrEqual(OCCURRENCES);
        expect(summary.expense_count).toBe(expenses.length);
        expect(summary.total_expenses).toBe(sum(expenses.map(({ amount_usd }) => amount_usd)));
      }
      for (const {
        payment_method: { id },
      } of templates) {
        await user.put(`/payment-methods/${id}`, { active: true }).expect(200);
      }
    }
  });

  it('concurrent requests to two processes about related entities deactivate a payment method, and no later request references it', async () => {
    const cycle = await user.createCycle({ generate_from_templates: false });
    const choices = (id: string): Test[] =>
      repeat(3, () =>
        user.post(`/cycles/${cycle.id}/expenses`, {
          description: 'Chosen',
          currency: 'USD',
          payment_method_id: id,
          amount: '1.00',
          due_date: '2026-02-01',
          category: 'fixed',
        }),
      );
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await user.createPaymentMethod();
      const [deletion, ...responses] = await race([
        user.delete(`/payment-methods/${id}`),
        ...choices(id),
      ]);
      expect(deletion?.status).toBe(204);
      const refused = refusalsOf(responses);
      expect(refused).toEqual(refused.map(() => '422 VALIDATION_ERROR'));
      const lateReferences = await replicas.query(
        `SELECT 1 FROM activity_log AS ended JOIN activity_log AS chosen
           ON chosen.household_id = ended.household_id AND chosen.changes #>> '{payment_method_id,to}' = ended.entity_id::text
         WHERE ended.entity_id = '${id}' AND ended.action = 'deactivated' AND chosen.seq > ended.seq`,
      );
      expect(lateReferences).toEqual([]);
    }
  });

  it('concurrent requests to two processes about related entities comment on an entity before its deletion, or do not find it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const cycle = await user.createCycle({ generate_from_templates: false });
      const expense = await user.createExpense(cycle.id, { payment_method_id: method.id });
      const targets = [
        { entity_type: 'cycle', entity_id: cycle.id },
        { entity_type: 'cycle_expense', entity_id: expense.id },
      ];
      const [deletion, ...responses] = await race([
        user.delete(`/cycles/${cycle.id}`),
        ...repeat(8, (n) => user.post('/comments', { ...targets[n % 2], body: 'Just in time' })),
      ]);
      expect(deletion?.status).toBe(204);
      const refused = refusalsOf(responses);
      expect(refused).toEqual(refused.map(() => '404 RESOURCE_NOT_FOUND'));
      for (const { entity_type, entity_id } of targets) {
        const actions = await actionsOf(entity_type, entity_id);
        expect(actions.at(-1)).toBe('deactivated');
        const accepted = responses.filter(
          ({ body }) => (body as Partial<CommentResponse>).entity_id === entity_id,
        );
        expect(actions.filter((action) => action === 'commented')).toHaveLength(accepted.length);
      }
      expect(await user.read(`/comments?cycle_id=${cycle.id}`)).toEqual([]);
    }
  });

  it('concurrent requests to two processes about related entities delete a comment once, and record no edit after that', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const target = { entity_type: 'payment_method', entity_id: method.id };
      const created = await user.post('/comments', { ...target, body: 'First' }).expect(201);
      const { id } = created.body as CommentResponse;
      const path = `/comments/${id}`;
      const responses = await race([
        ...repeat(4, (n) => user.send('patch', path).send({ body: `Edit ${n}` })),
        ...repeat(3, () => user.delete(path)),
      ]);
      const { '200': edits = 0, ...others } = countOutcomes(responses);
      expect(others).toEqual({ '204': 1, '404 RESOURCE_NOT_FOUND': 6 - edits });
      const records = (await user.activityOf('payment_method', method.id)).filter(
        ({ changes }: ActivityResponse) =>
          (changes as { comment_id?: { to: string } }).comment_id?.to === id,
      );
      expect(records.map(({ action }) => action)).toEqual([
        'commented',
        ...Array<string>(edits).fill('comment_edited'),
        'comment_deleted',
      ]);
    }
  });

  it('concurrent requests to two processes about related entities read a cycle during changes and its deletion: every response is a consistent snapshot', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const cycle = await user.createCycle({ generate_from_templates: false });
      const path = `/cycles/${cycle.id}`;
      // The total is 40.00 or more at any time.
      for (let n = 0; n < 4; n += 1) {
        await user.createExpense(cycle.id, { payment_method_id: method.id, amount: '10.00' });
      }
      const reads = (): Test[] => [
        user.get(path),
        user.get(`${path}/expenses`),
        user.get(`${path}/summary`),
      ];
      const responses = await race([
        ...reads(),
        user.put(path, { income_amount: '9000.00' }),
        ...reads(),
        ...reads(),
        user.post(`${path}/expenses`, {
          description: 'Added',
          currency: 'MXN',
          payment_method_id: method.id,
          amount: '100.00',
          due_date: '2026-02-01',
          category: 'fixed',
        }),
        ...reads(),
        user.delete(path),
        ...reads(),
        ...reads(),
      ]);
      for (const response of responses) expectConsistentSnapshot(response);
    }
  });

  /** Expects a consistent cycle, expense list or summary, or 404. */
  function expectConsistentSnapshot(response: Response): void {
    if (!isSuccess(response)) {
      expect(outcomeOf(response)).toBe('404 CYCLE_NOT_FOUND');
    } else if (response.request.url.endsWith('/summary')) {
      const {
        cycle,
        financial,
        by_payment_method: methods,
      } = response.body as CycleSummaryResponse;
      const total = financial.total_expenses_usd;
      expect(['40.00', '45.00']).toContain(total);
      expect(sum(methods.map(({ total_amount }) => total_amount))).toBe(total);
      expect(new Big(cycle.income_amount).minus(total).toFixed(2)).toBe(financial.net_balance);
    } else if (response.request.url.endsWith('/expenses') && response.request.method === 'GET') {
      const { expenses, summary } = response.body as ExpenseListResponse;
      expect([4, 5]).toContain(expenses.length);
      expect(summary.total_amount_usd).toBe(sum(expenses.map(({ amount_usd }) => amount_usd)));
    } else if (response.request.method === 'GET') {
      const { income_amount, remaining_balance, summary } = response.body as CycleResponse;
      const balance = new Big(income_amount).minus(summary.total_expenses).toFixed(2);
      expect({ balance, count: summary.expense_count }).toEqual({
        balance: remaining_balance,
        count: expect.anything(),
      });
      expect([4, 5]).toContain(summary.expense_count);
    }
  }
});
