import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { CyclesModule } from '../cycles/cycles.module.js';
import { ExpensesModule } from '../expenses/expenses.module.js';
import { IncomesModule } from '../incomes/incomes.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PaymentMethodsModule } from '../payment-methods/payment-methods.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { UndoController } from './undo.controller.js';
import { UndoService } from './undo.service.js';

@Module({
  imports: [
    ActivityModule,
    CyclesModule,
    ExpensesModule,
    IncomesModule,
    LedgerModule,
    PaymentMethodsModule,
    TemplatesModule,
  ],
  controllers: [UndoController],
  providers: [UndoService],
})
export class UndoModule {}
