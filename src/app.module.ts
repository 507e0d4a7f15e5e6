import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { ActivityModule } from './activity/activity.module.js';
import { AccessTokenGuard } from './auth/access-token.guard.js';
import { AccountGuard } from './auth/account.guard.js';
import { AuthModule } from './auth/auth.module.js';
import { CommentsModule } from './comments/comments.module.js';
import { ErrorFilter } from './common/errors/error.filter.js';
import { ContentTypeGuard } from './common/http/content-type.guard.js';
import { RequestValidationPipe } from './common/http/request-validation.pipe.js';
import { ConfigModule } from './config/config.module.js';
import type { Settings } from './config/settings.js';
import { CyclesModule } from './cycles/cycles.module.js';
import { DatabaseModule } from './database/database.module.js';
import { ExpensesModule } from './expenses/expenses.module.js';
import { HouseholdsModule } from './households/households.module.js';
import { ObservabilityModule } from './observability/observability.module.js';
import { PaymentMethodsModule } from './payment-methods/payment-methods.module.js';
import { AccountLimitGuard } from './rate-limits/account-limit.guard.js';
import { RateLimitGuard } from './rate-limits/rate-limit.guard.js';
import { RateLimitsModule } from './rate-limits/rate-limits.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { SystemModule } from './system/system.module.js';
import { TemplatesModule } from './templates/templates.module.js';
import { UsersModule } from './users/users.module.js';

/** The table of contents. Guards run in the order they stand here. */
@Module({})
export class AppModule {
  static register(settings: Settings): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.register(settings),
        ObservabilityModule,
        DatabaseModule,
        UsersModule,
        RateLimitsModule,
        // A request's route is looked for in the order of the modules: what is asked for most comes first.
        AuthModule,
        CyclesModule,
        ExpensesModule,
        ReportsModule,
        ActivityModule,
        PaymentMethodsModule,
        TemplatesModule,
        CommentsModule,
        HouseholdsModule,
        SystemModule,
      ],
      providers: [
        { provide: APP_GUARD, useClass: AccessTokenGuard },
        { provide: APP_GUARD, useClass: RateLimitGuard },
        { provide: APP_GUARD, useClass: AccountGuard },
        { provide: APP_GUARD, useClass: AccountLimitGuard },
        { provide: APP_GUARD, useClass: ContentTypeGuard },
        { provide: APP_PIPE, useClass: RequestValidationPipe },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
