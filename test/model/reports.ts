/** The reports that the world calls for. */
import { cents, halfUp, money, sumOf, type Cents } from './cents.js';
import { address, beneath, type Question } from './questions.js';
import { CYCLE_NOT_FOUND } from './refusals.js';
import { costOf, costsAnything, shownStatus, without } from './views.js';
import type { Cycle, Expense, Method, User, World } from './world.js';

export function askSummary(world: World, reader: User, cycle: Cycle): Question {
  return beneath(cycle, reader, '/summary', () => {
    const all = world.expensesOf(cycle);
    const inCurrency = (code: string): Cents => costOf(all, ({ currency }) => currency === code);
    const shown = (status: string): number =>
      all.filter((expense) => shownStatus(expense) === status).length;
    return {
      cycle: { id: cycle.id, ...without(cycle.fields, 'status', 'active') },
      financial: {
        total_expenses_usd: money(costOf(all)),
        fixed_expenses_usd: money(costOf(all, ({ category }) => category === 'fixed')),
        variable_expenses_usd: money(costOf(all, ({ category }) => category === 'variable')),
        usa_expenses_usd: money(inCurrency('USD')),
        mexico_expenses_usd: money(inCurrency('MXN')),
        net_balance: money(cents(cycle.fields.income_amount) - costOf(all)),
      },
      by_payment_method: world.methods.flatMap((method) => byMethod(method, all)),
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
  const its = all.filter((one) => costsAnything(one) && one.fields.payment_method_id === id);
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

function byCurrency(code: string, all: readonly Expense[]): object {
  const its = all.filter((one) => costsAnything(one) && one.fields.currency === code);
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

const METRICS: Record<string, (income: Cents, all: readonly Expense[]) => Cents> = {
  total_expenses: (_income, all) => costOf(all),
  fixed_expenses: (_income, all) => costOf(all, ({ category }) => category === 'fixed'),
  variable_expenses: (_income, all) => costOf(all, ({ category }) => category === 'variable'),
  income_amount: (income) => income,
  net_balance: (income, all) => income - costOf(all),
  paid_expenses: (_income, all) => costOf(all, ({ paid }) => paid),
  pending_expenses: (_income, all) => costOf(all, ({ paid }) => !paid),
};

export const METRIC_NAMES = Object.keys(METRICS);

/** Of at least one cycle. */
export function askComparison(
  world: World,
  reader: User,
  cycles: readonly Cycle[],
  metrics: readonly string[] | undefined,
): Question {
  const path = address('/reports/cycles-comparison', {
    cycle_ids: cycles.map(({ id }) => id).join(','),
    metrics: metrics?.join(','),
  });
  if (cycles.some(({ owner, fields }) => owner !== reader || !fields.active)) {
    return { reader, path, answer: { refused: CYCLE_NOT_FOUND } };
  }
  const wanted = metrics ?? METRIC_NAMES.slice(0, 3);
  const compared = [...new Set(cycles)];
  const metricsOf = (cycle: Cycle): object =>
    Object.fromEntries(
      wanted.map((name) => {
        const metric = METRICS[name]?.(cents(cycle.fields.income_amount), world.expensesOf(cycle));
        return [name, money(metric ?? 0n)];
      }),
    );
  const totals = world.cycles
    .filter((cycle) => compared.includes(cycle))
    .sort((a, b) => a.fields.start_date.localeCompare(b.fields.start_date))
    .map((cycle) => costOf(world.expensesOf(cycle)));
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
  return { reader, path, answer: { body } };
}

function trend(earliest: Cents, latest: Cents): string {
  if (100n * latest > 105n * earliest) return 'increasing';
  return 100n * latest < 95n * earliest ? 'decreasing' : 'stable';
}
