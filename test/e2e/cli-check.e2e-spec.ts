import { describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { Finding } from '../../src/operators/integrity/integrity.service.js';
import { ENGINE, useSandbox } from '../support/cli.js';
import { UNKNOWN_UUID } from '../support/sample-entities.js';

const sandbox = useSandbox();

/** The expected findings by rule: entity and id. */
type Expected = Record<string, string[]>;

/** Corrupts the data of two demo users, with separate rows for each rule. */
async function corrupt(dataSource: DataSource): Promise<Expected> {
  const expected: Expected = { constraint: [] };
  const run = async (sql: string): Promise<string[]> =>
    (await dataSource.query<[{ id: string }[], number]>(sql))[0].map(({ id }) => id);
  /** Runs an UPDATE; each of the rules must report its rows as entities of this type. */
  const corruptRows = async (rules: string[], entity: string, sql: string): Promise<void> => {
    const ids = await run(`${sql} RETURNING id`);
    expect(ids).not.toEqual([]);
    for (const rule of rules) {
      (expected[rule] ??= []).push(...ids.map((id) => `${entity} ${id}`));
    }
  };
  const user = (email: string): string => `(SELECT id FROM users WHERE email = '${email}')`;
  const [ana, bob] = [user('demo@example.com'), user('demo-2@example.com')];
  const nthCycle = (owner: string, n: number): string =>
    `(SELECT id FROM cycles WHERE user_id = ${owner} ORDER BY start_date OFFSET ${n} LIMIT 1)`;
  /** An expense in dollars of a cycle, another for each `n`. */
  const nthExpense = (n: number): string =>
    `(SELECT id FROM cycle_expenses WHERE cycle_id = ${nthCycle(ana, 8)} AND currency = 'USD'
      ORDER BY seq OFFSET ${n} LIMIT 1)`;

  const nthIncome = (n: number): string =>
    `(SELECT id FROM cycle_incomes WHERE cycle_id = ${nthCycle(ana, 8)} ORDER BY seq OFFSET ${n} LIMIT 1)`;

  /** Drops a constraint, which the check must report as missing. */
  const dropConstraint = async (table: string, name: string): Promise<void> => {
    await dataSource.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    expected.constraint?.push(`constraint ${name}`);
  };
  for (const [table, check] of [
    ['cycle_expenses', 'paid'],
    ['cycle_expenses', 'amount_usd'],
    ['cycles', 'dates'],
    ['cycle_incomes', 'received'],
    ['expense_templates', 'base_amount'],
  ] as const) {
    await dropConstraint(table, `ck_${table}_${check}`);
  }
  await dropConstraint('budgets', 'uq_budgets_user_id_name');
  await dataSource.query('DROP INDEX uq_cycle_incomes_occurrence');
  expected.constraint?.push('constraint uq_cycle_incomes_occurrence');
  await dataSource.query('ALTER TABLE activity_log DISABLE TRIGGER tr_activity_log_append_only');

  await corruptRows(
    ['balance'],
    'cycle',
    `UPDATE cycles SET remaining_balance = remaining_balance + 0.01
     WHERE id = ${nthCycle(ana, 0)}`,
  );
  await corruptRows(
    ['replay'],
    'cycle_expense',
    `UPDATE cycle_expenses SET paid = true WHERE id = ${nthExpense(0)}`,
  );
  await corruptRows(
    ['replay'],
    'cycle_income',
    `UPDATE cycle_incomes SET received = NOT received WHERE id = ${nthIncome(0)}`,
  );
  for (const [table, reference] of [
    ['cycle_incomes', 'template_id'],
    ['income_templates', 'payment_method_id'],
    ['expense_templates', 'payment_method_id'],
    ['cycle_expenses', 'cycle_id'],
  ] as const) {
    await dropConstraint(table, `fk_${table}_${reference}`);
  }
  await corruptRows(
    ['household', 'replay'],
    'recurrent_income',
    `UPDATE income_templates SET household_id =
       (SELECT household_id FROM users WHERE id = ${bob})
     WHERE user_id = ${ana} AND description = 'Paycheck'`,
  );
  await corruptRows(
    ['replay'],
    'recurrent_expense',
    `UPDATE expense_templates SET payment_method_id =
       (SELECT id FROM payment_methods WHERE user_id = ${bob} AND name = 'Cash')
     WHERE user_id = ${ana} AND description = 'Gym'`,
  );
  const [moved] = await dataSource.query<{ record: string; cycle: string; expense: string }[]>(
    `SELECT id AS record, cycle_id AS cycle, entity_id AS expense FROM activity_log
     WHERE entity_id = ${nthExpense(5)}`,
  );
  await dataSource.query(
    `UPDATE cycle_expenses SET cycle_id = gen_random_uuid() WHERE id = '${moved?.expense}'`,
  );
  expected['activity-scope'] = [`activity ${moved?.record}`];
  expected.balance?.push(`cycle ${moved?.cycle}`);
  await dataSource.query(`INSERT INTO users (household_id, email, password_hash, role)
    SELECT household_id, 'mu\u0308nchen@example.com', '', 'member' FROM users WHERE id = ${ana}`);
  await corruptRows(
    ['email'],
    'user',
    `UPDATE users SET locale = 'de' WHERE email LIKE 'mu%chen@example.com'`,
  );
  // Of another member of the household.
  const [method] = await dataSource.query<{ id: string }[]>(`
    WITH member AS (
      INSERT INTO users (household_id, email, password_hash, role)
      SELECT household_id, 'member@example.com', '', 'member' FROM users WHERE id = ${ana}
      RETURNING id, household_id
    )
    INSERT INTO payment_methods (household_id, user_id, name, method_type, default_currency)
    SELECT household_id, id, 'Cash', 'cash', 'USD' FROM member RETURNING id`);
  const methodOfMember = method?.id ?? '';
  expected.replay?.push(`payment_method ${methodOfMember}`);
  for (const [rule, change] of [
    ['household', `household_id = (SELECT household_id FROM users WHERE id = ${bob})`],
    ['owner', `payment_method_id = '${methodOfMember}'`],
  ] as const) {
    await dataSource.query(`INSERT INTO calendar_feeds (household_id, user_id, name, token_hash)
      SELECT household_id, id, '${rule}', '${rule}' FROM users WHERE id = ${ana}`);
    await corruptRows(
      [rule],
      'calendar_feed',
      `UPDATE calendar_feeds SET ${change} WHERE name = '${rule}'`,
    );
  }
  await corruptRows(
    ['replay'],
    'cycle_income',
    `UPDATE cycle_incomes SET comments = 'mine' WHERE id = ${nthIncome(1)}`,
  );
  await corruptRows(
    ['usd-amount', 'replay'],
    'cycle_expense',
    `UPDATE cycle_expenses SET amount = amount + 1 WHERE id = ${nthExpense(1)}`,
  );
  await corruptRows(
    ['replay'],
    'recurrent_expense',
    `UPDATE expense_templates SET base_amount = 0
     WHERE user_id = ${ana} AND description = 'Rent'`,
  );
  await corruptRows(
    ['replay'],
    'cycle',
    `UPDATE cycles SET end_date = start_date WHERE id = ${nthCycle(ana, 1)}`,
  );
  await dataSource.query(
    'ALTER TABLE cycles ADD CONSTRAINT ck_cycles_dates CHECK (end_date > start_date) NOT VALID',
  );
  await dropConstraint('exchange_rates', 'uq_exchange_rates_pair_date');
  await dataSource.query(`INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
    SELECT from_currency, to_currency, rate, rate_date FROM exchange_rates`);
  const failed = dataSource.query(`CREATE UNIQUE INDEX CONCURRENTLY uq_exchange_rates_pair_date
    ON exchange_rates (from_currency, to_currency, rate_date)`);
  await expect(failed).rejects.toThrow('uq_exchange_rates_pair_date');
  await corruptRows(
    ['deleted-cycle'],
    'cycle_expense',
    `UPDATE cycle_expenses SET autopay_info = autopay_info
     WHERE cycle_id = ${nthCycle(ana, 2)} AND active`,
  );
  await corruptRows(
    ['deleted-cycle'],
    'cycle_income',
    `UPDATE cycle_incomes SET comments = comments
     WHERE cycle_id = ${nthCycle(ana, 2)} AND active`,
  );
  await corruptRows(
    ['replay'],
    'cycle',
    `UPDATE cycles SET active = false WHERE id = ${nthCycle(ana, 2)}`,
  );
  await corruptRows(
    ['owner', 'replay'],
    'recurrent_expense',
    `UPDATE expense_templates SET payment_method_id = '${methodOfMember}'
     WHERE user_id = ${ana} AND description = 'Water'`,
  );
  const [balance] = await dataSource.query<{ id: string }[]>(`
    INSERT INTO balances (household_id, user_id, payment_method_id, currency, amount, stated_at)
    SELECT household_id, id, '${methodOfMember}', 'USD', 1, now() FROM users
    WHERE id = ${ana} RETURNING id`);
  expected.owner?.push(`balance ${balance?.id ?? ''}`);
  expected.replay?.push(`balance ${balance?.id ?? ''}`);
  const creditCard = `(SELECT id FROM payment_methods WHERE user_id = ${ana} AND name = 'Credit card')`;
  for (const [rule, name, change] of [
    ['card', 'Credit card', 'first_closing_date = NULL'],
    ['card', 'Debit card', `paid_from_id = ${creditCard}`],
    ['owner', 'Cash', `paid_from_id = '${methodOfMember}'`],
  ] as const) {
    await corruptRows(
      [rule, 'replay'],
      'payment_method',
      `UPDATE payment_methods SET ${change} WHERE user_id = ${ana} AND name = '${name}'`,
    );
  }
  for (const [method, dueDate, paid] of [
    [methodOfMember, '2026-03-02', 'false'],
    [creditCard, '2026-02-12', 'false'],
    [creditCard, '2026-03-02', 'true'],
  ]) {
    const [statement] = await dataSource.query<{ id: string }[]>(`
      INSERT INTO card_statements (household_id, user_id, payment_method_id, first_date,
        closing_date, due_date, paid, active)
      SELECT household_id, id, ${method === methodOfMember ? `'${method}'` : method}, '2026-01-13',
        '2026-02-12', '${dueDate}', ${paid}, false FROM users WHERE id = ${ana} RETURNING id`);
    for (const rule of [method === methodOfMember ? 'owner' : 'card', 'replay']) {
      expected[rule]?.push(`card_statement ${statement?.id ?? ''}`);
    }
  }
  const [budget] = await dataSource.query<{ id: string }[]>(`
    INSERT INTO budgets (household_id, user_id, name)
    SELECT household_id, id, 'Fun' FROM users WHERE email = 'member@example.com' RETURNING id`);
  const budgetOfMember = budget?.id ?? '';
  expected.replay?.push(`budget ${budgetOfMember}`);
  await corruptRows(
    ['budget', 'replay'],
    'recurrent_expense',
    `UPDATE expense_templates SET budget_id = '${budgetOfMember}'
     WHERE user_id = ${ana} AND description = 'Electricity'`,
  );
  await corruptRows(
    ['budget', 'replay'],
    'cycle_expense',
    `UPDATE cycle_expenses SET budget_id = '${budgetOfMember}'
     WHERE id = (SELECT id FROM cycle_expenses
       WHERE cycle_id = ${nthCycle(ana, 8)} AND currency = 'MXN' ORDER BY seq LIMIT 1)`,
  );
  for (const [n, limits] of [
    [3, `[{"budget_id": "${budgetOfMember}", "limit": "1.00"}]`],
    [4, `[{"budget_id": "${UNKNOWN_UUID}", "limit": "1.00"}]`],
    [5, `[{"budget_id": "${UNKNOWN_UUID}", "limit": "-1.00"}]`],
  ] as const) {
    await corruptRows(
      ['budget', 'replay'],
      'cycle',
      `UPDATE cycles SET budget_limits = '${limits}' WHERE id = ${nthCycle(ana, n)}`,
    );
  }
  await corruptRows(
    ['household-admin'],
    'household',
    `UPDATE households SET name = name
     WHERE id = (SELECT household_id FROM users WHERE id = ${bob})`,
  );
  await dataSource.query(`UPDATE users SET role = 'member' WHERE id = ${bob}`);
  await corruptRows(
    ['activity-scope'],
    'activity',
    `UPDATE activity_log SET cycle_id = NULL
     WHERE entity_id = ${nthExpense(2)} AND action = 'created'`,
  );
  await corruptRows(
    ['undone-record'],
    'activity',
    `UPDATE activity_log SET undoes = gen_random_uuid()
     WHERE entity_id = ${nthExpense(6)} AND action = 'created'`,
  );
  await corruptRows(
    ['comment-scope'],
    'comment',
    `UPDATE comments SET cycle_id = NULL WHERE author_user_id = ${ana}`,
  );
  await corruptRows(
    ['comment-events'],
    'comment',
    `UPDATE comments SET active = false WHERE author_user_id = ${bob}`,
  );
  await corruptRows(
    ['replay'],
    'cycle_expense',
    `UPDATE cycle_expenses SET comments = 'mine' WHERE id = ${nthExpense(3)}`,
  );
  const withoutRecords = await run(`DELETE FROM activity_log
    WHERE entity_id = ${nthExpense(4)} RETURNING entity_id AS id`);
  expected.replay?.push(...withoutRecords.map((id) => `cycle_expense ${id}`));
  return expected;
}

describe('the check', () => {
  it('the check finds every kind of corruption and changes nothing', async () => {
    const database = await sandbox.database(ENGINE);
    await database.print(['demo-data', '--users', '2']);
    const expected = await database.use(corrupt);

    const { code, stdout } = await database.run(['check', '--json']);
    expect(code).toBe(1);
    const { found, rules } = JSON.parse(stdout) as {
      found: number;
      rules: { rule: string; description: string; found: number; findings: Finding[] }[];
    };
    expect(rules.filter(({ description }) => !description)).toEqual([]);
    const findings = rules.map((rule) => [
      rule.rule,
      [...new Set(rule.findings.map(({ entity, id }) => `${entity} ${id}`))].sort(),
    ]);
    expect(Object.fromEntries(findings)).toEqual(
      Object.fromEntries(Object.entries(expected).map(([rule, ids]) => [rule, ids.sort()])),
    );
    expect(found).toBe(rules.reduce((sum, rule) => sum + rule.found, 0));

    const asText = await database.run(['check']);
    expect(asText.code).toBe(1);
    expect(asText.stdout).toContain(`Problems: ${found}. Nothing was changed.`);
    expect(asText.stdout).toMatch(
      /\nbalance\n {2}cycle \S+: remaining_balance is \S+, income minus/,
    );
    expect(asText.stdout).toMatch(
      /\nconstraint\n( {2}constraint \S+: .*\n)* {2}constraint ck_cycles_dates: of cycles is not valid\n/,
    );
    expect(asText.stdout).toContain('uq_budgets_user_id_name: is missing from budgets\n');
    expect(asText.stdout).toContain(
      'uq_exchange_rates_pair_date: of exchange_rates is not valid\n',
    );
    expect(asText.stdout).toContain('"mine", but null in the activity records');
  });
});
