import type { CycleExpense } from '../ledger/cycle-expense.entity.js';
import { expenseSnapshot } from '../ledger/snapshots.js';
import type { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import type { ExpenseRow } from './expenses.queries.js';

type ExpenseWithMethod = Omit<CycleExpense, 'paymentMethod'> & {
  paymentMethod: Pick<PaymentMethod, 'name' | 'methodType'>;
};

/** The row of an expense that is not read from the database; with the stored status by default. */
export function expenseRowOf(
  { paymentMethod, ...expense }: ExpenseWithMethod,
  status = expense.status,
): ExpenseRow {
  return {
    ...expenseSnapshot(expense),
    status,
    payment_method_name: paymentMethod.name,
    payment_method_type: paymentMethod.methodType,
  };
}
