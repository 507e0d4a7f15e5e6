import sql, { type Sql } from 'sql-template-tag';
import { feedSql } from '../activity/feed-sql.js';
import type { FeedScope, FeedSlice } from '../activity/feed.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import { PERSON_SQL } from '../users/user.entity.js';
import { isVisibleSql } from './comment-visibility.js';
import type { CommentResponse } from './dto/comment.dto.js';

/** The comments `c` of a subquery, with their authors. The columns are the response. */
const withAuthorsSql = (comments: Sql): Sql => sql`
  SELECT c.id, c.household_id, c.entity_type, c.entity_id, c.cycle_id, c.author_user_id, c.body,
    c.edited_at, c.active, c.created_at, c.updated_at, ${PERSON_SQL} AS author
  FROM (${comments}) AS c
  LEFT JOIN users u ON u.id = c.author_user_id`;

/** The comments of the reader's household in a scope, newest first. */
export function listComments(
  scope: Scope,
  feed: FeedScope,
  slice: FeedSlice,
): Promise<CommentResponse[]> {
  // `before` may be a deleted comment: it may be deleted while a reader pages through the list.
  const condition = isVisibleSql('item', scope.householdId);
  const comments = feedSql(scope, { table: 'comments', condition }, feed, slice);
  return query(scope.manager, sql`${withAuthorsSql(comments)} ORDER BY c.seq DESC`);
}

/**
 * The comments with these ids that the reader's household sees, in any order; other ids are
 * ignored.
 */
export function listCommentsByIds(
  { manager, householdId }: Scope,
  ids: readonly string[],
): Promise<CommentResponse[]> {
  const comments = sql`
    SELECT * FROM comments item
    WHERE item.household_id = ${householdId} AND item.id = ANY(${ids})
      AND ${isVisibleSql('item', householdId)}`;
  return query(manager, withAuthorsSql(comments));
}
