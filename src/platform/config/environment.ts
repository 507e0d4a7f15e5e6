import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import {
  getMetadataStorage,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateBy,
} from 'class-validator';
import { IsTimeZone, rangeRule } from '../dto/field-validators.js';
import { UTC } from '../values/time-zone.js';
import { IsOriginList, IsServerAddress } from './addresses.js';
import { IsSender, IsSmtpUrl, IsTokenPage } from './mail-settings.js';

const MIN_SECRET_LENGTH = 32;
/** A random secret has more, also one of 32 hexadecimal digits. */
const MIN_DIFFERENT_SECRET_CHARACTERS = 8;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const LOG_FORMATS = ['json', 'text'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** `require` encrypts; `verify` also verifies the certificate of the server. */
const TLS_MODES = ['off', 'require', 'verify'] as const;
type TlsMode = (typeof TLS_MODES)[number];

/** Who may register: everybody, whoever has an invitation, or nobody. */
export const REGISTRATION_MODES = ['open', 'invitation', 'closed'] as const;
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

const HOUR_MS = 3_600_000;

const toNumber = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;

function IsInteger({ min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number }) {
  const message = `$property ${rangeRule(min, max)}`;
  return applyDecorators(
    Transform(toNumber),
    IsInt(),
    Min(min, { message }),
    Max(max, { message }),
  );
}

const toBoolean = ({ value }: { value: unknown }): unknown =>
  value === 'true' ? true : value === 'false' ? false : value;

const toList = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value;

const HasDifferentCharacters = (min: number): PropertyDecorator =>
  ValidateBy({
    name: 'hasDifferentCharacters',
    validator: {
      validate: (text: string) => new Set(text).size >= min,
      defaultMessage: (args) =>
        `${args?.property ?? ''} must have at least ${min} different characters: make one with openssl rand -hex 32`,
    },
  });

/** The environment variables with their types and defaults. */
export class Environment {
  @IsOptional()
  @IsIn(['production', 'development', 'test'])
  NODE_ENV?: string;

  @IsInteger({ min: 0, max: 65_535 })
  PORT = 3000;

  @IsNotEmpty()
  HOST = '0.0.0.0';

  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: 'DATABASE_URL must start with postgres://' })
  DATABASE_URL?: string;

  @IsOptional()
  DATABASE_URL_FILE?: string;

  @IsOptional()
  DATABASE_PASSWORD_FILE?: string;

  @IsInteger({ min: 1, max: 1000 })
  DATABASE_POOL_SIZE = 10;

  @IsInteger({ min: 0, max: HOUR_MS })
  DATABASE_STATEMENT_TIMEOUT_MS = 30_000;

  @IsInteger({ min: 0, max: HOUR_MS })
  DATABASE_LOCK_TIMEOUT_MS = 10_000;

  @IsInteger({ min: 0, max: 3600 })
  DATABASE_WAIT_SECONDS = 60;

  @IsIn(TLS_MODES)
  DATABASE_TLS: TlsMode = 'off';

  @IsOptional()
  @IsNotEmpty()
  DATABASE_TLS_CA_FILE?: string;

  @IsNotEmpty()
  DATABASE_APPLICATION_NAME = 'expense-service';

  @IsNotEmpty()
  DATA_DIR = './data';

  @IsOptional()
  @MinLength(MIN_SECRET_LENGTH)
  @HasDifferentCharacters(MIN_DIFFERENT_SECRET_CHARACTERS)
  AUTH_SECRET?: string;

  @IsOptional()
  AUTH_SECRET_FILE?: string;

  @IsInteger({ min: 1, max: 87_600 })
  SESSION_MAX_HOURS = 720;

  @IsIn(REGISTRATION_MODES)
  REGISTRATION: RegistrationMode = 'open';

  @IsOptional()
  @IsSmtpUrl()
  SMTP_URL?: string;

  @IsOptional()
  SMTP_URL_FILE?: string;

  @IsOptional()
  @IsSender()
  MAIL_FROM?: string;

  @IsOptional()
  @IsTokenPage('/reset-password')
  PASSWORD_RESET_URL?: string;

  @IsOptional()
  @IsTokenPage('/reminders/confirm')
  REMINDERS_URL?: string;

  @IsOptional()
  @Matches(/^rediss?:\/\//, { message: 'REDIS_URL must start with redis:// or rediss://' })
  REDIS_URL?: string;

  @IsInteger({ min: 1, max: 256 })
  WEB_CONCURRENCY = 1;

  @IsOptional()
  @IsInteger({ min: 0, max: 300 })
  SHUTDOWN_DELAY_SECONDS?: number;

  @IsInteger({ min: 1, max: 300 })
  SHUTDOWN_TIMEOUT_SECONDS = 10;

  @IsInteger({ min: 0 })
  TRUST_PROXY = 0;

  @IsOptional()
  @IsServerAddress('https://example.com/gastos')
  PUBLIC_URL?: string;

  @Transform(toList)
  @IsOriginList()
  CORS_ORIGINS: string[] = [];

  @Transform(toBoolean)
  @IsBoolean({ message: '$property must be true or false' })
  MCP_ENABLED = true;

  @IsInteger({ min: 1, max: 3660 })
  CYCLE_MAX_DAYS = 45;

  @IsTimeZone()
  DEFAULT_TIME_ZONE: string = UTC;

  @IsOptional()
  @IsServerAddress('https://api.frankfurter.dev')
  EXCHANGE_RATES_URL?: string;

  @Transform(toBoolean)
  @IsBoolean({ message: '$property must be true or false' })
  RATE_LIMIT_ENABLED = true;

  @IsInteger({ min: 1 })
  RATE_LIMIT_AUTHENTICATED_PER_HOUR = 1000;

  @IsInteger({ min: 1 })
  RATE_LIMIT_REPORTS_PER_HOUR = 100;

  @IsInteger({ min: 1 })
  RATE_LIMIT_AUTH_PER_MINUTE = 10;

  @IsInteger({ min: 1 })
  RATE_LIMIT_AUTH_PER_ADDRESS_PER_MINUTE = 100;

  @IsOptional()
  @IsInteger({ min: 0, max: 65_535 })
  METRICS_PORT?: number;

  @IsIn(LOG_LEVELS)
  LOG_LEVEL: LogLevel = 'info';

  @IsOptional()
  @IsIn(LOG_FORMATS)
  LOG_FORMAT?: LogFormat;
}

/** The names of all settings. */
export const SETTING_NAMES: readonly string[] = [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(Environment, '', false, false)
      .map(({ propertyName }) => propertyName),
  ),
];
