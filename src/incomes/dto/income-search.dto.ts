import { ApiProperty, ApiSchema, IntersectionType } from '@nestjs/swagger';
import { CycleReference, EntrySearchQuery } from '../../ledger/dto/entry-search.dto.js';
import { DateField } from '../../platform/dto/fields.js';
import { Pagination } from '../../platform/dto/page.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { IncomeListSummary, IncomeResponse, ListIncomesQuery } from './income.dto.js';

export class SearchIncomesQuery extends IntersectionType(ListIncomesQuery, EntrySearchQuery) {
  @DateField({ omittable: true, example: '2026-01-26', description: 'The first income date' })
  from?: CalendarDate;

  @DateField({
    omittable: true,
    notBefore: 'from',
    example: '2026-02-01',
    description: 'The last income date',
  })
  to?: CalendarDate;
}

@ApiSchema({ description: 'An income with its cycle' })
export class FoundIncomeResponse extends IncomeResponse {
  @ApiProperty({ description: 'The cycle that has the income' })
  cycle!: CycleReference;
}

@ApiSchema({ description: 'A page of the incomes of all cycles' })
export class IncomePageResponse {
  @ApiProperty({ type: [FoundIncomeResponse], description: 'The incomes of this page' })
  incomes!: FoundIncomeResponse[];

  @ApiProperty({ description: 'Totals of the incomes on all pages' })
  summary!: IncomeListSummary;

  @ApiProperty({ description: 'The position of the page' })
  pagination!: Pagination;
}
