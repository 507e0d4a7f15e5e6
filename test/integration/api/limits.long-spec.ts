import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request, { type Test } from 'supertest';
import type { PaymentMethodResponse } from '../../../src/payment-methods/dto/payment-method.dto.js';
import { todayInUtc } from '../../../src/platform/values/calendar-date.js';
import { uniqueName, type Client } from '../../support/client.js';
import { passMidnight } from '../../support/clock.js';
import { copyRow } from '../../support/copied-rows.js';
import { expectError, expectLimitReached } from '../../support/errors.js';
import { bodyWith, tokenOf, UNKNOWN_UUID } from '../../support/sample-entities.js';
import { TEST_PASSWORD, useService } from '../../support/service.js';

await passMidnight();

const service = useService();

const DAILY = { recurrence_type: 'custom', recurrence_config: { interval: 1, unit: 'days' } };
const TWENTY_DAYS = { start_date: '2026-01-01', end_date: '2026-01-20', income_amount: '1.00' };

describe('what generation gives one cycle', () => {
  const limit = { limit: 1000 };
  let user: Client;

  /** Templates that give 20 rows each in {@link TWENTY_DAYS}. */
  async function createTemplates(expenses: number, incomes: number): Promise<void> {
    const { id: expense } = await user.createTemplate(DAILY);
    const { id: income } = await user.createIncomeTemplate(DAILY);
    await copyRow(service, 'expense_templates', expense, { copies: expenses - 1 });
    await copyRow(service, 'income_templates', income, { copies: incomes - 1 });
  }

  beforeAll(async () => {
    user = await service.signUp();
    await createTemplates(30, 20);
  });

  it('what generation gives one cycle may be 1000 expenses and incomes', async () => {
    const preview = await user.post('/cycles/preview', TWENTY_DAYS).expect(200);
    expect(preview.body).toMatchObject({ expenses: { length: 600 }, incomes: { length: 400 } });
    const cycle = await user.createCycle(TWENTY_DAYS);
    expect(cycle.summary).toMatchObject({ expense_count: 600, income_count: 400 });
  });

  it('what generation gives one cycle is refused beyond them, whatever reads it', async () => {
    const cycle = await user.createCycle({ ...TWENTY_DAYS, generate_from_templates: false });
    const recurrence_config = { interval: 20, unit: 'days' };
    const reference_date = '2026-01-20';
    await user.createIncomeTemplate({ ...DAILY, recurrence_config, reference_date });
    const before = await user.read('/cycles');
    for (const sent of [
      user.post('/cycles', { ...TWENTY_DAYS, name: 'Too many' }),
      user.post('/cycles/preview', TWENTY_DAYS),
      user.get(`/cycles/${cycle.id}/sync`),
      user.post(`/cycles/${cycle.id}/sync`),
    ]) {
      expectError(await sent, 422, 'CYCLE_GENERATION_ERROR', limit);
    }
    expect(await user.read('/cycles')).toEqual(before);
    await user.post('/cycles/preview', { ...TWENTY_DAYS, end_date: '2026-01-19' }).expect(200);
    const empty = { ...TWENTY_DAYS, generate_from_templates: false };
    await user.post('/cycles/preview', empty).expect(200);
  });

  it('what generation gives one cycle is counted with little memory for 30,000 templates, and exactly', async () => {
    user = await service.signUp();
    await createTemplates(1, 1);
    const { id } = await user.createTemplate({ ...DAILY, starts_on: '2026-02-01' });
    await copyRow(service, 'expense_templates', id, { copies: 30_000 });
    const preview = await user.post('/cycles/preview', TWENTY_DAYS).expect(200);
    expect(preview.body).toMatchObject({ expenses: { length: 20 }, incomes: { length: 20 } });
    const before = process.memoryUsage().rss;
    const all = { ...TWENTY_DAYS, start_date: '2026-02-01', end_date: '2026-03-10' };
    expectError(await user.post('/cycles/preview', all), 422, 'CYCLE_GENERATION_ERROR', limit);
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
  }, 180_000);
});

