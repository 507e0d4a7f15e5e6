import {
  Global,
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SETTINGS } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import { Metrics } from '../metrics/metrics.js';
import { Connections } from './connections.js';
import { DATABASE_SCHEMA, type Schema } from './data-source.js';
import { Database } from './database.js';
import { ExpiredRows } from './expired-rows.js';
import { openDatabase, type OpenDatabase } from './open-database.js';

export const OPEN_DATABASE = Symbol('OPEN_DATABASE');

/** The connected, migrated database. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    @Inject(OPEN_DATABASE) private readonly opened: OpenDatabase,
    connections: Connections,
    metrics: Metrics,
  ) {
    metrics.observePool(opened.pool, connections);
  }

  static forRoot(schema: Schema): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: DATABASE_SCHEMA, useValue: schema },
        {
          provide: OPEN_DATABASE,
          inject: [SETTINGS],
          useFactory: (settings: Settings) => openDatabase(settings.database, schema),
        },
        {
          provide: DataSource,
          inject: [OPEN_DATABASE],
          useFactory: ({ dataSource }: OpenDatabase) => dataSource,
        },
        Connections,
        Database,
        ExpiredRows,
      ],
      exports: [Database, ExpiredRows, OPEN_DATABASE],
    };
  }

  /** Nest calls this after the HTTP server is closed. */
  async onApplicationShutdown(): Promise<void> {
    await this.opened.close();
  }
}
