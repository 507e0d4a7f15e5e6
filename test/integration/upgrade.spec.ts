import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { CycleResponse } from '../../src/cycles/dto/cycle.dto.js';
import type { DatabaseSettings } from '../../src/config/settings.js';
import { createDataSource } from '../../src/database/data-source.js';
import { openEmbeddedDatabase } from '../../src/database/embedded/embedded-database.js';
import { migrations } from '../../src/database/migrations/index.js';
import type { Client } from '../support/client.js';
import { Service } from '../support/service.js';
import { createEmptyDatabase, type TestDatabase } from '../support/test-database.js';

const CONTENT = new URL('../../fixtures/first-version.sql', import.meta.url);
const TABLES = [
  'households',
  'users',
  'payment_methods',
  'expense_templates',
  'cycles',
  'cycle_expenses',
  'activity_log',
];

/** The database as the first version of the service left it. */
async function makeFirstVersion(settings: DatabaseSettings): Promise<Record<string, unknown>> {
  const embedded = settings.kind === 'embedded' ? await openEmbeddedDatabase(settings) : undefined;
  const dataSource = createDataSource(settings, embedded).setOptions({
    migrations: migrations.slice(0, 1),
  });
  await dataSource.initialize();
  await dataSource.runMigrations();
  await dataSource.query(readFileSync(CONTENT, 'utf8'));
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

describe('a database of the first version with real content', () => {
  const service = new Service();
  let database: TestDatabase;
  let before: Record<string, unknown>;
  let ana: Client;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    before = await makeFirstVersion(database.settings);
    await service.start({ database: database.settings });
    ana = await service.signIn('ana@example.com');
  });

  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  it('keeps every value of every row', async () => {
    const after = await contentOf((sql) => service.query(sql));
    expect(Object.keys(before)).toEqual(TABLES);
    for (const table of TABLES) {
      const rows = before[table] as object[];
      expect(rows.length).toBeGreaterThan(1);
      expect(after[table]).toEqual(rows.map((row) => expect.objectContaining(row) as unknown));
    }
  });

  it('shows its cycles to the cent', async () => {
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
      },
    ]);
  });

  it('goes on where it stopped: what is new comes after, and can do what is new', async () => {
    const method = await ana.createPaymentMethod({ name: 'New since the upgrade' });
    const [newest] = (await ana.get('/payment-methods').expect(200)).body as { id: string }[];
    expect(newest?.id).toBe(method.id);
    const target = { entity_type: 'payment_method', entity_id: method.id };
    await ana.post('/comments', { ...target, body: 'Comments are new.' }).expect(201);
    expect((await ana.activityOf('payment_method', method.id)).map(({ action }) => action)).toEqual(
      ['created', 'commented'],
    );
  });
});
