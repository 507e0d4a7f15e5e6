import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ExpenseResponse, toExpenseResponse } from '../../expenses/dto/expense.dto.js';
import { CycleExpense } from '../../ledger/entities/cycle-expense.entity.js';
import { UuidField } from '../../platform/dto/fields.js';
import { UuidListField } from '../../platform/dto/list-fields.js';
import { MoneyProperty, UuidProperty } from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { formatMoney, type Money } from '../../platform/values/money.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';

@ApiSchema({ description: 'Which expenses move to which cycle' })
export class CarryOverDto {
  @UuidField({ example: EXAMPLE_ID.cycle, description: 'The cycle that gets the expenses' })
  to_cycle_id!: string;

  @UuidListField({
    optional: true,
    max: 200,
    example: [EXAMPLE_ID.expense],
    description: 'Expenses that are neither paid nor cancelled; by default all of the cycle',
  })
  expense_ids?: string[] | null;
}

@ApiSchema({ description: 'An expense that was carried over' })
class CarriedExpense {
  @UuidProperty(EXAMPLE_ID.expense, { description: 'The expense that was deleted' })
  from_id!: string;

  @ApiProperty({ description: 'The expense that was created in the other cycle' })
  expense!: ExpenseResponse;
}

@ApiSchema({ description: 'The remaining balances of the two cycles, in USD' })
class BalancesAfterCarryOver {
  @MoneyProperty({ example: '3000.00', description: 'Of the cycle whose expenses were deleted' })
  from!: string;

  @MoneyProperty({ example: '3410.00', description: 'Of the cycle that got the expenses' })
  to!: string;
}

@ApiSchema({ description: 'What was carried over' })
export class CarryOverResponse {
  @ApiProperty({
    type: [CarriedExpense],
    description: 'In the order of `expense_ids`, else by due date, then creation',
  })
  moved!: CarriedExpense[];

  @ApiProperty({ description: 'The remaining balances afterwards' })
  remaining_balance!: BalancesAfterCarryOver;
}

/** @param balance in USD */
export const toCarryOverResponse = (
  moved: readonly { from: CycleExpense; to: CycleExpense }[],
  balance: { from: Money; to: Money },
  today: CalendarDate,
): CarryOverResponse => ({
  moved: moved.map(({ from, to }) => ({
    from_id: from.id,
    expense: toExpenseResponse(to, today),
  })),
  remaining_balance: { from: formatMoney(balance.from), to: formatMoney(balance.to) },
});
