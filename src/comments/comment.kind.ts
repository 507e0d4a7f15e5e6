import type { RecordKind } from '../records/record-kind.js';
import { CommentsService } from './comments.service.js';
import { CommentResponse } from './dto/comment.dto.js';

export const COMMENT_KIND: RecordKind<'comment'> = {
  type: 'comment',
  representation: CommentResponse,
  service: CommentsService,
};
