import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_INSTANT } from '../../platform/dto/example-values.js';
import { CountProperty, InstantProperty } from '../../platform/dto/response-fields.js';
import type { Section } from '../../records/record-types.js';
import { SCHEMA_VERSION } from '../document-versions.js';
import { CardStatementRowDto } from './card-statement-row.dto.js';
import {
  BalanceRowDto,
  BudgetRowDto,
  CommentRowDto,
  CycleRowDto,
  ExpenseRowDto,
  ExpenseTemplateRowDto,
  IncomeRowDto,
  IncomeTemplateRowDto,
  PaymentMethodRowDto,
} from './rows.dto.js';

/** The arrays of a document in their order: each one refers only to those before it. */
export const SECTIONS = [
  'payment_methods',
  'budgets',
  'expense_templates',
  'income_templates',
  'cycles',
  'expenses',
  'incomes',
  'balances',
  'card_statements',
  'comments',
] as const satisfies readonly Section[];

/** The class of the rows of each section. */
export const ROW_CLASSES = {
  payment_methods: PaymentMethodRowDto,
  budgets: BudgetRowDto,
  expense_templates: ExpenseTemplateRowDto,
  income_templates: IncomeTemplateRowDto,
  cycles: CycleRowDto,
  expenses: ExpenseRowDto,
  incomes: IncomeRowDto,
  balances: BalanceRowDto,
  card_statements: CardStatementRowDto,
  comments: CommentRowDto,
} as const satisfies Record<Section, new () => object>;

/** The class of a row of a section. */
export type RowOf<S extends Section> = InstanceType<(typeof ROW_CLASSES)[S]>;

/** The validated rows of a document. */
export type DocumentRows = { [S in Section]: RowOf<S>[] };

export type RowCounts = Record<Section, number>;

@ApiSchema({ description: 'All data of a user; an import takes the members in any order' })
export class DataDocument {
  @ApiProperty({
    type: 'integer',
    enum: [SCHEMA_VERSION],
    example: SCHEMA_VERSION,
    description:
      'The version of the format. An import takes version 2 too, in which `balances`, `card_statements` and the ' +
      'fields of cards are unknown fields, and version 1, in which `budgets`, `budget_id` and `budget_limits` are ' +
      'unknown fields as well',
  })
  schema_version!: typeof SCHEMA_VERSION;

  @InstantProperty({ example: EXAMPLE_INSTANT.updated, description: 'Time of the export' })
  exported_at!: string;

  @ApiProperty({ type: [PaymentMethodRowDto], description: 'Active and deleted ones' })
  payment_methods!: PaymentMethodRowDto[];

  @ApiProperty({ type: [BudgetRowDto], description: 'Active and deleted ones' })
  budgets!: BudgetRowDto[];

  @ApiProperty({ type: [ExpenseTemplateRowDto], description: 'Active and deleted ones' })
  expense_templates!: ExpenseTemplateRowDto[];

  @ApiProperty({ type: [IncomeTemplateRowDto], description: 'Active and deleted ones' })
  income_templates!: IncomeTemplateRowDto[];

  @ApiProperty({
    type: [CycleRowDto],
    description: 'Without deleted ones, and without remaining balances',
  })
  cycles!: CycleRowDto[];

  @ApiProperty({ type: [ExpenseRowDto], description: 'Of all cycles, without deleted ones' })
  expenses!: ExpenseRowDto[];

  @ApiProperty({ type: [IncomeRowDto], description: 'Of all cycles, without deleted ones' })
  incomes!: IncomeRowDto[];

  @ApiProperty({ type: [BalanceRowDto], description: 'Without deleted ones' })
  balances!: BalanceRowDto[];

  @ApiProperty({
    type: [CardStatementRowDto],
    description:
      'Those that are stored, by card and closing date; a document of before they were added lacks it',
  })
  card_statements!: CardStatementRowDto[];

  @ApiProperty({ type: [CommentRowDto], description: "The user's own comments on these records" })
  comments!: CommentRowDto[];
}

@ApiSchema({ description: 'The number of imported records by kind' })
class ImportedCounts implements RowCounts {
  @CountProperty({ example: 3, description: 'Number of payment methods' })
  payment_methods!: number;

  @CountProperty({ example: 5, description: 'Number of budgets' })
  budgets!: number;

  @CountProperty({ example: 12, description: 'Number of expense templates' })
  expense_templates!: number;

  @CountProperty({ example: 2, description: 'Number of income templates' })
  income_templates!: number;

  @CountProperty({ example: 9, description: 'Number of cycles' })
  cycles!: number;

  @CountProperty({ example: 315, description: 'Number of expenses' })
  expenses!: number;

  @CountProperty({ example: 36, description: 'Number of incomes' })
  incomes!: number;

  @CountProperty({ example: 8, description: 'Number of balances' })
  balances!: number;

  @CountProperty({ example: 6, description: 'Number of statements of cards' })
  card_statements!: number;

  @CountProperty({ example: 4, description: 'Number of comments' })
  comments!: number;
}

@ApiSchema({ description: 'The result of an import' })
export class ImportResponse {
  @ApiProperty({ description: 'The number of records of each kind' })
  imported!: ImportedCounts;
}