describe('a limit on what an account has', () => {
  const NAMED = `, 'name', 'Copy ' || n`;
  let user: Client;
  let methodId: string;

  beforeAll(async () => {
    user = await service.signUp();
    methodId = (await user.createPaymentMethod({ name: 'First' })).id;
  });

  /** Sends a request that adds one, which must succeed once and then be refused. */
  async function expectLimit(add: () => Test, resource: string, limit: number): Promise<void> {
    expect((await add()).status).toBe(201);
    expectLimitReached(await add(), resource, limit);
  }

  it('a limit on what an account has is 1000 payment methods, active or not', async () => {
    const other = await service.signUp();
    const { id, name } = await other.createPaymentMethod();
    await copyRow(service, 'payment_methods', id, {
      copies: 998,
      changes: `${NAMED}, 'active', n % 2 = 0`,
    });
    const body = { method_type: 'cash', default_currency: 'USD' };
    const add = (): Test => other.post('/payment-methods', { ...body, name: uniqueName('Card') });
    await expectLimit(add, 'payment_method', 1000);
    expectError(await other.post('/payment-methods', { ...body, name }), 409, 'RESOURCE_CONFLICT', {
      ...{ resource: 'payment_method', id, active: true },
    });
    await other.put(`/payment-methods/${id}`, { name: 'Changed' }).expect(200);
    expect(await other.read('/payment-methods')).toHaveLength(1000);
  });

  it.each([
    ['/expense-templates', 'expense_templates', 'recurrent_expense', 'createTemplate'],
    ['/income-templates', 'income_templates', 'recurrent_income', 'createIncomeTemplate'],
  ] as const)(
    'a limit on what an account has is 1000 for %s, active or not',
    async (path, table, resource, create) => {
      const { id } = await user[create]({ payment_method_id: methodId });
      await copyRow(service, table, id, { copies: 998, changes: `, 'active', n % 2 = 0` });
      const body = bodyWith(`POST ${path}`, { '{payment_method_id}': methodId });
      await expectLimit(() => user.post(path, body), resource, 1000);
      const unknown = await user.post(path, { ...body, payment_method_id: UNKNOWN_UUID });
      expectError(unknown, 404, 'RESOURCE_NOT_FOUND');
      const inactive = await user.createPaymentMethod();
      await user.delete(`/payment-methods/${inactive.id}`).expect(204);
      const refused = await user.post(path, { ...body, payment_method_id: inactive.id });
      expectLimitReached(refused, resource, 1000);
      await user.put(`${path}/${id}`, { description: 'Changed' }).expect(200);
    },
  );

  it('a limit on what an account has is 1000 cycles that are not deleted; a taken name is reported first', async () => {
    const other = await service.signUp();
    const { id, name } = await other.createCycle();
    await copyRow(service, 'cycles', id, { copies: 998, changes: NAMED });
    await copyRow(service, 'cycles', id, { copies: 10, changes: `, 'active', false` });
    const add = (): Test => other.post('/cycles', { ...TWENTY_DAYS, name: uniqueName('Cycle') });
    await expectLimit(add, 'cycle', 1000);
    const taken = await other.post('/cycles', { ...TWENTY_DAYS, name });
    expectError(taken, 409, 'CYCLE_NAME_EXISTS');
    await other.post('/cycles/preview', TWENTY_DAYS).expect(200);
    await other.delete(`/cycles/${id}`).expect(204);
    expect((await add()).status).toBe(201);
  });

  it('a limit on what an account has is 1000 comments on an entity, whoever wrote them', async () => {
    const member = await service.signUpMember(user);
    const body = { entity_type: 'payment_method', entity_id: methodId, body: 'Hello' };
    const { id } = (await user.post('/comments', body).expect(201)).body as { id: string };
    await copyRow(service, 'comments', id, { copies: 998 });
    await copyRow(service, 'comments', id, { copies: 10, changes: `, 'active', false` });
    await expectLimit(() => member.post('/comments', body), 'comment', 1000);
    const { id: other } = await user.createPaymentMethod();
    await user.post('/comments', { ...body, entity_id: other }).expect(201);
    const unknown = await user.post('/comments', { ...body, entity_id: UNKNOWN_UUID });
    expectError(unknown, 404, 'RESOURCE_NOT_FOUND');
    await user.delete(`/comments/${id}`).expect(204);
    await user.post('/comments', body).expect(201);
  });

  it('a limit on what an account has is 20 calendar feeds', async () => {
    for (let n = 0; n < 19; n += 1) await user.createCalendarFeed();
    await expectLimit(() => user.post('/calendar-feeds', { name: 'Gastos' }), 'calendar_feed', 20);
  });

  it('a limit on what an account has is 50 open invitations of a household', async () => {
    const admin = await service.signUp();
    const add = (): Test => admin.post('/households/current/invitations');
    for (let n = 0; n < 49; n += 1) await add().expect(201);
    await expectLimit(add, 'invitation', 50);
    await service.query(`UPDATE household_invitations SET expires_at = now() - interval '1 second' WHERE id = (
      SELECT id FROM household_invitations ORDER BY seq DESC LIMIT 1)`);
    await add().expect(201);
    const { id } = (await admin.read<{ id: string }[]>('/households/current/invitations'))[0] ?? {};
    await admin.delete(`/households/current/invitations/${id}`).expect(204);
    await add().expect(201);
  });

  it('a limit on what an account has is 50 members of a household; the code of a refused one stays valid', async () => {
    const admin = await service.signUp();
    const [{ id } = { id: '' }] = await service.query<{ id: string }>(
      'SELECT id FROM users WHERE email = $1',
      [admin.email],
    );
    const changes = `, 'email', 'copy-' || n || '@limits.example.com', 'role', 'member'`;
    await copyRow(service, 'users', id, { copies: 48, changes });
    await service.signUpMember(admin);
    const invitation = await admin.post('/households/current/invitations').expect(201);
    const { code } = invitation.body as { code: string };
    const register = (email: string): Test =>
      service.anonymous.post('/auth/register', {
        ...{ email, password: TEST_PASSWORD, invitation_code: code },
      });
    expectLimitReached(await register('fifty-one@example.com'), 'household_member', 50);
    expectError(await register(admin.email), 409, 'USER_ALREADY_EXISTS');
    await service.query(`DELETE FROM users WHERE email = 'copy-1@limits.example.com'`);
    expect((await register('fifty-one@example.com')).status).toBe(201);
  });
});

