import { CountProperty } from './response-fields.js';

/** Where a page stands in the whole list. */
export class Pagination {
  @CountProperty({ example: 1 })
  page!: number;

  @CountProperty({ example: 20 })
  per_page!: number;

  @CountProperty({ example: 9 })
  total!: number;

  @CountProperty({ example: 1, description: '0 when there is nothing to list' })
  pages!: number;
}

export function paginate(page: number, perPage: number, total: number): Pagination {
  return { page, per_page: perPage, total, pages: Math.ceil(total / perPage) };
}
