import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Environment, IN_MEMORY, type LogFormat, type LogLevel } from './environment.js';
import { readOrCreateSecret } from './secret-file.js';

export { IN_MEMORY } from './environment.js';

/** A PostgreSQL server and how to be its client. */
export interface ServerSettings {
  kind: 'server';
  url: string;
  /** Connections of one process. */
  poolSize: number;
  /** Longest run of one statement; 0 for no limit. */
  statementTimeoutMs: number;
  /** Longest wait for a lock; 0 for no limit. */
  lockTimeoutMs: number;
  /** How long the start waits for a server that is not there yet. */
  waitSeconds: number;
  /** Nothing: as the URL says, without TLS by default. */
  tls?: { verify: boolean; ca?: string };
  /** What the server lists the connections under. */
  applicationName: string;
}

export interface EmbeddedSettings {
  kind: 'embedded';
  /** Absolute path of the data folder, or `memory://` for a database that vanishes at the end. */
  dataDir: string;
  /** With `memory://` only: a file with a dumped data folder to start from. */
  snapshotFile?: string;
}

/** Where the data is: a PostgreSQL server, or the embedded engine on a folder. */
export type DatabaseSettings = ServerSettings | EmbeddedSettings;

/** Requests that each limit lets through. */
export interface RateLimitSettings {
  readonly enabled: boolean;
  readonly authenticatedPerHour: number;
  readonly reportsPerHour: number;
  /** Of one client address for one account: register, sign in, change the password. */
  readonly authPerMinute: number;
  /** The same, of one client address for all accounts. */
  readonly authPerAddressPerMinute: number;
}

/** How a process ends that is asked to. */
export interface ShutdownSettings {
  /** Still serving, but no longer ready, so that load balancers can turn away. */
  readonly delaySeconds: number;
  /** Longest wait for the requests in flight. */
  readonly timeoutSeconds: number;
}

/** Everything the service can be told from outside, checked and frozen. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly database: DatabaseSettings;
  /** Signs access tokens; at least 32 characters. */
  readonly authSecret: string;
  /** Where replicas share the counts of the rate limits; in memory without it. */
  readonly redisUrl?: string;
  /** Worker processes that share the port. */
  readonly workers: number;
  readonly shutdown: ShutdownSettings;
  /** Longest allowed `end_date - start_date` of a cycle, in days. */
  readonly cycleMaxDays: number;
  /** Proxies in front of the service whose `X-Forwarded-For` is believed. */
  readonly trustProxy: number;
  /** Origins that browsers may call from; none by default. */
  readonly corsOrigins: readonly string[];
  readonly rateLimits: RateLimitSettings;
  /** Where Prometheus finds /metrics; nowhere without it. */
  readonly metricsPort?: number;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
}

/** A setting that is missing or wrong; the message names each variable. */
export class SettingsError extends Error {}

const PRODUCTION_SHUTDOWN_DELAY_SECONDS = 5;

/** The names of all variables that are read. */
export const SETTING_NAMES: readonly string[] = [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(Environment, '', false, false)
      .map(({ propertyName }) => propertyName),
  ),
];

/**
 * Reads the settings from environment variables; an empty variable counts as not set.
 *
 * @throws SettingsError naming every variable that is missing or wrong
 */
