import { Injectable } from '@nestjs/common';
import { sendTogether } from '#postgres';
import type { ActivityAction } from '../activity/activity-record.entity.js';
import { ActivityService } from '../activity/activity.service.js';
import { readFeed, scopeOf, type FeedPage, type FeedQuery } from '../activity/feed.js';
import type { ActivityEntry } from '../activity/mutation.js';
import { Database, type Scope } from '../platform/database/database.js';
import {
  assertWithinLimit,
  DomainError,
  ResourceNotFoundError,
} from '../platform/errors/domain-error.js';
import type { Precondition } from '../platform/values/precondition.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { UsersService } from '../users/users.service.js';
import { CommentTargetsRepository } from './comment-targets.repository.js';
import { Comment, MAX_COMMENTS } from './comment.entity.js';
import { listComments, listCommentsByIds } from './comments.queries.js';
import { CommentsRepository } from './comments.repository.js';
import {
  toCommentResponse,
  type CommentResponse,
  type CreateCommentDto,
  type UpdateCommentDto,
} from './dto/comment.dto.js';

const OWN_COMMENTS_ONLY = 'A personal access token can only delete comments of its own user';

/** Comments on the entities of a household, which all its members read. */
@Injectable()
export class CommentsService {
  constructor(
    private readonly database: Database,
    private readonly repository: CommentsRepository,
    private readonly targets: CommentTargetsRepository,
    private readonly activity: ActivityService,
    private readonly users: UsersService,
  ) {}

  /** The household's comments in the scope of the query, newest first; empty without a scope. */
  async list(reader: AuthenticatedUser, query: FeedQuery): Promise<FeedPage<CommentResponse>> {
    const feed = scopeOf(query);
    if (!feed) return { items: [], hasMore: false };
    return readFeed(query, (slice) =>
      this.database.read(reader, (scope) => listComments(scope, feed, slice)),
    );
  }

  /** The comments with these ids that the household sees, in any order; other ids are ignored. */
  listByIds(scope: Scope, ids: readonly string[]): Promise<CommentResponse[]> {
    return listCommentsByIds(scope, ids);
  }

  /**
   * Creates a comment on an entity of the household.
   *
   * @throws ResourceNotFoundError when the entity does not exist or is deleted; DomainError
   *   RESOURCE_CONFLICT at the limit
   */
  create(user: AuthenticatedUser, dto: CreateCommentDto): Promise<CommentResponse> {
    return this.database.transaction(user, async (scope) => {
      const target = { type: dto.entity_type, id: dto.entity_id };
      const [found, stored] = await sendTogether([
        this.targets.lock(scope, target),
        this.repository.count(scope, target),
      ]);
      if (!found) throw new ResourceNotFoundError(target.type); // 404
      assertWithinLimit('comment', { stored, limit: MAX_COMMENTS }); // 409
      const comment = Comment.create(user.id, {
        entityType: target.type,
        entityId: target.id,
        cycleId: found.cycleId,
        body: dto.body,
      });
      this.repository.insert(scope, comment);
      this.recordOnParent(scope, comment, 'commented');
      return this.withAuthor(scope, comment);
    });
  }

  /**
   * Changes the body; the same body changes nothing.
   *
   * @throws ResourceNotFoundError; DomainError FORBIDDEN unless the user is the author
   */
  edit(
    user: AuthenticatedUser,
    id: string,
    dto: UpdateCommentDto,
    precondition: Precondition,
  ): Promise<CommentResponse> {
    return this.database.transaction(user, async (scope) => {
      const comment = await this.lockComment(scope, id); // 404
      if (comment.authorUserId !== user.id) {
        throw new DomainError('FORBIDDEN', 'Only the author can edit a comment'); // 403
      }
      await precondition.assert(() => this.withAuthor(scope, comment)); // 412
      if (dto.body !== comment.body) {
        this.repository.edit(scope, comment, dto.body);
        this.recordOnParent(scope, comment, 'comment_edited');
      }
      return this.withAuthor(scope, comment);
    });
  }

  /**
   * A soft deletion.
   *
   * @throws ResourceNotFoundError; DomainError FORBIDDEN unless the user is the author or an admin
   *   who has signed in
   */
  async remove(user: AuthenticatedUser, id: string, precondition: Precondition): Promise<void> {
    await this.database.transaction(user, async (scope) => {
      const comment = await this.lockComment(scope, id); // 404
      if (comment.authorUserId !== user.id) {
        if (user.tokenAccess) throw new DomainError('FORBIDDEN', OWN_COMMENTS_ONLY); // 403
        const refusal = 'Only the author or an admin can delete a comment';
        await this.users.requireAdmin(scope, refusal); // 403
      }
      await precondition.assert(() => this.withAuthor(scope, comment)); // 412
      this.repository.remove(scope, comment);
      this.recordOnParent(scope, comment, 'comment_deleted');
    });
  }

  private async lockComment(scope: Scope, id: string): Promise<Comment> {
    const comment = await this.repository.lock(scope, id);
    if (!comment) throw new ResourceNotFoundError('comment');
    return comment;
  }

  /** Records the activity on the commented entity, so that its feed includes comments. */
  private recordOnParent(scope: Scope, comment: Comment, action: ActivityAction): void {
    this.activity.record(scope, [entryOnParent(comment, action)]);
  }

  private async withAuthor(scope: Scope, comment: Comment): Promise<CommentResponse> {
    return toCommentResponse(comment, await this.users.findPerson(scope, comment.authorUserId));
  }
}

/** The record of an action on a comment, which is about the commented entity. */
export function entryOnParent(comment: Comment, action: ActivityAction): ActivityEntry {
  return {
    entityType: comment.entityType,
    entityId: comment.entityId,
    cycleId: comment.cycleId ?? undefined,
    action,
    changes: { comment_id: { from: null, to: comment.id } },
  };
}
