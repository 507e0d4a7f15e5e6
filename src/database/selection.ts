/** Expressions by name as the columns of a query. */
export const selectionOf = (expressions: Record<string, string>): string =>
  Object.entries(expressions)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', ');
