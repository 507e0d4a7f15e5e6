import { EXAMPLE_CONVERSION } from '../src/exchange-rates/dto/conversion-error.dto.js';
import { toErrorBody, type ErrorBody } from '../src/platform/errors/error-body.js';
import type { ErrorCode } from '../src/platform/errors/error-types.js';
import { EXAMPLE_ID } from '../src/records/record-ids.js';

/** An example body of each error code under its usual status, with the messages of the service. */
const EXAMPLES_BY_CODE: Record<ErrorCode, ErrorBody> = {
  VALIDATION_ERROR: toErrorBody(
    'VALIDATION_ERROR',
    'name must have 1 to 100 characters; default_currency is required',
    {
      fields: {
        name: ['name must have 1 to 100 characters'],
        default_currency: ['default_currency is required'],
      },
      reasons: { name: ['too_short'], default_currency: ['required'] },
    },
  ),
  USER_NOT_FOUND: toErrorBody('USER_NOT_FOUND', 'Household member not found'),
  USER_ALREADY_EXISTS: toErrorBody('USER_ALREADY_EXISTS', 'A user with this e-mail already exists'),
  INVALID_CREDENTIALS: toErrorBody('INVALID_CREDENTIALS', 'Wrong e-mail or password'),
  INVALID_TOKEN: toErrorBody('INVALID_TOKEN', 'Invalid authentication credentials'),
  INACTIVE_USER: toErrorBody('INACTIVE_USER', 'This account is not active'),
  INCORRECT_PASSWORD: toErrorBody('INCORRECT_PASSWORD', 'The current password is wrong'),
  FORBIDDEN: toErrorBody('FORBIDDEN', 'This action requires the admin role'),
  RESOURCE_NOT_FOUND: toErrorBody('RESOURCE_NOT_FOUND', 'Payment method not found', {
    resource: 'payment_method',
  }),
  RESOURCE_CONFLICT: toErrorBody(
    'RESOURCE_CONFLICT',
    'A payment method with this name already exists',
    { resource: 'payment_method', id: EXAMPLE_ID.paymentMethod, active: true },
  ),
  PRECONDITION_FAILED: toErrorBody(
    'PRECONDITION_FAILED',
    'The resource has changed: neither its ETag nor its updated_at is in If-Match',
  ),
  IDEMPOTENCY_KEY_IN_USE: toErrorBody(
    'IDEMPOTENCY_KEY_IN_USE',
    'A request with this Idempotency-Key is still running',
  ),
  IDEMPOTENCY_KEY_REUSED: toErrorBody(
    'IDEMPOTENCY_KEY_REUSED',
    'Another request was sent with this Idempotency-Key',
    { resource_id: EXAMPLE_ID.paymentMethod },
  ),
  CYCLE_NOT_FOUND: toErrorBody('CYCLE_NOT_FOUND', 'Cycle not found'),
  CYCLE_ALREADY_COMPLETED: toErrorBody('CYCLE_ALREADY_COMPLETED', 'Cannot modify completed cycle'),
  CYCLE_NAME_EXISTS: toErrorBody('CYCLE_NAME_EXISTS', 'A cycle with this name already exists'),
  INVALID_CYCLE_DATES: toErrorBody('INVALID_CYCLE_DATES', 'end_date must be after start_date', {
    start_date: '2026-03-01',
    end_date: '2026-01-19',
    max_days: 45,
    fields: { end_date: ['end_date must be after start_date'] },
  }),
  CYCLE_GENERATION_ERROR: toErrorBody(
    'CYCLE_GENERATION_ERROR',
    'No expense can be generated from the template "Renta Mérida": No exchange rate from MXN to USD is stored',
    {
      template: { id: EXAMPLE_ID.expenseTemplate, description: 'Renta Mérida' },
      due_date: '2026-02-01',
      cause: {
        code: 'CURRENCY_CONVERSION_ERROR',
        message: 'No exchange rate from MXN to USD is stored',
        details: EXAMPLE_CONVERSION,
      },
    },
  ),
  CURRENCY_CONVERSION_ERROR: toErrorBody(
    'CURRENCY_CONVERSION_ERROR',
    'No exchange rate from MXN to USD is stored',
    EXAMPLE_CONVERSION,
  ),
  RATE_LIMIT_EXCEEDED: toErrorBody('RATE_LIMIT_EXCEEDED', 'Too many requests; retry in 42 s', {
    retry_after: 42,
  }),
  INTERNAL_SERVER_ERROR: toErrorBody('INTERNAL_SERVER_ERROR', 'Internal server error', {
    request_id: '7d3c9b1e-0f52-4c86-a1d4-2b6e8f0a3c5d',
  }),
  SERVICE_UNAVAILABLE: toErrorBody(
    'SERVICE_UNAVAILABLE',
    'The service is temporarily unavailable; try again',
    {
      request_id: '7d3c9b1e-0f52-4c86-a1d4-2b6e8f0a3c5d',
    },
  ),
};

/** Every example by name: the code, with a suffix where a code has several bodies. */
export const ERROR_EXAMPLES: Record<string, ErrorBody> = {
  ...EXAMPLES_BY_CODE,
  'VALIDATION_ERROR.400': toErrorBody(
    'VALIDATION_ERROR',
    'Malformed request: its URL, its headers or its JSON cannot be parsed',
  ),
  'VALIDATION_ERROR.408': toErrorBody('VALIDATION_ERROR', 'The request did not arrive in time'),
  'VALIDATION_ERROR.413': toErrorBody('VALIDATION_ERROR', 'Request body too large'),
  'VALIDATION_ERROR.415': toErrorBody(
    'VALIDATION_ERROR',
    'Send the body in UTF-8, as application/json or else the documented content type',
  ),
  'VALIDATION_ERROR.431': toErrorBody('VALIDATION_ERROR', 'The header of the request is too large'),
  // The error of operations without an access token.
  'INVALID_TOKEN.public': toErrorBody('INVALID_TOKEN', 'The token is unknown, used or expired'),
  'FORBIDDEN.public': toErrorBody('FORBIDDEN', 'Registration requires an invitation code'),
  'SERVICE_UNAVAILABLE.readiness': toErrorBody(
    'SERVICE_UNAVAILABLE',
    'The service is temporarily unavailable',
    { database: { status: 'down' } },
  ),
};
