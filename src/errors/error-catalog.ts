/**
 * Every error of the API: its code, HTTP status, details, and the resources that it may name. The
 * platform knows them as types alone, so that a code without a status does not compile.
 */
import { CurrencyConversionDetails } from '../exchange-rates/dto/conversion-error.dto.js';
import {
  CycleConflictDetails,
  CycleGenerationDetails,
  InvalidCycleDatesDetails,
} from '../ledger/dto/cycle-errors.dto.js';
import {
  IdempotencyKeyReusedDetails,
  InternalServerErrorDetails,
  PreconditionFailedDetails,
  RateLimitExceededDetails,
  ResourceConflictDetails,
  ResourceNotFoundDetails,
  ServiceUnavailableDetails,
  ValidationErrorDetails,
  type RESOURCES,
} from './error-details.js';

export const STATUS_OF_CODE = {
  VALIDATION_ERROR: 422,
  USER_NOT_FOUND: 404,
  USER_ALREADY_EXISTS: 409,
  INVALID_CREDENTIALS: 401,
  INVALID_TOKEN: 401,
  INACTIVE_USER: 403,
  INCORRECT_PASSWORD: 400,
  FORBIDDEN: 403,
  RESOURCE_NOT_FOUND: 404,
  RESOURCE_CONFLICT: 409,
  CURRENCY_CONVERSION_ERROR: 422,
  CYCLE_GENERATION_ERROR: 422,
  CYCLE_NOT_FOUND: 404,
  CYCLE_ALREADY_COMPLETED: 409,
  INVALID_CYCLE_DATES: 422,
  CYCLE_NAME_EXISTS: 409,
  PRECONDITION_FAILED: 412,
  IDEMPOTENCY_KEY_IN_USE: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const satisfies Record<string, number>;

/** The classes of the details; the details of other codes are empty. */
export const DETAILS_OF_CODE = {
  VALIDATION_ERROR: ValidationErrorDetails,
  RESOURCE_NOT_FOUND: ResourceNotFoundDetails,
  RESOURCE_CONFLICT: ResourceConflictDetails,
  PRECONDITION_FAILED: PreconditionFailedDetails,
  IDEMPOTENCY_KEY_REUSED: IdempotencyKeyReusedDetails,
  RATE_LIMIT_EXCEEDED: RateLimitExceededDetails,
  INTERNAL_SERVER_ERROR: InternalServerErrorDetails,
  SERVICE_UNAVAILABLE: ServiceUnavailableDetails,
  CURRENCY_CONVERSION_ERROR: CurrencyConversionDetails,
  CYCLE_GENERATION_ERROR: CycleGenerationDetails,
  INVALID_CYCLE_DATES: InvalidCycleDatesDetails,
  CYCLE_ALREADY_COMPLETED: CycleConflictDetails,
  CYCLE_NAME_EXISTS: CycleConflictDetails,
} satisfies Partial<Record<keyof typeof STATUS_OF_CODE, unknown>>;

declare module '../platform/errors/error-types.js' {
  interface ErrorTypes {
    code: keyof typeof STATUS_OF_CODE;
    resource: (typeof RESOURCES)[number];
    details: {
      [Code in keyof typeof DETAILS_OF_CODE]: InstanceType<(typeof DETAILS_OF_CODE)[Code]>;
    };
  }
}
