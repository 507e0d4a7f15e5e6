import { Module, type DynamicModule } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { ExchangeRatesModule } from '../../exchange-rates/exchange-rates.module.js';
import { IdempotencyModule } from '../../idempotency/idempotency.module.js';
import { ConfigModule } from '../../platform/config/config.module.js';
import type { Settings } from '../../platform/config/settings.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { MetricsModule } from '../../platform/metrics/metrics.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { RATE_LIMITS } from '../../rate-limits.js';
import { RateUpdatesModule } from '../../rate-updates/rate-updates.module.js';
import { SCHEMA } from '../../schema.js';
import { UsersModule } from '../../users/users.module.js';
import { BackupModule } from '../backup/backup.module.js';
import { DistributionModule } from '../distribution/distribution.module.js';
import { HouseholdAdminModule } from '../households/household-admin.module.js';
import { IntegrityModule } from '../integrity/integrity.module.js';
import { SampleHouseholdModule } from '../sample-household/sample-household.module.js';

/** The modules of the service without those for HTTP requests: guards, probes. */
@Module({})
export class CliModule {
  static register(settings: Settings): DynamicModule {
    return {
      module: CliModule,
      imports: [
        ConfigModule.register(settings),
        MetricsModule,
        DatabaseModule.forRoot(SCHEMA),
        UsersModule,
        RateLimitsModule.forRoot(RATE_LIMITS),
        IdempotencyModule,
        HouseholdAdminModule,
        AuthModule,
        AccountsModule,
        ExchangeRatesModule,
        RateUpdatesModule,
        SampleHouseholdModule,
        BackupModule,
        IntegrityModule,
        DistributionModule,
      ],
    };
  }
}
