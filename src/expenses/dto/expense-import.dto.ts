import { ApiSchema, PickType } from '@nestjs/swagger';
import { TextField, TimestampField } from '../../platform/dto/fields.js';
import { QueryBooleanField } from '../../platform/dto/query-fields.js';
import { CountProperty, MoneyProperty } from '../../platform/dto/response-fields.js';
import { CreateExpenseDto } from './expense.dto.js';

/** A row of an imported file. */
export class ImportedExpenseDto extends PickType(CreateExpenseDto, [
  'description',
  'currency',
  'amount',
  'due_date',
  'category',
  'comments',
  'autopay_info',
]) {
  /** A name. */
  @TextField({ min: 1, max: 100 })
  payment_method!: string;

  @TimestampField({ omittable: true })
  paid_at?: Date;

  /** A name. */
  @TextField({ min: 1, max: 100, omittable: true })
  budget?: string;
}

export class ExportExpensesQuery {
  @QueryBooleanField({
    description:
      'Begins with a byte order mark, for spreadsheets that show `Súper` as `SÃºper` without it',
    example: true,
  })
  bom?: boolean;
}

export class ImportExpensesQuery {
  @QueryBooleanField({ description: 'Checks the file and stores nothing', example: true })
  dry_run?: boolean;
}

@ApiSchema({ description: 'The result of an import, or of a dry run' })
export class ImportExpensesResponse {
  @CountProperty({ example: 35, description: 'Number of expenses in the file' })
  imported!: number;

  @MoneyProperty({ example: '6138.89', description: 'USD, of the expenses in the file' })
  total_amount_usd!: string;

  @MoneyProperty({ example: '-1138.89', description: 'USD, of the cycle after the import' })
  remaining_balance!: string;
}
