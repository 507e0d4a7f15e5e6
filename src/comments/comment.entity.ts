import { Column, Entity, Index } from 'typeorm';
import { INSTANT } from '../platform/database/columns.js';
import type { UserId } from '../platform/values/user-id.js';
import {
  editable,
  instant,
  recordFields,
  setFields,
  type RecordFields,
} from '../records/record-fields.js';
import type { CommentableType } from '../records/record-types.js';
import { HouseholdRecord, TIME_FIELDS } from '../records/stored-record.js';

/** The comments on one entity, whoever wrote them; deleted ones do not count. */
export const MAX_COMMENTS = 1000;

/** A comment on an entity, visible to the household. */
@Entity('comments')
@Index('ix_comments_entity', ['householdId', 'entityType', 'entityId', 'seq'])
@Index('ix_comments_cycle', ['householdId', 'cycleId', 'seq'])
export class Comment extends HouseholdRecord {
  @Column({ name: 'entity_type', type: 'varchar', length: 40 })
  entityType!: CommentableType;

  @Column({ name: 'entity_id', type: 'uuid' })
  entityId!: string;

  /** The cycle whose feed shows the comment. */
  @Column({ name: 'cycle_id', type: 'uuid', nullable: true })
  cycleId!: string | null;

  @Column({ name: 'author_user_id', type: 'uuid' })
  authorUserId!: UserId;

  /** Markdown, stored as sent. */
  @Column({ type: 'text' })
  body!: string;

  @Column({ ...INSTANT, name: 'edited_at', nullable: true })
  editedAt: Date | null = null;

  @Column({ type: 'boolean', default: true })
  active = true;

  static readonly fields = recordFields<Comment>()(
    {
      id: 'id',
      entity_type: 'entityType',
      entity_id: 'entityId',
      body: editable('body'),
      edited_at: instant('editedAt'),
      ...TIME_FIELDS,
    },
    ['cycleId', 'authorUserId', 'active'],
  );

  get fields(): RecordFields {
    return Comment.fields;
  }

  static create(
    author: UserId,
    fields: Pick<Comment, 'entityType' | 'entityId' | 'cycleId' | 'body'>,
  ): Comment {
    const comment = new Comment();
    comment.begin();
    comment.authorUserId = author;
    setFields(comment, fields);
    return comment;
  }
}
