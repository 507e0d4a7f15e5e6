import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { UsersModule } from '../users/users.module.js';
import { CommentTargetsRepository } from './comment-targets.repository.js';
import { CommentsController } from './comments.controller.js';
import { CommentsRepository } from './comments.repository.js';
import { CommentsService } from './comments.service.js';

@Module({
  imports: [ActivityModule, UsersModule],
  controllers: [CommentsController],
  providers: [CommentsService, CommentsRepository, CommentTargetsRepository],
  exports: [CommentsService],
})
export class CommentsModule {}
