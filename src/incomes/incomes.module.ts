import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PaymentMethodsModule } from '../payment-methods/payment-methods.module.js';
import { IncomeTemplatesController } from './income-templates.controller.js';
import { IncomeTemplatesService } from './income-templates.service.js';
import { IncomesController } from './incomes.controller.js';
import { IncomesService } from './incomes.service.js';

@Module({
  imports: [LedgerModule, PaymentMethodsModule, ActivityModule],
  controllers: [IncomesController, IncomeTemplatesController],
  providers: [IncomesService, IncomeTemplatesService],
  exports: [IncomesService, IncomeTemplatesService],
})
export class IncomesModule {}
