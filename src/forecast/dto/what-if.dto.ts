import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { MoneyProperty } from '../../platform/dto/response-fields.js';
import { formatCents, type Cents } from '../../platform/values/money.js';
import type { Forecast } from '../forecast.js';
import { ForecastResponse, toForecastResponse } from './forecast.dto.js';

@ApiSchema({ description: 'Changed minus base' })
class ForecastDifference {
  @MoneyProperty({ example: '-120.00', description: 'Of the closing balances' })
  closing_balance!: string;

  @MoneyProperty({ example: '-120.00', description: 'Of the lowest balances' })
  lowest_balance!: string;

  @MoneyProperty({ example: '-120.00', description: 'Of what is free in the first window' })
  free!: string;
}

@ApiSchema({ description: 'A forecast without and with changes' })
export class WhatIfResponse {
  @ApiProperty({ description: 'Without the changes' })
  base!: ForecastResponse;

  @ApiProperty({ description: 'With the changes' })
  changed!: ForecastResponse;

  @ApiProperty({ description: 'Changed minus base' })
  difference!: ForecastDifference;
}

export function toWhatIfResponse(base: Forecast, changed: Forecast): WhatIfResponse {
  const difference = (amountOf: (forecast: Forecast) => Cents): string =>
    formatCents(amountOf(changed) - amountOf(base));
  return {
    base: toForecastResponse(base),
    changed: toForecastResponse(changed),
    difference: {
      closing_balance: difference(({ closingBalance }) => closingBalance),
      lowest_balance: difference(({ lowest }) => lowest.balance),
      free: difference(({ payWindows: [first] }) => first?.free ?? 0n),
    },
  };
}
