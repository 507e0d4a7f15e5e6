// @ts-check
/**
 * One statement for each operation of the benchmark, optimised by hand, with the same data in the
 * result. $1 is the user of the token, and every statement checks that this user is active.
 */
import {
  CYCLE_CREATED,
  EXPENSE_CREATED,
  generatedExpense,
  generatedIncome,
  INCOME_CREATED,
  paymentChanged,
} from './changes-sql.js';

const COSTS = `e.status <> 'cancelled'`;

const ACTIVE_USER = `SELECT u.id, u.household_id FROM users u WHERE u.id = $1 AND u.active`;

const IS_ACTIVE = `EXISTS (${ACTIVE_USER})`;

export const ME = `
  SELECT id, email, first_name, last_name, preferred_currency, locale, time_zone,
    minimum_balance, next_income_amount,
    json_build_object('enabled', reminders_enabled, 'hour', reminders_hour,
      'days_before', reminders_days_before, 'confirmed', reminders_confirmed) AS reminders,
    active, created_at, updated_at, CURRENT_DATE AS today
  FROM users WHERE id = $1 AND active`;

export const PAYMENT_METHODS = `
  SELECT id, name, method_type, default_currency, description, closing_day, due_day, due_days_after,
    due_weekend_rule, first_closing_date, autopay, paid_from_id, active, created_at, updated_at
  FROM payment_methods WHERE user_id = $1 AND ${IS_ACTIVE}
  ORDER BY seq DESC`;

/** The sums of a cycle `c`. */
const CYCLE_SUMS = `
  SELECT coalesce(sum(e.amount_usd), 0.00) AS total_expenses,
    coalesce(sum(e.amount_usd) FILTER (WHERE e.category = 'fixed'), 0.00) AS fixed_expenses,
    coalesce(sum(e.amount_usd) FILTER (WHERE e.category = 'variable'), 0.00) AS variable_expenses,
    count(*)::int AS expense_count,
    (count(*) FILTER (WHERE e.paid))::int AS paid_count,
    (count(*) FILTER (WHERE NOT e.paid))::int AS pending_count`;

/** The sums of the incomes `i`. */
const INCOME_SUMS = `
  SELECT coalesce(sum(i.amount_usd), 0.00) AS total_incomes, count(*)::int AS income_count`;

/** The entries of a cycle `c` of the user `$1`. */
const CYCLE_INCOMES = `FROM cycle_incomes i
  WHERE i.household_id = (SELECT household_id FROM (${ACTIVE_USER}) AS u) AND i.cycle_id = c.id AND i.active`;

const CYCLE_COLUMNS = `c.id, c.name, c.start_date, c.end_date, c.income_amount, c.remaining_balance,
  c.status, c.budget_limits, c.side, c.created_at, c.updated_at`;

export const CYCLE = `
  SELECT ${CYCLE_COLUMNS}, s.*, i.*
  FROM cycles c
  CROSS JOIN LATERAL (
    ${CYCLE_SUMS} FROM cycle_expenses e
    WHERE e.household_id = c.household_id AND e.cycle_id = c.id AND e.active AND ${COSTS}) s
  CROSS JOIN LATERAL (${INCOME_SUMS} ${CYCLE_INCOMES}) i
  WHERE c.id = $2 AND c.user_id = $1 AND c.active AND ${IS_ACTIVE}`;

/** $2: the number of rows. */
export const CYCLES = `
  SELECT ${CYCLE_COLUMNS}, c.total, s.*, i.*
  FROM (
    SELECT c.*, (count(*) OVER ())::int AS total FROM cycles c
    WHERE c.user_id = $1 AND c.active AND ${IS_ACTIVE}
    ORDER BY c.start_date DESC, c.seq DESC LIMIT $2
  ) c
  CROSS JOIN LATERAL (
    ${CYCLE_SUMS} FROM cycle_expenses e
    WHERE e.household_id = c.household_id AND e.cycle_id = c.id AND e.active AND ${COSTS}) s
  CROSS JOIN LATERAL (${INCOME_SUMS} ${CYCLE_INCOMES}) i
  ORDER BY c.start_date DESC, c.seq DESC`;

