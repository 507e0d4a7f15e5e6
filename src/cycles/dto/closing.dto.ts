import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { CycleStatus } from '../../ledger/entities/cycle.entity.js';
import { Agrees } from '../../platform/dto/field-validators.js';
import { BooleanField, UuidField } from '../../platform/dto/fields.js';
import { OptionalBody } from '../../platform/dto/request-validation.pipe.js';
import {
  CountProperty,
  MoneyProperty,
  NonNegativeMoneyProperty,
} from '../../platform/dto/response-fields.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { FieldErrors } from '../../platform/errors/field-reasons.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import {
  CarriedExpense,
  CarriedIncome,
  toCarriedExpenses,
  toCarriedIncomes,
  type CarriedEntries,
} from './carry-over.dto.js';
import { CycleResponse } from './cycle.dto.js';

@OptionalBody()
@ApiSchema({
  description: 'Where open expenses and incomes go; the body may be missing where there are none',
})
export class CloseCycleDto {
  @UuidField({
    optional: true,
    example: EXAMPLE_ID.cycle,
    description: 'The cycle that gets them',
  })
  to_cycle_id?: string | null;

  @BooleanField({
    optional: true,
    example: false,
    description: 'true: they stay as they are; not beside `to_cycle_id`',
  })
  @Agrees((dto: CloseCycleDto) => closingContradictions(dto))
  leave_open?: boolean | null;
}

/** The errors of fields that contradict each other. */
const closingContradictions = ({
  to_cycle_id: toCycleId,
  leave_open,
}: CloseCycleDto): FieldErrors =>
  toCycleId && leave_open === true
    ? {
        leave_open: [
          { reason: 'contradiction', message: 'leave_open true contradicts to_cycle_id' },
        ],
      }
    : {};

@ApiSchema({ description: 'What is open in a cycle and left over of it, in USD' })
export class ClosingResponse {
  @MoneyProperty({
    example: '1840.00',
    description:
      'The remaining balance without what is open: plus `open_expenses` and `card_expenses`, minus `open_incomes` and ' +
      '`card_payments`',
  })
  left_over!: string;

  @NonNegativeMoneyProperty({
    example: '410.00',
    description:
      'Of the expenses that are neither paid nor cancelled, and of no statement of a card',
  })
  open_expenses!: string;

  @CountProperty({ example: 2, description: 'The number of these expenses' })
  open_expense_count!: number;

  @NonNegativeMoneyProperty({
    example: '925.00',
    description: 'Of the incomes that are not received',
  })
  open_incomes!: string;

  @CountProperty({ example: 1, description: 'The number of these incomes' })
  open_income_count!: number;

  @MoneyProperty({
    example: '0.00',
    description: 'Of the expenses of statements of cards, minus incomes with these cards',
  })
  card_expenses!: string;

  @NonNegativeMoneyProperty({
    example: '0.00',
    description: 'Paid for statements of cards on the days of the cycle',
  })
  card_payments!: string;
}

@ApiSchema({ description: 'A cycle that was closed' })
export class ClosedCycleResponse {
  @ApiProperty({ description: 'The completed cycle' })
  cycle!: CycleResponse;

  @ApiProperty({
    type: [CarriedExpense],
    description: 'The expenses that were carried over, by due date, then creation',
  })
  moved!: CarriedExpense[];

  @ApiProperty({
    type: [CarriedIncome],
    description: 'The incomes that were carried over, by date, then creation',
  })
  moved_incomes!: CarriedIncome[];

  @MoneyProperty({
    example: '1840.00',
    description: 'USD: the remaining balance without what was open',
  })
  left_over!: string;
}

/** The columns of a cycle that a closing is about. */
export type ClosingRow = ClosingResponse & { status: CycleStatus };

export const toClosingResponse = (row: ClosingRow): ClosingResponse => ({
  left_over: row.left_over,
  open_expenses: row.open_expenses,
  open_expense_count: row.open_expense_count,
  open_incomes: row.open_incomes,
  open_income_count: row.open_income_count,
  card_expenses: row.card_expenses,
  card_payments: row.card_payments,
});

/** @param moved null: nothing was to move */
export const toClosedCycleResponse = (
  cycle: CycleResponse,
  moved: CarriedEntries | null,
  { left_over }: Pick<ClosingRow, 'left_over'>,
  today: CalendarDate,
): ClosedCycleResponse => ({
  cycle,
  moved: toCarriedExpenses(moved?.expenses ?? [], today),
  moved_incomes: toCarriedIncomes(moved?.incomes ?? []),
  left_over,
});

/** It is not said what happens to the open expenses and incomes of a cycle that is closed. */
export const openEntriesRemain = ({
  open_expense_count,
  open_income_count,
}: Pick<ClosingRow, 'open_expense_count' | 'open_income_count'>): DomainError =>
  new DomainError(
    'RESOURCE_CONFLICT',
    'The cycle has open expenses or incomes: send to_cycle_id, or leave_open',
    { resource: 'cycle', open_expense_count, open_income_count },
  );
