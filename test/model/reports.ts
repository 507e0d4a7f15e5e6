/** The expected reports. */
import { cents, halfUp, money, sumOf, toPesos, type Cents } from './cents.js';
import { CYCLE_NOT_FOUND } from './expected-errors.js';
import { address, expectedBelowCycle, type ExpectedResponse } from './expected-responses.js';
import type { Cycle, Expense, Income, Method, User, Model } from './model.js';
import { BUDGET_NAMES } from './values.js';
import {
  balanceOf,
  budgetReference,
  costOf,
  isCounted,
  displayedStatus,
  sumOfIncomes,
  usdOf,
  without,
} from './views.js';

export function expectedSummary(model: Model, reader: User, cycle: Cycle): ExpectedResponse {
  return expectedBelowCycle(cycle, reader, '/summary', () => {
    const all = model.expensesOf(cycle);
    const incomes = model.incomesOf(cycle);
    const inCurrency = (code: string): Cents => costOf(all, ({ currency }) => currency === code);
    const shown = (status: string): number =>
      all.filter((expense) => displayedStatus(expense) === status).length;
    return {
      cycle: {
        id: cycle.id,
        ...without(cycle.fields, 'status', 'active', 'budget_limits', 'side'),
      },
      financial: {
        total_expenses_usd: money(costOf(all)),
        fixed_expenses_usd: money(costOf(all, ({ category }) => category === 'fixed')),
        variable_expenses_usd: money(costOf(all, ({ category }) => category === 'variable')),
        usa_expenses_usd: money(inCurrency('USD')),
        mexico_expenses_usd: money(inCurrency('MXN')),
        total_incomes_usd: money(sumOfIncomes(incomes)),
        net_balance: money(balanceOf(model, cycle)),
      },
      incomes: {
        total_count: incomes.length,
        received_count: incomes.filter(({ fields }) => fields.received).length,
        total_amount_usd: money(sumOfIncomes(incomes)),
        received_amount: money(sumOfIncomes(incomes, ({ received }) => received)),
        expected_amount: money(sumOfIncomes(incomes, ({ received }) => !received)),
      },
      by_payment_method: model.methods.flatMap((method) => byMethod(method, all)),
      by_budget: byBudget(model, cycle),
      by_currency: { ...byCurrency('USD', all), ...byCurrency('MXN', all) },
      status_breakdown: {
        pending: shown('pending'),
        paid: shown('paid'),
        overdue: shown('overdue'),
        cancelled: shown('cancelled'),
      },
    };
  });
}

function byMethod({ id, fields: { name } }: Method, all: readonly Expense[]): object[] {
  const its = all.filter((one) => isCounted(one) && one.fields.payment_method_id === id);
  if (its.length === 0) return [];
  return [
    {
      payment_method: { id, name },
      total_amount: money(costOf(its)),
      paid_amount: money(costOf(its, ({ paid }) => paid)),
      pending_amount: money(costOf(its, ({ paid }) => !paid)),
      expense_count: its.length,
    },
  ];
}

/**
 * Budgets with a limit, an expense that counts or an income, by name; last expenses without a
 * budget.
 */
function byBudget(model: Model, cycle: Cycle): object[] {
  const counted = model.expensesOf(cycle).filter(isCounted);
  const shares = [...model.budgets, null].flatMap((budget) => {
    const { id = null, fields: { currency } = { currency: 'USD' } } = budget ?? {};
    const ofBudget = ({ fields }: Expense | Income): boolean => fields.budget_id === id;
    const valueOf = (entry: Expense | Income): Cents => valueIn(currency, entry);
    const limits = cycle.fields.budget_limits.filter(({ budget_id }) => budget_id === id);
    const its = counted.filter(ofBudget);
    const refunds = budget ? model.incomesOf(cycle).filter(ofBudget) : [];
    if (limits.length + its.length + refunds.length === 0) return [];
    const limit = limits[0]?.limit ?? null;
    const total = sumOf(its.map(valueOf));
    const paid = sumOf(its.filter(({ fields }) => fields.paid).map(valueOf));
    const refunded = sumOf(refunds.map(valueOf));
    return [
      {
        budget: budgetReference(model, id),
        ...{ currency, limit, total_amount: money(total), paid_amount: money(paid) },
        pending_amount: money(total - paid),
        refunded_amount: money(refunded),
        left: limit === null ? null : money(cents(limit) - total + refunded),
        total_amount_usd: money(costOf(its)),
        expense_count: its.length,
      },
    ];
  });
  const placeOf = ({ budget }: (typeof shares)[number]): number =>
    budget ? BUDGET_NAMES.indexOf(String(budget.name)) : BUDGET_NAMES.length;
  return shares.sort((a, b) => placeOf(a) - placeOf(b));
}

