import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { BalancesModule } from '../../balances/balances.module.js';
import { BudgetsModule } from '../../budgets/budgets.module.js';
import { CardsModule } from '../../cards/cards.module.js';
import { CommentsModule } from '../../comments/comments.module.js';
import { CyclesModule } from '../../cycles/cycles.module.js';
import { ExchangeRatesModule } from '../../exchange-rates/exchange-rates.module.js';
import { ExpensesModule } from '../../expenses/expenses.module.js';
import { ForecastModule } from '../../forecast/forecast.module.js';
import { IncomesModule } from '../../incomes/incomes.module.js';
import { PaymentMethodsModule } from '../../payment-methods/payment-methods.module.js';
import { TemplatesModule } from '../../templates/templates.module.js';
import { SampleCard } from './sample-card.js';
import { SampleHousehold } from './sample-household.js';

@Module({
  imports: [
    AuthModule,
    ExchangeRatesModule,
    PaymentMethodsModule,
    BalancesModule,
    CardsModule,
    BudgetsModule,
    TemplatesModule,
    CyclesModule,
    ExpensesModule,
    IncomesModule,
    ForecastModule,
    CommentsModule,
  ],
  providers: [SampleHousehold, SampleCard],
  exports: [SampleHousehold],
})
export class SampleHouseholdModule {}
