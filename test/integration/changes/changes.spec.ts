import { describe, expect, it } from '@jest/globals';
import { parseCursor } from '../../../src/changes/cursor.js';
import { EXAMPLE_CURSOR, type ChangesResponse } from '../../../src/changes/dto/changes.dto.js';
import { ChangesCopy, readChanges } from '../../support/changes-copy.js';
import type { Client } from '../../support/client.js';
import { useService } from '../../support/service.js';

const service = useService();

const summaryOf = (changes: ChangesResponse['changes']): unknown[] =>
  changes.map(({ entity_type, entity_id, cycle_id, deleted }) => ({
    ...{ entity_type, entity_id, cycle_id },
    ...(deleted && { deleted }),
  }));

/** Some of everything that version 1.1 had. */
async function createAllOfVersion11(user: Client) {
  const method = await user.createPaymentMethod();
  const template = await user.createTemplate({ payment_method_id: method.id });
  const incomeTemplate = await user.createIncomeTemplate();
  const cycle = await user.createCycle({ generate_from_templates: false });
  const expense = await user.createExpense(cycle.id, { payment_method_id: method.id });
  const income = await user.createIncome(cycle.id);
  const target = { entity_type: 'cycle_expense', entity_id: expense.id };
  const comment = (await user.post('/comments', { ...target, body: 'First' }).expect(201)).body as {
    id: string;
  };
  return { method, template, incomeTemplate, cycle, expense, income, comment };
}

/** Some of everything. */
async function createAll(user: Client) {
  const all = await createAllOfVersion11(user);
  const budget = await user.createBudget();
  const balance = await user.createBalance({ payment_method_id: all.method.id });
  return { ...all, budget, balance };
}

const decoded = (cursor: string): unknown[] =>
  JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];

