import type { UsedBudget } from '../budgets/budget.entity.js';
import type { Conversion } from '../exchange-rates/exchange-rates.service.js';
import type { UsedPaymentMethod } from '../payment-methods/payment-method.entity.js';
import { DomainError } from '../platform/errors/domain-error.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import type { Cents } from '../platform/values/money.js';
import type { ExpenseCategory } from '../templates/expense-template.entity.js';
import type { Instalment } from '../templates/recurrence/planned-schedule.js';
import type { PlannedCycle } from './planned-cycle.js';

/** The types of entries, in their order on a day. */
export const FORECAST_ENTRY_TYPES = [
  'cycle',
  'cycle_expense',
  'card_statement',
  'budget',
  'cycle_income',
] as const;
export type ForecastEntryType = (typeof FORECAST_ENTRY_TYPES)[number];

/**
 * Something that counts: an open entry, a sum of open entries, or the income of a cycle; or what is
 * set aside of a budget until its date, which is shown, and counts day by day.
 */
export interface PlannedEntry {
  type: ForecastEntryType;
  /** The date of the entry; the sum of all entries before today has the day before today. */
  date: CalendarDate;
  description: string;
  currency: CurrencyCode;
  amount: Cents;
  amountUsd: Cents;
  /** null: added by a change, or a statement of a card. */
  cycle: PlannedCycle | null;
  id: string | null;
  templateId: string | null;
  occurrenceDate: CalendarDate | null;
  instalment: Instalment | null;
  category: ExpenseCategory | null;
  budget: Pick<UsedBudget, 'id' | 'name'> | null;
  paymentMethod: UsedPaymentMethod | null;
  /** How many entries this one is the sum of. */
  count: number;
  /** The rate of a generated entry, null where no stored rate converts it; null: not generated. */
  generated: Pick<Conversion, 'exchangeRate' | 'exchangeRateDate'> | null;
}

type Optional =
  | 'cycle'
  | 'id'
  | 'templateId'
  | 'occurrenceDate'
  | 'instalment'
  | 'category'
  | 'budget'
  | 'paymentMethod'
  | 'count'
  | 'generated';

/** The fields of an entry; those with a default may be missing. */
export type PlannedEntryFields = Omit<PlannedEntry, Optional> & Partial<PlannedEntry>;

/** The fields are listed because a spread over defaults takes 300 times as long. */
export const plannedEntry = ({
  type,
  date,
  description,
  currency,
  amount,
  amountUsd,
  cycle = null,
  id = null,
  templateId = null,
  occurrenceDate = null,
  instalment = null,
  category = null,
  budget = null,
  paymentMethod = null,
  count = 1,
  generated = null,
}: PlannedEntryFields): PlannedEntry => ({
  type,
  date,
  description,
  currency,
  amount,
  amountUsd,
  cycle,
  id,
  templateId,
  occurrenceDate,
  instalment,
  category,
  budget,
  paymentMethod,
  count,
  generated,
});

/** The entries of templates and changes, before filters, and of what is left of budgets. */
export const MAX_NEW_ENTRIES = 5000;

/** @throws DomainError CYCLE_GENERATION_ERROR when there are more than {@link MAX_NEW_ENTRIES} */
export function assertNewEntries(count: number): void {
  if (count <= MAX_NEW_ENTRIES) return;
  throw new DomainError(
    'CYCLE_GENERATION_ERROR',
    `Templates, changes and budgets give more than ${MAX_NEW_ENTRIES} entries in the forecast`,
    { limit: MAX_NEW_ENTRIES },
  );
}
