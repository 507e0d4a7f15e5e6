import { ValidationFailedError } from '../platform/errors/domain-error.js';
import type { FieldErrors } from '../platform/errors/field-reasons.js';
import { addDays, daysBetween, type CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import { centsOf, type Cents } from '../platform/values/money.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
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
  /** The last day that counts; what is after `to` counts for what is free alone. */
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

/** @throws ValidationFailedError for a last day that is out of order, or too many days after today */
export function toQuery(
  { today, minimumBalance }: Pick<AuthenticatedUser, 'today' | 'minimumBalance'>,
  dto: ForecastQueryDto | WhatIfDto,
): ForecastQuery {
  const inDefaultDays = addDays(today, DEFAULT_DAYS);
  const byDefault = inDefaultDays < LAST_DATE ? inDefaultDays : LAST_DATE;
  const to = dto.to ?? byDefault;
  const freeUntil = dto.free_until ?? (to > byDefault ? to : byDefault);
  const errors: FieldErrors = {
    ...lastDayErrors('to', to, { today, first: today, nameOfFirst: 'today' }),
    ...(dto.free_until &&
      lastDayErrors('free_until', freeUntil, { today, first: to, nameOfFirst: 'to' })),
  };
  if (Object.keys(errors).length > 0) throw new ValidationFailedError(errors);
  const currency = dto.currency ?? null;
  const paymentMethodId = dto.payment_method_id ?? null;
  return {
    today,
    to,
    freeUntil,
    currency,
    paymentMethodId,
    openingBalance: dto.opening_balance ? centsOf(dto.opening_balance) : null,
    minimumBalance: centsOf(dto.minimum_balance ?? minimumBalance),
    include: dto.include ?? [],
    // What is left of a budget has no payment method.
    setsBudgetsAside: dto.set_aside === 'budgets' && paymentMethodId === null,
  };
}

/** Why a last day is refused; empty if it is not. */
function lastDayErrors(
  name: string,
  day: CalendarDate,
  { today, first, nameOfFirst }: { today: CalendarDate; first: CalendarDate; nameOfFirst: string },
): FieldErrors {
  if (daysBetween({ from: today, to: day }) > MAX_DAYS) {
    const message = `${name} must be at most ${MAX_DAYS} days after today`;
    return { [name]: [{ reason: 'too_far_apart', message }] };
  }
  if (day >= first) return {};
  return {
    [name]: [{ reason: 'out_of_order', message: `${name} must not be before ${nameOfFirst}` }],
  };
}

/** Whether the filters and the last day that counts include an entry. */
export const isInForecast = (
  entry: Pick<PlannedEntry, 'date' | 'currency' | 'paymentMethod'>,
  { freeUntil, currency, paymentMethodId }: ForecastQuery,
): boolean =>
  entry.date <= freeUntil &&
  (currency === null || entry.currency === currency) &&
  (paymentMethodId === null || entry.paymentMethod?.id === paymentMethodId);
