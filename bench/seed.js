// @ts-check
/**
 * Fills a migrated database with the data that the API would have created: for every user a
 * household, payment methods, templates, cycles with the entries that the templates generate, and
 * the activity log. Cycles of readers are completed except the last, with half of their expenses
 * paid and a few cancelled; cycles of writers are active, with nothing paid yet.
 */
import { pathToFileURL } from 'node:url';
import {
  CYCLE_CREATED,
  EXPENSE_CREATED,
  generatedExpense,
  generatedIncome,
  INCOME_CREATED,
  INCOME_TEMPLATE_CREATED,
  PAYMENT_METHOD_CREATED,
  paymentChanged,
  statusChanged,
  TEMPLATE_CREATED,
} from './changes-sql.js';
import {
  CYCLE_DAYS,
  idSql,
  intervalsFor,
  PASSWORD,
  PAYMENT_METHODS,
  periodOf,
  WRITER_EVERY,
} from './identity.js';

/**
 * @typedef {{ from: number, to: number, cycles: number, expenses: number }} Population numbers of
 *   users
 */

const OPENING_INCOME = '5200.00';
/** The income of a user, on the first day of every cycle and every two weeks after it. */
const INCOME_AMOUNT = '1450.00';
const INCOME_INTERVAL_DAYS = 14;

/** The columns of a template from which generation sets the fields of an entry. */
const TEMPLATE_FIELDS = {
  ...{ description: 'description', currency: 'currency', amount: 'base_amount' },
  ...{ payment_method_id: 'payment_method_id', category: 'category', autopay_info: 'autopay_info' },
};

const INSERT_LOG = `INSERT INTO activity_log
  (household_id, entity_type, entity_id, cycle_id, actor_user_id, action, changes, created_at)`;

/** The cycles of the population, with the numbers of the user and of the cycle. */
const CYCLES = `generate_series($1::int, $2::int) AS u(number)
  CROSS JOIN generate_series(1, $3::int) AS n(number)
  JOIN cycles c ON c.household_id = ${idSql('household', 'u.number')}
    AND c.id = ${idSql('cycle', 'u.number', 'n.number')}`;

