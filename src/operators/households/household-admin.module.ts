import { Module } from '@nestjs/common';
import { HouseholdsModule } from '../../households/households.module.js';
import { HouseholdAdminService } from './household-admin.service.js';

@Module({
  imports: [HouseholdsModule],
  providers: [HouseholdAdminService],
  exports: [HouseholdAdminService],
})
export class HouseholdAdminModule {}
