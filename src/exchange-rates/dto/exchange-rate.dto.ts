import { ApiProperty } from '@nestjs/swagger';
import type { CalendarDate } from '../../common/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../common/enums.js';
import { DateField, EnumField } from '../../common/http/fields.js';
import { DateProperty, EnumProperty } from '../../common/http/response-fields.js';
import type { ExchangeRate } from '../exchange-rate.entity.js';

export class ListExchangeRatesQuery {
  @EnumField(CURRENCY_CODES, 'CurrencyCode', { omittable: true })
  from?: CurrencyCode;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', { omittable: true })
  to?: CurrencyCode;

  @DateField({
    omittable: true,
    example: '2026-02-01',
    description: 'Only the rate of each pair in force on that day: the latest on or before it',
  })
  date?: CalendarDate;
}

export class ExchangeRateResponse {
  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', { example: 'MXN' })
  from_currency!: CurrencyCode;

  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', { example: 'USD' })
  to_currency!: CurrencyCode;

  @ApiProperty({
    type: 'string',
    pattern: String.raw`^\d+\.\d{6}$`,
    example: '0.050000',
    description: 'How many units of to_currency one of from_currency is; 6 decimals',
  })
  rate!: string;

  @DateProperty({ example: '2025-01-01' })
  rate_date!: CalendarDate;
}

export class ExchangeRateList {
  @ApiProperty({ type: [ExchangeRateResponse] })
  rates!: ExchangeRateResponse[];
}

export function toExchangeRateList(rates: readonly ExchangeRate[]): ExchangeRateList {
  return {
    rates: rates.map((rate) => ({
      from_currency: rate.fromCurrency,
      to_currency: rate.toCurrency,
      rate: rate.rate.toFixed(6),
      rate_date: rate.rateDate,
    })),
  };
}
