import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { HouseholdsController } from './households.controller.js';
import { HouseholdsRepository } from './households.repository.js';
import { HouseholdsService } from './households.service.js';
import { InvitationsRepository } from './invitations.repository.js';
import { InvitationsService } from './invitations.service.js';

@Module({
  imports: [UsersModule],
  controllers: [HouseholdsController],
  providers: [HouseholdsService, HouseholdsRepository, InvitationsService, InvitationsRepository],
  exports: [HouseholdsService, InvitationsService],
})
export class HouseholdsModule {}
