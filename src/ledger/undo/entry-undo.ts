/** What the undo of a change takes back in an expense or income. */
import { Big } from 'big.js';
import type { Snapshot } from '../../activity/changes.js';
import type { Undo } from '../../activity/undo.js';
import type { Budget } from '../../budgets/budget.entity.js';
import { canConvertTo, convert } from '../../exchange-rates/conversion.js';
import type { PaymentMethod } from '../../payment-methods/payment-method.entity.js';
import type { CycleEntry } from '../entities/cycle-entry.entity.js';
import { CycleExpense } from '../entities/cycle-expense.entity.js';
import { CycleIncome } from '../entities/cycle-income.entity.js';
import { forgetUndonePlan, isOfSynchronization } from '../entities/planned-amount.js';
import type { EntrySnapshot, ExpenseSnapshot, IncomeSnapshot } from '../entities/snapshots.js';
import { keepAsEdited } from '../generation/generated-entry.js';

const CONVERSION_FIELDS = ['amount_usd', 'exchange_rate'];

/** The records that recorded values choose; null: none; undefined: as it is. */
export interface RecordedChoices {
  method: PaymentMethod | null | undefined;
  budget: Budget | null | undefined;
}

/**
 * Takes back what a record says of an entry, the conversion to USD included; the other values stay.
 *
 * @throws ValidationFailedError when the payment method or the budget is inactive; DomainError
 *   CURRENCY_CONVERSION_ERROR
 */
export function restoreEntry(
  entry: CycleEntry,
  undo: Pick<Undo, 'operationId' | 'values'>,
  { method, budget }: RecordedChoices,
): void {
  const { values } = undo;
  if (entry instanceof CycleExpense) restoreExpense(entry, values);
  if (entry instanceof CycleIncome) restoreIncome(entry, values);
  const recorded = values as Partial<EntrySnapshot>;
  const { amount, amount_usd: amountUsd, exchange_rate: rate } = recorded;
  entry.update(
    {
      description: recorded.description,
      currency: recorded.currency,
      amount: amount === undefined ? undefined : new Big(amount),
      comments: recorded.comments,
    },
    method,
  );
  if (entry instanceof CycleExpense) entry.chooseBudget(budget);
  if (amountUsd !== undefined) entry.amountUsd = new Big(amountUsd);
  if (rate !== undefined) {
    entry.exchangeRate = rate && new Big(rate.rate);
    entry.exchangeRateDate = rate?.rate_date ?? null;
  }
  correctConversion(entry);
  entry.active = recorded.active ?? entry.active;
  keepFromSynchronization(entry, undo);
  forgetUndonePlan(entry, undo);
}

function restoreExpense(expense: CycleExpense, values: Snapshot): void {
  const recorded = values as Partial<ExpenseSnapshot>;
  const { paid_at: paidAt, autopay_info: autopayInfo } = recorded;
  expense.dueDate = recorded.due_date ?? expense.dueDate;
  expense.category = recorded.category ?? expense.category;
  expense.status = recorded.status ?? expense.status;
  expense.paid = recorded.paid ?? expense.paid;
  if (paidAt !== undefined) expense.paidAt = paidAt === null ? null : new Date(paidAt);
  if (autopayInfo !== undefined) expense.autopayInfo = autopayInfo;
}

function restoreIncome(income: CycleIncome, values: Snapshot): void {
  const recorded = values as Partial<IncomeSnapshot>;
  const { received_at: receivedAt } = recorded;
  income.incomeDate = recorded.income_date ?? income.incomeDate;
  income.received = recorded.received ?? income.received;
  if (receivedAt !== undefined) {
    income.receivedAt = receivedAt === null ? null : new Date(receivedAt);
  }
}

/**
 * Corrects the amount in USD where only one of it, the amount and the rate was taken back, and
 * another record has changed the others since.
 *
 * @throws DomainError CURRENCY_CONVERSION_ERROR
 */
function correctConversion(entry: CycleEntry): void {
  const { amount, exchangeRate: rate } = entry;
  if (entry.currency === 'USD') entry.amountUsd = amount;
  else if (rate && !canConvertTo({ amount, rate, result: entry.amountUsd })) {
    entry.amountUsd = convert(amount, { rate, isInverse: false });
  }
}

/**
 * What a synchronization did counts as edited once it is taken back: it shows as edited values, but
 * for a removal, a mere conversion and a budget.
 */
function keepFromSynchronization(
  entry: CycleEntry,
  undo: Pick<Undo, 'operationId' | 'values'>,
): void {
  const fields = Object.keys(undo.values).filter((field) => field !== 'budget_id');
  const isConversion = fields.every((field) => CONVERSION_FIELDS.includes(field));
  const isHidden = isConversion && (fields.length > 0 || isOfSynchronization(entry, undo));
  const isGenerated = entry.active && entry.occurrenceDate !== null;
  if (isGenerated && (entry.generated === null || isHidden)) keepAsEdited(entry);
}
