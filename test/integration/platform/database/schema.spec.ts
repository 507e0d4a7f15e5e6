import { describe, expect, it } from '@jest/globals';
import {
  DISTRIBUTED_TABLES,
  REFERENCE_TABLES,
} from '../../../../src/operators/distribution/distribution.service.js';
import { SCHEMA } from '../../../../src/schema.js';
import { foldedTextSql, UNUSUAL_TEXTS } from '../../../support/folded-text.js';
import { useService } from '../../../support/service.js';
import { isDistributed } from '../../../support/test-database.js';

describe('the database schema', () => {
  const service = useService();

  async function rowsOf(...tables: string[]): Promise<number[]> {
    const counts = tables.map((table) =>
      service.query<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${table}`),
    );
    return (await Promise.all(counts)).map(([count]) => count?.rows ?? 0);
  }

  it('the database schema has no table that a distribution forgets', async () => {
    const tables = await service.query<{ name: string }>(
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
    );
    const onCoordinator = ['database_identity', 'migrations'];
    expect(tables.map(({ name }) => name).sort()).toEqual(
      [...REFERENCE_TABLES, ...DISTRIBUTED_TABLES, ...onCoordinator].sort(),
    );
  });

  it('the database schema has every unique constraint with an error', async () => {
    const indexes = await service.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid
       WHERE indisunique AND relname LIKE 'uq_%'`,
    );
    expect(indexes.map(({ name }) => name)).toEqual(
      expect.arrayContaining(Object.keys(SCHEMA.uniqueConstraints)),
    );
  });

  it("the database schema deletes a user's entities with the user, and keeps the activity", async () => {
    const user = await service.signUp();
    const { id: budget_id } = await user.createBudget();
    const { payment_method } = await user.createTemplate({ budget_id });
    await user.createIncomeTemplate({ payment_method_id: payment_method.id });
    await user.createBalance({ payment_method_id: payment_method.id });
    await user.createCycle();
    await user.post('/households/current/invitations').expect(201);
    await user.createCalendarFeed();
    await user.createToken();
    const owned = [
      ...['payment_methods', 'expense_templates', 'cycles', 'cycle_expenses'],
      ...['income_templates', 'cycle_incomes', 'budgets', 'balances'],
    ];
    const tables = [
      ...owned,
      'household_invitations',
      'personal_access_tokens',
      'calendar_feeds',
      'activity_log',
    ];
    expect(await rowsOf(...tables)).toEqual([1, 1, 1, 2, 1, 3, 1, 1, 1, 1, 1, 11]);
    await service.query('DELETE FROM users WHERE email = $1', [user.email]);
    // In a distributed database, invitations and tokens have no foreign key to users
    // (docs/operations.md).
    const left = isDistributed ? 1 : 0;
    expect(await rowsOf(...tables)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, left, left, 0, 11]);
  });

  it('the database schema stores descriptions as searches always compared them', async () => {
    const [{ expression }, ofIncomes] = (await service.query(
      `SELECT pg_get_expr(adbin, adrelid) AS expression
       FROM pg_attrdef JOIN pg_attribute a ON a.attrelid = adrelid AND a.attnum = adnum
       WHERE adrelid IN ('cycle_expenses'::regclass, 'cycle_incomes'::regclass)
         AND attname = 'folded_description'`,
    )) as [{ expression: string }, { expression: string }];
    expect(ofIncomes).toEqual({ expression });
    const different = (descriptions: string, parameters: unknown[]): Promise<object[]> =>
      service.query(
        `SELECT description FROM ${descriptions}
         WHERE (${expression}) IS DISTINCT FROM (${foldedTextSql('description')})`,
        parameters,
      );
    const parts = ['', 'e', '\u0301', ' ', '\t', '\u00a0', 'ẞ', '\\%'];
    const texts = parts.flatMap((a) => parts.flatMap((b) => parts.map((c) => `${a}${b} ${c}${a}`)));
    expect(
      await different('unnest($1::text[]) AS t(description)', [[...UNUSUAL_TEXTS, ...texts]]),
    ).toEqual([]);
    // Every character of the first planes but surrogates, with itself and between spaces.
    for (let first = 1; first < 0x20000; first += 0x4000) {
      const characters = `(
        SELECT c || c || ' ' || c || ' a' || c AS description
        FROM generate_series($1::int, $1::int + 16383) AS code, LATERAL (SELECT chr(code) AS c) AS one
        WHERE code NOT BETWEEN 55296 AND 57343
      ) AS t`;
      expect(await different(characters, [first])).toEqual([]);
    }
  });

  const addRate = (rate: string, date: string, pair = `'MXN', 'USD'`): Promise<unknown> =>
    service.query(`INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
      VALUES (${pair}, ${rate}, '${date}')`);

  it('the database schema stores one rate per currency pair and day', async () => {
    await addRate('0.06', '2026-01-01');
    await expect(addRate('0.07', '2026-01-01')).rejects.toThrow('uq_exchange_rates_pair_date');
    await addRate('0.07', '2026-01-02');
    await addRate('18', '2026-01-01', `'USD', 'MXN'`);
  });

  it.each(['0', '-0.05', '0.0000001'])('the database schema refuses the rate %s', async (rate) => {
    await expect(addRate(rate, '2026-02-01')).rejects.toThrow('ck_exchange_rates_rate');
  });

  it.each([
    ['expense_templates', 'base_amount = 0'],
    ['expense_templates', 'last_amount = 0'],
    ['expense_templates', `starts_on = '2026-01-02', ends_on = '2026-01-01'`],
    ['budgets', 'cycle_limit = 0'],
    ['budgets', 'cycle_limit = -0.01'],
    ['cycles', 'income_amount = -0.01'],
    ['cycles', 'end_date = start_date'],
    ['cycle_expenses', 'amount = 0'],
    ['cycle_expenses', 'amount_usd = 0'],
    ['cycle_expenses', 'paid = true'],
    ['cycle_expenses', `status = 'paid'`],
    ['cycle_expenses', 'paid_at = now()'],
    ['income_templates', 'base_amount = 0'],
    ['income_templates', 'last_amount = 0'],
    ['income_templates', `starts_on = '2026-01-02', ends_on = '2026-01-01'`],
    ['cycle_incomes', 'amount = 0'],
    ['cycle_incomes', 'amount_usd = 0'],
    ['cycle_incomes', 'received = true'],
    ['cycle_incomes', 'received_at = now()'],
  ])('the database schema refuses %s where %s', async (table, wrong) => {
    const user = await service.signUp();
    await user.createBudget();
    await user.createTemplate();
    await user.createIncomeTemplate();
    await user.createCycle();
    await expect(service.query(`UPDATE ${table} SET ${wrong}`)).rejects.toThrow(`ck_${table}`);
  });
});
