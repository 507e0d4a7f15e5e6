import { ValidationFailedError } from '../platform/errors/domain-error.js';
import type { FieldErrors } from '../platform/errors/field-reasons.js';
import { addDays, daysBetween, type CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import { centsOf, type Cents } from '../platform/values/money.js';
import type { ForecastPart, ForecastQueryDto, WhatIfDto } from './dto/forecast-query.dto.js';
import type { PlannedEntry } from './planned-entry.js';

const DEFAULT_DAYS = 180;
const MAX_DAYS = 400;
const LAST_DATE = '2999-12-31';

/** The parameters of a forecast, with their defaults. */
export interface ForecastQuery {
  /** The first day. */
  today: CalendarDate;
  /** The last day that is shown. */
  to: CalendarDate;
  /** The last day that counts; not before `to`. */
  freeUntil: CalendarDate;
  /** null: all entries, in USD. */
  currency: CurrencyCode | null;
  /** null: all entries. */
  paymentMethodId: string | null;
  /** null: what has happened according to the plan. */
  openingBalance: Cents | null;
  minimumBalance: Cents;
  include: readonly ForecastPart[];
  /** Whether what is left of budgets counts as spent. */
  setsBudgetsAside: boolean;
}

/** @throws ValidationFailedError for a last day before today, or too many days after it */
export function toQuery(today: CalendarDate, dto: ForecastQueryDto | WhatIfDto): ForecastQuery {
  const byDefault = addDays(today, DEFAULT_DAYS);
  const to = dto.to ?? (byDefault < LAST_DATE ? byDefault : LAST_DATE);
  const errors = lastDayErrors(today, to);
  if (errors) throw new ValidationFailedError(errors);
  const currency = dto.currency ?? null;
  const paymentMethodId = dto.payment_method_id ?? null;
  return {
    today,
    to,
    freeUntil: to,
    currency,
    paymentMethodId,
    openingBalance: dto.opening_balance ? centsOf(dto.opening_balance) : null,
    minimumBalance: dto.minimum_balance ? centsOf(dto.minimum_balance) : 0n,
    include: dto.include ?? [],
    // What is left of a budget is in USD and has no payment method.
    setsBudgetsAside: dto.set_aside === 'budgets' && currency !== 'MXN' && paymentMethodId === null,
  };
}

/** Why the last day is refused; undefined if it is not. */
function lastDayErrors(today: CalendarDate, to: CalendarDate): FieldErrors | undefined {
  const days = daysBetween({ from: today, to });
  if (days < 0) return { to: [{ reason: 'out_of_order', message: 'to must not be before today' }] };
  if (days <= MAX_DAYS) return undefined;
  const message = `to must be at most ${MAX_DAYS} days after today`;
  return { to: [{ reason: 'too_far_apart', message }] };
}

/** Whether the filters and the last day that counts include an entry. */
export const isInForecast = (
  entry: Pick<PlannedEntry, 'date' | 'currency' | 'paymentMethod'>,
  { freeUntil, currency, paymentMethodId }: ForecastQuery,
): boolean =>
  entry.date <= freeUntil &&
  (currency === null || entry.currency === currency) &&
  (paymentMethodId === null || entry.paymentMethod?.id === paymentMethodId);
