import sql, { type Sql } from 'sql-template-tag';

/** A row of a join that has no entry; its other columns are null. */
export interface NoEntry {
  id: null;
}

/** A row of a list of entries, which may be empty; the first one has the totals of the list. */
export type ListRow<Entry, Summary> = (Entry | NoEntry) & { summary: Summary | null };

/**
 * SQL: the totals of a list as JSON, in its first row alone, because making and reading them in
 * each row takes a tenth of the time of a list.
 *
 * @param order of the rows of the list
 */
export const summaryColumnSql = (summary: Sql, order: Sql): Sql =>
  sql`CASE WHEN row_number() OVER (ORDER BY ${order}) = 1 THEN ${summary} END AS summary`;

export const withoutSummary = <Row extends { summary: unknown }>({
  summary: _summary,
  ...entry
}: Row): Omit<Row, 'summary'> => entry;
