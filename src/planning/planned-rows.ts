import { expenseRowOf } from '../expenses/expense-row.js';
import type { ExpenseRow } from '../expenses/expenses.queries.js';
import { incomeRowOf } from '../incomes/income-row.js';
import type { IncomeRow } from '../incomes/incomes.queries.js';
import type { CycleEntry } from '../ledger/cycle-entry.entity.js';
import type { CycleExpense } from '../ledger/cycle-expense.entity.js';
import type { CycleIncome } from '../ledger/cycle-income.entity.js';
import type { WithPaymentMethod } from '../ledger/cycle-entries.js';
import type { GeneratedEntries } from '../ledger/generation.js';
import type { Ledger } from '../ledger/ledger.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';

/** Entries that are not stored; their ids and times have no meaning. */
export interface PlannedEntries {
  expenses: CycleExpense[];
  incomes: CycleIncome[];
}

/** Planned entries as the rows that responses are mapped from. */
export interface PlannedRows {
  expenses: ExpenseRow[];
  incomes: IncomeRow[];
}

/** Generated entries as creation inserts them. */
export function plannedEntriesOf(
  ledger: Ledger,
  user: AuthenticatedUser,
  generated: GeneratedEntries,
): PlannedEntries {
  const cycle = { id: '' };
  return {
    expenses: ledger.expenses.build(user, cycle, generated.expenses),
    incomes: ledger.incomes.build(user, cycle, generated.incomes),
  };
}

export function rowsOf({ expenses, incomes }: PlannedEntries): PlannedRows {
  return {
    expenses: expenses.map((expense) => expenseRowOf(withPaymentMethod(expense))),
    incomes: incomes.map((income) => incomeRowOf(withPaymentMethod(income))),
  };
}

/** Generated entries have the payment method of their template. */
const withPaymentMethod = <Entry extends CycleEntry>(entry: Entry): WithPaymentMethod<Entry> =>
  entry as WithPaymentMethod<Entry>;
