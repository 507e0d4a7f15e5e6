import type { Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';

/**
 * The rows of a statement. Its text has numbers in place of the values, so that it is prepared once
 * for all of them. An undefined value is NULL.
 */
export const query = <Row extends object>(
  manager: EntityManager,
  { text, values }: Sql,
): Promise<Row[]> => manager.query(text, values);
