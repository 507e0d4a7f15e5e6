import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { assertCompleteCluster, IN_MEMORY_DATA_DIR } from '#embedded-postgres';
import { OperatorError } from '../errors/domain-error.js';
import type { TodayIn } from '../values/time-zone.js';
import {
  Environment,
  type LogFormat,
  type LogLevel,
  type RegistrationMode,
} from './environment.js';
import { clientName, parseSender, parseSmtpUrl, type MailSettings } from './mail-settings.js';
import { misspeltSettings } from './misspelt-settings.js';
import { readOrCreateSecret } from './secret-file.js';
import { readMountedFiles, settingVariables } from './variables.js';

export { IN_MEMORY_DATA_DIR } from '#embedded-postgres';
export { SETTING_NAMES } from './environment.js';

/** Connection settings of a PostgreSQL server. */
export interface ServerSettings {
  kind: 'server';
  url: string;
  /** Maximum number of connections of one process. */
  poolSize: number;
  /** Maximum duration of a statement; 0 for no limit. */
  statementTimeoutMs: number;
  /** Maximum wait for a lock; 0 for no limit. */
  lockTimeoutMs: number;
  /** How long the start waits for a server that is not available yet. */
  waitSeconds: number;
  /** Accepts a server that is read-only, such as a standby. */
  acceptsReadOnly?: boolean;
  /** Undefined: determined by the URL, without TLS by default. */
  tls?: { verify: boolean; ca?: string };
  /** `application_name` of the connections. */
  applicationName: string;
}

export interface EmbeddedSettings {
  kind: 'embedded';
  /** Absolute path of the data folder, or `memory://` for a database that is not stored. */
  dataDir: string;
  /** A dumped data folder that is loaded at the start; with `memory://` only. */
  snapshotFile?: string;
}

/** A PostgreSQL server, or the embedded engine. */
export type DatabaseSettings = ServerSettings | EmbeddedSettings;

/** The number of requests that each rate limit allows. */
export interface RateLimitSettings {
  readonly enabled: boolean;
  readonly authenticatedPerHour: number;
  readonly reportsPerHour: number;
  /**
   * Register, login, password change and reset, per account and client network (IPv4 address or
   * IPv6 /64).
   */
  readonly authPerMinute: number;
  /** The same per client network, for all accounts together. */
  readonly authPerAddressPerMinute: number;
}

/** Graceful shutdown. */
interface ShutdownSettings {
  /**
   * How long the process keeps serving with a failing readiness probe, so that load balancers stop
   * routing to it.
   */
  readonly delaySeconds: number;
  /** Maximum wait for the requests in progress. */
  readonly timeoutSeconds: number;
}

/** All settings of the service, validated and frozen. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly database: DatabaseSettings;
  /** The key that signs access tokens. */
  readonly authSecret: string;
  /** Hours after the sign-in at which a session expires. */
  readonly sessionMaxHours: number;
  readonly registration: RegistrationMode;
  /** Where mails are sent; undefined: there are none, and users cannot request a password reset. */
  readonly mail?: MailSettings;
  /** The page that sets a new password, with `{token}` in it. */
  readonly passwordResetUrl?: string;
  /** The page that confirms reminders, with `{token}` in it; undefined: nobody can confirm them. */
  readonly remindersUrl?: string;
  /** The Redis server for rate limit counters shared by replicas; undefined: counted in memory. */
  readonly redisUrl?: string;
  /** Number of worker processes that share the port. */
  readonly workers: number;
  /** Whether NODE_ENV is `production`. */
  readonly isProduction: boolean;
  readonly shutdown: ShutdownSettings;
  /** Maximum `end_date - start_date` of a cycle, in days. */
  readonly cycleMaxDays: number;
  /** The time zone of users who register without one. */
  readonly defaultTimeZone: string;
  /** The day of users in a time zone; undefined: that of the clock. Set only by the sandbox. */
  readonly todayIn?: TodayIn;
  /** A server with the API of Frankfurter; undefined: rates are not fetched. */
  readonly exchangeRatesUrl?: string;
  /** Number of trusted proxies that set `X-Forwarded-For`. */
  readonly trustProxy: number;
  /**
   * Where clients reach the service, without a slash at the end; undefined: at the host of each
   * request.
   */
  readonly publicUrl?: string;
  /** Allowed CORS origins; none by default. Patterns only in the sandbox. */
  readonly corsOrigins: readonly (string | RegExp)[];
  /** Whether assistants may use the service, by the Model Context Protocol. */
  readonly isMcpEnabled: boolean;
  readonly rateLimits: RateLimitSettings;
  /** The port of the /metrics endpoint; undefined: disabled. */
  readonly metricsPort?: number;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
}

/** Missing or invalid settings; the message names each variable. */
export class SettingsError extends OperatorError {}

const PRODUCTION_SHUTDOWN_DELAY_SECONDS = 5;

/**
 * Reads the settings from environment variables; an empty variable counts as not set.
 *
 * @throws SettingsError naming every variable that is missing or invalid; OperatorError for a
 *   mounted file
 */
