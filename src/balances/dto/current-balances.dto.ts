import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  UsedRateOrNullProperty,
  type UsedRateResponse,
} from '../../exchange-rates/dto/exchange-rate.dto.js';
import {
  PaymentMethodReference,
  toPaymentMethodReference,
} from '../../payment-methods/dto/payment-method.dto.js';
import {
  DateProperty,
  EnumProperty,
  InstantProperty,
  MoneyProperty,
  NonNegativeMoneyProperty,
} from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { formatMoney } from '../../platform/values/money.js';
import type { Holding } from '../holdings.js';

@ApiSchema({ description: 'What there is now in a payment method, in the currency of its balance' })
export class HoldingResponse {
  @ApiProperty({ description: 'The payment method' })
  payment_method!: PaymentMethodReference;

  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', {
    example: 'MXN',
    description: 'Of the latest balance, and of all amounts',
  })
  currency!: CurrencyCode;

  @MoneyProperty({ example: '12500.00', description: 'The latest balance' })
  stated_amount!: string;

  @InstantProperty({
    example: '2026-01-15T18:00:00.000Z',
    description: 'The instant of that balance',
  })
  stated_at!: string;

  @NonNegativeMoneyProperty({
    example: '8000.00',
    description: 'Received since; with the main payment method also the `income_amount` of cycles',
  })
  received!: string;

  @NonNegativeMoneyProperty({ example: '1350.00', description: 'Paid since' })
  paid!: string;

  @MoneyProperty({
    example: '19150.00',
    description: '`stated_amount` plus `received` minus `paid`',
  })
  amount!: string;
}

@ApiSchema({ description: 'What there is now' })
export class CurrentBalancesResponse {
  @DateProperty({ example: '2026-01-20', description: 'The day of the user' })
  today!: CalendarDate;

  @UsedRateOrNullProperty('The rate of `total_usd`; null: nothing is in pesos')
  exchange_rate!: UsedRateResponse | null;

  @MoneyProperty({
    example: '957.50',
    description: 'The sum in USD, pesos converted once by the rate of today',
  })
  total_usd!: string;

  @ApiProperty({
    type: [HoldingResponse],
    description: 'The active payment methods with a balance, oldest first',
  })
  payment_methods!: HoldingResponse[];
}

export const toHoldingResponse = (holding: Holding): HoldingResponse => ({
  payment_method: toPaymentMethodReference(holding.paymentMethod),
  currency: holding.currency,
  stated_amount: formatMoney(holding.stated),
  stated_at: holding.statedAt,
  received: formatMoney(holding.received),
  paid: formatMoney(holding.paid),
  amount: formatMoney(holding.amount),
});
