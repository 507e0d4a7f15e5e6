import { Module } from '@nestjs/common';
import { HouseholdAdminService } from '../operators/households/household-admin.service.js';
import { UsersModule } from '../users/users.module.js';
import { HouseholdsController } from './households.controller.js';
import { HouseholdsRepository } from './households.repository.js';
import { HouseholdsService } from './households.service.js';
import { InvitationsRepository } from './invitations.repository.js';
import { InvitationsService } from './invitations.service.js';

@Module({
  imports: [UsersModule],
  controllers: [HouseholdsController],
  providers: [
    HouseholdsService,
    HouseholdsRepository,
    HouseholdAdminService,
    InvitationsService,
    InvitationsRepository,
  ],
  exports: [HouseholdsService, HouseholdAdminService, InvitationsService],
})
export class HouseholdsModule {}
