// @ts-check
/** Fills the account of a seeded user up to the limits of docs/api.md. */
import { idOf } from './identity.js';

const RECORDS = 1000;
const BUDGETS = 50;
const BALANCES = 5000;
const ENTRIES = 2000;
/** The latest cycles, which have a limit of every budget: as many as a report takes. */
export const LIMITED_CYCLES = 50;
/**
 * Every one has an occurrence on each of the 45 days of a cycle; with the templates of the seed
 * almost 1,000 rows.
 */
const DAILY_TEMPLATES = 21;
/** Together they have more entries than a calendar feed shows. */
const FULL_CYCLES = 2;

/** So long that an exported document has nearly 10 MB, the most that an import takes. */
const COMMENT = 'Paid in cash at the counter, the receipt is in the blue folder. '.repeat(3);

/**
 * @param {number} user
 * @param {number} number from 1 to {@link FULL_CYCLES}
 */
export const fullCycleId = (user, number) => idOf('full cycle', user, number);

/**
 * The user gets as many payment methods, budgets, templates, cycles and comments as the service
 * allows, and cycles around today with as many expenses and incomes as it allows.
 *
 * @param {import('pg').ClientBase} client
 * @param {number} user
 */
export async function fillToLimits(client, user) {
  const owner = [idOf('user', user), idOf('household', user)];
  const method = idOf('payment method', user, 1);
  await client.query(
    `INSERT INTO payment_methods (household_id, user_id, name, method_type, default_currency)
     SELECT $2, $1, 'Card ' || n, 'credit', 'MXN'
     FROM generate_series(1, $3 - (SELECT count(*)::int FROM payment_methods WHERE user_id = $1)) AS n`,
    [...owner, RECORDS],
  );
  const templateColumns = `household_id, user_id, payment_method_id, description, currency, base_amount,
    recurrence_type, recurrence_config, reference_date`;
  const rule = `CASE WHEN n <= $5 THEN '{"interval": 1, "unit": "days"}'
    ELSE '{"interval": 50, "unit": "years"}' END::jsonb`;
  await client.query(
    `INSERT INTO expense_templates (${templateColumns}, category)
     SELECT $2, $1, $3, 'Expense ' || n, 'MXN', 10 + n, 'custom', ${rule}, date '2001-01-01', 'variable'
     FROM generate_series(1, $4 - (SELECT count(*)::int FROM expense_templates WHERE user_id = $1)) AS n`,
    [...owner, method, RECORDS, DAILY_TEMPLATES],
  );
  await client.query(
    `INSERT INTO income_templates (${templateColumns})
     SELECT $2, $1, $3, 'Income ' || n, 'MXN', 10 + n, 'custom', ${rule}, date '2001-01-01'
     FROM generate_series(1, $4 - (SELECT count(*)::int FROM income_templates WHERE user_id = $1)) AS n`,
    [...owner, method, RECORDS, 0],
  );
  await insertCycles(client, user, owner);
  for (let number = 1; number <= FULL_CYCLES; number += 1) {
    await insertEntries(client, [...owner, fullCycleId(user, number), method]);
  }
  await insertBudgets(client, owner);
  await insertBalances(client, owner);
  await client.query(
    `INSERT INTO comments (household_id, author_user_id, entity_type, entity_id, cycle_id, body)
     SELECT $2, $1, 'cycle', $3, $3, 'Note ' || n FROM generate_series(1, $4::int) AS n`,
    [...owner, fullCycleId(user, 1), RECORDS],
  );
}

/**
 * Removes the payment methods, budgets, templates and cycles of a seeded user.
 *
 * @param {import('pg').ClientBase} client
 * @param {number} user
 */
export async function emptyAccount(client, user) {
  const tables = [
    'balances',
    'cycles',
    'expense_templates',
    'income_templates',
    'payment_methods',
    'budgets',
  ];
  for (const table of tables) {
    await client.query(`DELETE FROM ${table} WHERE user_id = $1`, [idOf('user', user)]);
  }
}

/** @param {import('pg').ClientBase} client @param {number} user @param {string[]} owner */
async function insertCycles(client, user, owner) {
  const columns = 'household_id, user_id, name, start_date, end_date, income_amount, status';
  for (let number = 1; number <= FULL_CYCLES; number += 1) {
    await client.query(
      `INSERT INTO cycles (id, ${columns})
       SELECT $4, $2, $1, 'Full ' || $3::int, start, start + 44, 100000, 'active'
       FROM (SELECT current_date + 45 * ($3::int - 2) AS start) AS s`,
      [...owner, number, fullCycleId(user, number)],
    );
  }
  await client.query(
    `INSERT INTO cycles (${columns})
     SELECT $2, $1, 'Early ' || n, start, start + 44, 100, 'completed'
     FROM generate_series(1, $3::int - (SELECT count(*)::int FROM cycles WHERE user_id = $1)) AS n
     CROSS JOIN LATERAL (SELECT date '1950-01-01' + 10 * n AS start) AS s`,
    // Some are left for the measured requests.
    [...owner, RECORDS - 100],
  );
}

