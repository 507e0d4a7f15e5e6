import pg, { type CustomTypesConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { ActivityRecord } from '../activity/activity-record.entity.js';
import { Comment } from '../comments/comment.entity.js';
import { instantOf } from '../common/instant.js';
import type { DatabaseSettings, ServerSettings } from '../config/settings.js';
import { CycleExpense } from '../cycles/cycle-expense.entity.js';
import { Cycle } from '../cycles/cycle.entity.js';
import { ExchangeRate } from '../exchange-rates/exchange-rate.entity.js';
import { Invitation } from '../households/invitation.entity.js';
import { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { Template } from '../templates/template.entity.js';
import { Household } from '../users/household.entity.js';
import { User } from '../users/user.entity.js';
import type { EmbeddedDatabase } from './embedded/embedded-database.js';
import { LeanDataSource } from './lean-data-source.js';
import { migrations } from './migrations/index.js';
import { PreparingClient } from './preparing-client.js';

/** Longest wait for a connection, be it new or one that another request has. */
const CONNECT_WITHIN_MS = 10_000;
/** The embedded engine has one connection for all, and no other process to ask instead. */
const EMBEDDED_CONNECT_WITHIN_MS = 30_000;

/** A transaction that its process has lost hold of gives its locks back. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

type Parse = (value: string) => unknown;

const parseInstant = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (
  value: string,
) => Date;

/**
 * A calendar date stays the text it is, which the driver's default makes a moment in local time; an instant
 * is the text that clients get. Entities have a `Date` for it nevertheless, by way of their columns' type.
 */
const types: CustomTypesConfig = {
  getTypeParser: (oid, format): Parse => {
    if (oid === pg.types.builtins.DATE) return (value) => value;
    if (oid === pg.types.builtins.TIMESTAMPTZ) {
      return (value) => instantOf(value) ?? parseInstant(value).toISOString();
    }
    return pg.types.getTypeParser(oid, format) as Parse;
  },
};

/** The data source of the service, the same on a server and on the embedded engine. */
export function createDataSource(
  settings: DatabaseSettings,
  embedded?: EmbeddedDatabase,
): DataSource {
  return new LeanDataSource({
    type: 'postgres',
    ...(settings.kind === 'server' && serverOptions(settings)),
    extra: {
      types,
      Client: PreparingClient,
      ...(settings.kind === 'server' ? sessionOptions(settings) : embedded?.driverOptions),
    },
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
    connectTimeoutMS: settings.kind === 'server' ? CONNECT_WITHIN_MS : EMBEDDED_CONNECT_WITHIN_MS,
    // `gen_random_uuid()`, which every PostgreSQL has built in since 13.
    uuidExtension: 'pgcrypto',
    installExtensions: false,
  });
}

function serverOptions({ url, poolSize, tls, applicationName }: ServerSettings): object {
  return {
    url,
    poolSize,
    applicationName,
    ...(tls && { ssl: { rejectUnauthorized: tls.verify, ca: tls.ca } }),
  };
}

/** Whatever the server's own defaults are: dates and timestamps are read in these forms. */
function sessionOptions({ statementTimeoutMs, lockTimeoutMs }: ServerSettings): object {
  const options = {
    datestyle: 'ISO',
    timezone: 'UTC',
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    // One plan for all runs of a statement. Left to choose, the server may plan every run anew once its
    // statistics have changed, which takes half as long again as to run it.
    plan_cache_mode: 'force_generic_plan',
  };
  return {
    options: Object.entries(options)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  };
}