describe('a limit on the entries of a cycle', () => {
  const HEADER = 'due_date,description,category,currency,amount,payment_method';
  const ROW = '2026-01-10,Dinner,fixed,USD,5.00,Card';

  async function fullCycle(missing = 0): Promise<{ user: Client; cycleId: string }> {
    const user = await service.signUp();
    const { id: payment_method_id } = await user.createPaymentMethod({ name: 'Card' });
    const { id: cycleId } = await user.createCycle({
      ...TWENTY_DAYS,
      generate_from_templates: false,
    });
    const { id } = await user.createExpense(cycleId, { payment_method_id });
    await copyRow(service, 'cycle_expenses', id, { copies: 1999 - missing });
    await copyRow(service, 'cycle_expenses', id, { copies: 10, changes: `, 'active', false` });
    const { id: income } = await user.createIncome(cycleId);
    await copyRow(service, 'cycle_incomes', income, { copies: 1999 - missing });
    return { user, cycleId };
  }

  it('a limit on the entries of a cycle is 2000 expenses and 2000 incomes', async () => {
    const { user, cycleId } = await fullCycle(1);
    for (const [kind, resource] of [
      ['expenses', 'cycle_expense'],
      ['incomes', 'cycle_income'],
    ] as const) {
      const path = `/cycles/${cycleId}/${kind}`;
      const { id } = (await user.read<PaymentMethodResponse[]>('/payment-methods'))[0] ?? {};
      const body = bodyWith(`POST /cycles/{cycle_id}/${kind}`, { '{payment_method_id}': id ?? '' });
      const created = await user.post(path, body).expect(201);
      expectLimitReached(await user.post(path, body), resource, 2000);
      const unknown = { ...body, payment_method_id: UNKNOWN_UUID };
      expectError(await user.post(path, unknown), 404, 'RESOURCE_NOT_FOUND');
      const entry = `${path}/${(created.body as { id: string }).id}`;
      await user.put(entry, { amount: '6.00' }).expect(200);
      await user.delete(entry).expect(204);
      await user.post(path, body).expect(201);
    }
    await user.put(`/cycles/${cycleId}`, { status: 'completed' }).expect(200);
    const body = bodyWith('POST /cycles/{cycle_id}/incomes', {});
    const completed = await user.post(`/cycles/${cycleId}/incomes`, {
      ...body,
      payment_method_id: null,
    });
    expectError(completed, 409, 'CYCLE_ALREADY_COMPLETED');
  });

  it('a limit on the entries of a cycle is checked by an import of a file, also by a dry run, before its rows', async () => {
    const { user, cycleId } = await fullCycle(1);
    const path = `/cycles/${cycleId}/expenses/import`;
    const send = (query: string, ...rows: string[]): Test =>
      user
        .post(path + query)
        .type('text/csv')
        .send([HEADER, ...rows, ''].join('\n'));
    await send('?dry_run=true', ROW).expect(200);
    for (const rows of [
      [ROW, ROW],
      [ROW, ROW.replace('Card', 'Unknown')],
      [ROW, ROW.replace('5.00', 'five')],
    ]) {
      expectLimitReached(await send('', ...rows), 'cycle_expense', 2000);
      expectLimitReached(await send('?dry_run=true', ...rows), 'cycle_expense', 2000);
    }
    await send('', ROW).expect(200);
    expectLimitReached(await send('', ROW), 'cycle_expense', 2000);
    await user.put(`/cycles/${cycleId}`, { status: 'completed' }).expect(200);
    expectError(await send('', ROW), 409, 'CYCLE_ALREADY_COMPLETED');
  });

  it('a limit on the entries of a cycle is checked by a synchronization that would make the cycle larger', async () => {
    const { user, cycleId } = await fullCycle(20);
    const path = `/cycles/${cycleId}/sync`;
    const { id } = await user.createTemplate(DAILY);
    await user.post(path).expect(200);
    await user.createTemplate({ ...DAILY, starts_on: '2026-01-11' });
    await user.get(path).expect(200);
    expectLimitReached(await user.post(path), 'cycle_expense', 2000);
    expect((await user.expenses(cycleId)).expenses).toHaveLength(2000);
    // Ten leave and ten are added.
    await user.put(`/expense-templates/${id}`, { ends_on: '2026-01-10' }).expect(200);
    await user.post(path).expect(200);
    expect((await user.expenses(cycleId)).expenses).toHaveLength(2000);
  });

  it('a limit on the entries of a cycle leaves a larger cycle from before readable, changeable and deletable', async () => {
    const { user, cycleId } = await fullCycle(-500);
    const { expenses } = await user.expenses(cycleId);
    expect(expenses).toHaveLength(2500);
    const path = `/cycles/${cycleId}/expenses/${expenses[0]?.id}`;
    await user.put(path, { paid: true }).expect(200);
    await user.delete(path).expect(204);
    await user.post(`/cycles/${cycleId}/sync`).expect(200);
    await user.delete(`/cycles/${cycleId}`).expect(204);
  });
});

