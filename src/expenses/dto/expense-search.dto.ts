import { ApiProperty, ApiSchema, IntersectionType } from '@nestjs/swagger';
import { CYCLE_STATUSES, type CycleStatus } from '../../ledger/entities/cycle.entity.js';
import { DateField, TextField, UuidField } from '../../platform/dto/fields.js';
import { PageQuery, Pagination } from '../../platform/dto/page.js';
import { EnumProperty, TextProperty, UuidProperty } from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { ExpenseListSummary, ListExpensesQuery } from './expense-list.dto.js';
import { ExpenseResponse } from './expense.dto.js';

export class SearchExpensesQuery extends IntersectionType(ListExpensesQuery, PageQuery) {
  @DateField({ omittable: true, example: '2026-01-26', description: 'The first due date' })
  from?: CalendarDate;

  @DateField({
    omittable: true,
    notBefore: 'from',
    example: '2026-02-01',
    description: 'The last due date',
  })
  to?: CalendarDate;

  @UuidField({ omittable: true, description: 'An unknown template matches nothing' })
  template_id?: string;

  @TextField({
    omittable: true,
    min: 1,
    max: 100,
    example: 'super',
    description:
      'Text in the description, without regard to case, accents and the kind of white space: `super` finds `Súper`, ' +
      '`strasse` finds `Straße`',
  })
  q?: string;
}

@ApiSchema({ description: 'The cycle of an expense' })
class CycleReference {
  @UuidProperty(EXAMPLE_ID.cycle, { description: 'The id of the cycle' })
  id!: string;

  @TextProperty({ example: 'January to March 2026', description: 'The name of the cycle' })
  name!: string;

  @EnumProperty(CYCLE_STATUSES, 'CycleStatus', {
    example: 'active',
    description: 'The stage of the cycle',
  })
  status!: CycleStatus;
}

@ApiSchema({ description: 'An expense with its cycle' })
export class FoundExpenseResponse extends ExpenseResponse {
  @ApiProperty({ description: 'The cycle that has the expense' })
  cycle!: CycleReference;
}

@ApiSchema({ description: 'A page of the expenses of all cycles' })
export class ExpensePageResponse {
  @ApiProperty({ type: [FoundExpenseResponse], description: 'The expenses of this page' })
  expenses!: FoundExpenseResponse[];

  @ApiProperty({ description: 'Totals of the expenses on all pages' })
  summary!: ExpenseListSummary;

  @ApiProperty({ description: 'The position of the page' })
  pagination!: Pagination;
}
