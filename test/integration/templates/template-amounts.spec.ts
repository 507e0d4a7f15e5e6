import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ChangesResponse } from '../../../src/changes/dto/changes.dto.js';
import type { PreviewResponse } from '../../../src/cycles/dto/preview.dto.js';
import type { ExpensePageResponse } from '../../../src/expenses/dto/expense-search.dto.js';
import type { ExpenseTemplateResponse } from '../../../src/templates/dto/expense-template.dto.js';
import type { Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { useService } from '../../support/service.js';

const service = useService();

/** Until 2026-07: 12 instalments, of which 5 are over when the cycle of the tests begins. */
const PURCHASE = {
  ...{ description: 'Lavadora', base_amount: '1291.58', last_amount: '1291.62' },
  ...{ recurrence_type: 'monthly', recurrence_config: { day_of_month: 5 } },
  ...{ starts_on: '2025-08-01', ends_on: '2026-07-31', reference_date: '2025-08-05' },
};

const MEMBERS = {
  amount_changes: [
    { from: '2026-02-01', amount: '1300.00' },
    { from: '2026-03-01', amount: '1400.50' },
  ],
  last_amount: '7.00',
  skipped_dates: ['2026-02-01', '2026-02-02'],
};

/** The kinds of templates, with their names in the activity log. */
const KINDS = [
  ['/expense-templates', 'recurrent_expense'],
  ['/income-templates', 'recurrent_income'],
] as const;

type Kind = (typeof KINDS)[number][0];

const create = (
  user: Client,
  kind: Kind,
  body: Record<string, unknown>,
): Promise<{ id: string }> =>
  kind === '/expense-templates' ? user.createTemplate(body) : user.createIncomeTemplate(body);

describe.each(KINDS)('amounts and skipped dates of %s', (kind, entityType) => {
  let user: Client;
  let path: string;
  let id: string;

  const read = (): Promise<ExpenseTemplateResponse> => user.read(path);
  const put = async (body: object): Promise<ExpenseTemplateResponse> =>
    (await user.put(path, body).expect(200)).body as ExpenseTemplateResponse;

  beforeEach(async () => {
    user = await service.signUp();
    ({ id } = await create(user, kind, { ...MEMBERS, ends_on: '2027-01-01' }));
    path = `${kind}/${id}`;
  });

  it('are stored, shown and recorded with two decimals', async () => {
    const created = await create(user, kind, {
      amount_changes: [
        { from: '1900-01-01', amount: 5 },
        { from: '2999-12-31', amount: '.5' },
      ],
      ...{ last_amount: 9.5, ends_on: '2027-01-01', skipped_dates: ['1900-01-01', '2999-12-31'] },
    });
    const shown = {
      amount_changes: [
        { from: '1900-01-01', amount: '5.00' },
        { from: '2999-12-31', amount: '0.50' },
      ],
      ...{ last_amount: '9.50', skipped_dates: ['1900-01-01', '2999-12-31'] },
    };
    expect(created).toMatchObject(shown);
    expect(await user.read(`${kind}/${created.id}`)).toEqual(created);
    const [record] = await user.activityOf(entityType, created.id);
    const changes = Object.entries(shown).map(([name, to]) => [name, { from: null, to }]);
    expect(record).toMatchObject({
      action: 'created',
      changes: Object.fromEntries(changes) as object,
    });
    const { changes: feed } = await user.read<ChangesResponse>('/changes');
    expect(feed).toContainEqual(
      expect.objectContaining({ representation: expect.objectContaining(shown) as unknown }),
    );
  });

  it('are replaced and cleared by a PUT, which is recorded and undone', async () => {
    const before = await read();
    const amount_changes = [{ from: '2026-02-01', amount: '1' }];
    const after = { ...before, amount_changes: [{ from: '2026-02-01', amount: '1.00' }] };
    const { updated_at } = await put({ amount_changes });
    expect(await read()).toEqual({ ...after, updated_at });
    expect(await put({ skipped_dates: [], last_amount: null })).toMatchObject({
      ...{ amount_changes: after.amount_changes, skipped_dates: [], last_amount: null },
    });
    const records = (await user.activityOf(entityType, id)).slice(1);
    expect(records.map(({ changes }) => changes)).toEqual([
      { amount_changes: { from: before.amount_changes, to: after.amount_changes } },
      {
        skipped_dates: { from: before.skipped_dates, to: [] },
        last_amount: { from: '7.00', to: null },
      },
    ]);
    for (const record of records.reverse()) await user.undo(record);
    expect(await read()).toMatchObject(MEMBERS);
    await expectIntegrity(service.dataSource);
  });

  it('do not change with a PUT that has the same', async () => {
    const before = await read();
    const amount_changes = [
      { amount: 1300, from: '2026-02-01' },
      { amount: '01400.5', from: '2026-03-01' },
    ];
    expect(await put({ ...MEMBERS, amount_changes, last_amount: 7 })).toEqual(before);
    expect(await user.activityOf(entityType, id)).toHaveLength(1);
  });

  it('have a last amount only with an end', async () => {
    const details = {
      fields: { last_amount: ['last_amount must be null without ends_on'] },
      reasons: { last_amount: ['contradiction'] },
    };
    const refused = async (body: object): Promise<void> => {
      expectError(await user.put(path, body), 422, 'VALIDATION_ERROR', details);
    };
    await refused({ ends_on: null });
    await refused({ ends_on: null, last_amount: '8.00' });
    await put({ ends_on: null, last_amount: null });
    await refused({ last_amount: '8.00' });
    expect(await put({ ends_on: '2027-01-01', last_amount: '8.00' })).toMatchObject({
      ...{ ends_on: '2027-01-01', last_amount: '8.00' },
    });
    const body = {
      ...{ description: 'X', currency: 'USD', base_amount: '1', reference_date: '2026-01-01' },
      ...{ recurrence_type: 'weekly', recurrence_config: { day_of_week: 1 }, last_amount: '5' },
    };
    const own = { category: 'fixed', payment_method_id: (await user.createPaymentMethod()).id };
    const created = kind === '/expense-templates' ? { ...body, ...own } : body;
    expectError(await user.post(kind, created), 422, 'VALIDATION_ERROR', details);
  });

  it('cannot be undone into a last amount without an end', async () => {
    await put({ last_amount: null });
    const record = await user.lastRecord(entityType, id);
    await put({ ends_on: null });
    expectInvalid(await user.post(`/activity/${record.id}/undo`), 'last_amount');
  });
});

describe('what a template with amounts and instalments gives', () => {
  let user: Client;

  beforeEach(async () => {
    user = await service.signUp();
  });

  it.each(KINDS.map(([kind]) => kind))(
    'of %s: a new cycle and its preview have them',
    async (kind) => {
      await create(user, kind, {
        ...PURCHASE,
        amount_changes: [{ from: '2026-03-01', amount: '9' }],
      });
      const dates = { start_date: '2026-02-01', end_date: '2026-03-10' };
      const response = await user.post('/cycles/preview', { ...dates, income_amount: '0' });
      const preview = response.body as PreviewResponse;
      const { id } = await user.createCycle(dates);
      const [planned, stored] =
        kind === '/expense-templates'
          ? [preview.expenses, (await user.expenses(id)).expenses]
          : [preview.incomes, (await user.incomes(id)).incomes];
      for (const entries of [planned, stored]) {
        expect(entries).toMatchObject([
          {
            ...{ amount: '1291.58', planned_amount: '1291.58', amount_usd: '1291.58' },
            ...{ occurrence_date: '2026-02-05', instalment: { number: 7, count: 12 } },
          },
          {
            ...{ amount: '9.00', planned_amount: '9.00', amount_usd: '9.00' },
            ...{ occurrence_date: '2026-03-05', instalment: { number: 8, count: 12 } },
          },
        ]);
      }
      const [entry] = stored;
      const type = kind === '/expense-templates' ? 'cycle_expense' : 'cycle_income';
      const [record] = await user.activityOf(type, entry?.id ?? '');
      expect(record?.changes).toMatchObject({
        instalment: { from: null, to: { number: 7, count: 12 } },
        amount: { from: null, to: '1291.58' },
      });
      await expectIntegrity(service.dataSource);
    },
  );

  it('the last instalment has the rest, in pesos too, and no other plan counts', async () => {
    await user.createTemplate({ ...PURCHASE, currency: 'MXN', skipped_dates: ['2026-06-05'] });
    await user.createTemplate({ starts_on: '2025-08-01' });
    const { id } = await user.createCycle({ start_date: '2026-06-15', end_date: '2026-07-20' });
    const { expenses } = await user.expenses(id);
    expect(
      expenses.map(({ amount, amount_usd, instalment }) => [amount, amount_usd, instalment]),
    ).toEqual([
      ['1200.00', '1200.00', null],
      ['1291.62', '64.58', { number: 11, count: 11 }],
    ]);
  });

  it('an instalment is shown wherever an expense is read, and carried over as none', async () => {
    const template = await user.createTemplate(PURCHASE);
    const { id } = await user.createCycle();
    const instalment = { number: 7, count: 12 };
    const [expense] = (await user.expenses(id)).expenses;
    expect(expense).toMatchObject({ instalment });
    const path = `/cycles/${id}/expenses/${expense?.id ?? ''}`;
    expect(await user.read(path)).toEqual(expense);
    const found = await user.read<ExpensePageResponse>(`/expenses?template_id=${template.id}`);
    expect(found.expenses).toMatchObject([{ ...expense }]);
    const changed = await user.put(path, { amount: '1300.00' }).expect(200);
    expect(changed.body).toMatchObject({ amount: '1300.00', instalment });
    expect((await user.get(path)).get('ETag')).toBe(changed.get('ETag'));
    const { changes } = await user.read<ChangesResponse>('/changes');
    expect(changes).toContainEqual(
      expect.objectContaining({ representation: { ...(changed.body as object) } }),
    );
    const csv = await user.get(`/cycles/${id}/expenses.csv`).expect(200);
    expect(csv.text).not.toContain('instalment');
    const next = await user.createCycle({ start_date: '2026-08-01', end_date: '2026-08-31' });
    const body = { to_cycle_id: next.id };
    const moved = await user.post(`/cycles/${id}/carry-over`, body).expect(200);
    expect(moved.body).toMatchObject({ moved: [{ expense: { instalment: null } }] });
    const manual = await user.createExpense(next.id);
    expect(manual).toMatchObject({ instalment: null });
  });
});
