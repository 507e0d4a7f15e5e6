import { ApiSchema } from '@nestjs/swagger';
import { QueryIntegerField } from './query-fields.js';
import { CountProperty } from './response-fields.js';

/** The parameters of a list that is returned in pages. */
export class PageQuery {
  @QueryIntegerField({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    default: 1,
    description: 'The number of the page, from 1',
  })
  page = 1;

  @QueryIntegerField({
    min: 1,
    max: 100,
    default: 20,
    description: 'The maximum number of items on a page',
  })
  per_page = 20;
}

/** The position of a page in the list. */
@ApiSchema({ description: 'The position of a page in the list' })
export class Pagination {
  @CountProperty({ example: 1, description: 'The number of the page, from 1' })
  page!: number;

  @CountProperty({ example: 20, description: 'The maximum number of items on a page' })
  per_page!: number;

  @CountProperty({ example: 9, description: 'Number of items on all pages' })
  total!: number;

  @CountProperty({ example: 1, description: 'Number of pages; 0 for an empty list' })
  pages!: number;
}

/** The limit and the offset of a page in SQL. */
export function rangeOf({ page, per_page: limit }: PageQuery): { limit: number; offset: number } {
  return { limit, offset: (page - 1) * limit };
}

/** The pagination of a response; page numbers start at 1. */
export function paginate({ page, per_page }: PageQuery, total: number): Pagination {
  return { page, per_page, total, pages: Math.ceil(total / per_page) };
}
