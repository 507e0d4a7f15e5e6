import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { openEmbeddedDatabase } from '#embedded-postgres';
import type { CycleResponse } from '../../../../src/cycles/dto/cycle.dto.js';
import { MIGRATIONS } from '../../../../src/migrations/index.js';
import type { DatabaseSettings } from '../../../../src/platform/config/settings.js';
import { createDataSource } from '../../../../src/platform/database/data-source.js';
import { emptyClusterArchive } from '../../../../src/platform/database/empty-cluster-archive.js';
import type { ExpenseTemplateResponse } from '../../../../src/templates/dto/expense-template.dto.js';
import type { Client } from '../../../support/client.js';
import { type TestDatabase } from '../../../support/database-server.js';
import { expectIntegrity } from '../../../support/integrity.js';
import { Service } from '../../../support/service.js';
import { createEmptyDatabase } from '../../../support/test-database.js';

const FIRST_VERSION_DATA = new URL('../../../../fixtures/first-version.sql', import.meta.url);
const TABLES = [
  'households',
  'users',
  'payment_methods',
  'expense_templates',
  'cycles',
  'cycle_expenses',
  'activity_log',
];

/**
 * Creates the database of an older version, with the first `count` migrations, and returns its
 * rows.
 */
async function createOldDatabase(
  settings: DatabaseSettings,
  count: number,
): Promise<Record<string, unknown>> {
  const embedded =
    settings.kind === 'embedded'
      ? await openEmbeddedDatabase({ ...settings, emptyCluster: emptyClusterArchive() })
      : undefined;
  const dataSource = createDataSource(
    settings,
    { entities: [], migrations: MIGRATIONS.slice(0, 1) },
    embedded,
  );
  await dataSource.initialize();
  await dataSource.runMigrations();
  await dataSource.query(readFileSync(FIRST_VERSION_DATA, 'utf8'));
  dataSource.setOptions({ migrations: MIGRATIONS.slice(0, count) });
  await dataSource.destroy();
  await dataSource.initialize();
  await dataSource.runMigrations();
  const rows = await contentOf((sql) => dataSource.query(sql));
  await dataSource.destroy();
  await embedded?.close();
  return rows;
}

async function contentOf(
  query: (sql: string) => Promise<unknown>,
): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {};
  for (const table of TABLES) content[table] = await query(`SELECT * FROM ${table} ORDER BY seq`);
  return content;
}

const VERSIONS: [name: string, migrations: number][] = [
  ['of the first version', 1],
  ['of the version before incomes', 3],
  ['of the version before household keys', 10],
];

