import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ExpenseResponse, toExpenseResponse } from '../../expenses/dto/expense.dto.js';
import { IncomeResponse, toIncomeResponse } from '../../incomes/dto/income.dto.js';
import type { CycleEntry } from '../../ledger/entities/cycle-entry.entity.js';
import type { CycleExpense } from '../../ledger/entities/cycle-expense.entity.js';
import type { CycleIncome } from '../../ledger/entities/cycle-income.entity.js';
import { UuidField } from '../../platform/dto/fields.js';
import { UuidListField } from '../../platform/dto/list-fields.js';
import { MoneyProperty, UuidProperty } from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { formatMoney, type Money } from '../../platform/values/money.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';

@ApiSchema({ description: 'Which expenses and incomes move to which cycle' })
export class CarryOverDto {
  @UuidField({
    example: EXAMPLE_ID.cycle,
    description: 'The cycle that gets the expenses and incomes',
  })
  to_cycle_id!: string;

  @UuidListField({
    optional: true,
    max: 200,
    example: [EXAMPLE_ID.expense],
    description:
      'Expenses that are neither paid nor cancelled; by default all of the cycle, or none beside `income_ids`',
  })
  expense_ids?: string[] | null;

  @UuidListField({
    optional: true,
    max: 200,
    example: [EXAMPLE_ID.income],
    description: 'Incomes that are not received; by default none',
  })
  income_ids?: string[] | null;
}

@ApiSchema({ description: 'An expense that was carried over' })
export class CarriedExpense {
  @UuidProperty(EXAMPLE_ID.expense, { description: 'The expense that was deleted' })
  from_id!: string;

  @ApiProperty({ description: 'The expense that was created in the other cycle' })
  expense!: ExpenseResponse;
}

@ApiSchema({ description: 'An income that was carried over' })
export class CarriedIncome {
  @UuidProperty(EXAMPLE_ID.income, { description: 'The income that was deleted' })
  from_id!: string;

  @ApiProperty({ description: 'The income that was created in the other cycle' })
  income!: IncomeResponse;
}

@ApiSchema({ description: 'The remaining balances of the two cycles, in USD' })
class BalancesAfterCarryOver {
  @MoneyProperty({
    example: '3000.00',
    description: 'Of the cycle whose expenses and incomes were deleted',
  })
  from!: string;

  @MoneyProperty({ example: '3410.00', description: 'Of the cycle that got them' })
  to!: string;
}

@ApiSchema({ description: 'What was carried over' })
export class CarryOverResponse {
  @ApiProperty({
    type: [CarriedExpense],
    description: 'In the order of `expense_ids`, else by due date, then creation',
  })
  moved!: CarriedExpense[];

  @ApiProperty({
    type: [CarriedIncome],
    description: 'In the order of `income_ids`',
  })
  moved_incomes!: CarriedIncome[];

  @ApiProperty({ description: 'The remaining balances afterwards' })
  remaining_balance!: BalancesAfterCarryOver;
}

/** An entry that was deleted, and the one that was created for it in the other cycle. */
export interface Carried<Entry extends CycleEntry> {
  from: Entry;
  to: Entry;
}

/** What moved to another cycle, and the remaining balances of both afterwards in USD. */
export interface CarriedEntries {
  expenses: readonly Carried<CycleExpense>[];
  incomes: readonly Carried<CycleIncome>[];
  balance: { from: Money; to: Money };
}

export const toCarriedExpenses = (
  expenses: CarriedEntries['expenses'],
  today: CalendarDate,
): CarriedExpense[] =>
  expenses.map(({ from, to }) => ({ from_id: from.id, expense: toExpenseResponse(to, today) }));

export const toCarriedIncomes = (incomes: CarriedEntries['incomes']): CarriedIncome[] =>
  incomes.map(({ from, to }) => ({ from_id: from.id, income: toIncomeResponse(to) }));

export const toCarryOverResponse = (
  { expenses, incomes, balance }: CarriedEntries,
  today: CalendarDate,
): CarryOverResponse => ({
  moved: toCarriedExpenses(expenses, today),
  moved_incomes: toCarriedIncomes(incomes),
  remaining_balance: { from: formatMoney(balance.from), to: formatMoney(balance.to) },
});
