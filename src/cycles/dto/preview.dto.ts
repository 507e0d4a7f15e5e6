import { ApiProperty, ApiSchema, IntersectionType, OmitType } from '@nestjs/swagger';
import type { Big } from 'big.js';
import { ExpenseResponse, toStoredExpenseResponse } from '../../expenses/dto/expense.dto.js';
import { IncomeResponse, toIncomeResponse } from '../../incomes/dto/income.dto.js';
import type { CycleExpense } from '../../ledger/entities/cycle-expense.entity.js';
import type { CycleIncome } from '../../ledger/entities/cycle-income.entity.js';
import { TextField } from '../../platform/dto/fields.js';
import { MoneyField } from '../../platform/dto/money-fields.js';
import { TextProperty } from '../../platform/dto/response-fields.js';
import { formatMoney } from '../../platform/values/money.js';
import type { Preview } from '../preview.service.js';
import { WARNING_CODES, type Warning } from '../warnings.js';
import { CashFlowResponse, OPENING_BALANCE } from './cash-flow.dto.js';
import { CreateCycleDto, CycleResponse } from './cycle.dto.js';

const STORED_FIELDS = ['id', 'created_at', 'updated_at'] as const;

class PreviewFields {
  @TextField({
    min: 1,
    max: 100,
    optional: true,
    example: 'January to March 2026',
    description: 'The name to check; null: none',
  })
  name?: string | null;

  @MoneyField({ optional: true, signed: true, example: '1200.00', description: OPENING_BALANCE })
  opening_balance?: Big | null;
}

@ApiSchema({ description: 'A cycle that is not stored' })
export class PreviewCycleDto extends IntersectionType(
  OmitType(CreateCycleDto, ['name'] as const),
  PreviewFields,
) {}

@ApiSchema({ description: 'An expense that would be generated' })
export class ExpensePreview extends OmitType(ExpenseResponse, STORED_FIELDS) {}

@ApiSchema({ description: 'An income that would be generated' })
export class IncomePreview extends OmitType(IncomeResponse, STORED_FIELDS) {}

@ApiSchema({ description: 'The cycle that would be created' })
export class CyclePreview extends OmitType(CycleResponse, [...STORED_FIELDS, 'name']) {
  @TextProperty({ nullable: true, example: 'January to March 2026', description: 'As given' })
  name!: string | null;
}

@ApiSchema({ description: 'Something that the user may want to know before the cycle is created' })
class WarningResponse {
  @ApiProperty({
    enum: WARNING_CODES,
    enumName: 'WarningCode',
    example: 'gap_to_previous',
    description: 'Stable; for programs',
  })
  code!: Warning['code'];

  @TextProperty({
    example: 'No cycle has the 7 days between the previous cycle and this one',
    description: 'For people; may change',
  })
  message!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'What the warning is about: `cycles`, `days`, `payment_methods`, `entries` (converted by a rate of another ' +
      'time), `budgets` (with `currency`, `limit`, `total_amount` and `refunded_amount`), or the `first` day with a negative balance and the ' +
      '`lowest` one',
    example: {
      cycles: [
        {
          id: '0d9c2b1a-7e6f-4a5b-9c8d-1e2f3a4b5c6d',
          name: 'December',
          start_date: '2025-12-01',
          end_date: '2026-01-11',
        },
      ],
      days: 7,
    },
  })
  details!: object;
}

@ApiSchema({ description: 'What the creation of a cycle would result in' })
export class PreviewResponse {
  @ApiProperty({ description: 'The cycle that would be created' })
  cycle!: CyclePreview;

  @ApiProperty({ type: [ExpensePreview], description: 'The expenses that would be generated' })
  expenses!: ExpensePreview[];

  @ApiProperty({ type: [IncomePreview], description: 'The incomes that would be generated' })
  incomes!: IncomePreview[];

  @ApiProperty({ description: 'The balance of the cycle by day' })
  cash_flow!: CashFlowResponse;

  @ApiProperty({ type: [WarningResponse], description: 'At most one of each code' })
  warnings!: WarningResponse[];
}

/** A new expense has the stored status. */
export function toExpensePreview(expense: CycleExpense): ExpensePreview {
  return withoutStoredFields(toStoredExpenseResponse(expense));
}

export function toIncomePreview(income: CycleIncome): IncomePreview {
  return withoutStoredFields(toIncomeResponse(income));
}

export function toPreviewResponse(preview: Preview): PreviewResponse {
  const { expenses, incomes, cashFlow, warnings } = preview;
  return {
    cycle: toCyclePreview(preview),
    expenses: expenses.map(toExpensePreview),
    incomes: incomes.map(toIncomePreview),
    cash_flow: cashFlow,
    warnings,
  };
}

function toCyclePreview({ cycle, limits, totals, expenses, incomes }: Preview): CyclePreview {
  return {
    name: cycle.name,
    start_date: cycle.startDate,
    end_date: cycle.endDate,
    income_amount: formatMoney(cycle.incomeAmount),
    remaining_balance: formatMoney(cycle.incomeAmount.plus(totals.incomes).minus(totals.expenses)),
    status: 'draft',
    budget_limits: limits,
    side: cycle.side,
    summary: {
      total_expenses: formatMoney(totals.expenses),
      fixed_expenses: formatMoney(totals.fixedExpenses),
      variable_expenses: formatMoney(totals.variableExpenses),
      expense_count: expenses.length,
      paid_count: 0,
      pending_count: expenses.length,
      total_incomes: formatMoney(totals.incomes),
      income_count: incomes.length,
    },
  };
}

/** The response without the fields that only stored entries have. */
function withoutStoredFields<Response extends Record<(typeof STORED_FIELDS)[number], string>>({
  id: _id,
  created_at: _createdAt,
  updated_at: _updatedAt,
  ...fields
}: Response): Omit<Response, (typeof STORED_FIELDS)[number]> {
  return fields;
}
