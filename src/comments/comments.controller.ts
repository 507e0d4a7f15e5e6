import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Patch,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { FeedQuery } from '../activity/feed.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { LimitReachedError, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { IfMatch } from '../platform/http/if-match.decorator.js';
import { NEXT_PAGE_HEADER, setNextPageLink } from '../platform/http/page-links.js';
import { Precondition } from '../platform/values/precondition.js';
import { UuidParam } from '../records/record-ids.js';
import { CreatesRecord, DeletesRecord, Reads, UpdatesRecord } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { MAX_COMMENTS } from './comment.entity.js';
import { CommentsService } from './comments.service.js';
import { CommentResponse, CreateCommentDto, UpdateCommentDto } from './dto/comment.dto.js';

@ApiTags('Activity and comments')
@ApiBearerAuth()
@Controller('comments')
export class CommentsController {
  constructor(
    private readonly comments: CommentsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @Reads([CommentResponse], {
    summary: 'List comments',
    description:
      'The comments of the household, newest first: on an entity (`entity_type` with ' +
      '`entity_id`), on a cycle, its expenses and its incomes (`cycle_id`), or both filters ' +
      'combined; empty without a filter. Excludes deleted comments and comments on deleted entities. ' +
      'The `Link` header has the URL of the next page, if there is one.',
    headers: NEXT_PAGE_HEADER,
  })
  async listComments(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: FeedQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CommentResponse[]> {
    const { items, hasMore } = await this.comments.list(user, query);
    if (hasMore) {
      const next = { before: items.at(-1)?.id ?? '' };
      setNextPageLink(request, response, next, this.settings);
    }
    return items;
  }

  @Post()
  @CreatesRecord(CommentResponse, {
    summary: 'Create a comment',
    description:
      'Members can comment on the payment methods, templates (`recurrent_expense`, `recurrent_income`), cycles, ' +
      'expenses and incomes of all members of the household, also on inactive or completed ones. The body is ' +
      'Markdown and stored as sent: a client that renders it must sanitise HTML. Creates the activity record ' +
      '`commented`.',
    errors: [
      new ResourceNotFoundError('cycle_expense'),
      new LimitReachedError('comment', MAX_COMMENTS),
    ],
    hasLocation: false,
  })
  createComment(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: CreateCommentDto,
  ): Promise<CommentResponse> {
    return this.comments.create(user, dto);
  }

  @Patch(':id')
  @UpdatesRecord(CommentResponse, {
    summary: 'Edit a comment',
    description:
      'Only the author can edit a comment. Sets `edited_at` and creates the activity record ' +
      '`comment_edited`; the same body changes nothing.',
    errors: ['RESOURCE_NOT_FOUND', 'FORBIDDEN'],
  })
  updateComment(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'comment') id: string,
    @Body() dto: UpdateCommentDto,
    @IfMatch() precondition: Precondition,
  ): Promise<CommentResponse> {
    return this.comments.edit(user, id, dto, precondition);
  }

  @Delete(':id')
  @DeletesRecord({
    summary: 'Delete a comment',
    description:
      'The author and the admins of the household can delete a comment; a personal access token only ' +
      'those of its own user. It is no longer listed. Creates the activity record `comment_deleted`; deleting it again is a 404.',
    errors: ['RESOURCE_NOT_FOUND', 'FORBIDDEN'],
  })
  deleteComment(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'comment') id: string,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.comments.remove(user, id, precondition);
  }
}
