import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { today, type CalendarDate } from '../common/calendar-date.js';
import type { CurrencyCode } from '../common/enums.js';
import type { UserId } from '../common/user-id.js';
import { CycleExpense } from '../cycles/cycle-expense.entity.js';
import type { Cycle } from '../cycles/cycle.entity.js';
import { COSTS_SQL, SHOWN_STATUS_SQL, type ExpenseStatus } from '../cycles/expense-status.js';

/** Sums of the expenses that are not cancelled; in USD with two decimals, unless said otherwise. */
interface Sums {
  total: string;
  fixed: string;
  variable: string;
  usa: string;
  mexico: string;
  paid: string;
  pending: string;
  /** In the currency of the group. */
  native: string;
  expense_count: number;
}

/** What a group of expenses is of; `all` is the whole cycle. */
type Group =
  | { dimension: 'all' }
  | { dimension: 'payment_method'; payment_method_id: string; payment_method_name: string }
  | { dimension: 'currency'; currency: CurrencyCode }
  | { dimension: 'status'; status: ExpenseStatus };

export type ExpenseGroup = Group &
  Sums & {
    /** Cancelled ones too. */
    row_count: number;
  };

/** What a comparison can tell of a cycle. */
export const COMPARISON_METRICS = [
  'total_expenses',
  'fixed_expenses',
  'variable_expenses',
  'income_amount',
  'net_balance',
  'paid_expenses',
  'pending_expenses',
] as const;
export type ComparisonMetric = (typeof COMPARISON_METRICS)[number];

/** Amounts in USD with two decimals. */
export type ComparedCycle = Record<ComparisonMetric, string> & {
  id: string;
  name: string;
  start_date: CalendarDate;
};

const sumOf = (amount: string, condition = 'true'): string =>
  `coalesce(sum(${amount}) FILTER (WHERE ${COSTS_SQL} AND ${condition}), 0.00)`;

const SUMS: Record<keyof Sums, string> = {
  total: sumOf('e.amount_usd'),
  fixed: sumOf('e.amount_usd', `e.category = 'fixed'`),
  variable: sumOf('e.amount_usd', `e.category = 'variable'`),
  usa: sumOf('e.amount_usd', `e.currency = 'USD'`),
  mexico: sumOf('e.amount_usd', `e.currency = 'MXN'`),
  paid: sumOf('e.amount_usd', 'e.paid'),
  pending: sumOf('e.amount_usd', 'NOT e.paid'),
  native: sumOf('e.amount'),
  expense_count: `(count(*) FILTER (WHERE ${COSTS_SQL}))::int`,
};

/** Reads for reports. Each is one statement, however many expenses or cycles there are. */
@Injectable()
export class ReportsRepository {
  /** A cycle's expenses, summed whole and by payment method, by currency and by status. */
  groups(manager: EntityManager, cycle: Cycle): Promise<ExpenseGroup[]> {
    const query = manager
      .createQueryBuilder()
      .select(
        `CASE WHEN GROUPING(e.payment_method_id) = 0 THEN 'payment_method'
          WHEN GROUPING(e.currency) = 0 THEN 'currency'
          WHEN GROUPING(e.shown_status) = 0 THEN 'status' ELSE 'all' END`,
        'dimension',
      )
      .addSelect('e.payment_method_id', 'payment_method_id')
      .addSelect('e.payment_method_name', 'payment_method_name')
      .addSelect('e.currency', 'currency')
      .addSelect('e.shown_status', 'status')
      .addSelect('count(*)::int', 'row_count')
      .from(
        (expenses) =>
          expenses
            .select('e.*')
            .addSelect('pm.name', 'payment_method_name')
            .addSelect('pm.seq', 'payment_method_seq')
            .addSelect(SHOWN_STATUS_SQL, 'shown_status')
            .from(CycleExpense, 'e')
            .innerJoin('payment_methods', 'pm', 'pm.id = e.payment_method_id')
            .where('e.cycle_id = :cycleId AND e.active'),
        'e',
      )
      .groupBy(
        `GROUPING SETS ((), (e.currency), (e.shown_status),
          (e.payment_method_id, e.payment_method_name, e.payment_method_seq))`,
      )
      .orderBy('e.payment_method_seq')
      .setParameters({ cycleId: cycle.id, cycleStatus: cycle.status, today: today() });
    for (const [name, sql] of Object.entries(SUMS)) query.addSelect(sql, name);
    return query.getRawMany<ExpenseGroup>();
  }

  /** The owner's cycles of these ids, earliest start first; those that do not exist are missing. */
  compare(manager: EntityManager, owner: UserId, ids: readonly string[]): Promise<ComparedCycle[]> {
    return manager.query<ComparedCycle[]>(
      `SELECT c.id, c.name, c.start_date, c.income_amount, s.*,
         c.income_amount - s.total_expenses AS net_balance
       FROM cycles c
       CROSS JOIN LATERAL (
         SELECT ${SUMS.total} AS total_expenses, ${SUMS.fixed} AS fixed_expenses,
           ${SUMS.variable} AS variable_expenses, ${SUMS.paid} AS paid_expenses,
           ${SUMS.pending} AS pending_expenses
         FROM cycle_expenses e
         WHERE e.cycle_id = c.id AND e.active
       ) s
       WHERE c.user_id = $1 AND c.active AND c.id = ANY($2)
       ORDER BY c.start_date, c.seq`,
      [owner, ids],
    );
  }
}
