import pg, { type ClientBase, type ClientConfig, type CustomTypesConfig } from 'pg';
import { DataSource, type MigrationInterface, type ObjectType } from 'typeorm';
import type { EmbeddedDatabase } from '#embedded-postgres';
import { PipelinedClient, prepareSession, ReplaceablePool } from '#postgres';
import type { DatabaseSettings, ServerSettings } from '../config/settings.js';
import type { DomainError } from '../errors/domain-error.js';
import { instantOf } from '../values/instant.js';

/** Maximum wait for a connection of the pool, new or released by another request. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Longer for the embedded engine, which has a single connection. */
const EMBEDDED_CONNECT_TIMEOUT_MS = 30_000;

/** Injection token of the {@link Schema}. */
export const DATABASE_SCHEMA = Symbol('DATABASE_SCHEMA');

/** The tables of a database. */
export interface Tables {
  entities: ObjectType<object>[];
  /** The migrations in execution order. */
  migrations: ObjectType<MigrationInterface>[];
}

/** What a database contains. */
export interface Schema extends Tables {
  /** The constraints whose violation is an error of the API, by their names. */
  uniqueConstraints: Readonly<Record<string, UniqueConstraint>>;
  /** Tables from which a row is removed when it has expired, by `expires_at`. */
  tablesThatExpire: readonly string[];
}

export interface UniqueConstraint {
  /** What a violation is in the API. */
  error: () => DomainError;
  /**
   * Whether transactions read which row has the value before they write it: one that has read that
   * there is none finds the row of the other transaction when it runs again.
   */
  isReadFirst?: boolean;
}

type Parse = (value: string) => unknown;

const parseInstant = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (
  value: string,
) => Date;

/**
 * Parsers of column values. A date remains text, which the driver would convert to a `Date` in
 * local time. A timestamp becomes the text of the API; entities still have a `Date`, because
 * TypeORM converts it.
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

/** Creates the data source for a server or the embedded engine. */
export function createDataSource(
  settings: DatabaseSettings,
  { entities, migrations }: Tables,
  embedded?: EmbeddedDatabase,
): DataSource {
  return new DataSource({
    type: 'postgres',
    driver: { ...pg, Pool: ReplaceablePool },
    ...(settings.kind === 'server' && serverOptions(settings)),
    extra: {
      types,
      Client: PipelinedClient,
      ...(settings.kind === 'server'
        ? { onConnect: (client: ClientBase) => prepareSession(client, settings) }
        : embedded?.driverOptions),
    },
    entities,
    migrations,
    migrationsTransactionMode: 'each',
    connectTimeoutMS: settings.kind === 'server' ? CONNECT_TIMEOUT_MS : EMBEDDED_CONNECT_TIMEOUT_MS,
    // Uses `gen_random_uuid()`, built into PostgreSQL since version 13.
    uuidExtension: 'pgcrypto',
    installExtensions: false,
  });
}

/** Connection options for a client outside the pool. */
export function clientConfig(settings: ServerSettings): ClientConfig {
  return {
    connectionString: settings.url,
    application_name: settings.applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...tlsOptions(settings),
  };
}

function serverOptions(settings: ServerSettings): object {
  const { url, poolSize, applicationName } = settings;
  return { url, poolSize, applicationName, ...tlsOptions(settings) };
}

const tlsOptions = ({ tls }: ServerSettings): Pick<ClientConfig, 'ssl'> =>
  tls ? { ssl: { rejectUnauthorized: tls.verify, ca: tls.ca } } : {};

/** The connection pool of a data source. */
export const poolOf = ({ driver }: DataSource): ReplaceablePool =>
  (driver as unknown as { master: ReplaceablePool }).master;