export function loadSettings(env: NodeJS.ProcessEnv): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const environment = plainToInstance(Environment, given, { exposeDefaultValues: true });
  const errors = validateSync(environment);
  const problems = [
    ...errors.flatMap((error) => Object.values(error.constraints ?? {})),
    ...contradictions(environment),
  ];
  if (problems.length > 0) {
    throw new SettingsError(`The settings are not valid:\n  ${problems.join('\n  ')}`);
  }
  const isProduction = environment.NODE_ENV === 'production';
  const database = databaseSettings(environment);
  return Object.freeze({
    port: environment.PORT,
    host: environment.HOST,
    database,
    authSecret: environment.AUTH_SECRET ?? readOrCreateSecret(secretFolder(database)),
    redisUrl: environment.REDIS_URL,
    workers: environment.WEB_CONCURRENCY,
    shutdown: Object.freeze({
      delaySeconds:
        environment.SHUTDOWN_DELAY_SECONDS ??
        (isProduction ? PRODUCTION_SHUTDOWN_DELAY_SECONDS : 0),
      timeoutSeconds: environment.SHUTDOWN_TIMEOUT_SECONDS,
    }),
    cycleMaxDays: environment.CYCLE_MAX_DAYS,
    trustProxy: environment.TRUST_PROXY,
    corsOrigins: environment.CORS_ORIGINS,
    rateLimits: Object.freeze({
      enabled: environment.RATE_LIMIT_ENABLED,
      authenticatedPerHour: environment.RATE_LIMIT_AUTHENTICATED_PER_HOUR,
      reportsPerHour: environment.RATE_LIMIT_REPORTS_PER_HOUR,
      authPerMinute: environment.RATE_LIMIT_AUTH_PER_MINUTE,
      authPerAddressPerMinute: environment.RATE_LIMIT_AUTH_PER_ADDRESS_PER_MINUTE,
    }),
    metricsPort: environment.METRICS_PORT,
    logLevel: environment.LOG_LEVEL,
    logFormat: environment.LOG_FORMAT ?? (isProduction ? 'json' : 'text'),
  });
}

/** What is right alone and wrong together. */
function contradictions({
  NODE_ENV,
  DATABASE_URL,
  AUTH_SECRET,
  WEB_CONCURRENCY,
  DATABASE_TLS,
  DATABASE_TLS_CA_FILE,
}: Environment): string[] {
  const hasServer = DATABASE_URL !== undefined;
  const problems: [boolean, string][] = [
    [
      hasServer && NODE_ENV === 'production' && AUTH_SECRET === undefined,
      'AUTH_SECRET is required with DATABASE_URL in production',
    ],
    [
      !hasServer && WEB_CONCURRENCY > 1,
      'WEB_CONCURRENCY needs DATABASE_URL: one process alone can open the embedded database',
    ],
    [
      DATABASE_TLS_CA_FILE !== undefined && DATABASE_TLS !== 'verify',
      'DATABASE_TLS_CA_FILE is of use with DATABASE_TLS=verify only',
    ],
    [
      DATABASE_TLS !== 'off' && /[?&]ssl/.test(DATABASE_URL ?? ''),
      'DATABASE_TLS and the sslmode in DATABASE_URL are two ways to say one thing: keep one',
    ],
  ];
  return problems.filter(([isWrong]) => isWrong).map(([, problem]) => problem);
}

function databaseSettings(environment: Environment): DatabaseSettings {
  if (environment.DATABASE_URL === undefined) {
    const dataDir = environment.DATA_DIR === IN_MEMORY ? IN_MEMORY : resolve(environment.DATA_DIR);
    return { kind: 'embedded', dataDir };
  }
  return {
    kind: 'server',
    url: environment.DATABASE_URL,
    poolSize: environment.DATABASE_POOL_SIZE,
    statementTimeoutMs: environment.DATABASE_STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: environment.DATABASE_LOCK_TIMEOUT_MS,
    waitSeconds: environment.DATABASE_WAIT_SECONDS,
    tls: tlsSettings(environment),
    applicationName: environment.DATABASE_APPLICATION_NAME,
  };
}

/** @throws SettingsError when the file of the authority cannot be read */
function tlsSettings({ DATABASE_TLS, DATABASE_TLS_CA_FILE }: Environment): ServerSettings['tls'] {
  if (DATABASE_TLS === 'off') return undefined;
  if (DATABASE_TLS_CA_FILE === undefined) return { verify: DATABASE_TLS === 'verify' };
  try {
    return { verify: true, ca: readFileSync(DATABASE_TLS_CA_FILE, 'utf8') };
  } catch (error) {
    throw new SettingsError(`DATABASE_TLS_CA_FILE: ${(error as Error).message}`);
  }
}

/** Where a made secret is kept; with a server or in memory it lasts as long as the process. */
function secretFolder(database: DatabaseSettings): string | undefined {
  return database.kind === 'embedded' && database.dataDir !== IN_MEMORY
    ? database.dataDir
    : undefined;
}
