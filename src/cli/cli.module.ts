import { Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BackupModule } from '../backup/backup.module.js';
import { ConfigModule } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import { DatabaseModule } from '../database/database.module.js';
import { DemoModule } from '../demo/demo.module.js';
import { ExchangeRatesModule } from '../exchange-rates/exchange-rates.module.js';
import { HouseholdsModule } from '../households/households.module.js';
import { IntegrityModule } from '../integrity/integrity.module.js';
import { ObservabilityModule } from '../observability/observability.module.js';
import { UsersModule } from '../users/users.module.js';

/** The service's rooms without what only requests need: guards, rate limits, probes. */
@Module({})
export class CliModule {
  static register(settings: Settings): DynamicModule {
    return {
      module: CliModule,
      imports: [
        ConfigModule.register(settings),
        ObservabilityModule,
        DatabaseModule,
        UsersModule,
        HouseholdsModule,
        AuthModule,
        ExchangeRatesModule,
        DemoModule,
        BackupModule,
        IntegrityModule,
      ],
    };
  }
}
