import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { IncomesController } from './incomes.controller.js';
import { IncomesService } from './incomes.service.js';

@Module({
  imports: [LedgerModule],
  controllers: [IncomesController],
  providers: [IncomesService],
  exports: [IncomesService],
})
export class IncomesModule {}
