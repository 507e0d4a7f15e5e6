import { Module } from '@nestjs/common';
import { SessionsRepository } from '../auth/sessions.repository.js';
import { SessionsService } from '../auth/sessions.service.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

@Module({
  providers: [UsersService, UsersRepository, SessionsService, SessionsRepository],
  exports: [UsersService, SessionsService],
})
export class UsersModule {}
