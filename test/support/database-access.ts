import type { DataSource } from 'typeorm';
import { Connections } from '../../src/platform/database/connections.js';
import { Database } from '../../src/platform/database/database.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { SCHEMA } from '../../src/schema.js';

/** Access to a database without the application. */
export const databaseOf = (dataSource: DataSource): Database =>
  new Database(
    dataSource,
    new Metrics(),
    new Connections(dataSource, { rateLimits: { enabled: false } }),
    SCHEMA,
  );
