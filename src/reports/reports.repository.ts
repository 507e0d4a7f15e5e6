import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { today, type CalendarDate } from '../common/calendar-date.js';
import type { CurrencyCode } from '../common/enums.js';
import type { UserId } from '../common/user-id.js';
import { COSTS_SQL, shownStatusSql, type ExpenseStatus } from '../cycles/expense-status.js';
import { selectionOf } from '../database/selection.js';

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

/** Amounts in USD with two decimals. */
export interface SummarizedCycle {
  cycle_id: string;
  cycle_name: string;
  start_date: CalendarDate;
  end_date: CalendarDate;
  income_amount: string;
  net_balance: string;
}

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

/** What was asked for, and the total anyway; amounts in USD with two decimals. */
export type ComparedCycle = Partial<Record<ComparisonMetric, string>> & {
  id: string;
  name: string;
  total_expenses: string;
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

const TOTAL = 'coalesce(sum(e.amount_usd), 0.00)';

const amountWhere = (condition: string): string =>
  `coalesce(sum(e.amount_usd) FILTER (WHERE ${condition}), 0.00)`;

/** Of a cycle `c` and its expenses `e` that cost. */
const METRICS: Record<ComparisonMetric, string> = {
  total_expenses: TOTAL,
  fixed_expenses: amountWhere(`e.category = 'fixed'`),
  variable_expenses: amountWhere(`e.category = 'variable'`),
  income_amount: 'c.income_amount',
  net_balance: `c.income_amount - ${TOTAL}`,
  paid_expenses: amountWhere('e.paid'),
  pending_expenses: amountWhere('NOT e.paid'),
};

/** $1 the owner, $2 the cycles. */
const compareStatement = (columns: readonly ComparisonMetric[]): string => `
  SELECT c.id, c.name, s.*
  FROM cycles c
  CROSS JOIN LATERAL (
    SELECT ${columns.map((metric) => `${METRICS[metric]} AS ${metric}`).join(', ')}
    FROM cycle_expenses e
    WHERE e.cycle_id = c.id AND e.active AND ${COSTS_SQL}
  ) s
  WHERE c.user_id = $1 AND c.active AND c.id = ANY($2)
  ORDER BY c.start_date, c.seq`;

const compareStatements = new Map<string, string>();

/** Put together once for the same metrics, in whatever order. */
function statementFor(metrics: readonly ComparisonMetric[]): string {
  const wanted = new Set<ComparisonMetric>(['total_expenses', ...metrics]);
  const columns = COMPARISON_METRICS.filter((metric) => wanted.has(metric));
  const name = columns.join();
  const statement = compareStatements.get(name) ?? compareStatement(columns);
  compareStatements.set(name, statement);
  return statement;
}

/** $1 the owner, $2 the cycle, $3 today. */
const GROUPS = `
  SELECT c.id AS cycle_id, c.name AS cycle_name, c.start_date, c.end_date, c.income_amount,
    c.income_amount - g.total AS net_balance, g.*
  FROM cycles c
  CROSS JOIN LATERAL (
    SELECT CASE WHEN GROUPING(pm.id) = 0 THEN 'payment_method'
        WHEN GROUPING(e.currency) = 0 THEN 'currency'
        WHEN GROUPING(${shownStatusSql('$3')}) = 0 THEN 'status' ELSE 'all' END AS dimension,
      pm.id AS payment_method_id, pm.name AS payment_method_name, pm.seq AS payment_method_seq,
      e.currency, ${shownStatusSql('$3')} AS status, count(*)::int AS row_count, ${selectionOf(SUMS)}
    FROM cycle_expenses e
    JOIN payment_methods pm ON pm.id = e.payment_method_id
    WHERE e.cycle_id = c.id AND e.active
    GROUP BY GROUPING SETS ((), (e.currency), (${shownStatusSql('$3')}), (pm.id, pm.name, pm.seq))
  ) AS g
  WHERE c.user_id = $1 AND c.id = $2 AND c.active
  ORDER BY g.payment_method_seq`;

/** Reads for reports. Each is one statement, however many expenses or cycles there are. */
@Injectable()
export class ReportsRepository {
  /**
   * A cycle's expenses, summed whole and by payment method, by currency and by status, each group with
   * the cycle; nothing when there is no such cycle.
   */
  groups(
    manager: EntityManager,
    owner: UserId,
    cycleId: string,
  ): Promise<(ExpenseGroup & SummarizedCycle)[]> {
    return manager.query(GROUPS, [owner, cycleId, today()]);
  }

  /** The owner's cycles of these ids, earliest start first; those that do not exist are missing. */
  compare(
    manager: EntityManager,
    owner: UserId,
    ids: readonly string[],
    metrics: readonly ComparisonMetric[],
  ): Promise<ComparedCycle[]> {
    // As PostgreSQL writes an array: the driver would look for what has to be quoted, which an id has not.
    return manager.query(statementFor(metrics), [owner, `{${ids.join()}}`]);
  }
}
