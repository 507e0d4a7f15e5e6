import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { today, type CalendarDate } from '../common/calendar-date.js';
import type { CurrencyCode, ExpenseCategory } from '../common/enums.js';
import type { Instant } from '../common/instant.js';
import type { UserId } from '../common/user-id.js';
import type { ExpensePath } from '../cycles/cycle-expenses.repository.js';
import { COSTS_SQL, shownStatusSql, type ExpenseStatus } from '../cycles/expense-status.js';
import { selectionOf } from '../database/selection.js';
import type { PaymentMethodType } from '../payment-methods/payment-method.entity.js';

/** An expense as readers see it; amounts with two decimals, the status possibly derived. */
export interface ExpenseView {
  id: string;
  description: string;
  currency: CurrencyCode;
  amount: string;
  amount_usd: string;
  due_date: CalendarDate;
  category: ExpenseCategory;
  status: ExpenseStatus;
  paid: boolean;
  paid_at: Instant | null;
  comments: string | null;
  autopay_info: string | null;
  template_id: string | null;
  payment_method_id: string;
  payment_method_name: string;
  payment_method_type: PaymentMethodType;
  created_at: Instant;
  updated_at: Instant;
}

/** Amounts in USD; cancelled expenses are in none, and in the count. */
export interface ExpenseTotals {
  total_amount_usd: string;
  fixed_amount: string;
  variable_amount: string;
  paid_amount: string;
  pending_amount: string;
  total_count: number;
}

export interface ExpenseList {
  expenses: ExpenseView[];
  summary: ExpenseTotals;
}

export interface ExpenseFilter {
  status?: ExpenseStatus;
  category?: ExpenseCategory;
  currency?: CurrencyCode;
  paymentMethodId?: string;
}

/** $1 the owner, $2 the cycle, $3 today. An expense `e` of no cycle `c` of the owner is never read. */
const VIEW = `
  SELECT e.id, e.description, e.currency, e.amount, e.amount_usd, e.due_date, e.category,
    ${shownStatusSql('$3')} AS status, e.paid, e.paid_at, e.comments, e.autopay_info, e.template_id,
    e.payment_method_id, pm.name AS payment_method_name, pm.method_type AS payment_method_type,
    e.created_at, e.updated_at`;

const sumWhere = (condition = 'true'): string =>
  `coalesce(sum(e.amount_usd) FILTER (WHERE ${COSTS_SQL} AND ${condition}) OVER (), 0.00)`;

/** Over all rows of a query, so that a list and its sums are of one moment. */
const TOTALS: Record<keyof ExpenseTotals, string> = {
  total_amount_usd: sumWhere(),
  fixed_amount: sumWhere(`e.category = 'fixed'`),
  variable_amount: sumWhere(`e.category = 'variable'`),
  paid_amount: sumWhere('e.paid'),
  pending_amount: sumWhere('NOT e.paid'),
  total_count: '(count(e.id) OVER ())::int',
};

/** One row without an expense when none is left: the cycle is there. */
const LIST = `${VIEW}, ${selectionOf(TOTALS)}
  FROM cycles c
  LEFT JOIN cycle_expenses e ON e.cycle_id = c.id AND e.active
    AND ($4::text IS NULL OR ${shownStatusSql('$3')} = $4)
    AND ($5::expense_category IS NULL OR e.category = $5)
    AND ($6::currency_code IS NULL OR e.currency = $6)
    AND ($7::uuid IS NULL OR e.payment_method_id = $7)
  LEFT JOIN payment_methods pm ON pm.id = e.payment_method_id
  WHERE c.user_id = $1 AND c.id = $2 AND c.active
  ORDER BY e.due_date, e.seq`;

const FIND = `${VIEW}
  FROM cycles c
  LEFT JOIN cycle_expenses e ON e.cycle_id = c.id AND e.active AND e.id = $4
  LEFT JOIN payment_methods pm ON pm.id = e.payment_method_id
  WHERE c.user_id = $1 AND c.id = $2 AND c.active`;

type NoExpense = Record<keyof ExpenseView, null>;

/** Reads expenses for clients, by way of the owner's cycle. Only the ledger writes them. */
@Injectable()
export class ExpensesRepository {
  /** By due date, then creation; nothing when there is no such cycle. */
  async list(
    manager: EntityManager,
    owner: UserId,
    cycleId: string,
    filter: ExpenseFilter,
  ): Promise<ExpenseList | undefined> {
    const { status = null, category = null, currency = null, paymentMethodId = null } = filter;
    const rows = await manager.query<((ExpenseView | NoExpense) & ExpenseTotals)[]>(LIST, [
      owner,
      cycleId,
      today(),
      status,
      category,
      currency,
      paymentMethodId,
    ]);
    const [first] = rows;
    if (!first) return undefined;
    const { total_amount_usd, fixed_amount, variable_amount } = first;
    const { paid_amount, pending_amount, total_count } = first;
    return {
      expenses: rows.filter((row) => row.id !== null),
      summary: {
        total_amount_usd,
        fixed_amount,
        variable_amount,
        paid_amount,
        pending_amount,
        total_count,
      },
    };
  }

  /** Nothing when there is no such cycle; null when it has no such expense. */
  async find(
    manager: EntityManager,
    owner: UserId,
    { cycleId, expenseId }: ExpensePath,
  ): Promise<ExpenseView | null | undefined> {
    const [row] = await manager.query<(ExpenseView | NoExpense)[]>(FIND, [
      owner,
      cycleId,
      today(),
      expenseId,
    ]);
    return row?.id === null ? null : row;
  }
}
