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
import { linkToNextPage } from '../common/http/link-header.js';
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
      'Newest first; empty without a scope. The Link header has the address of the next page.',
  })
  @ApiOkResponse({ type: [CommentResponse] })
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
  @ApiOperation({ summary: 'Comment on an entity of the household' })
  @ApiErrors('RESOURCE_NOT_FOUND')
  @ApiCreatedResponse({ type: CommentResponse })
  async create(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: CreateCommentDto,
  ): Promise<CommentResponse> {
    return toCommentResponse(await this.comments.create(user, dto));
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Edit an own comment' })
  @ApiErrors('FORBIDDEN')
  @ApiOkResponse({ type: CommentResponse })
  async edit(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id') id: string,
    @Body() dto: UpdateCommentDto,
  ): Promise<CommentResponse> {
    return toCommentResponse(await this.comments.edit(user, id, dto));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete an own comment, or any as an admin' })
  @ApiErrors('FORBIDDEN')
  @ApiNoContentResponse()
  async remove(@CurrentUser() user: AuthenticatedUser, @UuidParam('id') id: string): Promise<void> {
    await this.comments.remove(user, id);
  }
}
