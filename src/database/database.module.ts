import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SETTINGS } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import { Metrics } from '../observability/metrics.js';
import { Database } from './database.js';
import { openDatabase, type OpenDatabase } from './open-database.js';

const OPEN_DATABASE = Symbol('OPEN_DATABASE');

@Global()
@Module({
  providers: [
    {
      provide: OPEN_DATABASE,
      inject: [SETTINGS],
      useFactory: (settings: Settings) => openDatabase(settings.database),
    },
    {
      provide: DataSource,
      inject: [OPEN_DATABASE],
      useFactory: ({ dataSource }: OpenDatabase) => dataSource,
    },
    Database,
  ],
  exports: [Database],
})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    @Inject(OPEN_DATABASE) private readonly opened: OpenDatabase,
    metrics: Metrics,
  ) {
    metrics.watchPool(opened.pool);
  }

  /** After the listener is closed and no request is left. */
  async onApplicationShutdown(): Promise<void> {
    await this.opened.close();
  }
}
