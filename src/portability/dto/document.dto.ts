import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_INSTANT } from '../../platform/http/examples.js';
import { CountProperty, InstantProperty } from '../../platform/http/response-fields.js';
import { SCHEMA_VERSION, SECTIONS, type Section } from '../sections.js';
import {
  CommentRowDto,
  CycleRowDto,
  ExpenseRowDto,
  ExpenseTemplateRowDto,
  IncomeRowDto,
  IncomeTemplateRowDto,
  PaymentMethodRowDto,
} from './rows.dto.js';

/** The class of the rows of each section. */
export const ROW_CLASSES = {
  payment_methods: PaymentMethodRowDto,
  expense_templates: ExpenseTemplateRowDto,
  income_templates: IncomeTemplateRowDto,
  cycles: CycleRowDto,
  expenses: ExpenseRowDto,
  incomes: IncomeRowDto,
  comments: CommentRowDto,
} as const satisfies Record<Section, new () => object>;

/** All data of a user. The members have this order. */
export class DataDocument {
  @ApiProperty({ type: 'integer', enum: [SCHEMA_VERSION], example: SCHEMA_VERSION })
  schema_version!: typeof SCHEMA_VERSION;

  @InstantProperty({ example: EXAMPLE_INSTANT.updated })
  exported_at!: string;

  @ApiProperty({ type: [PaymentMethodRowDto] })
  payment_methods!: PaymentMethodRowDto[];

  @ApiProperty({ type: [ExpenseTemplateRowDto] })
  expense_templates!: ExpenseTemplateRowDto[];

  @ApiProperty({ type: [IncomeTemplateRowDto] })
  income_templates!: IncomeTemplateRowDto[];

  @ApiProperty({ type: [CycleRowDto], description: 'Without deleted ones, and without balances' })
  cycles!: CycleRowDto[];

  @ApiProperty({ type: [ExpenseRowDto], description: 'Of all cycles, without deleted ones' })
  expenses!: ExpenseRowDto[];

  @ApiProperty({ type: [IncomeRowDto], description: 'Of all cycles, without deleted ones' })
  incomes!: IncomeRowDto[];

  @ApiProperty({ type: [CommentRowDto], description: "The user's own comments on these records" })
  comments!: CommentRowDto[];
}

export type RowCounts = Record<Section, number>;

class ImportedCounts implements RowCounts {
  @CountProperty({ example: 3 })
  payment_methods!: number;

  @CountProperty({ example: 12 })
  expense_templates!: number;

  @CountProperty({ example: 2 })
  income_templates!: number;

  @CountProperty({ example: 9 })
  cycles!: number;

  @CountProperty({ example: 315 })
  expenses!: number;

  @CountProperty({ example: 36 })
  incomes!: number;

  @CountProperty({ example: 4 })
  comments!: number;
}

export class ImportResponse {
  @ApiProperty({ description: 'The number of records of each kind' })
  imported!: ImportedCounts;
}

export const noRows = (): RowCounts =>
  Object.fromEntries(SECTIONS.map((section) => [section, 0])) as RowCounts;
