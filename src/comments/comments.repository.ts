import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ROW_LOCKS, StoredRepository } from '../platform/database/repositories.js';
import type { Owner } from '../platform/values/user-id.js';
import { isVisibleSql } from './comment-visibility.js';
import { Comment } from './comment.entity.js';

/** The comments of a household. The first argument is one of its members. */
@Injectable()
export class CommentsRepository extends StoredRepository<Comment> {
  protected readonly entity = Comment;

  insert(
    { id: authorUserId, householdId }: Owner,
    manager: EntityManager,
    values: Pick<Comment, 'entityType' | 'entityId' | 'cycleId' | 'body'>,
  ): Promise<Comment> {
    return this.insertRow(manager, { ...values, householdId, authorUserId, editedAt: null });
  }

  /** A comment that the household sees, locked until the transaction ends. */
  lock({ householdId }: Owner, manager: EntityManager, id: string): Promise<Comment | null> {
    return manager
      .createQueryBuilder(Comment, 'c')
      .where({ id, householdId })
      .andWhere(isVisibleSql('c', ':householdId'), { householdId })
      .setLock(ROW_LOCKS.update)
      .getOne();
  }

  edit(
    { householdId }: Owner,
    manager: EntityManager,
    comment: Comment,
    body: string,
  ): Promise<void> {
    const key = { id: comment.id, householdId };
    return this.updateRow(manager, comment, key, { body }, 'editedAt');
  }

  remove({ householdId }: Owner, manager: EntityManager, comment: Comment): Promise<void> {
    return this.updateRow(manager, comment, { id: comment.id, householdId }, { active: false });
  }
}
