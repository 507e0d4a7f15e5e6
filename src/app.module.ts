import { Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, HttpAdapterHost } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import { AccountsModule } from './accounts/accounts.module.js';
import { ActivityModule } from './activity/activity.module.js';
import { AssistantsModule } from './assistants/assistants.module.js';
import { AccessTokenGuard } from './auth/access-token.guard.js';
import { AuthModule } from './auth/auth.module.js';
import { BalancesModule } from './balances/balances.module.js';
import { BudgetsModule } from './budgets/budgets.module.js';
import { CalendarModule } from './calendar/calendar.module.js';
import { CardsModule } from './cards/cards.module.js';
import { ChangesModule } from './changes/changes.module.js';
import { CommentsModule } from './comments/comments.module.js';
import { CyclesModule } from './cycles/cycles.module.js';
import { STATUS_OF_CODE } from './errors/error-catalog.js';
import { ExpensesModule } from './expenses/expenses.module.js';
import { ForecastModule } from './forecast/forecast.module.js';
import { HouseholdsModule } from './households/households.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { IncomesModule } from './incomes/incomes.module.js';
import { PaymentMethodsModule } from './payment-methods/payment-methods.module.js';
import { ConfigModule } from './platform/config/config.module.js';
import type { Settings } from './platform/config/settings.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { RequestValidationPipe } from './platform/dto/request-validation.pipe.js';
import { ErrorFilter } from './platform/errors/error.filter.js';
import { registerMethodNotAllowed } from './platform/http/method-not-allowed.js';
import { MetricsModule } from './platform/metrics/metrics.module.js';
import { RateLimitGuard } from './platform/rate-limits/rate-limit.guard.js';
import { RateLimitsModule } from './platform/rate-limits/rate-limits.module.js';
import { RequestsInProgressGuard } from './platform/rate-limits/requests-in-progress.guard.js';
import { PortabilityModule } from './portability/portability.module.js';
import { RATE_LIMITS } from './rate-limits.js';
import { RateUpdatesModule } from './rate-updates/rate-updates.module.js';
import { RateUpdatesSchedule } from './rate-updates/rate-updates.schedule.js';
import { RemindersModule } from './reminders/reminders.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { SCHEMA } from './schema.js';
import { SystemModule } from './system/system.module.js';
import { TemplatesModule } from './templates/templates.module.js';
import { UndoModule } from './undo/undo.module.js';
import { invalidToken, isOwnerViolation } from './users/user-errors.js';
import { UsersModule } from './users/users.module.js';

/**
 * Responds to every error, also to those of requests that do not reach Nest. A user who was deleted
 * during the request has no valid token.
 */
export const ERROR_FILTER = new ErrorFilter(STATUS_OF_CODE, (thrown) =>
  isOwnerViolation(thrown) ? invalidToken() : undefined,
);

/** The root module. Guards run in the order of the providers. */
@Module({})
export class AppModule implements OnModuleInit {
  constructor(private readonly adapterHost: HttpAdapterHost<ExpressAdapter>) {}

  /** @param more modules that only the sandbox or the demo has */
  static register(settings: Settings, ...more: DynamicModule[]): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.register(settings),
        MetricsModule,
        DatabaseModule.forRoot(SCHEMA),
        UsersModule,
        RateLimitsModule.forRoot(RATE_LIMITS),
        IdempotencyModule,
        // Express matches routes in the order of the modules: the most frequently requested come
        // first.
        AuthModule,
        AccountsModule,
        CyclesModule,
        ExpensesModule,
        ForecastModule,
        ReportsModule,
        ActivityModule,
        PaymentMethodsModule,
        BudgetsModule,
        BalancesModule,
        CardsModule,
        IncomesModule,
        TemplatesModule,
        CommentsModule,
        ChangesModule,
        UndoModule,
        HouseholdsModule,
        CalendarModule,
        PortabilityModule,
        SystemModule,
        RateUpdatesModule,
        RemindersModule,
        ...(settings.isMcpEnabled ? [AssistantsModule] : []),
        ...more,
      ],
      providers: [
        // Here, because the operators' commands import the module, too, and run no background
        // tasks.
        RateUpdatesSchedule,
        { provide: APP_GUARD, useClass: AccessTokenGuard },
        { provide: APP_GUARD, useClass: RequestsInProgressGuard },
        { provide: APP_GUARD, useClass: RateLimitGuard },
        { provide: APP_PIPE, useClass: RequestValidationPipe },
        { provide: APP_FILTER, useValue: ERROR_FILTER },
      ],
    };
  }

  /** Runs after all routes are registered and before Nest adds its handler of unknown paths. */
  onModuleInit(): void {
    registerMethodNotAllowed(this.adapterHost.httpAdapter.getInstance<Express>());
  }
}
