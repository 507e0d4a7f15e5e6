import { Module } from '@nestjs/common';
import { CommentsModule } from '../comments/comments.module.js';
import { CyclesModule } from '../cycles/cycles.module.js';
import { ExpensesModule } from '../expenses/expenses.module.js';
import { IncomesModule } from '../incomes/incomes.module.js';
import { PaymentMethodsModule } from '../payment-methods/payment-methods.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { ChangesController } from './changes.controller.js';
import { ChangesService } from './changes.service.js';

@Module({
  imports: [
    CommentsModule,
    CyclesModule,
    ExpensesModule,
    IncomesModule,
    PaymentMethodsModule,
    TemplatesModule,
  ],
  controllers: [ChangesController],
  providers: [ChangesService],
})
export class ChangesModule {}
