/** The feeds that the world calls for: the household's, newest first. */
import { address, newestFirst, type Filter, type Question } from './questions.js';
import { commentView, recordView } from './views.js';
import type { Comment, Entity, LogRecord, User, World } from './world.js';

/** What a feed is asked about: an entity, everything in a cycle, or both at once. */
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
export const recordsOf = (world: World, { household }: User, scope: FeedScope): LogRecord[] =>
  world.log.filter(({ actor, entity }) => actor.household === household && isWithin(scope, entity));

export function askActivity(world: World, reader: User, scope: FeedScope, limit: number): Question {
  const found = newestFirst(recordsOf(world, reader, scope)).slice(0, limit);
  return {
    reader,
    path: address('/activity', { ...scope, limit }),
    answer: { body: found.map(recordView) },
  };
}

/** A deleted cycle or expense takes its comments along. */
export const isVisible = ({ active, target }: Comment): boolean =>
  active && (target.fields.active || !['cycle', 'cycle_expense'].includes(target.type));

export function askComments(world: World, reader: User, scope: FeedScope, limit: number): Question {
  const found = world.comments.filter(
    (comment) =>
      comment.household === reader.household &&
      isVisible(comment) &&
      isWithin(scope, comment.target),
  );
  return {
    reader,
    path: address('/comments', { ...scope, limit }),
    answer: { body: newestFirst(found).slice(0, limit).map(commentView) },
  };
}
