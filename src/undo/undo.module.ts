import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { RecordServices } from '../records/record-services.js';
import { UndoController } from './undo.controller.js';
import { UndoService } from './undo.service.js';

@Module({
  imports: [ActivityModule, LedgerModule],
  controllers: [UndoController],
  providers: [UndoService, RecordServices],
})
export class UndoModule {}