/**
 * Expenses and templates get the budgets in turn. @param {import('pg').ClientBase} client
 * @param {string[]} owner
 */
async function insertBudgets(client, owner) {
  await client.query(
    `INSERT INTO budgets (household_id, user_id, name, cycle_limit)
     SELECT $2, $1, 'Budget ' || n, 1000 FROM generate_series(1, $3::int) AS n`,
    [...owner, BUDGETS],
  );
  const budgets = `(SELECT array_agg(id ORDER BY seq) AS ids FROM budgets WHERE user_id = $1) AS b`;
  await client.query(
    `UPDATE cycle_expenses e SET budget_id = b.ids[1 + e.seq % $2]
     FROM cycles c, ${budgets} WHERE c.user_id = $1 AND c.id = e.cycle_id`,
    [owner[0], BUDGETS],
  );
  await client.query(
    `UPDATE expense_templates t SET budget_id = b.ids[1 + t.seq % $2]
     FROM ${budgets} WHERE t.user_id = $1`,
    [owner[0], BUDGETS],
  );
  await client.query(
    `UPDATE cycles SET budget_limits = l.limits
     FROM (SELECT jsonb_agg(jsonb_build_object('budget_id', id, 'limit', '1000.00') ORDER BY seq) AS limits
       FROM budgets WHERE user_id = $1) AS l
     WHERE id IN (SELECT id FROM cycles WHERE user_id = $1 ORDER BY start_date DESC LIMIT $2)`,
    [owner[0], LIMITED_CYCLES],
  );
}

/**
 * Every payment method has several, the latest of yesterday, and something is settled since then.
 *
 * @param {import('pg').ClientBase} client @param {string[]} owner
 */
async function insertBalances(client, owner) {
  await client.query(
    `INSERT INTO balances (household_id, user_id, payment_method_id, currency, amount, stated_at, expected)
     SELECT $2, $1, m.id, m.default_currency, 100 + n, now() - n * interval '1 day', 100
     FROM payment_methods m CROSS JOIN generate_series(1, $3::int) AS n
     WHERE m.user_id = $1 ORDER BY n DESC`,
    [...owner, BALANCES / RECORDS],
  );
}

/**
 * @param {import('pg').ClientBase} client @param {string[]} values the user, the household, a cycle
 *   and a payment method
 */
async function insertEntries(client, [user, ...values]) {
  const columns = `id, household_id, cycle_id, payment_method_id, description, currency, amount, amount_usd,
    exchange_rate, exchange_rate_date, comments`;
  const entry = `gen_random_uuid() AS id, c.household_id, c.id AS cycle_id, $3::uuid AS payment_method_id,
    'Entry ' || n AS description, 'MXN'::currency_code AS currency, 100 + n AS amount, round((100 + n) * 0.06, 2) AS amount_usd,
    0.06 AS rate, date '2024-01-01' AS rate_date, $5 AS comments, c.start_date + n % 45 AS date
    FROM cycles c, generate_series(1, $4::int) AS n WHERE c.household_id = $1 AND c.id = $2`;
  const log = `INSERT INTO activity_log (household_id, entity_type, entity_id, cycle_id, actor_user_id, action, changes)`;
  const changes = `jsonb_build_object('description', jsonb_build_object('from', null, 'to', description))`;
  await client.query(
    `WITH entries AS (SELECT ${entry}), added AS (
       INSERT INTO cycle_expenses (${columns}, due_date, category, status)
       SELECT *, 'variable', 'pending' FROM entries RETURNING id, household_id, cycle_id, description
     ) ${log} SELECT household_id, 'cycle_expense', id, cycle_id, $6, 'created', ${changes} FROM added`,
    [...values, ENTRIES, COMMENT, user],
  );
  await client.query(
    `WITH entries AS (SELECT ${entry}), added AS (
       INSERT INTO cycle_incomes (${columns}, income_date) SELECT * FROM entries
       RETURNING id, household_id, cycle_id, description
     ) ${log} SELECT household_id, 'cycle_income', id, cycle_id, $6, 'created', ${changes} FROM added`,
    [...values, ENTRIES, COMMENT, user],
  );
}
