import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { ExpensePageResponse } from '../../../../src/expenses/dto/expense-search.dto.js';
import type { IncomePageResponse } from '../../../../src/incomes/dto/income-search.dto.js';
import { IntegrityService } from '../../../../src/operators/integrity/integrity.service.js';
import { Database } from '../../../../src/platform/database/database.js';
import { openDatabase } from '../../../../src/platform/database/open-database.js';
import { SCHEMA } from '../../../../src/schema.js';
import type { Client } from '../../../support/client.js';
import { serverSettings } from '../../../support/database-server.js';
import { useService } from '../../../support/service.js';
import { describeOnOneServer } from '../../../support/test-database.js';

describeOnOneServer('the migrations', () => {
  const service = useService();

  const tables = (): Promise<object[]> =>
    service.query(`SELECT table_name, column_name, data_type FROM information_schema.columns
      WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`);

  /** Reverts the migrations after the named one, and returns their number. */
  async function undoAfter(name: string): Promise<number> {
    const names = service.dataSource.migrations.map((migration) => migration.name);
    const count = names.length - 1 - names.indexOf(name);
    for (let n = 0; n < count; n += 1) await service.dataSource.undoLastMigration();
    return count;
  }

  /**
   * Reverts the migrations after the first of those of the household keys, and returns their
   * number.
   */
  const undoHouseholdKeys = (): Promise<number> => undoAfter('HouseholdColumns1795300000000');

  it('the migrations can be reverted to the first and run again, with the same schema', async () => {
    const before = await tables();
    const count = service.dataSource.migrations.length;
    for (let n = 0; n < count; n += 1) await service.dataSource.undoLastMigration();
    expect(await tables()).toHaveLength(3); // The migrations table's own columns.
    expect(await service.dataSource.runMigrations()).toHaveLength(count);
    expect(await tables()).toEqual(before);
  });

  it('the migrations fill in the household of what the previous version writes, before and after the keys', async () => {
    const user = await service.signUp();
    const [{ user_id, household_id }] = (await service.query(
      'SELECT user_id, household_id FROM sessions ORDER BY created_at DESC LIMIT 1',
    )) as [{ user_id: string; household_id: string }];
    const insert = async (name: string): Promise<void> => {
      await service.query(
        `INSERT INTO payment_methods (user_id, name, method_type, default_currency)
         VALUES ($1, $2, 'cash', 'USD')`,
        [user_id, name],
      );
    };
    const households = () =>
      service.query('SELECT name, household_id FROM payment_methods ORDER BY seq');
    await undoHouseholdKeys();
    await insert('Before the keys');
    expect(await households()).toEqual([{ name: 'Before the keys', household_id }]);
    await service.query('ALTER TABLE payment_methods DISABLE TRIGGER USER');
    await insert('Before the migration');
    await service.query('ALTER TABLE payment_methods ENABLE TRIGGER USER');
    await service.dataSource.runMigrations();
    await insert('After the keys');
    expect(await households()).toEqual(
      ['Before the keys', 'Before the migration', 'After the keys'].map((name) => ({
        name,
        household_id,
      })),
    );
    expect(await user.read<object[]>('/payment-methods')).toHaveLength(3);
  });

  it("the migrations normalize e-mails, unless one would be another user's or too long", async () => {
    /** The e-mails before and after. */
    const emails = [
      ['ana.núñez@example.com'.normalize('NFD'), 'ana.núñez@example.com'],
      ['luis@example.com', 'luis@example.com'],
      ['münchen@example.com', 'münchen@example.com'],
      ...['münchen@example.com'.normalize('NFD')].map((email) => [email, email]),
      // Two of the same user's forms: a letter with two accents in either order.
      ['o\u0302\u0323@example.com', '\u1ed9@example.com'],
      ['o\u0323\u0302@example.com', 'o\u0323\u0302@example.com'],
      // A letter that is two in NFC.
      ...[`${'\u0958'.repeat(240)}@example.com`].map((email) => [email, email]),
    ] as [string, string][];
    const users: Client[] = [];
    while (users.length < emails.length) users.push(await service.signUp());
    await undoAfter('Undo1795320000000');
    for (const [index, [email]] of emails.entries()) {
      await service.query(
        `UPDATE users SET email = $1, updated_at = '2026-01-01' WHERE email = $2`,
        [email, users[index]?.email],
      );
    }
    await service.dataSource.runMigrations();
    const stored = await service.query<{ email: string; isChanged: boolean }>(
      `SELECT email, updated_at > '2026-01-01' AS "isChanged" FROM users
       WHERE email = ANY($1) ORDER BY seq`,
      [emails.flat()],
    );
    expect(stored).toEqual(
      emails.map(([before, email]) => ({ email, isChanged: email !== before })),
    );
    const results = await new IntegrityService(service.app.get(Database)).check();
    const { findings } = results.find(({ rule }) => rule === 'email') ?? {};
    expect(findings?.map(({ problem }) => problem).sort()).toEqual([
      expect.stringMatching(/NFC, where it is that of user [-0-9a-f]{36}; users set-email/),
      expect.stringMatching(/NFC, where it is that of user [-0-9a-f]{36}; users set-email/),
      expect.stringMatching(/NFC; users set-email/),
    ] as unknown[]);
  });

  it('the migrations let searches find what was stored before and what the previous version writes', async () => {
    const user = await service.signUp();
    const cycle = await user.createCycle();
    const { id } = await user.createExpense(cycle.id, { description: 'Súper before' });
    await user.createIncome(cycle.id, { description: 'Devolución' });
    await undoAfter('PasswordResetTokens1795370000000');
    await service.dataSource.runMigrations();
    await service.query(
      `INSERT INTO cycle_expenses (household_id, cycle_id, payment_method_id, description, currency, amount,
         amount_usd, due_date, category)
       SELECT household_id, cycle_id, payment_method_id, 'Súper after', currency, amount, amount_usd, due_date, category
       FROM cycle_expenses WHERE id = $1`,
      [id],
    );
    const found = async (q: string): Promise<string[]> =>
      (await user.read<ExpensePageResponse>(`/expenses?q=${q}`)).expenses.map(
        ({ description }) => description,
      );
    expect(await found('super')).toEqual(['Súper before', 'Súper after']);
    await service.query(`UPDATE cycle_expenses SET description = 'Café' WHERE id = $1`, [id]);
    expect(await found('super')).toEqual(['Súper after']);
    expect(await found('cafe')).toEqual(['Café']);
    const { incomes } = await user.read<IncomePageResponse>('/incomes?q=devolucion');
    expect(incomes).toMatchObject([{ description: 'Devolución' }]);
  });

  it('the migrations complete what an interrupted run left', async () => {
    const count = await undoHouseholdKeys();
    await service.query('CREATE INDEX uq_cycles_user_id_name_household ON cycles (user_id)');
    await service.query(
      'ALTER TABLE cycles ADD CONSTRAINT ck_cycles_household_id CHECK (household_id IS NOT NULL)',
    );
    expect(await service.dataSource.runMigrations()).toHaveLength(count);
    const [index] = await service.query(
      `SELECT indexdef FROM pg_indexes WHERE indexname = 'uq_cycles_user_id_name'`,
    );
    expect(index).toEqual({ indexdef: expect.stringContaining('household_id') as unknown });
  });
});

