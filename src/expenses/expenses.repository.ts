import { Injectable } from '@nestjs/common';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { today, type CalendarDate } from '../common/calendar-date.js';
import type { CurrencyCode, ExpenseCategory } from '../common/enums.js';
import { CycleExpense } from '../cycles/cycle-expense.entity.js';
import type { Cycle } from '../cycles/cycle.entity.js';
import { COSTS_SQL, SHOWN_STATUS_SQL, type ExpenseStatus } from '../cycles/expense-status.js';
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
  paid_at: Date | null;
  comments: string | null;
  autopay_info: string | null;
  template_id: string | null;
  payment_method_id: string;
  payment_method_name: string;
  payment_method_type: PaymentMethodType;
  created_at: Date;
  updated_at: Date;
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

type StoredColumn = Exclude<
  keyof ExpenseView,
  'status' | 'payment_method_name' | 'payment_method_type'
>;

/** What is read as it is stored. */
const COLUMNS = Object.keys({
  id: true,
  description: true,
  currency: true,
  amount: true,
  amount_usd: true,
  due_date: true,
  category: true,
  paid: true,
  paid_at: true,
  comments: true,
  autopay_info: true,
  template_id: true,
  payment_method_id: true,
  created_at: true,
  updated_at: true,
} satisfies Record<StoredColumn, true>);

const sumWhere = (condition = 'true'): string =>
  `coalesce(sum(e.amount_usd) FILTER (WHERE ${COSTS_SQL} AND ${condition}) OVER (), 0.00)`;

/** Totals over all rows of a query, so that a list and its sums are of one moment. */
const TOTALS: Record<keyof ExpenseTotals, string> = {
  total_amount_usd: sumWhere(),
  fixed_amount: sumWhere(`e.category = 'fixed'`),
  variable_amount: sumWhere(`e.category = 'variable'`),
  paid_amount: sumWhere('e.paid'),
  pending_amount: sumWhere('NOT e.paid'),
  total_count: '(count(*) OVER ())::int',
};

const NO_TOTALS: ExpenseTotals = {
  total_amount_usd: '0.00',
  fixed_amount: '0.00',
  variable_amount: '0.00',
  paid_amount: '0.00',
  pending_amount: '0.00',
  total_count: 0,
};

/** Reads expenses for clients. Only the ledger writes them. */
@Injectable()
export class ExpensesRepository {
  /** By due date, then creation. */
  async list(manager: EntityManager, cycle: Cycle, filter: ExpenseFilter): Promise<ExpenseList> {
    const query = this.views(manager, cycle).orderBy('e.due_date').addOrderBy('e.seq');
    for (const [name, sql] of Object.entries(TOTALS)) query.addSelect(sql, name);
    if (filter.status) query.andWhere(`${SHOWN_STATUS_SQL} = :status`, filter);
    if (filter.category) query.andWhere('e.category = :category', filter);
    if (filter.currency) query.andWhere('e.currency = :currency', filter);
    if (filter.paymentMethodId) query.andWhere('e.payment_method_id = :paymentMethodId', filter);

    const rows = await query.getRawMany<ExpenseView & ExpenseTotals>();
    const [first = NO_TOTALS] = rows;
    const summary = Object.fromEntries(
      Object.keys(TOTALS).map((name) => [name, first[name as keyof ExpenseTotals]]),
    ) as unknown as ExpenseTotals;
    return { expenses: rows, summary };
  }

  find(manager: EntityManager, cycle: Cycle, id: string): Promise<ExpenseView | undefined> {
    return this.views(manager, cycle).andWhere('e.id = :id', { id }).getRawOne<ExpenseView>();
  }

  private views(manager: EntityManager, cycle: Cycle): SelectQueryBuilder<CycleExpense> {
    const query = manager
      .createQueryBuilder(CycleExpense, 'e')
      .innerJoin('e.paymentMethod', 'pm')
      .select(SHOWN_STATUS_SQL, 'status')
      .addSelect('pm.name', 'payment_method_name')
      .addSelect('pm.method_type', 'payment_method_type')
      .where('e.cycle_id = :cycleId AND e.active')
      .setParameters({ cycleId: cycle.id, cycleStatus: cycle.status, today: today() });
    for (const column of COLUMNS) query.addSelect(`e.${column}`, column);
    return query;
  }
}
