import pg, { type CustomTypesConfig } from 'pg';
import { DataSource } from 'typeorm';
import { ActivityRecord } from '../activity/activity-record.entity.js';
import { Comment } from '../comments/comment.entity.js';
import type { DatabaseSettings } from '../config/settings.js';
import { CycleExpense } from '../cycles/cycle-expense.entity.js';
import { Cycle } from '../cycles/cycle.entity.js';
import { ExchangeRate } from '../exchange-rates/exchange-rate.entity.js';
import { Invitation } from '../households/invitation.entity.js';
import { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { Template } from '../templates/template.entity.js';
import { Household } from '../users/household.entity.js';
import { User } from '../users/user.entity.js';
import type { EmbeddedDatabase } from './embedded/embedded-database.js';
import { migrations } from './migrations/index.js';

/** Longest wait for a free connection, and so for a query that waits for its own transaction. */
const CONNECT_TIMEOUT_MS = 30_000;
const POOL_SIZE = 10;

/** Whatever the server's own defaults are: dates and timestamps are read in these forms. */
const SESSION_OPTIONS = '-c datestyle=ISO -c timezone=UTC';

/** A calendar date stays the text it is; the driver's default makes it a moment in local time. */
const types: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.DATE
      ? (value: string) => value
      : (pg.types.getTypeParser(oid, format) as (value: string) => unknown),
};

/** The data source of the service, the same on a server and on the embedded engine. */
export function createDataSource(
  settings: DatabaseSettings,
  embedded?: EmbeddedDatabase,
): DataSource {
  return new DataSource({
    type: 'postgres',
    ...(settings.kind === 'server' ? { url: settings.url, poolSize: POOL_SIZE } : {}),
    extra: { types, ...(embedded?.driverOptions ?? { options: SESSION_OPTIONS }) },
    entities: [
      Household,
      Invitation,
      User,
      PaymentMethod,
      Template,
      Cycle,
      CycleExpense,
      ExchangeRate,
      ActivityRecord,
      Comment,
    ],
    migrations,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    applicationName: 'expense-service',
    // `gen_random_uuid()`, which every PostgreSQL has built in since 13.
    uuidExtension: 'pgcrypto',
    installExtensions: false,
  });
}
