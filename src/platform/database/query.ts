import type { EntityManager } from 'typeorm';

/**
 * What the tag `sql` makes of a statement: its text has numbers in place of the values, so that it
 * is prepared once for all of them. An undefined value is NULL.
 */
export interface Statement {
  text: string;
  values: unknown[];
}

/** The rows of a statement. */
export const query = <Row extends object>(
  manager: EntityManager,
  { text, values }: Statement,
): Promise<Row[]> => manager.query(text, values);
