import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DateField, EnumField } from '../../platform/dto/fields.js';
import { DateProperty, EnumProperty } from '../../platform/dto/response-fields.js';
import { orNull } from '../../platform/openapi/nullable-reference.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';

const RATE = { type: 'string', pattern: String.raw`^\d+\.\d{6}$`, example: '0.050000' } as const;

export class ListExchangeRatesQuery {
  @EnumField(CURRENCY_CODES, 'CurrencyCode', {
    omittable: true,
    description: 'The currency that is converted. Default: both',
  })
  from?: CurrencyCode;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', {
    omittable: true,
    description: 'The currency of the result. Default: both',
  })
  to?: CurrencyCode;

  @DateField({
    omittable: true,
    example: '2026-02-01',
    description: 'Only the rate of each pair in force on that date: the latest one on or before it',
  })
  date?: CalendarDate;
}

@ApiSchema({ description: 'The rate of a conversion to USD' })
export class UsedRateResponse {
  @ApiProperty({
    ...RATE,
    description: 'The value of one unit of the currency in USD, with 6 decimals',
  })
  rate!: string;

  @DateProperty({ example: '2025-01-01', description: 'The date of the stored rate' })
  rate_date!: CalendarDate;
}

/** A {@link UsedRateResponse} or null. */
export const UsedRateOrNullProperty = (
  description = 'The rate that converted the amount; null for USD, and where a version before rates were kept ' +
    'converted it and the stored amount does not prove the rate',
): PropertyDecorator =>
  ApiProperty({
    ...orNull(UsedRateResponse),
    description,
    example: { rate: '0.050000', rate_date: '2025-01-01' },
  });

@ApiSchema({ description: 'A stored exchange rate' })
export class ExchangeRateResponse {
  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', {
    example: 'MXN',
    description: 'The currency that is converted',
  })
  from_currency!: CurrencyCode;

  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', {
    example: 'USD',
    description: 'The currency of the result',
  })
  to_currency!: CurrencyCode;

  @ApiProperty({
    ...RATE,
    description: 'The value of one unit of from_currency in to_currency, with 6 decimals',
  })
  rate!: string;

  @DateProperty({
    example: '2025-01-01',
    description: 'The first day on which the rate is in force',
  })
  rate_date!: CalendarDate;
}

@ApiSchema({ description: 'Stored exchange rates' })
export class ExchangeRateListResponse {
  @ApiProperty({ type: [ExchangeRateResponse], description: 'The rates that match the filters' })
  rates!: ExchangeRateResponse[];
}
