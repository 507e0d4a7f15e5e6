import { Module } from '@nestjs/common';
import { SessionsService } from './sessions.service.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

@Module({
  providers: [UsersService, UsersRepository, SessionsService],
  exports: [UsersService, SessionsService],
})
export class UsersModule {}
