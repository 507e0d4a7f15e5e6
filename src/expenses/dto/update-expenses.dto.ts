import { ApiProperty, ApiSchema, IntersectionType } from '@nestjs/swagger';
import { ElementDto, ElementsField } from '../../ledger/dto/elements.dto.js';
import type { CycleExpense } from '../../ledger/entities/cycle-expense.entity.js';
import { MoneyProperty } from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { formatMoney, type Money } from '../../platform/values/money.js';
import { ExpenseResponse, toExpenseResponse, UpdateExpenseDto } from './expense.dto.js';

@ApiSchema({ description: 'A partial update of one of several expenses, or its deletion' })
export class ExpenseElementDto extends IntersectionType(ElementDto, UpdateExpenseDto) {}

@ApiSchema({ description: 'Updates of several expenses' })
export class UpdateExpensesDto {
  @ElementsField(ExpenseElementDto, 'The expenses that change')
  expenses!: ExpenseElementDto[];
}

@ApiSchema({ description: 'Expenses after their update' })
export class UpdatedExpensesResponse {
  @ApiProperty({
    type: [ExpenseResponse],
    description: 'In the order of the request, without deleted ones',
  })
  expenses!: ExpenseResponse[];

  @MoneyProperty({ example: '1957.45', description: 'USD, of the cycle after the update' })
  remaining_balance!: string;
}

/** @param balance in USD */
export const toUpdatedExpensesResponse = (
  expenses: readonly CycleExpense[],
  balance: Money,
  today: CalendarDate,
): UpdatedExpensesResponse => ({
  expenses: expenses
    .filter(({ active }) => active)
    .map((expense) => toExpenseResponse(expense, today)),
  remaining_balance: formatMoney(balance),
});
