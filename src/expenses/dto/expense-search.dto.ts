import { ApiProperty, ApiSchema, IntersectionType } from '@nestjs/swagger';
import { CycleReference, EntrySearchQuery } from '../../ledger/dto/entry-search.dto.js';
import { DateField } from '../../platform/dto/fields.js';
import { Pagination } from '../../platform/dto/page.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { ExpenseListSummary, ListExpensesQuery } from './expense-list.dto.js';
import { ExpenseResponse } from './expense.dto.js';

export class SearchExpensesQuery extends IntersectionType(ListExpensesQuery, EntrySearchQuery) {
  @DateField({ omittable: true, example: '2026-01-26', description: 'The first due date' })
  from?: CalendarDate;

  @DateField({
    omittable: true,
    notBefore: 'from',
    example: '2026-02-01',
    description: 'The last due date',
  })
  to?: CalendarDate;
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
