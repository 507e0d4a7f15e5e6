import { ApiProperty } from '@nestjs/swagger';

/** Where a page stands in the whole list. */
export class Pagination {
  @ApiProperty({ type: 'integer' })
  page!: number;

  @ApiProperty({ type: 'integer' })
  per_page!: number;

  @ApiProperty({ type: 'integer' })
  total!: number;

  @ApiProperty({ type: 'integer', description: '0 when there is nothing to list' })
  pages!: number;
}

export function paginate(page: number, perPage: number, total: number): Pagination {
  return { page, per_page: perPage, total, pages: Math.ceil(total / perPage) };
}
