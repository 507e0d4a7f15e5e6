import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Patch,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { FeedQuery } from '../activity/feed.js';
import { linkToNextPage, NEXT_PAGE_HEADER } from '../common/http/link-header.js';
import { UuidParam } from '../common/http/uuid.pipe.js';
import { ApiErrors } from '../common/errors/api-errors.decorator.js';
import { CurrentUser, type AuthenticatedUser } from '../users/current-user.decorator.js';
import { CommentsService } from './comments.service.js';
import {
  CommentResponse,
  CreateCommentDto,
  toCommentResponse,
  UpdateCommentDto,
} from './dto/comment.dto.js';

@ApiTags('Activity and comments')
@ApiBearerAuth()
@Controller('comments')
export class CommentsController {
  constructor(private readonly comments: CommentsService) {}

  @Get()
  @ApiOperation({
    summary: 'List the comments on an entity or in a cycle',
    description:
      'Of the whole household, newest first: those on one entity (`entity_type` with ' +
      '`entity_id`), those in a cycle and on its expenses (`cycle_id`), or both at once; ' +
      'empty without a scope. Deleted comments, and those on a deleted entity, are left ' +
      'out. While there are more, the `Link` header has the address of the next page.',
  })
  @ApiOkResponse({ type: [CommentResponse], headers: NEXT_PAGE_HEADER })
  async list(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: FeedQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CommentResponse[]> {
    const { items, hasMore } = await this.comments.list(user, query);
    const comments = items.map(toCommentResponse);
    if (hasMore) linkToNextPage(request, response, { before: comments.at(-1)?.id ?? '' });
    return comments;
  }

  @Post()
  @ApiOperation({
    summary: 'Comment on an entity of the household',
    description:
      'Any member may comment on the payment methods, templates (`recurrent_expense`), ' +
      'cycles and expenses of everyone in the household, also on inactive or completed ' +
      'ones. The body is Markdown and stored as it is sent. The timeline of the entity gets ' +
      '`commented`.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND')
  @ApiCreatedResponse({ type: CommentResponse })
  async create(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: CreateCommentDto,
  ): Promise<CommentResponse> {
    return toCommentResponse(await this.comments.create(user, dto));
  }

  @Patch(':id')
  @ApiOperation({
    summary: 'Edit an own comment',
    description:
      'Only the author may. Sets `edited_at`, and the timeline of the entity gets ' +
      '`comment_edited`; the same body again changes nothing.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND', 'FORBIDDEN')
  @ApiOkResponse({ type: CommentResponse })
  async edit(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'comment') id: string,
    @Body() dto: UpdateCommentDto,
  ): Promise<CommentResponse> {
    return toCommentResponse(await this.comments.edit(user, id, dto));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete an own comment, or any as an admin',
    description:
      'The author and the admins of the household may. The comment is gone from the lists ' +
      'and the timeline of the entity gets `comment_deleted`; deleting it again is a 404.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND', 'FORBIDDEN')
  @ApiNoContentResponse()
  async remove(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'comment') id: string,
  ): Promise<void> {
    await this.comments.remove(user, id);
  }
}
