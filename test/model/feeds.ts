/** The expected feeds of activity and comments of a household, newest first. */
import { address, newestFirst, type Filter, type ExpectedResponse } from './expected-responses.js';
import type { Comment, Entity, LogRecord, User, Model } from './model.js';
import { commentView, recordView } from './views.js';

/** The scope of a feed: an entity, a cycle with its entries, or both. */
export interface FeedScope extends Filter {
  entity_type?: string;
  entity_id?: string;
  cycle_id?: string;
}

function isWithin({ entity_type, entity_id, cycle_id }: FeedScope, entity: Entity): boolean {
  const hasEntity = entity_type !== undefined && entity_id !== undefined;
  if (!hasEntity && cycle_id === undefined) return false;
  const isEntity = entity_type === entity.type && entity_id === entity.id;
  return (!hasEntity || isEntity) && (cycle_id === undefined || cycle_id === entity.cycleId);
}

/** The household's records of the scope, oldest first. */
export const recordsOf = (model: Model, { household }: User, scope: FeedScope): LogRecord[] =>
  model.log.filter(({ actor, entity }) => actor.household === household && isWithin(scope, entity));

export function expectedActivity(
  model: Model,
  reader: User,
  scope: FeedScope,
  limit: number,
): ExpectedResponse {
  const found = newestFirst(recordsOf(model, reader, scope)).slice(0, limit);
  return {
    reader,
    path: address('/activity', { ...scope, limit }),
    expected: { body: found.map(recordView) },
  };
}

/** The comments of a deleted cycle, expense or income are deleted with it. */
export const isVisible = ({ active, target }: Comment): boolean =>
  active &&
  (target.fields.active || !['cycle', 'cycle_expense', 'cycle_income'].includes(target.type));

export function expectedComments(
  model: Model,
  reader: User,
  scope: FeedScope,
  limit: number,
): ExpectedResponse {
  const found = model.comments.filter(
    (comment) =>
      comment.household === reader.household &&
      isVisible(comment) &&
      isWithin(scope, comment.target),
  );
  return {
    reader,
    path: address('/comments', { ...scope, limit }),
    expected: { body: newestFirst(found).slice(0, limit).map(commentView) },
  };
}
