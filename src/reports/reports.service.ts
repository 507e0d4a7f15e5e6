import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import type { CurrencyCode } from '../platform/values/enums.js';
import { divideMoney, formatMoney } from '../platform/values/money.js';
import { cycleNotFound } from '../ledger/cycle-errors.js';
import type { ExpenseStatus } from '../ledger/expense-status.js';
import { Database } from '../platform/database/database.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import type { CompareCyclesQuery, CyclesComparison, CycleSummaryReport } from './dto/report.dto.js';
import {
  compareCycles,
  summarizeCycle,
  type ComparedCycle,
  type ComparisonMetric,
  type ExpenseGroup,
} from './reports.queries.js';
import { trendOf } from './trend.js';

/** Reports on cycles in USD, without cancelled expenses (see docs/api.md). */
@Injectable()
export class ReportsService {
  constructor(private readonly database: Database) {}

  /**
   * The totals of a cycle in USD, by payment method, currency and status.
   *
   * @throws DomainError CYCLE_NOT_FOUND
   */
  async summarize(user: AuthenticatedUser, cycleId: string): Promise<CycleSummaryReport> {
    const groups = await summarizeCycle(user, this.database.manager, cycleId);
    // The group of all expenses exists even without expenses.
    const total = groups.find((group) => group.dimension === 'all');
    if (!total) throw cycleNotFound();
    return {
      cycle: {
        id: total.cycle_id,
        name: total.cycle_name,
        start_date: total.start_date,
        end_date: total.end_date,
        income_amount: total.income_amount,
      },
      financial: {
        total_expenses_usd: total.total,
        fixed_expenses_usd: total.fixed,
        variable_expenses_usd: total.variable,
        usa_expenses_usd: total.usa,
        mexico_expenses_usd: total.mexico,
        total_incomes_usd: total.total_incomes,
        net_balance: total.net_balance,
      },
      incomes: {
        total_count: total.income_count,
        received_count: total.received_count,
        total_amount_usd: total.total_incomes,
        received_amount: total.received_incomes,
        expected_amount: total.expected_incomes,
      },
      by_payment_method: byPaymentMethod(groups),
      by_currency: byCurrency(groups),
      status_breakdown: byStatus(groups),
    };
  }

  /**
   * Compares cycles, in the requested order; amounts in USD.
   *
   * @throws DomainError CYCLE_NOT_FOUND when a cycle does not exist
   */
  async compare(user: AuthenticatedUser, query: CompareCyclesQuery): Promise<CyclesComparison> {
    const { manager } = this.database;
    const { cycle_ids: ids, metrics } = query;
    const found = await compareCycles(user, manager, ids, metrics);
    const byId = new Map(found.map((cycle) => [cycle.id, cycle]));
    return {
      cycles: ids.map((id) => {
        const cycle = byId.get(id);
        if (!cycle) throw cycleNotFound();
        return { cycle: { id, name: cycle.name }, metrics: pickMetrics(metrics, cycle) };
      }),
      comparison: comparisonOf(found),
    };
  }
}

function byPaymentMethod(groups: readonly ExpenseGroup[]): CycleSummaryReport['by_payment_method'] {
  return groups
    .filter((group) => group.dimension === 'payment_method')
    .filter(({ expense_count }) => expense_count > 0)
    .map((group) => ({
      payment_method: { id: group.payment_method_id, name: group.payment_method_name },
      total_amount: group.total,
      paid_amount: group.paid,
      pending_amount: group.pending,
      expense_count: group.expense_count,
    }));
}

function byCurrency(groups: readonly ExpenseGroup[]): CycleSummaryReport['by_currency'] {
  const entries = groups
    .filter((group) => group.dimension === 'currency')
    .filter(({ expense_count }) => expense_count > 0)
    .map(({ currency, native, total, expense_count }): [CurrencyCode, object] => [
      currency,
      {
        total_amount: native,
        ...(currency !== 'USD' && { total_amount_usd: total }),
        expense_count,
      },
    ]);
  return Object.fromEntries(entries);
}

function byStatus(groups: readonly ExpenseGroup[]): Record<ExpenseStatus, number> {
  const counts: Record<ExpenseStatus, number> = { pending: 0, paid: 0, overdue: 0, cancelled: 0 };
  for (const group of groups) {
    if (group.dimension === 'status') counts[group.status] = group.row_count;
  }
  return counts;
}

function pickMetrics(
  metrics: readonly ComparisonMetric[],
  cycle: ComparedCycle,
): Partial<Record<ComparisonMetric, string>> {
  const picked: Partial<Record<ComparisonMetric, string>> = {};
  for (const metric of metrics) picked[metric] = cycle[metric];
  return picked;
}

/** @param cycles at least one, earliest start date first */
function comparisonOf(cycles: readonly ComparedCycle[]): CyclesComparison['comparison'] {
  const amounts = cycles.map(({ total_expenses }) => new Big(total_expenses));
  const zero = new Big(0);
  const sum = amounts.reduce((subtotal, amount) => subtotal.plus(amount), zero);
  return {
    average_total: formatMoney(divideMoney(sum, new Big(amounts.length))),
    trends: {
      expenses: trendOf({ earliest: amounts.at(0) ?? zero, latest: amounts.at(-1) ?? zero }),
    },
  };
}