describe.each(VERSIONS)('a database %s with data', (_name, count) => {
  const service = new Service();
  let database: TestDatabase;
  let before: Record<string, unknown>;
  let ana: Client;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    before = await createOldDatabase(database.settings, count);
    await service.start({ database: database.settings });
    ana = await service.signIn('ana@example.com');
  });

  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  it('an upgraded database keeps every value of every row', async () => {
    const after = await contentOf((sql) => service.query(sql));
    expect(Object.keys(before)).toEqual(TABLES);
    for (const table of TABLES) {
      const rows = before[table] as object[];
      expect(rows.length).toBeGreaterThan(1);
      expect(after[table]).toEqual(rows.map((row) => expect.objectContaining(row) as unknown));
    }
  });

  it("an upgraded database passes the operators' check, old activity records included", async () => {
    await expectIntegrity(service.dataSource);
  });

  it('an upgraded database has templates without start and end that keep weekend dates and amounts', async () => {
    const templates = await ana.read<ExpenseTemplateResponse[]>('/expense-templates');
    for (const template of templates) {
      expect(template).toMatchObject({
        ...{ starts_on: null, ends_on: null, weekend_rule: 'keep' },
        ...{ amount_changes: [], last_amount: null, skipped_dates: [] },
      });
    }
    expect(templates.length).toBeGreaterThan(1);
  });

  it('an upgraded database shows the rate and the occurrence date of each expense', async () => {
    const [cycle] = (await ana.read<{ cycles: CycleResponse[] }>('/cycles')).cycles;
    const { expenses } = await ana.expenses(cycle?.id ?? '');
    for (const { currency, description, exchange_rate, ...expense } of expenses) {
      const rate = { rate: '0.050000', rate_date: '2025-01-01' };
      expect({ description, exchange_rate }).toEqual({
        description,
        exchange_rate: currency === 'USD' ? null : rate,
      });
      const isGenerated = expense.template_id !== null;
      expect(expense.occurrence_date).toBe(isGenerated ? expense.due_date : null);
      expect(expense.instalment).toBeNull();
    }
    expect(expenses).toHaveLength(34);
  });

  it('an upgraded database has no budgets, and takes them', async () => {
    expect(await ana.read('/budgets')).toEqual([]);
    const { cycles } = await ana.read<{ cycles: [CycleResponse] }>('/cycles');
    for (const { budget_limits, side } of cycles) {
      expect({ budget_limits, side }).toEqual({ budget_limits: [], side: false });
    }
    const [{ id: cycleId }] = cycles;
    const { expenses } = await ana.expenses(cycleId);
    for (const { budget } of expenses) expect(budget).toBeNull();
    const { id, name } = await ana.createBudget({ limit: '400.00' });
    const path = `/cycles/${cycleId}/expenses/${expenses[0]?.id}`;
    const changed = await ana.put(path, { budget_id: id }).expect(200);
    expect(changed.body).toMatchObject({ budget: { id, name } });
    const budget_limits = [{ budget_id: id, limit: '5.00' }];
    await ana.put(`/cycles/${cycleId}`, { budget_limits }).expect(200);
    const [template] = await ana.read<[ExpenseTemplateResponse]>('/expense-templates');
    expect(template.budget).toBeNull();
    await ana.put(`/expense-templates/${template.id}`, { budget_id: id }).expect(200);
    await expectIntegrity(service.dataSource);
  });

  it('an upgraded database shows its cycles to the cent', async () => {
    const response = await ana.get('/cycles').expect(200);
    const { cycles } = response.body as { cycles: CycleResponse[] };
    expect(
      cycles.map(({ name, status, remaining_balance, summary }) => ({
        name,
        status,
        remaining_balance,
        ...summary,
      })),
    ).toEqual([
      {
        name: 'January to March 2026',
        status: 'active',
        remaining_balance: '-844.17',
        total_expenses: '6044.17',
        fixed_expenses: '4033.33',
        variable_expenses: '2010.84',
        expense_count: 33,
        paid_count: 1,
        pending_count: 32,
        total_incomes: '0.00',
        income_count: 0,
      },
      {
        name: 'Before',
        status: 'completed',
        remaining_balance: '4025.07',
        total_expenses: '75.03',
        fixed_expenses: '0.00',
        variable_expenses: '75.03',
        expense_count: 1,
        paid_count: 0,
        pending_count: 1,
        total_incomes: '0.00',
        income_count: 0,
      },
    ]);
  });

  it('an upgraded database accepts new entities after the old ones, with the new features', async () => {
    const method = await ana.createPaymentMethod({ name: 'New since the upgrade' });
    const [newest] = (await ana.get('/payment-methods').expect(200)).body as { id: string }[];
    expect(newest?.id).toBe(method.id);
    const target = { entity_type: 'payment_method', entity_id: method.id };
    await ana.post('/comments', { ...target, body: 'Comments are new.' }).expect(201);
    expect((await ana.activityOf('payment_method', method.id)).map(({ action }) => action)).toEqual(
      ['created', 'commented'],
    );
    const { cycles } = await ana.read<{ cycles: [CycleResponse] }>('/cycles');
    await ana.createIncome(cycles[0].id, { amount: '844.17' });
    expect(await ana.cycle(cycles[0].id)).toMatchObject({ remaining_balance: '0.00' });
    const [template] = await ana.read<[ExpenseTemplateResponse]>('/expense-templates');
    await ana.put(`/expense-templates/${template.id}`, { weekend_rule: 'after' }).expect(200);
    await expectIntegrity(service.dataSource);
  });
});