const DISPLAYED_STATUS = `CASE
  WHEN e.status = 'pending' AND e.due_date < CURRENT_DATE THEN 'overdue'
  ELSE e.status::text END`;

const PLANNED_AMOUNT = `CASE WHEN e.plan_unknown IS NOT TRUE
  AND e.generated ->> 'currency' = e.currency::text THEN e.generated ->> 'amount' END`;

/** Of the expense `e`. */
const BUDGET_OF_E = `(SELECT json_build_object('id', b.id, 'name', b.name) FROM budgets b
  WHERE b.household_id = e.household_id AND b.id = e.budget_id)`;

/** @param {string} status */
const expenseColumns = (status) => `e.id, e.description, e.currency, e.amount, e.amount_usd,
  e.exchange_rate, e.exchange_rate_date, ${PLANNED_AMOUNT} AS planned_amount, e.occurrence_date, e.instalment, e.due_date, e.category, ${status} AS status, e.paid, e.paid_at, e.comments, e.autopay_info,
  e.template_id, pm.id AS method_id, pm.name AS method_name, pm.method_type, ${BUDGET_OF_E} AS budget,
  e.created_at, e.updated_at`;

export const EXPENSES = `
  SELECT ${expenseColumns(DISPLAYED_STATUS)}
  FROM cycles c
  JOIN cycle_expenses e ON e.household_id = c.household_id AND e.cycle_id = c.id AND e.active
  JOIN payment_methods pm ON pm.household_id = e.household_id AND pm.id = e.payment_method_id
  WHERE c.id = $2 AND c.user_id = $1 AND c.active AND ${IS_ACTIVE}
  ORDER BY e.due_date, e.seq`;

/** @param {string} condition */
const sumWhere = (condition) =>
  `coalesce(sum(e.amount_usd) FILTER (WHERE ${COSTS} AND ${condition}), 0.00)`;

/** What cycle `c` spends on each budget, in the order of names; the data has no budgets in pesos. */
const BY_BUDGET = `(
  SELECT coalesce(json_agg(json_build_object(
    'budget', CASE WHEN b.id IS NOT NULL THEN json_build_object('id', b.id, 'name', b.name) END,
    'currency', coalesce(b.currency, 'USD'), 'limit', g."limit"::text, 'total_amount', g.total::text, 'paid_amount', g.paid::text,
    'pending_amount', (g.total - g.paid)::text, 'refunded_amount', r.total::text,
    'left', (g."limit" - g.total + r.total)::text, 'total_amount_usd', g.total::text,
    'expense_count', g.count) ORDER BY b.name COLLATE "C", b.id), '[]')
  FROM (
    SELECT coalesce(l.budget_id, s.budget_id) AS budget_id, l."limit",
      coalesce(s.total, 0.00) AS total, coalesce(s.paid, 0.00) AS paid, coalesce(s.count, 0) AS count
    FROM jsonb_to_recordset(c.budget_limits) AS l(budget_id uuid, "limit" numeric(12, 2))
    FULL JOIN (
      SELECT e.budget_id, sum(e.amount_usd) AS total, ${sumWhere('e.paid')} AS paid, count(*)::int AS count
      FROM cycle_expenses e
      WHERE e.household_id = c.household_id AND e.cycle_id = c.id AND e.active AND ${COSTS}
      GROUP BY e.budget_id
    ) AS s ON s.budget_id = l.budget_id
  ) AS g
  LEFT JOIN budgets b ON b.household_id = c.household_id AND b.id = g.budget_id
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(i.amount_usd), 0.00) AS total FROM cycle_incomes i
    WHERE i.household_id = c.household_id AND i.cycle_id = c.id AND i.active AND i.budget_id = g.budget_id
  ) AS r)`;

