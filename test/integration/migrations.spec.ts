import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { useService } from '../support/service.js';
import { serverSettings } from '../support/test-database.js';

describe('the migrations', () => {
  const service = useService();

  const tables = (): Promise<object[]> =>
    service.query(`SELECT table_name, column_name, data_type FROM information_schema.columns
      WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`);

  it('can be reverted to the first and run again, with the same schema', async () => {
    const before = await tables();
    const count = service.dataSource.migrations.length;
    for (let n = 0; n < count; n += 1) await service.dataSource.undoLastMigration();
    expect(await tables()).toHaveLength(3); // The migrations table's own columns.
    expect(await service.dataSource.runMigrations()).toHaveLength(count);
    expect(await tables()).toEqual(before);
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

    it('is migrated once by several processes that start together', async () => {
      const name = `expense_start_${randomUUID().replaceAll('-', '')}`;
      await onServer(`CREATE DATABASE ${name}`);
      const url = new URL(serverUrl);
      url.pathname = `/${name}`;
      const start = () => openDatabase(serverSettings(url.href));
      const opened = await Promise.all([start(), start(), start()]);
      const rates = await opened[0].dataSource.query<object[]>('SELECT 1 FROM exchange_rates');
      expect(rates).toHaveLength(1);
      for (const { close } of opened) await close();
      await onServer(`DROP DATABASE ${name}`);
    });

    it('works with any default DateStyle', async () => {
      const name = `expense_style_${randomUUID().replaceAll('-', '')}`;
      await onServer(`CREATE DATABASE ${name}`);
      await onServer(`ALTER DATABASE ${name} SET datestyle TO 'German'`);
      const url = new URL(serverUrl);
      url.pathname = `/${name}`;
      const { dataSource, close } = await openDatabase(serverSettings(url.href));
      const rows = await dataSource.query<object[]>('SELECT rate_date FROM exchange_rates');
      expect(rows).toEqual([{ rate_date: '2025-01-01' }]);
      await close();
      await onServer(`DROP DATABASE ${name}`);
    });
  });
}
