import { plainToInstance, Transform } from 'class-transformer';
import {
  getMetadataStorage,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
  MinLength,
  validateSync,
} from 'class-validator';
import { resolve } from 'node:path';
import { readOrCreateSecret } from './secret-file.js';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Where the data is: a PostgreSQL server, or the embedded engine on a folder. */
export type DatabaseSettings =
  | { kind: 'server'; url: string }
  | {
      kind: 'embedded';
      /** Absolute path of the data folder, or `memory://` for a database that vanishes at the end. */
      dataDir: string;
      /** With `memory://` only: a file with a dumped data folder to start from. */
      snapshotFile?: string;
    };

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

/** Everything the service can be told from outside, checked and frozen. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly database: DatabaseSettings;
  /** Signs access tokens; at least 32 characters. */
  readonly authSecret: string;
  /** Longest allowed `end_date - start_date` of a cycle, in days. */
  readonly cycleMaxDays: number;
  /** Proxies in front of the service whose `X-Forwarded-For` is believed. */
  readonly trustProxy: number;
  /** Origins that browsers may call from; none by default. */
  readonly corsOrigins: readonly string[];
  readonly rateLimits: RateLimitSettings;
  readonly logLevel: LogLevel;
}

/** A setting that is missing or wrong; the message names each variable. */
export class SettingsError extends Error {}

export const IN_MEMORY = 'memory://';

const toInteger = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;

const toBoolean = ({ value }: { value: unknown }): unknown =>
  value === 'true' ? true : value === 'false' ? false : value;

const toList = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value;

/** The environment variables, under their own names, with their defaults. */
class Environment {
  @IsOptional()
  @IsIn(['production', 'development', 'test'])
  NODE_ENV?: string;

  @Transform(toInteger)
  @IsInt()
  @Min(0)
  @Max(65_535)
  PORT = 3000;

  @IsNotEmpty()
  HOST = '0.0.0.0';

  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: 'DATABASE_URL must start with postgres://' })
  DATABASE_URL?: string;

  @IsString()
  @IsNotEmpty()
  DATA_DIR = './data';

  @IsOptional()
  @MinLength(32)
  AUTH_SECRET?: string;

  @Transform(toInteger)
  @IsInt()
  @Min(0)
  TRUST_PROXY = 0;

  @Transform(toList)
  @IsUrl({ require_tld: false, require_protocol: true, allow_fragments: false }, { each: true })
  CORS_ORIGINS: string[] = [];

  @Transform(toInteger)
  @IsInt()
  @Min(1)
  @Max(3660)
  CYCLE_MAX_DAYS = 45;

  @Transform(toBoolean)
  @IsBoolean()
  RATE_LIMIT_ENABLED = true;

  @Transform(toInteger)
  @IsInt()
  @Min(1)
  RATE_LIMIT_AUTHENTICATED_PER_HOUR = 1000;

  @Transform(toInteger)
  @IsInt()
  @Min(1)
  RATE_LIMIT_REPORTS_PER_HOUR = 100;

  @Transform(toInteger)
  @IsInt()
  @Min(1)
  RATE_LIMIT_AUTH_PER_MINUTE = 10;

  @Transform(toInteger)
  @IsInt()
  @Min(1)
  RATE_LIMIT_AUTH_PER_ADDRESS_PER_MINUTE = 100;

  @IsIn(LOG_LEVELS)
  LOG_LEVEL: LogLevel = 'info';
}

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
  const problems = errors.flatMap((error) => Object.values(error.constraints ?? {}));
  if (isServerInProduction(environment) && environment.AUTH_SECRET === undefined) {
    problems.push('AUTH_SECRET is required with DATABASE_URL in production');
  }
  if (problems.length > 0) {
    throw new SettingsError(`The settings are not valid:\n  ${problems.join('\n  ')}`);
  }
  const database = databaseSettings(environment);
  return Object.freeze({
    port: environment.PORT,
    host: environment.HOST,
    database,
    authSecret: environment.AUTH_SECRET ?? readOrCreateSecret(secretFolder(database)),
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
    logLevel: environment.LOG_LEVEL,
  });
}

function isServerInProduction(environment: Environment): boolean {
  return environment.NODE_ENV === 'production' && environment.DATABASE_URL !== undefined;
}

function databaseSettings(environment: Environment): DatabaseSettings {
  if (environment.DATABASE_URL !== undefined) {
    return { kind: 'server', url: environment.DATABASE_URL };
  }
  const dataDir = environment.DATA_DIR === IN_MEMORY ? IN_MEMORY : resolve(environment.DATA_DIR);
  return { kind: 'embedded', dataDir };
}

/** Where a made secret is kept; with a server or in memory it lasts as long as the process. */
function secretFolder(database: DatabaseSettings): string | undefined {
  return database.kind === 'embedded' && database.dataDir !== IN_MEMORY
    ? database.dataDir
    : undefined;
}
