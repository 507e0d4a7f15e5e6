import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { UsersModule } from '../users/users.module.js';
import { DataExportService } from './data-export.service.js';
import { DataImportService } from './data-import.service.js';
import { PortabilityController } from './portability.controller.js';

@Module({
  imports: [UsersModule, ActivityModule, LedgerModule],
  controllers: [PortabilityController],
  providers: [DataExportService, DataImportService],
})
export class PortabilityModule {}