/** Rows of several kinds, distinguished by `method_id`, `currency` and `status`. */
export const SUMMARY = `
  SELECT c.id, c.name, c.start_date, c.end_date, c.income_amount, s.*, i.*,
    c.income_amount + i.total_incomes - s.total AS net_balance,
    CASE WHEN s.method_id IS NULL AND s.currency IS NULL AND s.status IS NULL THEN ${BY_BUDGET} END AS by_budget
  FROM cycles c
  CROSS JOIN LATERAL (
    ${INCOME_SUMS}, coalesce(sum(i.amount_usd) FILTER (WHERE i.received), 0.00) AS received_incomes,
      coalesce(sum(i.amount_usd) FILTER (WHERE NOT i.received), 0.00) AS expected_incomes,
      (count(*) FILTER (WHERE i.received))::int AS received_count
    ${CYCLE_INCOMES}
  ) i
  CROSS JOIN LATERAL (
    SELECT pm.id AS method_id, pm.name AS method_name, e.currency, ${DISPLAYED_STATUS} AS status,
      ${sumWhere('true')} AS total,
      ${sumWhere(`e.category = 'fixed'`)} AS fixed,
      ${sumWhere(`e.category = 'variable'`)} AS variable,
      ${sumWhere(`e.currency = 'USD'`)} AS usa,
      ${sumWhere(`e.currency = 'MXN'`)} AS mexico,
      ${sumWhere('e.paid')} AS paid,
      ${sumWhere('NOT e.paid')} AS pending,
      sum(e.amount) FILTER (WHERE ${COSTS}) AS native,
      (count(*) FILTER (WHERE ${COSTS}))::int AS expense_count,
      count(*)::int AS row_count, pm.seq
    FROM cycle_expenses e
    JOIN payment_methods pm ON pm.household_id = e.household_id AND pm.id = e.payment_method_id
    WHERE e.household_id = c.household_id AND e.cycle_id = c.id AND e.active
    GROUP BY GROUPING SETS ((), (e.currency), (${DISPLAYED_STATUS}), (pm.id, pm.name, pm.seq))
  ) s
  WHERE c.id = $2 AND c.user_id = $1 AND c.active AND ${IS_ACTIVE}
  ORDER BY s.seq, s.currency`;

export const COMPARISON = `
  SELECT c.id, c.name, s.*
  FROM cycles c
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(e.amount_usd), 0.00) AS total_expenses,
      coalesce(sum(e.amount_usd) FILTER (WHERE e.category = 'fixed'), 0.00) AS fixed_expenses,
      coalesce(sum(e.amount_usd) FILTER (WHERE e.category = 'variable'), 0.00) AS variable_expenses
    FROM cycle_expenses e
    WHERE e.household_id = c.household_id AND e.cycle_id = c.id AND e.active AND ${COSTS}
  ) s
  WHERE c.user_id = $1 AND c.active AND c.id = ANY($2) AND ${IS_ACTIVE}
  ORDER BY c.start_date, c.seq`;

/** $3: the number of rows. */
export const ACTIVITY = `
  SELECT a.id, a.household_id, a.entity_type, a.entity_id, a.cycle_id, a.actor_user_id, a.action,
    a.changes, a.undoes, a.operation_id, a.created_at, u.id AS user_id, u.email, u.first_name, u.last_name
  FROM (
    SELECT * FROM activity_log a
    WHERE a.household_id = (SELECT household_id FROM (${ACTIVE_USER}) AS u) AND a.cycle_id = $2
    ORDER BY a.seq DESC LIMIT $3
  ) a
  LEFT JOIN users u ON u.id = a.actor_user_id
  ORDER BY a.seq DESC`;

/** $1: the e-mail. */
export const LOGIN = `SELECT id, household_id, password_hash, active FROM users WHERE email = $1`;

/**
 * Adds a session and ends all but the 99 before it. $1: household, $2: user, $3: hours until it
 * expires.
 */
export const ADD_SESSION = `
  WITH ended AS (
    DELETE FROM sessions WHERE household_id = $1 AND id IN (
      SELECT id FROM sessions WHERE household_id = $1 AND user_id = $2 ORDER BY seq DESC OFFSET 99)
  )
  INSERT INTO sessions (household_id, user_id, expires_at)
  VALUES ($1, $2, now() + make_interval(hours => $3)) RETURNING id`;

