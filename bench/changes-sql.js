// @ts-check
/**
 * The changes that the activity log records for a mutation, as SQL, for the seed and the baseline.
 */

/** An instant as the API writes it. @param {string} instant */
const iso = (instant) => `to_char(${instant} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** @param {string} from @param {string} to */
const change = (from, to) => `jsonb_build_object('from', ${from}, 'to', ${to})`;

/** @param {Record<string, string>} fields by name the value, from null */
function created(fields) {
  const changes = Object.entries(fields).map(([name, sql]) => `'${name}', ${change('null', sql)}`);
  return `jsonb_build_object(${changes.join(', ')})`;
}

/** @param {string[]} columns of `row` @param {string} row */
const columnsOf = (columns, row) =>
  Object.fromEntries(columns.map((column) => [column, `${row}.${column}`]));

/** @param {string} row */
const timestamps = (row) => ({
  created_at: iso(`${row}.created_at`),
  updated_at: iso(`${row}.created_at`),
});

/** The creation of the payment method `pm`. */
export const PAYMENT_METHOD_CREATED = created({
  ...columnsOf(['id', 'name', 'method_type', 'default_currency', 'description', 'active'], 'pm'),
  ...columnsOf(['closing_day', 'due_day', 'due_days_after', 'due_weekend_rule'], 'pm'),
  ...columnsOf(['first_closing_date', 'autopay', 'paid_from_id'], 'pm'),
  ...timestamps('pm'),
});

/** The creation of a template `t` of either kind. */
const RECURRENT_TEMPLATE = {
  ...columnsOf(['id', 'description', 'currency', 'recurrence_type', 'recurrence_config'], 't'),
  ...columnsOf(['reference_date', 'starts_on', 'ends_on', 'weekend_rule'], 't'),
  ...columnsOf(
    ['payment_method_id', 'budget_id', 'active', 'amount_changes', 'skipped_dates'],
    't',
  ),
  base_amount: 't.base_amount::text',
  last_amount: 't.last_amount::text',
  ...timestamps('t'),
};

/** The creation of the expense template `t`. */
export const TEMPLATE_CREATED = created({
  ...RECURRENT_TEMPLATE,
  ...columnsOf(['category', 'autopay_info'], 't'),
});

/** The creation of the income template `t`. */
export const INCOME_TEMPLATE_CREATED = created(RECURRENT_TEMPLATE);

/** The creation of the cycle `c`, as a draft. */
export const CYCLE_CREATED = created({
  ...columnsOf(['id', 'name', 'start_date', 'end_date', 'budget_limits', 'side', 'active'], 'c'),
  income_amount: 'c.income_amount::text',
  status: `'draft'::text`,
  ...timestamps('c'),
});

/** The rate that converted the entry `row`. @param {string} row */
const usedRate = (row) => `CASE WHEN ${row}.exchange_rate IS NOT NULL THEN jsonb_build_object(
  'rate', ${row}.exchange_rate::text, 'rate_date', ${row}.exchange_rate_date) END`;

/** The creation of the expense `e`, as pending. */
export const EXPENSE_CREATED = created({
  ...columnsOf(['id', 'description', 'currency', 'due_date', 'category', 'comments'], 'e'),
  ...columnsOf(['autopay_info', 'template_id', 'payment_method_id', 'active'], 'e'),
  ...columnsOf(['occurrence_date', 'instalment', 'budget_id'], 'e'),
  exchange_rate: usedRate('e'),
  amount: 'e.amount::text',
  amount_usd: 'e.amount_usd::text',
  status: `'pending'::text`,
  paid: 'false',
  paid_at: 'null',
  ...timestamps('e'),
});

/** The creation of the income `i`, not received yet. */
export const INCOME_CREATED = created({
  ...columnsOf(['id', 'description', 'currency', 'income_date', 'comments'], 'i'),
  ...columnsOf(['template_id', 'payment_method_id', 'active', 'received', 'received_at'], 'i'),
  ...columnsOf(['occurrence_date', 'instalment', 'budget_id'], 'i'),
  exchange_rate: usedRate('i'),
  amount: 'i.amount::text',
  amount_usd: 'i.amount_usd::text',
  ...timestamps('i'),
});

/**
 * What generation set in an expense or income, by the names of the activity log.
 *
 * @param {Record<'description' | 'currency' | 'amount' | 'payment_method_id' | 'date', string>}
 *   values
 */
const generatedBase = ({ description, currency, amount, payment_method_id }) =>
  `'description', ${description}, 'currency', ${currency}, 'amount', ${amount}::text,
   'payment_method_id', ${payment_method_id}`;

/**
 * @param {Record<'description' | 'currency' | 'amount' | 'payment_method_id' | 'date' | 'category'
 *   | 'autopay_info', string>} values
 */
export const generatedExpense = (values) => `jsonb_build_object(${generatedBase(values)},
  'due_date', ${values.date}, 'category', ${values.category}, 'autopay_info', ${values.autopay_info})`;

/**
 * @param {Record<'description' | 'currency' | 'amount' | 'payment_method_id' | 'date', string>}
 *   values
 */
export const generatedIncome = (values) => `jsonb_build_object(${generatedBase(values)},
  'income_date', ${values.date})`;

/** @param {string} from @param {string} to */
export const statusChanged = (from, to) => `jsonb_build_object('status', ${change(from, to)})`;

/** @param {Record<'before' | 'after', string>} rows */
export const paymentChanged = ({ before, after }) => `jsonb_build_object(
  'status', ${change(`${before}.status`, `${after}.status`)},
  'paid', ${change(`${before}.paid`, `${after}.paid`)},
  'paid_at', ${change(iso(`${before}.paid_at`), iso(`${after}.paid_at`))})`;
