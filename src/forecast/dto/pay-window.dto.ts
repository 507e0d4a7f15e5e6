import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  CountProperty,
  DateProperty,
  MoneyProperty,
  NonNegativeMoneyProperty,
} from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { formatCents } from '../../platform/values/money.js';
import type { PayWindow } from '../pay-windows.js';
import { ForecastBalance, toForecastBalance } from './forecast-warning.dto.js';

@ApiSchema({ description: 'The days from one on which money comes in to the next' })
export class PayWindowResponse {
  @DateProperty({ example: '2026-02-01', description: 'Today, or the day of an income' })
  from!: CalendarDate;

  @DateProperty({ example: '2026-02-14', description: 'Inclusive' })
  to!: CalendarDate;

  @MoneyProperty({ example: '2600.00', description: 'On its first day' })
  incomes!: string;

  @MoneyProperty({ example: '1733.12', description: 'In it' })
  expenses!: string;

  @CountProperty({ example: 12, description: 'Of expenses' })
  expense_count!: number;

  @NonNegativeMoneyProperty({
    example: '280.00',
    description: 'What of `expenses` is set aside for budgets',
  })
  set_aside!: string;

  @MoneyProperty({ example: '866.88', description: 'The lowest balance in it' })
  closing_balance!: string;

  @NonNegativeMoneyProperty({
    example: '420.10',
    description:
      'What can be spent in it beyond the plan: the lowest balance at the end of a day from its first day until ' +
      '`free_until`, without incomes that are late, minus `minimum_balance`; 0.00 if that is negative. An open income ' +
      'dated before today is late. Several windows can show the same money',
  })
  free!: string;

  @ApiProperty({
    description:
      'The first day with that lowest balance, and the balance, without incomes that are late',
  })
  limited_by!: ForecastBalance;
}

export const toPayWindowResponse = (window: PayWindow): PayWindowResponse => ({
  from: window.from,
  to: window.to,
  incomes: formatCents(window.incomes),
  expenses: formatCents(window.expenses),
  expense_count: window.expenseCount,
  set_aside: formatCents(window.setAside),
  closing_balance: formatCents(window.closingBalance),
  free: formatCents(window.free),
  limited_by: toForecastBalance(window.limitedBy),
});
