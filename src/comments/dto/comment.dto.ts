import { ApiExtraModels, ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EnumField, TextField, UuidField } from '../../platform/dto/fields.js';
import {
  CreatedAtProperty,
  EnumProperty,
  InstantProperty,
  TextProperty,
  UpdatedAtProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import { orNull } from '../../platform/openapi/nullable-reference.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { COMMENTABLE_TYPES, type CommentableType } from '../../records/record-types.js';
import { PersonResponse, toPersonResponse } from '../../users/dto/user.dto.js';
import type { Person } from '../../users/user.entity.js';
import type { Comment } from '../comment.entity.js';

const BODY = {
  min: 1,
  max: 10_000,
  verbatim: true,
  example: 'Ask for the **discount** before paying.',
  description: 'Markdown, stored as sent',
};

@ApiSchema({ description: 'A new comment on an entity' })
export class CreateCommentDto {
  @EnumField(COMMENTABLE_TYPES, 'CommentableType', {
    example: 'cycle_expense',
    description: 'The kind of the entity',
  })
  entity_type!: CommentableType;

  @UuidField({ example: EXAMPLE_ID.expense, description: 'An entity of the household' })
  entity_id!: string;

  @TextField(BODY)
  body!: string;
}

@ApiSchema({ description: 'The new text of a comment' })
export class UpdateCommentDto {
  @TextField(BODY)
  body!: string;
}

@ApiExtraModels(PersonResponse)
@ApiSchema({ description: 'A comment of a member of the household' })
export class CommentResponse {
  @UuidProperty(EXAMPLE_ID.comment, { description: 'The id of the comment' })
  id!: string;

  @UuidProperty(EXAMPLE_ID.household, { description: 'The household whose members can read it' })
  household_id!: string;

  @EnumProperty(COMMENTABLE_TYPES, 'CommentableType', {
    example: 'cycle_expense',
    description: 'The kind of the entity',
  })
  entity_type!: CommentableType;

  @UuidProperty(EXAMPLE_ID.expense, { description: 'The entity that it is about' })
  entity_id!: string;

  @UuidProperty(EXAMPLE_ID.cycle, {
    nullable: true,
    description: 'The cycle that the entity is or belongs to',
  })
  cycle_id!: string | null;

  @UuidProperty(EXAMPLE_ID.user, { description: 'The user who wrote it' })
  author_user_id!: string;

  @TextProperty({
    example: BODY.example,
    description: 'Markdown, as sent; HTML in it must be sanitized before rendering',
  })
  body!: string;

  @InstantProperty({ nullable: true, example: null, description: 'null: never edited' })
  edited_at!: string | null;

  @ApiProperty({
    type: 'boolean',
    enum: [true],
    example: true,
    description: 'Always true: deleted comments are not returned',
  })
  active!: boolean;

  @CreatedAtProperty()
  created_at!: string;

  @UpdatedAtProperty()
  updated_at!: string;

  @ApiProperty({
    ...orNull(PersonResponse),
    description: 'null: the user was deleted',
  })
  author!: PersonResponse | null;
}

/** @param author null: the user was deleted */
export function toCommentResponse(comment: Comment, author: Person | null): CommentResponse {
  return {
    id: comment.id,
    household_id: comment.householdId,
    entity_type: comment.entityType,
    entity_id: comment.entityId,
    cycle_id: comment.cycleId,
    author_user_id: comment.authorUserId,
    body: comment.body,
    edited_at: comment.editedAt?.toISOString() ?? null,
    active: comment.active,
    created_at: comment.createdAt.toISOString(),
    updated_at: comment.updatedAt.toISOString(),
    author: author && toPersonResponse(author),
  };
}