/** What an entry counts in a budget of a currency: converted at the rate of its own date. */
function valueIn(budgetCurrency: string, entry: Expense | Income): Cents {
  const { amount, currency, ...fields } = entry.fields;
  if (currency === budgetCurrency) return cents(amount);
  const date = 'due_date' in fields ? fields.due_date : fields.income_date;
  return budgetCurrency === 'USD' ? usdOf(entry) : toPesos(cents(amount), date);
}

/** `by_budget` of several cycles. */
export function expectedBudgetReport(
  model: Model,
  reader: User,
  cycles: readonly Cycle[],
): ExpectedResponse {
  const path = address('/reports/budgets', { cycle_ids: cycles.map(({ id }) => id).join(',') });
  if (cycles.some(({ owner, fields }) => owner !== reader || !fields.active)) {
    return { reader, path, expected: { refused: CYCLE_NOT_FOUND } };
  }
  const body = {
    cycles: [...new Set(cycles)].map((cycle) => ({
      cycle: { id: cycle.id, name: cycle.fields.name },
      by_budget: byBudget(model, cycle),
    })),
  };
  return { reader, path, expected: { body } };
}

function byCurrency(code: string, all: readonly Expense[]): object {
  const its = all.filter((one) => isCounted(one) && one.fields.currency === code);
  if (its.length === 0) return {};
  const native = money(sumOf(its.map(({ fields }) => cents(fields.amount))));
  return {
    [code]: {
      total_amount: native,
      ...(code !== 'USD' && { total_amount_usd: money(costOf(its)) }),
      expense_count: its.length,
    },
  };
}

const METRICS: Record<
  string,
  (income: Cents, all: readonly Expense[], incomes: readonly Income[]) => Cents
> = {
  total_expenses: (_income, all) => costOf(all),
  fixed_expenses: (_income, all) => costOf(all, ({ category }) => category === 'fixed'),
  variable_expenses: (_income, all) => costOf(all, ({ category }) => category === 'variable'),
  income_amount: (income) => income,
  net_balance: (income, all, incomes) => income + sumOfIncomes(incomes) - costOf(all),
  paid_expenses: (_income, all) => costOf(all, ({ paid }) => paid),
  pending_expenses: (_income, all) => costOf(all, ({ paid }) => !paid),
  total_incomes: (_income, _all, incomes) => sumOfIncomes(incomes),
};

export const METRIC_NAMES = Object.keys(METRICS);

/** @param cycles at least one */
export function expectedComparison(
  model: Model,
  reader: User,
  cycles: readonly Cycle[],
  metrics: readonly string[] | undefined,
): ExpectedResponse {
  const path = address('/reports/cycles-comparison', {
    cycle_ids: cycles.map(({ id }) => id).join(','),
    metrics: metrics?.join(','),
  });
  if (cycles.some(({ owner, fields }) => owner !== reader || !fields.active)) {
    return { reader, path, expected: { refused: CYCLE_NOT_FOUND } };
  }
  const names = metrics ?? METRIC_NAMES.slice(0, 3);
  const compared = [...new Set(cycles)];
  const metricsOf = (cycle: Cycle): object =>
    Object.fromEntries(
      names.map((name) => {
        const metric = METRICS[name]?.(
          cents(cycle.fields.income_amount),
          model.expensesOf(cycle),
          model.incomesOf(cycle),
        );
        return [name, money(metric ?? 0n)];
      }),
    );
  const totals = model.cycles
    .filter((cycle) => compared.includes(cycle))
    .sort((a, b) => a.fields.start_date.localeCompare(b.fields.start_date))
    .map((cycle) => costOf(model.expensesOf(cycle)));
  const body = {
    cycles: compared.map((cycle) => ({
      cycle: { id: cycle.id, name: cycle.fields.name },
      metrics: metricsOf(cycle),
    })),
    comparison: {
      average_total: money(halfUp(sumOf(totals), BigInt(totals.length))),
      trends: { expenses: trend(totals.at(0) ?? 0n, totals.at(-1) ?? 0n) },
    },
  };
  return { reader, path, expected: { body } };
}

function trend(earliest: Cents, latest: Cents): string {
  if (100n * latest > 105n * earliest) return 'increasing';
  return 100n * latest < 95n * earliest ? 'decreasing' : 'stable';
}