const encoded = (...values: unknown[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url');

/** The types of entities by their position in cursors of version 1.1. */
const TYPES_BY_POSITION = [
  ...['payment_method', 'recurrent_expense', 'recurrent_income'],
  ...['cycle', 'cycle_expense', 'cycle_income', 'comment'],
];

/** Stores an activity record that a later version wrote. */
async function recordOfLaterVersion(user: Client, entity_type: string, action: string) {
  await service.query(
    `INSERT INTO activity_log (household_id, entity_type, entity_id, actor_user_id, action, changes)
     SELECT household_id, $1, gen_random_uuid(), id, $2, '{"comment_id": {"from": null, "to": null}}'
     FROM users WHERE email = $3`,
    [entity_type, action, user.email],
  );
}

describe('GET /changes', () => {
  it('GET /changes has the example of a cursor that it understands', () => {
    expect(parseCursor(EXAMPLE_CURSOR)).toMatchObject({ since: '745:745:', until: null });
  });

  it('GET /changes lists everything that exists, oldest first, and then nothing', async () => {
    const user = await service.signUp();
    const empty = await readChanges(user);
    expect(empty).toMatchObject({ changes: [], has_more: false });
    const all = await createAll(user);
    const gone = await user.createCycle();
    await user.delete(`/cycles/${gone.id}`).expect(204);
    await user.delete(`/payment-methods/${all.method.id}`).expect(204);
    await user.delete(`/budgets/${all.budget.id}`).expect(204);
    const { changes, next, has_more } = await readChanges(user);
    const { id: cycle_id } = all.cycle;
    const change = (entity_type: string, entity: { id: string }, cycle: string | null = null) => ({
      ...{ entity_type, entity_id: entity.id, cycle_id: cycle, deleted: false },
      representation: expect.objectContaining({ id: entity.id }) as unknown,
    });
    expect(changes).toEqual([
      change('payment_method', all.method),
      change('recurrent_expense', all.template),
      change('recurrent_income', all.incomeTemplate),
      change('cycle', all.cycle, cycle_id),
      change('cycle_expense', all.expense, cycle_id),
      change('cycle_income', all.income, cycle_id),
      change('comment', all.comment, cycle_id),
      change('budget', all.budget),
      change('balance', all.balance),
    ]);
    expect(has_more).toBe(false);
    expect(changes.map(({ representation }) => representation)).toEqual([
      await user.read(`/payment-methods/${all.method.id}`),
      await user.read(`/expense-templates/${all.template.id}`),
      await user.read(`/income-templates/${all.incomeTemplate.id}`),
      await user.read(`/cycles/${cycle_id}`),
      await user.read(`/cycles/${cycle_id}/expenses/${all.expense.id}`),
      await user.read(`/cycles/${cycle_id}/incomes/${all.income.id}`),
      ...(await user.read<unknown[]>(`/comments?cycle_id=${cycle_id}`)),
      await user.read(`/budgets/${all.budget.id}`),
      await user.read(`/balances/${all.balance.id}`),
    ]);
    expect(await readChanges(user, next)).toMatchObject({ changes: [], has_more: false });
    expect((await readChanges(user, empty.next)).changes.length).toBeGreaterThan(9);
  });

  it('GET /changes names what changed, with its present state', async () => {
    const user = await service.signUp();
    const { method, template, cycle, expense, comment } = await createAll(user);
    const copy = new ChangesCopy(user);
    await copy.update();
    expect(await copy.update()).toEqual([]);

    await user.put(`/payment-methods/${method.id}`, { name: 'Other' }).expect(200);
    const renamed = await copy.update();
    expect(renamed).toEqual([
      {
        ...{ entity_type: 'payment_method', entity_id: method.id, cycle_id: null, deleted: false },
        representation: await user.read(`/payment-methods/${method.id}`),
      },
    ]);

    const path = `/cycles/${cycle.id}/expenses/${expense.id}`;
    await user.put(path, { paid: true }).expect(200);
    await user.put(path, { amount: '7.00' }).expect(200);
    const paid = await copy.update();
    expect(summaryOf(paid)).toEqual([
      { entity_type: 'cycle', entity_id: cycle.id, cycle_id: cycle.id },
      { entity_type: 'cycle_expense', entity_id: expense.id, cycle_id: cycle.id },
    ]);
    expect(paid.map(({ representation }) => representation)).toEqual([
      await user.cycle(cycle.id),
      await user.read(path),
    ]);

    await user.send('patch', `/comments/${comment.id}`).send({ body: 'Second' }).expect(200);
    const edited = await copy.update();
    expect(edited).toMatchObject([
      { entity_type: 'comment', entity_id: comment.id, representation: { body: 'Second' } },
    ]);

    await user.delete(`/expense-templates/${template.id}`).expect(204);
    expect(await copy.update()).toMatchObject([
      { entity_id: template.id, deleted: false, representation: { active: false } },
    ]);
    // Without a change.
    await user.put(path, { amount: '7.00' }).expect(200);
    expect(await copy.update()).toEqual([]);
  });

  it('GET /changes names what was deleted, and the comments that end with it', async () => {
    const user = await service.signUp();
    const { cycle, expense, income, comment } = await createAll(user);
    const copy = new ChangesCopy(user);
    await copy.update();
    const before = copy.entities.size;
    await user.delete(`/cycles/${cycle.id}`).expect(204);
    const deleted = { cycle_id: cycle.id, deleted: true };
    const changes = await copy.update();
    expect(summaryOf(changes)).toEqual(
      expect.arrayContaining([
        { entity_type: 'cycle', entity_id: cycle.id, ...deleted },
        { entity_type: 'cycle_expense', entity_id: expense.id, ...deleted },
        { entity_type: 'cycle_income', entity_id: income.id, ...deleted },
        { entity_type: 'comment', entity_id: comment.id, ...deleted },
      ]),
    );
    expect(changes).toHaveLength(4);
    expect(copy.entities.size).toBe(before - 4);
  });

  it('GET /changes includes the comments of the household and nothing else of its members', async () => {
    const admin = await service.signUp();
    const member = await service.signUpMember(admin);
    const copy = new ChangesCopy(member);
    await copy.update();
    const { cycle, expense, comment } = await createAll(admin);
    expect(summaryOf(await copy.update())).toEqual([
      { entity_type: 'comment', entity_id: comment.id, cycle_id: cycle.id },
    ]);
    const target = { entity_type: 'cycle_expense', entity_id: expense.id };
    await member.post('/comments', { ...target, body: 'Mine' }).expect(201);
    await admin.delete(`/cycles/${cycle.id}/expenses/${expense.id}`).expect(204);
    expect((await copy.update()).map(({ deleted }) => deleted)).toEqual([true, true]);
    expect(copy.entities.size).toBe(0);
    const stranger = await service.signUp();
    expect((await readChanges(stranger)).changes).toEqual([]);
  });

  it('pages through everything and through changes, also while there are more', async () => {
    const user = await service.signUp();
    await user.createTemplate({
      recurrence_type: 'weekly',
      recurrence_config: { day_of_week: 1 },
    });
    const cycle = await user.createCycle();
    const copy = new ChangesCopy(user, 2);
    const first = await readChanges(user, undefined, 2);
    expect(first.has_more).toBe(true);
    await user.createExpense(cycle.id, { description: 'During the first read' });
    await copy.update();
    expect(copy.pages).toBeGreaterThan(4);
    const { expenses } = await user.expenses(cycle.id);
    const idsIn = (type: string): string[] =>
      [...copy.entities.keys()].filter((key) => key.startsWith(`${type} `)).sort();
    expect(idsIn('cycle_expense')).toEqual(expenses.map(({ id }) => `cycle_expense ${id}`).sort());

    // A reader who stopped in the middle of the first read goes on.
    let since = first.next;
    const seen = new Set(first.changes.map(({ entity_id }) => entity_id));
    for (let more = true; more;) {
      const page: ChangesResponse = await readChanges(user, since, 2);
      for (const { entity_id } of page.changes) seen.add(entity_id);
      since = page.next;
      more = page.has_more;
    }
    const rest = await readChanges(user, since);
    for (const { entity_id } of rest.changes) seen.add(entity_id);
    expect(expenses.every(({ id }) => seen.has(id))).toBe(true);

    await user.delete(`/cycles/${cycle.id}`).expect(204);
    await copy.update();
    expect(idsIn('cycle_expense')).toEqual([]);
    expect(idsIn('cycle')).toEqual([]);
  });

  it('GET /changes has no empty page before the last one, also after deletions', async () => {
    const user = await service.signUp();
    const cycle = await user.createCycle({ generate_from_templates: false });
    const target = { entity_type: 'cycle', entity_id: cycle.id };
    for (let n = 0; n < 3; n += 1) {
      await user.post('/comments', { ...target, body: `Comment ${n}` }).expect(201);
    }
    await user.delete(`/cycles/${cycle.id}`).expect(204);
    const method = await user.createPaymentMethod();
    const first = await readChanges(user, undefined, 1);
    expect(summaryOf(first.changes)).toEqual([
      { entity_type: 'payment_method', entity_id: method.id, cycle_id: null },
    ]);
    expect(first.has_more).toBe(false);
  });

  it('GET /changes has no empty page while entities are deleted during the first read', async () => {
    const user = await service.signUp();
    const cycles = await Promise.all(
      Array.from({ length: 20 }, () => user.createCycle({ generate_from_templates: false })),
    );
    const last = await user.createPaymentMethod();
    const copy = new ChangesCopy(user, 1);
    const deletions = (async () => {
      for (const { id } of cycles.reverse()) await user.delete(`/cycles/${id}`).expect(204);
    })();
    await Promise.all([copy.update(), deletions]);
    await copy.update();
    expect([...copy.entities.keys()]).toEqual([`payment_method ${last.id}`]);
  });

  it('GET /changes takes the cursors of version 1.1, which have the position of a type', async () => {
    const user = await service.signUp();
    await createAllOfVersion11(user);
    // All at once, so that the types alone order them.
    for (const table of ['payment_methods', 'expense_templates', 'income_templates', 'cycles']) {
      await service.query(
        `UPDATE ${table} SET created_at = '2026-01-01' WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
        [user.email],
      );
    }
    const types: string[] = [];
    let page = await readChanges(user, undefined, 1);
    for (;;) {
      types.push(...page.changes.map(({ entity_type }) => entity_type));
      if (!page.has_more) break;
      const [database, since, until, position] = decoded(page.next);
      const [createdAt, type, seq] = position as [string, string, string];
      expect(type).toBe(types.at(-1));
      const old = [createdAt, TYPES_BY_POSITION.indexOf(type), seq];
      page = await readChanges(user, page.next, 1);
      expect(await readChanges(user, encoded(database, since, until, old), 1)).toEqual(page);
    }
    // The payment methods are those of the templates, too.
    const order = types.map((type) => TYPES_BY_POSITION.indexOf(type));
    expect(order).toEqual([...order].sort());
    expect(new Set(types)).toEqual(new Set(TYPES_BY_POSITION));
  });

  it('GET /changes skips records of a type that this version does not know, and fills the page with others', async () => {
    const user = await service.signUp();
    const { next } = await readChanges(user);
    for (const action of ['created', 'updated', 'deactivated', 'commented']) {
      await recordOfLaterVersion(user, 'savings_goal', action);
    }
    const first = await user.createPaymentMethod();
    await recordOfLaterVersion(user, 'savings_goal', 'reactivated');
    const second = await user.createPaymentMethod();
    for (let n = 0; n < 3; n += 1) await recordOfLaterVersion(user, 'a_later_type', 'created');
    const page = await readChanges(user, next, 2);
    expect(page.changes.map(({ entity_id }) => entity_id)).toEqual([first.id, second.id]);
    expect(page.has_more).toBe(false);
    expect(await readChanges(user, page.next, 1)).toMatchObject({ changes: [], has_more: false });
    expect((await readChanges(user, next, 1)).changes).toHaveLength(1);
    expect((await readChanges(user, undefined)).changes).toHaveLength(2);
  });

  it('GET /changes goes on from a cursor that names a type of a later version', async () => {
    const user = await service.signUp();
    const { method, template, balance } = await createAll(user);
    const { next: start } = await readChanges(user);
    const idsAfter = async (cursor: string): Promise<string[]> =>
      (await readChanges(user, cursor)).changes.map(({ entity_id }) => entity_id);

    // In the first read such a type comes after those of the same instant.
    const first = await readChanges(user, undefined, 1);
    expect(first.changes.map(({ entity_id }) => entity_id)).toEqual([method.id]);
    const [database, , until, position] = decoded(first.next);
    const [createdAt, , seq] = position as [string, string, string];
    const rest = await idsAfter(encoded(database, null, until, [createdAt, 'savings_goal', seq]));
    expect(rest.slice(0, 1)).toEqual([template.id]);
    expect(rest.slice(-1)).toEqual([balance.id]);

    await user.put(`/payment-methods/${method.id}`, { name: 'One' }).expect(200);
    await user.put(`/payment-methods/${method.id}`, { name: 'Two' }).expect(200);
    await user.put(`/expense-templates/${template.id}`, { base_amount: '7.00' }).expect(200);
    const page = await readChanges(user, start, 1);
    const [, since, now, after] = decoded(page.next);
    const [transaction, number] = after as string[];
    const none = '00000000-0000-4000-8000-000000000000';
    const record = (type: string): string =>
      encoded(database, since, now, [transaction, number, type, none]);
    expect(await idsAfter(record('a_later_type'))).toEqual([method.id, template.id]);
    expect(await idsAfter(record('savings_goal'))).toEqual([method.id, template.id]);
  });

  it('GET /changes refuses a text that is not a cursor of this database', async () => {
    const user = await service.signUp();
    const { next } = await readChanges(user);
    const [database, since] = decoded(next);
    const other = '00000000-0000-4000-8000-000000000000';
    const position = ['1', '1', 'cycle', other];
    const wrong = [
      ...['x', next.slice(1), `${next}x`, next.slice(0, -3), 'W10', 'bnVsbA'],
      // One character too many, for each length of the last group of base64.
      ...['1', '10', '100'].map(
        (seq) => `${encoded(database, since, since, ['1', seq, 'cycle', other])}x`,
      ),
      ...[encoded(), encoded(database, since, null), encoded(other, since, null, null)],
      ...['1', '1:2', '2:1:', '1:3:3', '1:5:3,2', '1:5:3,3', '0:1:', 'a:b:', "1:2:'", ' 1:2:'].map(
        (snapshot) => encoded(database, snapshot, null, null),
      ),
      encoded(database, '999999999999999:999999999999999:', null, null),
      ...[null, 1, [], ['1', '1', 'cycle'], ['-1', '1', 'cycle', other]].map((after) =>
        encoded(database, since, null, after ?? [1]),
      ),
      ...['', 'Cycle', 'cycle ', "cycle'", 'x'.repeat(41), 4, null].flatMap((type) => [
        encoded(database, since, since, ['1', '1', type, other]),
        encoded(database, null, since, ['2026-01-01T00:00:00.000Z', type === 4 ? 4.5 : type, '1']),
      ]),
      encoded(database, since, since, ['1', '1', 'cycle', 'x']),
      encoded(database, since, since, ['9'.repeat(30), '1', 'cycle', other]),
      encoded(database, since, null, position),
      encoded(database, null, since, position),
      encoded(database, null, since, ['2026-02-30', 1, '1']),
      encoded(database, null, since, ['2026-13-01T00:00:00.000Z', 1, '1']),
      ...['2026-02-30T00:00:00.000Z', '0000-01-01T00:00:00.000Z', '2026-01-01T24:00:00.000Z'].map(
        (createdAt) => encoded(database, null, since, [createdAt, 0, '1']),
      ),
      ...[-1, 7, '4'].map((type) =>
        encoded(database, null, since, ['2026-01-01T00:00:00.000Z', type, '1']),
      ),
      encoded(database, null, null, null),
    ];
    for (const cursor of wrong) {
      const response = await user.get(`/changes?since=${encodeURIComponent(cursor)}`);
      expect([cursor, response.status]).toEqual([cursor, 422]);
      const { error } = response.body as { error: { details: { fields: object } } };
      expect(Object.keys(error.details.fields)).toEqual(['since']);
    }
    await user.get(`/changes?since=${encoded(database, since, since, position)}`).expect(200);
  });
});