/**
 * The rate to USD in force on a day, and its date, as the row `rate`. Supports only rates of the
 * pair itself, as the seed has them.
 *
 * @param {string} currency @param {string} day
 */
const rateOn = (currency, day) => `LATERAL (
    (SELECT r.rate, r.rate_date FROM exchange_rates r
     WHERE r.from_currency = ${currency} AND r.to_currency = 'USD' AND r.rate_date <= ${day}
     ORDER BY r.rate_date DESC LIMIT 1)
    UNION ALL
    (SELECT r.rate, r.rate_date FROM exchange_rates r
     WHERE r.from_currency = ${currency} AND r.to_currency = 'USD' AND r.rate_date > ${day}
     ORDER BY r.rate_date LIMIT 1)
    LIMIT 1) AS rate`;

const INSERT_LOG = `INSERT INTO activity_log
  (household_id, entity_type, entity_id, cycle_id, actor_user_id, action, changes, operation_id)`;

/** What all records of a statement share. */
const OPERATION = 'operation AS (SELECT gen_random_uuid() AS operation_id)';

/**
 * $2 the cycle, $3 the payment method, $4 description, $5 currency, $6 amount, $7 due date, $8
 * category, $9 comments. The balance is changed by the amount, from the locked row: a sum would
 * miss expenses that other transactions added after the statement's snapshot.
 */
export const ADD_EXPENSE = `
  WITH ${OPERATION}, pm AS (
    SELECT id, name, method_type FROM payment_methods
    WHERE id = $3 AND user_id = $1 AND active FOR SHARE
  ), priced AS (
    SELECT rate.rate, rate.rate_date,
      CASE WHEN $5::currency_code = 'USD' THEN $6::numeric ELSE round($6::numeric * rate.rate, 2) END
        AS amount_usd
    FROM pm LEFT JOIN ${rateOn('$5::currency_code', '$7::date')} ON $5::currency_code <> 'USD'
  ), c AS (
    UPDATE cycles SET remaining_balance = remaining_balance - priced.amount_usd
    FROM priced, (${ACTIVE_USER}) AS u
    WHERE cycles.id = $2 AND cycles.user_id = $1 AND cycles.active AND cycles.status <> 'completed'
    RETURNING cycles.id, u.household_id
  ), e AS (
    INSERT INTO cycle_expenses (household_id, cycle_id, payment_method_id, description, currency, amount, amount_usd,
      exchange_rate, exchange_rate_date, due_date, category, comments)
    SELECT c.household_id, c.id, pm.id, $4, $5, $6, priced.amount_usd, priced.rate, priced.rate_date, $7,
      $8::expense_category, $9 FROM c, pm, priced
    RETURNING *
  ), recorded AS (
    ${INSERT_LOG} SELECT c.household_id, 'cycle_expense', e.id, c.id, $1, 'created', ${EXPENSE_CREATED},
      operation_id FROM e, c, operation
  )
  SELECT ${expenseColumns('e.status')} FROM e, pm`;

/** $2 the cycle, $3 the expense, $4 whether it is paid. The balance does not depend on that. */
export const PAY_EXPENSE = `
  WITH ${OPERATION}, c AS (
    SELECT c.id, c.status, u.household_id FROM cycles c, (${ACTIVE_USER}) AS u
    WHERE c.id = $2 AND c.user_id = $1 AND c.active AND c.status <> 'completed'
    FOR UPDATE OF c
  ), before AS (
    SELECT e.* FROM c JOIN cycle_expenses e ON e.cycle_id = c.id AND e.id = $3 AND e.active
    FOR UPDATE OF e
  ), e AS (
    UPDATE cycle_expenses SET paid = $4, updated_at = clock_timestamp(),
      status = CASE WHEN $4 THEN 'paid' ELSE 'pending' END::expense_status,
      paid_at = CASE WHEN $4 THEN clock_timestamp() END
    FROM before WHERE cycle_expenses.id = before.id AND before.paid <> $4
    RETURNING cycle_expenses.*
  ), recorded AS (
    ${INSERT_LOG} SELECT c.household_id, 'cycle_expense', e.id, c.id, $1,
      CASE WHEN $4 THEN 'marked_paid' ELSE 'marked_unpaid' END,
      ${paymentChanged({ before: 'before', after: 'e' })}, operation_id
    FROM e, before, c, operation
  )
  SELECT ${expenseColumns(DISPLAYED_STATUS)}
  FROM (SELECT * FROM e UNION ALL SELECT * FROM before WHERE paid = $4) AS e, c, payment_methods pm
  WHERE pm.id = e.payment_method_id`;

