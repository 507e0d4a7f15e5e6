import { feedSql } from '../activity/feed-sql.js';
import type { FeedScope, FeedSlice } from '../activity/feed.js';
import type { Scope } from '../platform/database/database.js';
import { personSql } from '../users/user.entity.js';
import { isVisibleSql } from './comment-visibility.js';
import type { CommentResponse } from './dto/comment.dto.js';

/** The comments `c` of a subquery, with their authors. The columns are the response. */
const withAuthorsSql = (comments: string): string => `
  SELECT c.id, c.household_id, c.entity_type, c.entity_id, c.cycle_id, c.author_user_id, c.body, c.edited_at,
    c.active, c.created_at, c.updated_at, ${personSql('u')} AS author
  FROM (${comments}) AS c
  LEFT JOIN users u ON u.id = c.author_user_id`;

/** $1: household, $2: ids. */
const LIST_BY_IDS = withAuthorsSql(`
  SELECT * FROM comments item
  WHERE item.household_id = $1 AND item.id = ANY($2) AND ${isVisibleSql('item', '$1')}`);

/** The comments of the reader's household in a scope, newest first. */
export function listComments(
  scope: Scope,
  feed: FeedScope,
  slice: FeedSlice,
): Promise<CommentResponse[]> {
  // `before` may be a deleted comment: it may be deleted while a reader pages through the list.
  const comments = { table: 'comments', condition: isVisibleSql('item', '$1') };
  const { sql, parameters } = feedSql(scope, comments, feed, slice);
  return scope.manager.query(`${withAuthorsSql(sql)} ORDER BY c.seq DESC`, parameters);
}

/**
 * The comments with these ids that the reader's household sees, in any order; other ids are
 * ignored.
 */
export function listCommentsByIds(
  { manager, householdId }: Scope,
  ids: readonly string[],
): Promise<CommentResponse[]> {
  return manager.query(LIST_BY_IDS, [householdId, ids]);
}
