import { Module } from '@nestjs/common';
import { CommentsModule } from '../comments/comments.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PaymentMethodsModule } from '../payment-methods/payment-methods.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { UsersModule } from '../users/users.module.js';
import { DataExportService } from './data-export.service.js';
import { DataImportService } from './data-import.service.js';
import { PortabilityController } from './portability.controller.js';

@Module({
  imports: [UsersModule, PaymentMethodsModule, TemplatesModule, LedgerModule, CommentsModule],
  controllers: [PortabilityController],
  providers: [DataExportService, DataImportService],
})
export class PortabilityModule {}