export function loadSettings(env: NodeJS.ProcessEnv): Settings {
  const variables = readMountedFiles(settingVariables(env));
  const environment = plainToInstance(Environment, variables, { exposeDefaultValues: true });
  // A value that is not a number is neither too small nor too large.
  const errors = validateSync(environment, { stopAtFirstError: true });
  const problems = [
    ...errors.flatMap((error) => Object.values(error.constraints ?? {})),
    ...conflicts(environment),
  ];
  if (problems.length > 0) {
    // A missing setting may be present under a misspelt name.
    const lines = [...problems, ...misspeltSettings(env)];
    throw new SettingsError(`The settings are not valid:\n  ${lines.join('\n  ')}`);
  }
  const isProduction = environment.NODE_ENV === 'production';
  const database = databaseSettings(environment);
  return Object.freeze({
    port: environment.PORT,
    host: environment.HOST,
    database,
    authSecret: environment.AUTH_SECRET ?? readOrCreateSecret(secretFolder(database)),
    sessionMaxHours: environment.SESSION_MAX_HOURS,
    registration: environment.REGISTRATION,
    mail: mailSettings(environment),
    passwordResetUrl: environment.PASSWORD_RESET_URL,
    remindersUrl: environment.REMINDERS_URL,
    redisUrl: environment.REDIS_URL,
    workers: environment.WEB_CONCURRENCY,
    isProduction,
    shutdown: Object.freeze({
      delaySeconds:
        environment.SHUTDOWN_DELAY_SECONDS ??
        (isProduction ? PRODUCTION_SHUTDOWN_DELAY_SECONDS : 0),
      timeoutSeconds: environment.SHUTDOWN_TIMEOUT_SECONDS,
    }),
    cycleMaxDays: environment.CYCLE_MAX_DAYS,
    defaultTimeZone: environment.DEFAULT_TIME_ZONE,
    exchangeRatesUrl: environment.EXCHANGE_RATES_URL,
    trustProxy: environment.TRUST_PROXY,
    publicUrl: withoutSlashAtEnd(environment.PUBLIC_URL),
    corsOrigins: environment.CORS_ORIGINS,
    isMcpEnabled: environment.MCP_ENABLED,
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

/** Conflicts between settings that are valid by themselves. */
function conflicts({
  NODE_ENV,
  DATABASE_URL,
  AUTH_SECRET,
  WEB_CONCURRENCY,
  DATABASE_TLS,
  DATABASE_TLS_CA_FILE,
  SMTP_URL,
  MAIL_FROM,
  PASSWORD_RESET_URL,
}: Environment): string[] {
  const hasServer = DATABASE_URL !== undefined;
  const problems: [boolean, string][] = [
    [
      hasServer && NODE_ENV === 'production' && AUTH_SECRET === undefined,
      'AUTH_SECRET is required with DATABASE_URL in production',
    ],
    [
      !hasServer && WEB_CONCURRENCY > 1,
      'WEB_CONCURRENCY requires DATABASE_URL: only one process can open the embedded database',
    ],
    [
      DATABASE_TLS_CA_FILE !== undefined && DATABASE_TLS !== 'verify',
      'DATABASE_TLS_CA_FILE requires DATABASE_TLS=verify',
    ],
    [
      DATABASE_TLS !== 'off' && /[?&]ssl/.test(DATABASE_URL ?? ''),
      'DATABASE_TLS and the sslmode in DATABASE_URL exclude each other: remove one',
    ],
    [SMTP_URL !== undefined && MAIL_FROM === undefined, 'SMTP_URL requires MAIL_FROM'],
    [
      SMTP_URL !== undefined && PASSWORD_RESET_URL === undefined,
      'SMTP_URL requires PASSWORD_RESET_URL',
    ],
  ];
  return problems.filter(([isConflict]) => isConflict).map(([, problem]) => problem);
}

/** An address in the form in which browsers write it. */
function withoutSlashAtEnd(address: string | undefined): string | undefined {
  return address && new URL(address).href.replace(/\/+$/, '');
}

function mailSettings({ SMTP_URL, MAIL_FROM, PUBLIC_URL }: Environment): MailSettings | undefined {
  if (SMTP_URL === undefined || MAIL_FROM === undefined) return undefined;
  const from = parseSender(MAIL_FROM);
  return Object.freeze({
    kind: 'smtp',
    ...parseSmtpUrl(SMTP_URL),
    from,
    clientName: clientName(PUBLIC_URL, from),
  });
}

function databaseSettings(environment: Environment): DatabaseSettings {
  if (environment.DATABASE_URL === undefined) {
    const dataDir =
      environment.DATA_DIR === IN_MEMORY_DATA_DIR
        ? IN_MEMORY_DATA_DIR
        : resolve(environment.DATA_DIR);
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

/** @throws SettingsError when the CA file cannot be read */
function tlsSettings({ DATABASE_TLS, DATABASE_TLS_CA_FILE }: Environment): ServerSettings['tls'] {
  if (DATABASE_TLS === 'off') return undefined;
  if (DATABASE_TLS_CA_FILE === undefined) return { verify: DATABASE_TLS === 'verify' };
  try {
    return { verify: true, ca: readFileSync(DATABASE_TLS_CA_FILE, 'utf8') };
  } catch (error) {
    throw new SettingsError(`DATABASE_TLS_CA_FILE: ${(error as Error).message}`);
  }
}

/**
 * The folder of the generated secret; undefined: the secret is not stored and ends with the
 * process.
 *
 * @throws OperatorError when the database in the folder is damaged, before anything is written to
 *   it
 */
function secretFolder(database: DatabaseSettings): string | undefined {
  if (database.kind === 'server' || database.dataDir === IN_MEMORY_DATA_DIR) return undefined;
  assertCompleteCluster(database.dataDir);
  return database.dataDir;
}
