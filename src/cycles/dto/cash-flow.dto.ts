import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { Big } from 'big.js';
import { MoneyField } from '../../platform/dto/money-fields.js';
import { DateProperty, MoneyProperty } from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';

export const OPENING_BALANCE = 'What there is before the cycle, in USD; 0.00 by default';

export class CashFlowQuery {
  @MoneyField({
    omittable: true,
    signed: true,
    example: '1200.00',
    description: OPENING_BALANCE,
  })
  opening_balance?: Big;
}

@ApiSchema({ description: 'The cash flow of a day' })
export class CashFlowDayResponse {
  @DateProperty({ example: '2026-02-01', description: 'The day' })
  date!: CalendarDate;

  @MoneyProperty({ example: '0.00', description: 'USD' })
  incomes_usd!: string;

  @MoneyProperty({ example: '1733.12', description: 'USD, without cancelled expenses' })
  expenses_usd!: string;

  @MoneyProperty({ example: '4320.45', description: 'USD, at the end of the day' })
  balance_usd!: string;
}

@ApiSchema({ description: 'The balance of a day' })
export class DayBalanceResponse {
  @DateProperty({ example: '2026-02-28', description: 'The day' })
  date!: CalendarDate;

  @MoneyProperty({ example: '-312.20', description: 'USD, at the end of the day' })
  balance_usd!: string;
}

@ApiSchema({ description: 'The balance of a cycle by day' })
export class CashFlowResponse {
  @MoneyProperty({
    example: '5200.00',
    description: 'USD: `income_amount`, plus `opening_balance`',
  })
  opening_balance!: string;

  @ApiProperty({ type: [CashFlowDayResponse], description: 'Every day of the cycle, ascending' })
  days!: CashFlowDayResponse[];

  @ApiProperty({ description: 'The first day with the lowest balance' })
  lowest!: DayBalanceResponse;

  @MoneyProperty({
    example: '961.11',
    description: 'USD: the remaining balance of the cycle, plus `opening_balance`',
  })
  closing_balance!: string;
}