/**
 * The entries that the templates of user `u` give between two dates, converted. Supports only the
 * recurrence type of the seed.
 *
 * @param {string} start @param {string} end
 */
const generated = (start, end) => `due AS (
    SELECT t.id AS template_id, t.payment_method_id, t.description, t.currency, t.base_amount,
      t.category, t.autopay_info, day::date AS due_date
    FROM u
    JOIN expense_templates t ON t.user_id = u.id AND t.active
    CROSS JOIN LATERAL (SELECT (t.recurrence_config ->> 'interval_days')::int AS days) AS i
    CROSS JOIN generate_series(
      ${start} + ((t.reference_date - ${start}) % i.days + i.days) % i.days,
      ${end}, make_interval(days => i.days)) AS day
    WHERE t.recurrence_type = 'bi_weekly'
  ), rates AS MATERIALIZED (
    SELECT currency, due_date, rate.rate, rate.rate_date
    FROM (SELECT DISTINCT currency, due_date FROM due WHERE currency <> 'USD') AS converted
    CROSS JOIN ${rateOn('currency', 'due_date')}
  ), priced AS MATERIALIZED (
    SELECT due.*, rates.rate, rates.rate_date,
      CASE WHEN currency = 'USD' THEN base_amount ELSE round(base_amount * rate, 2) END AS amount_usd
    FROM due LEFT JOIN rates USING (currency, due_date)
  ), pays AS MATERIALIZED (
    SELECT t.id AS template_id, t.payment_method_id, t.description, t.currency, t.base_amount,
      day::date AS income_date
    FROM u
    JOIN income_templates t ON t.household_id = u.household_id AND t.user_id = u.id AND t.active
    CROSS JOIN LATERAL (SELECT (t.recurrence_config ->> 'interval_days')::int AS days) AS i
    CROSS JOIN generate_series(
      ${start} + ((t.reference_date - ${start}) % i.days + i.days) % i.days,
      ${end}, make_interval(days => i.days)) AS day
    WHERE t.recurrence_type = 'bi_weekly' AND t.currency = 'USD'
  )`;

const TEMPLATE_FIELDS = {
  ...{ description: 'description', currency: 'currency', amount: 'base_amount' },
  ...{ payment_method_id: 'payment_method_id', category: 'category', autopay_info: 'autopay_info' },
};

/** $2 name, $3 start, $4 end, $5 income. */
export const ADD_CYCLE = `
  WITH ${OPERATION}, u AS (${ACTIVE_USER}), ${generated('$3::date', '$4::date')},
  c AS (
    INSERT INTO cycles (household_id, user_id, name, start_date, end_date, income_amount, remaining_balance)
    SELECT u.household_id, u.id, $2, $3, $4, $5::numeric,
      $5::numeric + (SELECT coalesce(sum(base_amount), 0) FROM pays)
        - (SELECT coalesce(sum(amount_usd), 0) FROM priced) FROM u
    RETURNING *
  ), e AS (
    INSERT INTO cycle_expenses (household_id, cycle_id, template_id, payment_method_id, description, currency,
      amount, amount_usd, exchange_rate, exchange_rate_date, due_date, occurrence_date, category,
      autopay_info, generated)
    SELECT c.household_id, c.id, template_id, payment_method_id, description, currency, base_amount,
      amount_usd, rate, rate_date, due_date, due_date, category, autopay_info,
      ${generatedExpense({ ...TEMPLATE_FIELDS, date: 'due_date' })}
    FROM c, priced ORDER BY due_date, description COLLATE "C"
    RETURNING *
  ), i AS (
    INSERT INTO cycle_incomes (household_id, cycle_id, template_id, payment_method_id, description,
      currency, amount, amount_usd, income_date, occurrence_date, generated)
    SELECT u.household_id, c.id, template_id, payment_method_id, description, currency, base_amount,
      base_amount, income_date, income_date,
      ${generatedIncome({ ...TEMPLATE_FIELDS, date: 'income_date' })}
    FROM u, c, pays ORDER BY income_date, description COLLATE "C"
    RETURNING *
  ), recorded AS (
    ${INSERT_LOG} SELECT u.household_id, record.*, operation_id FROM operation, u, (
      SELECT 'cycle', c.id, c.id, $1::uuid, 'created', ${CYCLE_CREATED} FROM c
      UNION ALL
      SELECT 'cycle_expense', e.id, e.cycle_id, $1, 'created', ${EXPENSE_CREATED} FROM e
      UNION ALL
      SELECT 'cycle_income', i.id, i.cycle_id, $1, 'created', ${INCOME_CREATED} FROM i
    ) AS record
  )
  SELECT ${CYCLE_COLUMNS}, s.*, incomes.*
  FROM c CROSS JOIN (${CYCLE_SUMS} FROM e) AS s CROSS JOIN (${INCOME_SUMS} FROM i) AS incomes`;

