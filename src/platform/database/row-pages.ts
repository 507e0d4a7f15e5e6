import type { EntityManager } from 'typeorm';
import type { Statement } from './query.js';

const PAGE_ROWS = 500;

/**
 * The rows of a SELECT statement in pages, read in bounded memory with a cursor of the transaction.
 */
export async function* readPages<Row extends object>(
  manager: EntityManager,
  { text, values }: Statement,
): AsyncGenerator<Row[]> {
  await manager.query(`DECLARE pages NO SCROLL CURSOR FOR ${text}`, values);
  for (;;) {
    const rows = await manager.query<Row[]>(`FETCH ${PAGE_ROWS} FROM pages`);
    if (rows.length === 0) break;
    yield rows;
  }
  await manager.query('CLOSE pages');
}
