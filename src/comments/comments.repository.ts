import { Injectable } from '@nestjs/common';
import { raw } from 'sql-template-tag';
import type { Scope } from '../platform/database/database.js';
import { insertRows, ROW_LOCKS } from '../platform/database/repositories.js';
import type { CommentableType } from '../records/record-types.js';
import { updateRows } from '../records/record-updates.js';
import { isVisibleSql } from './comment-visibility.js';
import { Comment } from './comment.entity.js';

/** The comments of a household. */
@Injectable()
export class CommentsRepository {
  insert(scope: Scope, comment: Comment): void {
    comment.householdId = scope.householdId;
    insertRows(scope, Comment, [comment]);
  }

  /** The number of comments on an entity. */
  count(
    { manager, householdId }: Scope,
    { type: entityType, id: entityId }: { type: CommentableType; id: string },
  ): Promise<number> {
    return manager
      .getRepository(Comment)
      .count({ where: { householdId, entityType, entityId, active: true } });
  }

  /** A comment that the household sees, locked until the transaction ends. */
  lock({ manager, householdId }: Scope, id: string): Promise<Comment | null> {
    return manager
      .getRepository(Comment)
      .createQueryBuilder('c')
      .where({ id, householdId })
      .andWhere(isVisibleSql('c', raw(':householdId')).text, { householdId })
      .setLock(ROW_LOCKS.update)
      .getOne();
  }

  /** Writes the new body of a locked comment, edited at the time of the update. */
  edit(scope: Scope, comment: Comment, body: string): void {
    comment.body = body;
    updateRows(scope, Comment, [comment], (edited) => (edited.editedAt = edited.updatedAt));
  }

  remove(scope: Scope, comment: Comment): void {
    comment.active = false;
    updateRows(scope, Comment, [comment]);
  }
}
