import { CountProperty } from './response-fields.js';

/** The position of a page in the list. */
export class Pagination {
  @CountProperty({ example: 1 })
  page!: number;

  @CountProperty({ example: 20 })
  per_page!: number;

  @CountProperty({ example: 9, description: 'Number of items on all pages' })
  total!: number;

  @CountProperty({ example: 1, description: 'Number of pages; 0 for an empty list' })
  pages!: number;
}

/** The pagination of a response; page numbers start at 1. */
export function paginate(page: number, perPage: number, total: number): Pagination {
  return { page, per_page: perPage, total, pages: Math.ceil(total / perPage) };
}
