import { ApiSchema } from '@nestjs/swagger';
import type { Big } from 'big.js';
import { IsIn } from 'class-validator';
import { DateField, EnumField, field, UuidField } from '../../platform/dto/fields.js';
import { HasSize } from '../../platform/dto/list-fields.js';
import { MoneyField } from '../../platform/dto/money-fields.js';
import { QueryEnumListField } from '../../platform/dto/query-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { ChangesField, HasChanges, type ChangeDto } from './change.dto.js';

const FORECAST_PARTS = ['days', 'entries'] as const;
export type ForecastPart = (typeof FORECAST_PARTS)[number];

const SET_ASIDE = ['none', 'budgets'] as const;
type SetAside = (typeof SET_ASIDE)[number];

/** The parameters that depend on today are checked by the service. */
class ForecastParameters {
  @DateField({
    optional: true,
    example: '2026-06-30',
    description: 'The last day, at most 400 days after today; by default 180 days after it',
  })
  to?: CalendarDate | null;

  @DateField({
    optional: true,
    example: '2026-07-31',
    description:
      'The last day that counts for `free`: from `to` to 400 days after today; by default the later of `to` and 180 ' +
      'days after today. The limits on entries and the dates of changes reach until it; with `free_until` equal to ' +
      '`to` nothing after `to` is read',
  })
  free_until?: CalendarDate | null;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', {
    optional: true,
    example: 'USD',
    description:
      'Only entries in this currency, in it; by default all entries, in USD. With MXN no `income_amount` counts',
  })
  currency?: CurrencyCode | null;

  @UuidField({
    optional: true,
    example: EXAMPLE_ID.paymentMethod,
    description: 'Only entries with this payment method; no `income_amount` counts',
  })
  payment_method_id?: string | null;

  @MoneyField({
    optional: true,
    signed: true,
    example: '1200.00',
    description:
      'What there is now. By default what payment methods have by their balances, in the currency and payment method ' +
      'of the filters. Without balances what has happened according to the plan: the received incomes minus the paid ' +
      'expenses of draft and active cycles, plus the `income_amount` of cycles that began before today, without ' +
      'completed ones; with a filter 0.00',
  })
  opening_balance?: Big | null;

  @MoneyField({
    optional: true,
    zero: true,
    example: '100.00',
    description: 'What should always remain; by default the `minimum_balance` of the user',
  })
  minimum_balance?: Big | null;

  @EnumField(SET_ASIDE, 'SetAside', {
    optional: true,
    example: 'budgets',
    description:
      '`budgets`: what is left of the limit of a budget in a cycle that has not ended, if it is above 0.00, counts as ' +
      'spent day by day from today, or the first day of the cycle, to its last: after k of n days k / n of it, cut to ' +
      'cents. It is in `expenses` and `set_aside`, in no `expense_count`, and one entry of the type `budget` on the ' +
      'last of these days until `to`, with what counts until then. A cycle that would follow has the limits of the ' +
      'active budgets. A budget counts like an entry in its currency without a payment method; pesos are converted ' +
      'once, at the rate of today. `none` by default',
  })
  set_aside?: SetAside | null;
}

export class ForecastQueryDto extends ForecastParameters {
  @QueryEnumListField(FORECAST_PARTS, 'ForecastPart', {
    omittable: true,
    description: 'What else the response has, comma-separated or repeated',
  })
  include?: readonly ForecastPart[];
}

@HasChanges()
@ApiSchema({ description: 'The parameters of a forecast, and what would be different' })
export class WhatIfDto extends ForecastParameters {
  @field(
    { optional: true, example: ['days'], description: 'What else both forecasts have' },
    { enum: [...FORECAST_PARTS], enumName: 'ForecastPart', isArray: true },
    ...HasSize(FORECAST_PARTS.length),
    IsIn(FORECAST_PARTS, {
      each: true,
      message: `$property must be among: ${FORECAST_PARTS.join(', ')}`,
    }),
  )
  include?: readonly ForecastPart[] | null;

  @ChangesField()
  changes?: readonly ChangeDto[] | null;
}
