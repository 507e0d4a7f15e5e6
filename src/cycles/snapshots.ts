import type { Snapshot } from '../activity/changes.js';
import { formatMoney } from '../common/money.js';
import type { CycleExpense } from './cycle-expense.entity.js';
import type { Cycle } from './cycle.entity.js';

/** As the activity log sees it: the representation without what is derived. */
export function cycleSnapshot(cycle: Cycle): Snapshot {
  return {
    id: cycle.id,
    name: cycle.name,
    start_date: cycle.startDate,
    end_date: cycle.endDate,
    income_amount: formatMoney(cycle.incomeAmount),
    status: cycle.status,
    active: cycle.active,
    created_at: cycle.createdAt.toISOString(),
    updated_at: cycle.updatedAt.toISOString(),
  };
}

/** As the activity log sees it: the stored status, and the payment method by its id. */
export function expenseSnapshot(expense: CycleExpense): Snapshot {
  return {
    id: expense.id,
    description: expense.description,
    currency: expense.currency,
    amount: formatMoney(expense.amount),
    amount_usd: formatMoney(expense.amountUsd),
    due_date: expense.dueDate,
    category: expense.category,
    status: expense.status,
    paid: expense.paid,
    paid_at: expense.paidAt?.toISOString() ?? null,
    comments: expense.comments,
    autopay_info: expense.autopayInfo,
    template_id: expense.templateId,
    payment_method_id: expense.paymentMethodId,
    active: expense.active,
    created_at: expense.createdAt.toISOString(),
    updated_at: expense.updatedAt.toISOString(),
  };
}
