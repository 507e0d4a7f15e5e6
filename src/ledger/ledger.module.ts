import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { BudgetsModule } from '../budgets/budgets.module.js';
import { ExchangeRatesModule } from '../exchange-rates/exchange-rates.module.js';
import { PaymentMethodsModule } from '../payment-methods/payment-methods.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { CyclesRepository } from './cycles.repository.js';
import { EntriesRepository } from './entries.repository.js';
import { EntryGenerator } from './generation/entry-generator.js';
import { Ledger } from './ledger.js';
import { LedgerUndo } from './undo/ledger-undo.js';

@Module({
  imports: [
    ActivityModule,
    BudgetsModule,
    ExchangeRatesModule,
    PaymentMethodsModule,
    TemplatesModule,
  ],
  providers: [CyclesRepository, EntriesRepository, Ledger, LedgerUndo, EntryGenerator],
  exports: [Ledger, LedgerUndo, EntryGenerator],
})
export class LedgerModule {}
