import { ApiProperty } from '@nestjs/swagger';
import { EnumField, TextField, UuidField } from '../../common/http/fields.js';
import { PersonResponse, toPersonResponse } from '../../users/person.js';
import { COMMENTABLE_TYPES, type CommentableType } from '../comment.entity.js';
import type { CommentWithAuthor } from '../comments.service.js';

const BODY = {
  min: 1,
  max: 10_000,
  verbatim: true,
  notBlank: true,
  example: 'Ask for the **discount** before paying.',
  description: 'Markdown, kept as it is sent',
};

export class CreateCommentDto {
  @EnumField(COMMENTABLE_TYPES, 'CommentableType')
  entity_type!: CommentableType;

  @UuidField()
  entity_id!: string;

  @TextField(BODY)
  body!: string;
}

export class UpdateCommentDto {
  @TextField(BODY)
  body!: string;
}

export class CommentResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  household_id!: string;

  @ApiProperty({ enum: COMMENTABLE_TYPES, enumName: 'CommentableType' })
  entity_type!: CommentableType;

  @ApiProperty({ format: 'uuid' })
  entity_id!: string;

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true })
  cycle_id!: string | null;

  @ApiProperty({ format: 'uuid' })
  author_user_id!: string;

  @ApiProperty()
  body!: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  edited_at!: string | null;

  @ApiProperty({ enum: [true] })
  active!: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  updated_at!: string;

  @ApiProperty({
    type: PersonResponse,
    nullable: true,
    description: 'Null once the account is gone',
  })
  author!: PersonResponse | null;
}

export function toCommentResponse(comment: CommentWithAuthor): CommentResponse {
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
    author: comment.author && toPersonResponse(comment.author),
  };
}
