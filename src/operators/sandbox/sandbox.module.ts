import { Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { BudgetsModule } from '../../budgets/budgets.module.js';
import { CommentsModule } from '../../comments/comments.module.js';
import { CyclesModule } from '../../cycles/cycles.module.js';
import { ExchangeRatesModule } from '../../exchange-rates/exchange-rates.module.js';
import { ExpensesModule } from '../../expenses/expenses.module.js';
import { ForecastModule } from '../../forecast/forecast.module.js';
import { IncomesModule } from '../../incomes/incomes.module.js';
import { PaymentMethodsModule } from '../../payment-methods/payment-methods.module.js';
import { TemplatesModule } from '../../templates/templates.module.js';
import { SandboxDay } from './sandbox-day.js';
import { SandboxHousehold } from './sandbox-household.js';
import { SandboxController } from './sandbox.controller.js';
import { SandboxService } from './sandbox.service.js';

/** Of the routes, which are outside the API prefix. */
export const SANDBOX_PATHS = ['sandbox/reset', 'sandbox/today'];

/** What the service has in the sandbox alone. */
@Module({})
export class SandboxModule {
  static register(day: SandboxDay): DynamicModule {
    return {
      module: SandboxModule,
      imports: [
        AuthModule,
        ExchangeRatesModule,
        PaymentMethodsModule,
        BudgetsModule,
        TemplatesModule,
        CyclesModule,
        ExpensesModule,
        IncomesModule,
        ForecastModule,
        CommentsModule,
      ],
      controllers: [SandboxController],
      providers: [SandboxService, SandboxHousehold, { provide: SandboxDay, useValue: day }],
    };
  }
}
