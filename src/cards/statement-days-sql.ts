import sql, { type Sql } from 'sql-template-tag';
import type { StatementDays } from './card.js';

/**
 * SQL: whether a row `e` of `cycle_expenses` belongs to no statement, so that it counts by itself.
 *
 * @param days all that have a statement
 */
export const countsByItselfSql = (days: readonly StatementDays[]): Sql =>
  isOutsideSql(days, { method: sql`e.payment_method_id`, date: sql`e.due_date` });

/** SQL: the same of a row `i` of `cycle_incomes`, which otherwise is a credit. */
export const incomeCountsByItselfSql = (days: readonly StatementDays[]): Sql =>
  isOutsideSql(days, { method: sql`i.payment_method_id`, date: sql`i.income_date` });

function isOutsideSql(
  days: readonly StatementDays[],
  { method, date }: { method: Sql; date: Sql },
): Sql {
  if (days.length === 0) return sql`true`;
  const cardIds = days.map(({ cardId }) => cardId);
  // What is not paid by card is found without the subquery, which takes longer.
  return sql`NOT (${method} = ANY(${cardIds}::uuid[]) AND EXISTS (
    SELECT FROM unnest(${cardIds}::uuid[], ${days.map(({ first }) => first)}::date[],
      ${days.map(({ last }) => last)}::date[]) AS of_statement(card_id, first, last)
    WHERE of_statement.card_id = ${method}
      AND ${date} BETWEEN of_statement.first AND of_statement.last))`;
}
