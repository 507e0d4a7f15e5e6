import { ApiProperty, type ApiPropertyOptions, ApiSchema } from '@nestjs/swagger';
import { DateProperty, MoneyProperty } from '../../platform/dto/response-fields.js';
import { FieldsProperty, IndexProperty } from '../../platform/errors/details-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { ActivityIdProperty } from '../../records/record-ids.js';

const CurrencyProperty = (options: ApiPropertyOptions): PropertyDecorator =>
  ApiProperty({ enum: CURRENCY_CODES, enumName: 'CurrencyCode', ...options });

export const EXAMPLE_CONVERSION: CurrencyConversionDetails = {
  from_currency: 'MXN',
  to_currency: 'USD',
  date: '2026-02-01',
  fields: { currency: ['No exchange rate from MXN to USD is stored'] },
};

@ApiSchema({ description: 'The conversion that is not possible' })
export class CurrencyConversionDetails {
  @CurrencyProperty({ required: false, description: 'The currency without a rate', example: 'MXN' })
  from_currency?: CurrencyCode;

  @CurrencyProperty({ required: false, description: 'The currency of the result', example: 'USD' })
  to_currency?: CurrencyCode;

  @DateProperty({
    required: false,
    description: 'The date of the conversion',
    example: '2026-02-01',
  })
  date?: CalendarDate;

  @MoneyProperty({
    required: false,
    description: 'The amount whose conversion is 0.00 or too large',
    example: '0.01',
  })
  amount?: string;

  @FieldsProperty('currency', 'No exchange rate from MXN to USD is stored')
  fields?: Record<string, string[]>;

  @IndexProperty()
  index?: number;

  @ActivityIdProperty()
  activity_id?: string;
}