/** @param {import('pg').ClientBase} client @param {Population} population */
export async function seed(client, { from, to, cycles, expenses }) {
  const users = [from, to];
  const period = [...users, cycles];
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
     SELECT 'MXN', 'USD', 0.05 + 0.0001 * (n % 50), $1::date + n
     FROM generate_series(0, $2::int - 1) AS n ON CONFLICT DO NOTHING`,
    [periodOf(1).start, (cycles + 1) * CYCLE_DAYS],
  );
  await insertUsers(client, users);
  await insertTemplates(client, users, intervalsFor(expenses));
  await insertIncomeTemplates(client, users);
  // Without statistics of the new rows, the joins of the next statements would be nested loops.
  await client.query('ANALYZE');
  await insertCycles(client, period);
  await client.query('ANALYZE');
  await insertActivity(client, users, period);
  await client.query('COMMIT');
}

/** @param {import('pg').ClientBase} client @param {number[]} users */
async function insertUsers(client, users) {
  await client.query(
    `INSERT INTO households (id, name)
     SELECT ${idSql('household', 'u')}, 'Household ' || u FROM generate_series($1::int, $2::int) AS u`,
    users,
  );
  await client.query(
    `INSERT INTO users (id, email, password_hash, first_name, last_name, household_id, role)
     SELECT ${idSql('user', 'u')}, 'user-' || u || '@example.com', $3, 'Ana', 'Ruiz',
       ${idSql('household', 'u')}, 'admin'
     FROM generate_series($1::int, $2::int) AS u`,
    [...users, await hashOf(PASSWORD)],
  );
  await client.query(
    `INSERT INTO payment_methods (id, household_id, user_id, name, method_type, default_currency, description)
     SELECT ${idSql('payment method', 'u', 'm.number')}, ${idSql('household', 'u')},
       ${idSql('user', 'u')}, 'My ' || m.type,
       m.type::payment_method_type, (ARRAY['USD', 'MXN'])[1 + m.number % 2]::currency_code,
       'For the household'
     FROM generate_series($1::int, $2::int) AS u
     CROSS JOIN unnest($3::text[]) WITH ORDINALITY AS m(type, number)
     ORDER BY u, m.number`,
    [...users, PAYMENT_METHODS],
  );
}

/** @param {import('pg').ClientBase} client @param {number[]} users @param {number[]} intervals */
async function insertTemplates(client, users, intervals) {
  await client.query(
    `INSERT INTO expense_templates (id, household_id, user_id, payment_method_id, description, currency,
       base_amount, category, recurrence_type, recurrence_config, reference_date)
     SELECT ${idSql('template', 'u', 't.number')}, ${idSql('household', 'u')}, ${idSql('user', 'u')},
       ${idSql('payment method', 'u', `1 + t.number % ${PAYMENT_METHODS.length}`)},
       'Template ' || t.number, (ARRAY['USD', 'MXN'])[1 + t.number % 2]::currency_code,
       20 + 7.35 * t.number, (ARRAY['fixed', 'variable'])[1 + t.number / 2 % 2]::expense_category,
       'bi_weekly', jsonb_build_object('interval_days', t.interval), date '2024-06-01' + t.number::int
     FROM generate_series($1::int, $2::int) AS u
     CROSS JOIN unnest($3::int[]) WITH ORDINALITY AS t(interval, number)
     ORDER BY u, t.number`,
    [...users, intervals],
  );
}

/**
 * A pay every two weeks, in dollars. @param {import('pg').ClientBase} client @param {number[]}
 * users
 */
async function insertIncomeTemplates(client, users) {
  await client.query(
    `INSERT INTO income_templates (id, household_id, user_id, payment_method_id, description, currency,
       base_amount, recurrence_type, recurrence_config, reference_date)
     SELECT ${idSql('income template', 'u')}, ${idSql('household', 'u')}, ${idSql('user', 'u')},
       ${idSql('payment method', 'u', '1')}, 'Pay', 'USD', ${INCOME_AMOUNT}, 'bi_weekly',
       jsonb_build_object('interval_days', ${INCOME_INTERVAL_DAYS}), $3::date
     FROM generate_series($1::int, $2::int) AS u
     ORDER BY u`,
    [...users, periodOf(1).start],
  );
}

/** @param {import('pg').ClientBase} client @param {number[]} period */
async function insertCycles(client, period) {
  const isWriter = `u % ${WRITER_EVERY} = 0`;
  await client.query(
    `INSERT INTO cycles (id, household_id, user_id, name, start_date, end_date, income_amount, status,
       created_at, updated_at)
     SELECT ${idSql('cycle', 'u', 'n')}, ${idSql('household', 'u')}, ${idSql('user', 'u')}, 'Cycle ' || n, start, start + $5::int - 1,
       ${OPENING_INCOME}, CASE WHEN ${isWriter} OR n = $3 THEN 'active' ELSE 'completed' END::cycle_status,
       start, start + $5::int
     FROM generate_series($1::int, $2::int) AS u
     CROSS JOIN generate_series(1, $3::int) AS n
     CROSS JOIN LATERAL (SELECT $4::date + (n - 1) * $5::int AS start) AS s
     ORDER BY u, n`,
    [...period, periodOf(1).start, CYCLE_DAYS],
  );
  await client.query('ANALYZE cycles');
  // The reference date of every template is before all cycles.
  await client.query(
    `INSERT INTO cycle_expenses (id, household_id, cycle_id, template_id, payment_method_id, description, currency,
       amount, amount_usd, exchange_rate, exchange_rate_date, due_date, occurrence_date, generated,
       category, status, paid, paid_at, created_at, updated_at)
     SELECT ${idSql('expense', 'user_number', 'cycle_number', 'number')}, household_id, cycle_id, template_id,
       payment_method_id, description, currency, base_amount, amount_usd, rate, rate_date, due_date,
       due_date, ${generatedExpense({ ...TEMPLATE_FIELDS, date: 'due_date' })}, category,
       status::expense_status, status = 'paid', paid_at, created_at, coalesce(paid_at, created_at)
     FROM (
       SELECT u.number AS user_number, n.number AS cycle_number, d.number, c.household_id, c.id AS cycle_id,
         d.template_id, d.payment_method_id, d.description, d.currency, d.base_amount, d.due_date,
         d.category, d.autopay_info, r.rate, r.rate_date, c.created_at, s.status,
         CASE WHEN s.status = 'paid' THEN d.due_date + interval '12 hours' END AS paid_at,
         CASE WHEN d.currency = 'USD' THEN d.base_amount ELSE round(d.base_amount * r.rate, 2) END
           AS amount_usd
       FROM ${CYCLES}
       CROSS JOIN LATERAL (
         SELECT t.id AS template_id, t.*, day::date AS due_date,
           row_number() OVER (ORDER BY day, t.description COLLATE "C") AS number
         FROM expense_templates t
         CROSS JOIN LATERAL (SELECT (t.recurrence_config ->> 'interval_days')::int AS days) AS i
         CROSS JOIN generate_series(
           c.start_date + (i.days - (c.start_date - t.reference_date) % i.days) % i.days,
           c.end_date, make_interval(days => i.days)) AS day
         WHERE t.household_id = c.household_id AND t.user_id = c.user_id
       ) AS d
       CROSS JOIN LATERAL (
         SELECT CASE WHEN c.status = 'active' THEN 'pending' WHEN d.number % 20 = 7 THEN 'cancelled'
           WHEN d.number % 2 = 0 THEN 'paid' ELSE 'pending' END AS status
       ) AS s
       LEFT JOIN exchange_rates r ON r.from_currency = d.currency AND r.rate_date = d.due_date
     ) AS entries
     ORDER BY user_number, cycle_number, number`,
    period,
  );
  await client.query(
    `INSERT INTO cycle_incomes (id, household_id, cycle_id, template_id, payment_method_id, description,
       currency, amount, amount_usd, income_date, occurrence_date, generated, created_at, updated_at)
     SELECT ${idSql('income', 'u.number', 'n.number', 'd.number')}, t.household_id, c.id, t.id,
       t.payment_method_id, t.description, t.currency, t.base_amount, t.base_amount, d.day::date,
       d.day::date, ${generatedIncome({ ...TEMPLATE_FIELDS, description: 't.description', date: 'd.day::date' })},
       c.created_at, c.created_at
     FROM ${CYCLES}
     JOIN income_templates t ON t.household_id = c.household_id AND t.user_id = c.user_id
     CROSS JOIN LATERAL generate_series(c.start_date, c.end_date, interval '${INCOME_INTERVAL_DAYS} days')
       WITH ORDINALITY AS d(day, number)
     ORDER BY u.number, n.number, d.number`,
    period,
  );
  await client.query(
    `UPDATE cycles SET remaining_balance = income_amount + (
       SELECT coalesce(sum(i.amount_usd), 0) FROM cycle_incomes i
       WHERE i.household_id = cycles.household_id AND i.cycle_id = cycles.id
     ) - (
       SELECT coalesce(sum(e.amount_usd), 0) FROM cycle_expenses e
       WHERE e.household_id = cycles.household_id AND e.cycle_id = cycles.id
         AND e.status <> 'cancelled')
     FROM (SELECT c.household_id, c.id FROM ${CYCLES}) AS c
     WHERE cycles.household_id = c.household_id AND cycles.id = c.id`,
    period,
  );
}

/** @param {import('pg').ClientBase} client @param {number[]} users @param {number[]} period */
async function insertActivity(client, users, period) {
  const population = `generate_series($1::int, $2::int) AS number
    JOIN users u ON u.id = ${idSql('user', 'number')}`;
  await client.query(
    `${INSERT_LOG} SELECT u.household_id, 'payment_method', pm.id, null, u.id, 'created',
       ${PAYMENT_METHOD_CREATED}, pm.created_at
     FROM ${population} JOIN payment_methods pm ON pm.household_id = u.household_id AND pm.user_id = u.id`,
    users,
  );
  await client.query(
    `${INSERT_LOG} SELECT u.household_id, 'recurrent_expense', t.id, null, u.id, 'created',
       ${TEMPLATE_CREATED}, t.created_at
     FROM ${population} JOIN expense_templates t ON t.household_id = u.household_id AND t.user_id = u.id`,
    users,
  );
  await client.query(
    `${INSERT_LOG} SELECT u.household_id, 'recurrent_income', t.id, null, u.id, 'created',
       ${INCOME_TEMPLATE_CREATED}, t.created_at
     FROM ${population} JOIN income_templates t ON t.household_id = u.household_id AND t.user_id = u.id`,
    users,
  );
  const cycles = `(SELECT c.* FROM ${CYCLES}) AS c JOIN users u ON u.id = c.user_id`;
  const expenses = `${cycles} JOIN cycle_expenses e ON e.household_id = c.household_id AND e.cycle_id = c.id`;
  await client.query(
    `${INSERT_LOG} SELECT u.household_id, 'cycle', c.id, c.id, u.id, 'created', ${CYCLE_CREATED}, c.created_at
     FROM ${cycles}`,
    period,
  );
  await client.query(
    `${INSERT_LOG} SELECT u.household_id, 'cycle_expense', e.id, c.id, u.id, 'created', ${EXPENSE_CREATED},
       e.created_at
     FROM ${expenses} ORDER BY e.seq`,
    period,
  );
  await client.query(
    `${INSERT_LOG} SELECT u.household_id, 'cycle_income', i.id, c.id, u.id, 'created', ${INCOME_CREATED},
       i.created_at
     FROM ${cycles} JOIN cycle_incomes i ON i.household_id = c.household_id AND i.cycle_id = c.id ORDER BY i.seq`,
    period,
  );
  const before = `(SELECT 'pending' AS status, false AS paid, null::timestamptz AS paid_at) AS before`;
  await client.query(
    `${INSERT_LOG} SELECT u.household_id, 'cycle_expense', e.id, c.id, u.id, 'marked_paid',
       ${paymentChanged({ before: 'before', after: 'e' })}, e.paid_at
     FROM ${expenses} CROSS JOIN ${before} WHERE e.paid`,
    period,
  );
  await client.query(
    `${INSERT_LOG} SELECT u.household_id, 'cycle_expense', e.id, c.id, u.id, 'status_changed',
       ${statusChanged(`'pending'::text`, 'e.status')}, e.updated_at
     FROM ${expenses} WHERE e.status = 'cancelled'`,
    period,
  );
  await client.query(
    `${INSERT_LOG} SELECT u.household_id, 'cycle', c.id, c.id, u.id,
       CASE WHEN c.status = 'completed' THEN 'completed' ELSE 'updated' END,
       ${statusChanged(`'draft'::text`, 'c.status')}, c.updated_at
     FROM ${cycles}`,
    period,
  );
}

/** Hashes a password as the service does. @param {string} password @returns {Promise<string>} */
async function hashOf(password) {
  const path = 'dist/src/auth/password-hasher.js';
  const { PasswordHasher } = /** @type {typeof import('../src/auth/password-hasher.js')} */ (
    await load(path)
  );
  return new PasswordHasher().hash(password);
}

/** @param {string} path @returns {Promise<unknown>} */
const load = (path) => import(pathToFileURL(path).href);