describe('the undo of a deletion', () => {
  let user: Client;
  let cycleId: string;

  beforeEach(async () => {
    user = await service.signUp();
    ({ id: cycleId } = await user.createCycle({ name: 'January' }));
  });

  it.each([
    ['cycle_expense', 'cycle_expenses', 'expenses', 'createExpense'],
    ['cycle_income', 'cycle_incomes', 'incomes', 'createIncome'],
  ] as const)(
    'the undo of a deletion of a %s keeps to the limit',
    async (type, table, name, create) => {
      const { id } = await user[create](cycleId);
      const other = await user[create](cycleId);
      await user.delete(`/cycles/${cycleId}/${name}/${id}`).expect(204);
      await copyRow(service, table, other.id, { copies: 1999 });
      const path = `/activity/${(await user.lastRecord(type, id)).id}/undo`;
      expectLimitReached(await user.post(path), type, 2000);
      await user.delete(`/cycles/${cycleId}/${name}/${other.id}`).expect(204);
      await user.post(path).expect(200);
    },
  );

  it('the undo of a deletion of a cycle keeps to the limit, after its name', async () => {
    await user.delete(`/cycles/${cycleId}`).expect(204);
    const path = `/activity/${(await user.lastRecord('cycle', cycleId)).id}/undo`;
    const other = await user.createCycle({ name: 'January' });
    await copyRow(service, 'cycles', other.id, { copies: 999, changes: `, 'name', 'Copy ' || n` });
    expectError(await user.post(path), 409, 'CYCLE_NAME_EXISTS');
    await user.put(`/cycles/${other.id}`, { name: 'Other' }).expect(200);
    expectLimitReached(await user.post(path), 'cycle', 1000);
    await user.delete(`/cycles/${other.id}`).expect(204);
    await user.post(path).expect(200);
  });

  it('the undo of a deletion of a cycle from before the limits with more entries is refused', async () => {
    const { id } = await user.createExpense(cycleId);
    await copyRow(service, 'cycle_expenses', id, { copies: 2000 });
    await user.delete(`/cycles/${cycleId}`).expect(204);
    const path = `/activity/${(await user.lastRecord('cycle', cycleId)).id}/undo`;
    expectLimitReached(await user.post(path), 'cycle_expense', 2000);
  });
});

describe('a calendar', () => {
  it('a calendar has the 5,000 entries nearest to today, then by date and id', async () => {
    const user = await service.signUp();
    for (let cycles = 0; cycles < 3; cycles += 1) {
      const cycle = await user.createCycle();
      const { id } = await user.createExpense(cycle.id, { due_date: todayInUtc() });
      // 2,000 expenses on the 601 days from 300 days before today to 300 days after.
      const changes = `, 'due_date', original.due_date + n % 601 - 300`;
      await copyRow(service, 'cycle_expenses', id, { copies: 1999, changes });
    }
    const nearest = await service.query<{ id: string; date: string }>(
      `SELECT e.id, to_char(due_date, 'YYYY-MM-DD') AS date
       FROM cycle_expenses e JOIN cycles c ON c.household_id = e.household_id AND c.id = e.cycle_id
         JOIN users u ON u.id = c.user_id
       WHERE u.email = $1
       ORDER BY abs(due_date - $2::date), due_date, e.id LIMIT 5000`,
      [user.email, todayInUtc()],
    );
    const inOrder = nearest.sort((a, b) => (a.date + a.id < b.date + b.id ? -1 : 1));
    const token = tokenOf(await user.createCalendarFeed());
    const { text } = await request(service.server).get(`/calendar/${token}.ics`).expect(200);
    expect(Array.from(text.matchAll(/^UID:(.*)\r$/gm), ([, uid]) => uid)).toEqual(
      inOrder.map(({ id }) => id),
    );
  });
});
