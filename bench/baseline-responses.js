// @ts-check
/** The rows of the baseline's statements as the responses of the API. */

/** @typedef {Record<string, unknown>} Row */

/** `2025-01-06 12:30:00.25+00` as `2025-01-06T12:30:00.250Z`. @param {string} value */
export function instant(value) {
  const milliseconds = value.slice(20, -3).padEnd(3, '0');
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${milliseconds}Z`;
}

/** @param {Row} row */
export const toCycle = (row) => ({
  id: row.id,
  name: row.name,
  start_date: row.start_date,
  end_date: row.end_date,
  income_amount: row.income_amount,
  remaining_balance: row.remaining_balance,
  status: row.status,
  budget_limits: row.budget_limits,
  side: row.side,
  summary: {
    total_expenses: row.total_expenses,
    fixed_expenses: row.fixed_expenses,
    variable_expenses: row.variable_expenses,
    expense_count: row.expense_count,
    paid_count: row.paid_count,
    pending_count: row.pending_count,
    total_incomes: row.total_incomes,
    income_count: row.income_count,
  },
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** @param {Row[]} rows @param {number} size */
export function toCyclePage(rows, size) {
  const total = Number(rows[0]?.total ?? 0);
  return {
    cycles: rows.map(toCycle),
    pagination: { page: 1, per_page: size, total, pages: Math.ceil(total / size) },
  };
}

/** @param {Row} row */
export const toExpense = (row) => ({
  id: row.id,
  description: row.description,
  currency: row.currency,
  amount: row.amount,
  amount_usd: row.amount_usd,
  exchange_rate: row.exchange_rate && {
    rate: row.exchange_rate,
    rate_date: row.exchange_rate_date,
  },
  planned_amount: row.planned_amount,
  due_date: row.due_date,
  category: row.category,
  status: row.status,
  paid: row.paid,
  paid_at: row.paid_at,
  comments: row.comments,
  autopay_info: row.autopay_info,
  template_id: row.template_id,
  occurrence_date: row.occurrence_date,
  instalment: row.instalment,
  payment_method: {
    id: row.method_id,
    name: row.method_name,
    method_type: row.method_type,
  },
  budget: row.budget,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** @param {Row[]} rows */
export function toExpenseList(rows) {
  const sums = { total: 0, fixed: 0, variable: 0, paid: 0 };
  for (const row of rows) {
    if (row.status === 'cancelled') continue;
    const cents = toCents(row.amount_usd);
    sums.total += cents;
    if (row.category === 'fixed') sums.fixed += cents;
    else sums.variable += cents;
    if (row.paid === true) sums.paid += cents;
  }
  return {
    expenses: rows.map(toExpense),
    summary: {
      total_amount_usd: toMoney(sums.total),
      fixed_amount: toMoney(sums.fixed),
      variable_amount: toMoney(sums.variable),
      paid_amount: toMoney(sums.paid),
      pending_amount: toMoney(sums.total - sums.paid),
      total_count: rows.length,
    },
  };
}

/** @param {Row[]} rows */
export function toSummary(rows) {
  const byStatus = { pending: 0, paid: 0, overdue: 0, cancelled: 0 };
  /** @type {object[]} */
  const byMethod = [];
  /** @type {Row} */
  const byCurrency = {};
  /** @type {Row} */
  let cycleRow = {};
  for (const row of rows) {
    const { currency, status, expense_count } = row;
    if (row.method_id !== null) {
      if (expense_count !== 0) byMethod.push(toMethodSummary(row));
    } else if (currency !== null) {
      if (expense_count !== 0)
        byCurrency[/** @type {string} */ (currency)] = toCurrencySummary(row);
    } else if (status !== null) {
      byStatus[/** @type {keyof typeof byStatus} */ (status)] = Number(row.row_count);
    } else cycleRow = row;
  }
  return {
    cycle: {
      id: cycleRow.id,
      name: cycleRow.name,
      start_date: cycleRow.start_date,
      end_date: cycleRow.end_date,
      income_amount: cycleRow.income_amount,
    },
    financial: {
      total_expenses_usd: cycleRow.total,
      fixed_expenses_usd: cycleRow.fixed,
      variable_expenses_usd: cycleRow.variable,
      usa_expenses_usd: cycleRow.usa,
      mexico_expenses_usd: cycleRow.mexico,
      total_incomes_usd: cycleRow.total_incomes,
      net_balance: cycleRow.net_balance,
    },
    incomes: {
      total_count: cycleRow.income_count,
      received_count: cycleRow.received_count,
      total_amount_usd: cycleRow.total_incomes,
      received_amount: cycleRow.received_incomes,
      expected_amount: cycleRow.expected_incomes,
    },
    by_payment_method: byMethod,
    by_budget: cycleRow.by_budget,
    by_currency: byCurrency,
    status_breakdown: byStatus,
  };
}

/** @param {Row} row */
const toMethodSummary = (row) => ({
  payment_method: { id: row.method_id, name: row.method_name },
  total_amount: row.total,
  paid_amount: row.paid,
  pending_amount: row.pending,
  expense_count: row.expense_count,
});

/** @param {Row} row */
const toCurrencySummary = (row) => ({
  total_amount: row.native,
  ...(row.currency !== 'USD' && { total_amount_usd: row.total }),
  expense_count: row.expense_count,
});

/** @param {Row[]} rows the earliest start first @param {string[]} ids */
export function toComparison(rows, ids) {
  const totals = rows.map((row) => toCents(row.total_expenses));
  const sum = totals.reduce((subtotal, cents) => subtotal + cents, 0);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    cycles: ids.map((id) => {
      const { name, total_expenses, fixed_expenses, variable_expenses } = byId.get(id) ?? {};
      return {
        cycle: { id, name },
        metrics: { total_expenses, fixed_expenses, variable_expenses },
      };
    }),
    comparison: {
      average_total: toMoney(Math.round(sum / totals.length)),
      trends: { expenses: trendOf(totals.at(0) ?? 0, totals.at(-1) ?? 0) },
    },
  };
}

/** @param {number} earliest @param {number} latest */
function trendOf(earliest, latest) {
  if (latest * 100 > earliest * 105) return 'increasing';
  return latest * 100 < earliest * 95 ? 'decreasing' : 'stable';
}

/** @param {Row} row */
export const toActivity = (row) => ({
  id: row.id,
  household_id: row.household_id,
  entity_type: row.entity_type,
  entity_id: row.entity_id,
  cycle_id: row.cycle_id,
  actor_user_id: row.actor_user_id,
  action: row.action,
  changes: row.changes,
  undoes: row.undoes,
  operation_id: row.operation_id,
  created_at: row.created_at,
  actor: row.user_id && {
    id: row.user_id,
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
  },
});

const DAY_MS = 86_400_000;

/** @param {Row[]} rows of the days with entries, ascending */
export function toCashFlow(rows) {
  const { start_date: start, end_date: end, income_amount } = rows[0] ?? {};
  const byDate = new Map(rows.map((row) => [row.date, row]));
  let balance = toCents(income_amount);
  let lowest = { date: String(start), balance: Infinity };
  const days = [];
  for (let time = Date.parse(String(start)); time <= Date.parse(String(end)); time += DAY_MS) {
    const date = new Date(time).toISOString().slice(0, 10);
    const { incomes = '0.00', expenses = '0.00' } = byDate.get(date) ?? {};
    balance += toCents(incomes) - toCents(expenses);
    if (balance < lowest.balance) lowest = { date, balance };
    const balance_usd = toMoney(balance);
    days.push({ date, incomes_usd: incomes, expenses_usd: expenses, balance_usd });
  }
  return {
    opening_balance: income_amount,
    days,
    lowest: { date: lowest.date, balance_usd: toMoney(lowest.balance) },
    closing_balance: toMoney(balance),
  };
}

/** Supports only cycles that do not differ from their templates. @param {Row} row */
export function toSync({ cycles, differences }) {
  if (cycles !== 1 || differences !== 0) throw new Error('The cycle differs from its templates');
  return { add: [], change: [], remove: [], protected: [] };
}

/** @param {unknown} amount with two decimals */
const toCents = (amount) => Number(String(amount).replace('.', ''));

/** @param {number} cents not negative */
const toMoney = (cents) => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
