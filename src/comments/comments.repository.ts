import type { Scope } from '../platform/database/database.js';
import { Injectable } from '@nestjs/common';
import { ROW_LOCKS, StoredRepository } from '../platform/database/repositories.js';
import { isVisibleSql } from './comment-visibility.js';
import { Comment, type CommentableType } from './comment.entity.js';

/** The comments of a household. The first argument is one of its members. */
@Injectable()
export class CommentsRepository extends StoredRepository<Comment> {
  protected readonly entity = Comment;

  insert(
    { manager, userId: authorUserId, householdId }: Scope,
    values: Pick<Comment, 'entityType' | 'entityId' | 'cycleId' | 'body'>,
  ): Promise<Comment> {
    return this.insertRow(manager, { ...values, householdId, authorUserId, editedAt: null });
  }

  /** The number of comments on an entity. */
  count(
    { manager, householdId }: Scope,
    { type: entityType, id: entityId }: { type: CommentableType; id: string },
  ): Promise<number> {
    return manager.count(Comment, { where: { householdId, entityType, entityId, active: true } });
  }

  /** A comment that the household sees, locked until the transaction ends. */
  lock({ manager, householdId }: Scope, id: string): Promise<Comment | null> {
    return manager
      .createQueryBuilder(Comment, 'c')
      .where({ id, householdId })
      .andWhere(isVisibleSql('c', ':householdId'), { householdId })
      .setLock(ROW_LOCKS.update)
      .getOne();
  }

  edit({ manager, householdId }: Scope, comment: Comment, body: string): Promise<void> {
    const key = { id: comment.id, householdId };
    return this.updateRow(manager, comment, key, { body }, 'editedAt');
  }

  remove({ manager, householdId }: Scope, comment: Comment): Promise<void> {
    return this.updateRow(manager, comment, { id: comment.id, householdId }, { active: false });
  }
}
