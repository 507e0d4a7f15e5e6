import { ApiProperty, ApiSchema, OmitType, PartialType } from '@nestjs/swagger';
import type { Big } from 'big.js';
import { CYCLE_STATUSES, type CycleStatus } from '../../ledger/entities/cycle.entity.js';
import { BooleanField, DateField, EnumField, TextField } from '../../platform/dto/fields.js';
import { MoneyField } from '../../platform/dto/money-fields.js';
import { PageQuery, paginate, Pagination } from '../../platform/dto/page.js';
import {
  BooleanProperty,
  CountProperty,
  CreatedAtProperty,
  DateProperty,
  EnumProperty,
  MoneyProperty,
  TextProperty,
  UpdatedAtProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { toBudgetLimit } from '../budget-limits.js';
import { BudgetLimitResponse, BudgetLimitsField, type BudgetLimitDto } from './budget-limit.dto.js';

const SIDE =
  'Whether it is beside the other cycles, such as a trip or a project: next and following cycles, gaps and overlaps ' +
  'are found without it';

@ApiSchema({ description: 'A new budgeting period' })
export class CreateCycleDto {
  @TextField({
    min: 1,
    max: 100,
    example: 'January to March 2026',
    description: "1 to 100 characters, unique among the user's cycles",
  })
  name!: string;

  @DateField({ example: '2026-01-19', description: 'The first day of the cycle' })
  start_date!: CalendarDate;

  @DateField({ example: '2026-03-01', description: 'Inclusive; after start_date' })
  end_date!: CalendarDate;

  @MoneyField({ zero: true, example: '5200.00', description: 'USD' })
  income_amount!: Big;

  @MoneyField({
    zero: true,
    optional: true,
    deprecated: true,
    example: '5200.00',
    description: 'Validated and ignored: the balance is derived',
  })
  remaining_balance?: Big | null;

  @BooleanField({
    optional: true,
    example: true,
    description: 'Defaults to true, with `side` to false',
  })
  generate_from_templates?: boolean | null;

  @BooleanField({ optional: true, example: false, description: `${SIDE}. Defaults to false` })
  side?: boolean | null;
}

/** Whether the entries of a new cycle are generated from templates. */
export const isGenerated = ({
  generate_from_templates: isRequested,
  side,
}: Pick<CreateCycleDto, 'generate_from_templates' | 'side'>): boolean => isRequested ?? !side;

@ApiSchema({ description: 'A partial update: omitted fields keep their values' })
export class UpdateCycleDto extends PartialType(
  OmitType(CreateCycleDto, ['remaining_balance', 'generate_from_templates', 'side'] as const),
  { skipNullProperties: false },
) {
  @EnumField(CYCLE_STATUSES, 'CycleStatus', {
    omittable: true,
    example: 'active',
    description: 'A completed cycle cannot change',
  })
  status?: CycleStatus;

  @BudgetLimitsField({
    omittable: true,
    description:
      'All limits of the cycle. An inactive budget may keep one, but not get one; a later change of the `limit` of a ' +
      'budget does not change them',
  })
  budget_limits?: BudgetLimitDto[];

  @BooleanField({ omittable: true, example: true, description: SIDE })
  side?: boolean;
}

export class ListCyclesQuery extends PageQuery {
  @EnumField(CYCLE_STATUSES, 'CycleStatus', { omittable: true, description: 'Default: all' })
  status?: CycleStatus;

  @DateField({
    omittable: true,
    example: '2026-02-01',
    description: 'Only cycles that include this day',
  })
  date?: CalendarDate;
}

@ApiSchema({ description: 'Totals of the expenses and incomes of a cycle' })
class CycleSummary {
  @MoneyProperty({ example: '6138.89', description: 'USD, without cancelled expenses' })
  total_expenses!: string;

  @MoneyProperty({ example: '4097.43', description: 'USD' })
  fixed_expenses!: string;

  @MoneyProperty({ example: '2041.46', description: 'USD' })
  variable_expenses!: string;

  @CountProperty({ example: 35, description: 'Without cancelled expenses' })
  expense_count!: number;

  @CountProperty({ example: 0, description: 'Number of paid expenses' })
  paid_count!: number;

  @CountProperty({ example: 35, description: 'Neither paid nor cancelled' })
  pending_count!: number;

  @MoneyProperty({ example: '7100.00', description: 'USD, including incomes not yet received' })
  total_incomes!: string;

  @CountProperty({ example: 5, description: 'Number of incomes, received or not' })
  income_count!: number;
}

@ApiSchema({ description: 'A budgeting period with its balance' })
export class CycleResponse {
  @UuidProperty(EXAMPLE_ID.cycle, { description: 'The id of the cycle' })
  id!: string;

  @TextProperty({ example: 'January to March 2026', description: "Unique among the user's cycles" })
  name!: string;

  @DateProperty({ example: '2026-01-19', description: 'The first day of the cycle' })
  start_date!: CalendarDate;

  @DateProperty({ example: '2026-03-01', description: 'Inclusive' })
  end_date!: CalendarDate;

  @MoneyProperty({ example: '5200.00', description: 'USD' })
  income_amount!: string;

  @MoneyProperty({
    example: '-938.89',
    description: 'USD: income_amount plus all incomes minus the expenses that are not cancelled',
  })
  remaining_balance!: string;

  @EnumProperty(CYCLE_STATUSES, 'CycleStatus', {
    example: 'draft',
    description: 'The stage of the cycle',
  })
  status!: CycleStatus;

  @ApiProperty({
    type: [BudgetLimitResponse],
    description: 'What it may spend on budgets, in the order of their creation',
  })
  budget_limits!: readonly BudgetLimitResponse[];

  @BooleanProperty({ example: false, description: SIDE })
  side!: boolean;

  @ApiProperty({ description: 'Totals of the expenses and incomes' })
  summary!: CycleSummary;

  @CreatedAtProperty()
  created_at!: string;

  @UpdatedAtProperty()
  updated_at!: string;
}

@ApiSchema({ description: 'A page of cycles' })
export class CyclePageResponse {
  @ApiProperty({ type: [CycleResponse], description: 'The cycles of this page' })
  cycles!: CycleResponse[];

  @ApiProperty({ description: 'The position of the page' })
  pagination!: Pagination;
}

/** The columns of a cycle with the totals of its entries that statements return. */
export type CycleRow = Omit<CycleResponse, 'summary'> & CycleSummary;

export function toCycleResponse(cycle: CycleRow): CycleResponse {
  return {
    id: cycle.id,
    name: cycle.name,
    start_date: cycle.start_date,
    end_date: cycle.end_date,
    income_amount: cycle.income_amount,
    remaining_balance: cycle.remaining_balance,
    status: cycle.status,
    budget_limits: cycle.budget_limits.map(toBudgetLimit),
    side: cycle.side,
    summary: {
      total_expenses: cycle.total_expenses,
      fixed_expenses: cycle.fixed_expenses,
      variable_expenses: cycle.variable_expenses,
      expense_count: cycle.expense_count,
      paid_count: cycle.paid_count,
      pending_count: cycle.pending_count,
      total_incomes: cycle.total_incomes,
      income_count: cycle.income_count,
    },
    created_at: cycle.created_at,
    updated_at: cycle.updated_at,
  };
}

export function toCyclePage(
  query: ListCyclesQuery,
  { cycles, total }: { cycles: CycleRow[]; total: number },
): CyclePageResponse {
  return {
    cycles: cycles.map(toCycleResponse),
    pagination: paginate(query, total),
  };
}
