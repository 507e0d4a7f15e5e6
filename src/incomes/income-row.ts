import type { CycleIncome } from '../ledger/cycle-income.entity.js';
import { incomeSnapshot } from '../ledger/snapshots.js';
import type { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import type { IncomeRow } from './incomes.queries.js';

type IncomeWithMethod = Omit<CycleIncome, 'paymentMethod'> & {
  paymentMethod: Pick<PaymentMethod, 'id' | 'name' | 'methodType'> | null;
};

/** The row of an income that is not read from the database. */
export function incomeRowOf({ paymentMethod, ...income }: IncomeWithMethod): IncomeRow {
  const columns = incomeSnapshot(income);
  if (!paymentMethod) return { ...columns, payment_method_id: null };
  return {
    ...columns,
    payment_method_id: paymentMethod.id,
    payment_method_name: paymentMethod.name,
    payment_method_type: paymentMethod.methodType,
  };
}