const serverUrl = process.env.TEST_DATABASE_URL;

if (serverUrl !== undefined) {
  describe('an empty database on a server', () => {
    async function onServer(sql: string): Promise<void> {
      const client = new pg.Client({ connectionString: serverUrl });
      await client.connect();
      await client.query(sql);
      await client.end();
    }

    it('an empty database on a server is migrated once by several processes that start together', async () => {
      const name = `expense_start_${randomUUID().replaceAll('-', '')}`;
      await onServer(`CREATE DATABASE ${name}`);
      const url = new URL(serverUrl);
      url.pathname = `/${name}`;
      const start = () => openDatabase(serverSettings(url.href), SCHEMA);
      const opened = await Promise.all([start(), start(), start()]);
      const rates = await opened[0].dataSource.query<object[]>('SELECT 1 FROM exchange_rates');
      expect(rates).toHaveLength(1);
      for (const { close } of opened) await close();
      await onServer(`DROP DATABASE ${name}`);
    });

    it('an empty database on a server works with any default DateStyle', async () => {
      const name = `expense_style_${randomUUID().replaceAll('-', '')}`;
      await onServer(`CREATE DATABASE ${name}`);
      await onServer(`ALTER DATABASE ${name} SET datestyle TO 'German'`);
      const url = new URL(serverUrl);
      url.pathname = `/${name}`;
      const { dataSource, close } = await openDatabase(serverSettings(url.href), SCHEMA);
      const rows = await dataSource.query<object[]>('SELECT rate_date FROM exchange_rates');
      expect(rows).toEqual([{ rate_date: '2025-01-01' }]);
      await close();
      await onServer(`DROP DATABASE ${name}`);
    });
  });
}