/** $2: the cycle. A row of each day with entries. */
export const CASH_FLOW = `
  WITH u AS (${ACTIVE_USER})
  SELECT c.start_date, c.end_date, c.income_amount, m.date, m.incomes, m.expenses
  FROM cycles c JOIN u ON u.id = c.user_id
  LEFT JOIN LATERAL (
    SELECT date, sum(incomes) AS incomes, sum(expenses) AS expenses
    FROM (
      SELECT e.due_date AS date, 0.00 AS incomes, e.amount_usd AS expenses
      FROM cycle_expenses e
      WHERE e.household_id = c.household_id AND e.cycle_id = c.id AND e.active AND ${COSTS}
      UNION ALL
      SELECT i.income_date, i.amount_usd, 0.00 FROM cycle_incomes i
      WHERE i.household_id = u.household_id AND i.cycle_id = c.id AND i.active
    ) AS entries
    GROUP BY date
  ) AS m ON true
  WHERE c.id = $2 AND c.active
  ORDER BY m.date`;

/** $2: the cycle. The number of its entries that differ from what the templates give. */
export const SYNC = `
  WITH u AS (${ACTIVE_USER}), c AS (
    SELECT c.* FROM cycles c JOIN u ON u.id = c.user_id
    WHERE c.id = $2 AND c.active AND c.status <> 'completed'
  ), ${generated('(SELECT start_date FROM c)', '(SELECT end_date FROM c)')}
  SELECT (SELECT count(*) FROM c)::int AS cycles, (
    SELECT count(*) FROM priced p
    FULL JOIN (
      SELECT e.* FROM c JOIN cycle_expenses e ON e.cycle_id = c.id WHERE e.generated IS NOT NULL
    ) AS e ON e.template_id = p.template_id AND e.occurrence_date = p.due_date
    WHERE e.active IS DISTINCT FROM true OR (e.amount, e.amount_usd, e.currency, e.description,
        e.payment_method_id, e.due_date, e.category, e.exchange_rate, e.exchange_rate_date, e.autopay_info)
      IS DISTINCT FROM (p.base_amount, p.amount_usd, p.currency, p.description,
        p.payment_method_id, p.due_date, p.category, p.rate, p.rate_date, p.autopay_info)
  )::int + (
    SELECT count(*) FROM pays p
    FULL JOIN (
      SELECT i.* FROM u, c JOIN cycle_incomes i ON i.cycle_id = c.id
      WHERE i.household_id = u.household_id AND i.generated IS NOT NULL
    ) AS i ON i.template_id = p.template_id AND i.occurrence_date = p.income_date
    WHERE i.active IS DISTINCT FROM true OR (i.amount, i.currency, i.description,
        i.payment_method_id, i.income_date)
      IS DISTINCT FROM (p.base_amount, p.currency, p.description, p.payment_method_id, p.income_date)
  )::int AS differences`;
