import { Injectable } from '@nestjs/common';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import type { FeedScope, FeedSlice } from '../activity/feed.js';
import { insertRecord, updateRecord } from '../database/records.js';
import { Comment } from './comment.entity.js';

export type NewComment = Pick<
  Comment,
  'householdId' | 'entityType' | 'entityId' | 'cycleId' | 'authorUserId' | 'body'
>;

/** A deleted cycle or expense takes its comments along; other entities only become inactive. */
const TARGET_EXISTS = `NOT EXISTS (
    SELECT 1 FROM cycles t
    WHERE c.entity_type = 'cycle' AND t.id = c.entity_id AND NOT t.active
  ) AND NOT EXISTS (
    SELECT 1 FROM cycle_expenses t
    WHERE c.entity_type = 'cycle_expense' AND t.id = c.entity_id AND NOT t.active
  )`;

const SEEN = `SELECT seen.seq FROM comments seen
  WHERE seen.household_id = :householdId AND seen.id = :before`;

@Injectable()
export class CommentsRepository {
  async insert(manager: EntityManager, values: NewComment): Promise<Comment> {
    const comment = Object.assign(new Comment(), { ...values, editedAt: null });
    await insertRecord(manager, Comment, comment);
    return comment;
  }

  lock(manager: EntityManager, householdId: string, id: string): Promise<Comment | null> {
    return this.visible(manager, householdId)
      .andWhere('c.id = :id', { id })
      .setLock('for_no_key_update')
      .getOne();
  }

  edit(manager: EntityManager, comment: Comment, body: string): Promise<void> {
    return updateRecord(manager, Comment, comment, { body }, 'editedAt');
  }

  remove(manager: EntityManager, comment: Comment): Promise<void> {
    return updateRecord(manager, Comment, comment, { active: false });
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
    // Also before a deleted comment: a reader may stand on it while it goes.
    if (before !== undefined) query.andWhere(`c.seq < (${SEEN})`, { before });
    return query.getMany();
  }

  private visible(manager: EntityManager, householdId: string): SelectQueryBuilder<Comment> {
    return manager
      .createQueryBuilder(Comment, 'c')
      .where(`c.householdId = :householdId AND c.active AND ${TARGET_EXISTS}`, { householdId });
  }
}
