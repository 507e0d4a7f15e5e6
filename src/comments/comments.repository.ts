import { Injectable } from '@nestjs/common';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import type { FeedScope, FeedSlice } from '../activity/feed.js';
import { ROW_LOCKS, StoredRepository } from '../platform/database/repositories.js';
import { Comment } from './comment.entity.js';

export type NewComment = Pick<
  Comment,
  'householdId' | 'entityType' | 'entityId' | 'cycleId' | 'authorUserId' | 'body'
>;

/** Comments on deleted cycles, expenses and incomes are hidden; other entities only become inactive. */
const TARGET_EXISTS = `NOT EXISTS (
    SELECT 1 FROM cycles t
    WHERE c.entity_type = 'cycle' AND t.household_id = :householdId
      AND t.id = c.entity_id AND NOT t.active
  ) AND NOT EXISTS (
    SELECT 1 FROM cycle_expenses t
    WHERE c.entity_type = 'cycle_expense' AND t.household_id = :householdId
      AND t.id = c.entity_id AND NOT t.active
  ) AND NOT EXISTS (
    SELECT 1 FROM cycle_incomes t
    WHERE c.entity_type = 'cycle_income' AND t.household_id = :householdId
      AND t.id = c.entity_id AND NOT t.active
  )`;

const SEQ_OF_BEFORE = `SELECT seen.seq FROM comments seen
  WHERE seen.household_id = :householdId AND seen.id = :before`;

@Injectable()
export class CommentsRepository extends StoredRepository<Comment> {
  protected readonly entity = Comment;

  insert(manager: EntityManager, values: NewComment): Promise<Comment> {
    return this.insertRow(manager, { ...values, editedAt: null });
  }

  lock(manager: EntityManager, householdId: string, id: string): Promise<Comment | null> {
    return this.visible(manager, householdId)
      .andWhere('c.id = :id', { id })
      .setLock(ROW_LOCKS.update)
      .getOne();
  }

  /** Those of the comments that the household sees, in any order. */
  listByIds(
    manager: EntityManager,
    householdId: string,
    ids: readonly string[],
  ): Promise<Comment[]> {
    return this.visible(manager, householdId)
      .andWhere('c.id = ANY(:ids)', { ids: [...ids] })
      .getMany();
  }

  edit(manager: EntityManager, comment: Comment, body: string): Promise<void> {
    return this.updateRow(manager, comment, keyOf(comment), { body }, 'editedAt');
  }

  remove(manager: EntityManager, comment: Comment): Promise<void> {
    return this.updateRow(manager, comment, keyOf(comment), { active: false });
  }

  /** Newest first. */
  list(
    manager: EntityManager,
    householdId: string,
    scope: FeedScope,
    { limit, before }: FeedSlice,
  ): Promise<Comment[]> {
    const query = this.visible(manager, householdId).orderBy('c.seq', 'DESC').limit(limit);
    if (scope.entityId) {
      query.andWhere('c.entityType = :entityType AND c.entityId = :entityId', scope);
    }
    if (scope.cycleId) query.andWhere('c.cycleId = :cycleId', scope);
    // `before` may be a deleted comment: it may be deleted while a reader pages through the list.
    if (before !== undefined) query.andWhere(`c.seq < (${SEQ_OF_BEFORE})`, { before });
    return query.getMany();
  }

  private visible(manager: EntityManager, householdId: string): SelectQueryBuilder<Comment> {
    return manager
      .createQueryBuilder(Comment, 'c')
      .where(`c.householdId = :householdId AND c.active AND ${TARGET_EXISTS}`, { householdId });
  }
}

const keyOf = ({ id, householdId }: Comment): Pick<Comment, 'id' | 'householdId'> => ({
  id,
  householdId,
});
