import type { ActivityAction, EntityType } from '../activity/activity-record.entity.js';
import type { Changes, Snapshot } from '../activity/changes.js';
import { formatMoney, type Money } from '../platform/values/money.js';
import { expenseEffect, incomeEffect } from './balance.js';
import type { CycleEntry } from './cycle-entry.entity.js';
import { CycleExpense } from './cycle-expense.entity.js';
import { CycleIncome } from './cycle-income.entity.js';
import { expenseSnapshot, incomeSnapshot } from './snapshots.js';

/** The differences between expenses and incomes. */
export interface EntryKind<Entry extends CycleEntry> {
  entity: new () => Entry;
  table: string;
  entityType: EntityType & ('cycle_expense' | 'cycle_income');
  /** The date whose exchange rate converts the amount. */
  date: keyof Entry & ('dueDate' | 'incomeDate');
  /** The values of a new entry in columns that a body cannot set. */
  initial: Partial<Entry>;
  snapshot: (entry: Entry) => Snapshot;
  /** The values of the fields that generation takes from a template, with their names in the snapshot. */
  generatedValues: (entry: Entry) => Snapshot;
  /** The names of those fields. */
  generatedFields: readonly string[];
  /** Why a synchronization with the templates must not touch an entry; undefined if it may. */
  settledReason: (entry: Entry) => SettledReason | undefined;
  /** The amount in USD that an entry adds to the balance of its cycle. */
  effect: (entry: Entry) => Money;
  /** The specific action of a change; undefined: the default action. */
  actionOf: (changes: Changes) => ActivityAction | undefined;
}

/** Why an entry is settled: synchronization and repricing leave it unchanged. */
export type SettledReason = 'paid' | 'received' | 'cancelled';

const COMMON_FIELDS = ['description', 'currency', 'amount', 'payment_method_id'];

const commonValues = (entry: CycleEntry): Snapshot => ({
  description: entry.description,
  currency: entry.currency,
  amount: formatMoney(entry.amount),
  payment_method_id: entry.paymentMethodId,
});

export const EXPENSES: EntryKind<CycleExpense> = {
  entity: CycleExpense,
  table: 'cycle_expenses',
  entityType: 'cycle_expense',
  date: 'dueDate',
  initial: { status: 'pending', paid: false },
  snapshot: (expense) => ({ ...expenseSnapshot(expense) }),
  generatedValues: (expense) => ({
    ...commonValues(expense),
    due_date: expense.dueDate,
    category: expense.category,
    autopay_info: expense.autopayInfo,
  }),
  generatedFields: [...COMMON_FIELDS, 'due_date', 'category', 'autopay_info'],
  settledReason: ({ paid, status }) =>
    paid ? 'paid' : status === 'cancelled' ? 'cancelled' : undefined,
  effect: expenseEffect,
  actionOf: ({ paid, status }) => {
    if (paid?.to === true) return 'marked_paid';
    if (paid?.to === false && status?.to !== 'cancelled') return 'marked_unpaid';
    return status ? 'status_changed' : undefined;
  },
};

export const INCOMES: EntryKind<CycleIncome> = {
  entity: CycleIncome,
  table: 'cycle_incomes',
  entityType: 'cycle_income',
  date: 'incomeDate',
  initial: { received: false },
  snapshot: (income) => ({ ...incomeSnapshot(income) }),
  generatedValues: (income) => ({ ...commonValues(income), income_date: income.incomeDate }),
  generatedFields: [...COMMON_FIELDS, 'income_date'],
  settledReason: ({ received }) => (received ? 'received' : undefined),
  effect: incomeEffect,
  actionOf: () => undefined,
};
