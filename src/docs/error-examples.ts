import { EXAMPLE_ID } from '../common/http/examples.js';
import type { ErrorCode } from '../common/errors/error-code.js';
import { errorBody, type ErrorBody } from '../common/errors/error-body.js';

/** The body of each failure, as the service words it. */
export const ERROR_EXAMPLES: Record<ErrorCode, ErrorBody> = {
  VALIDATION_ERROR: errorBody('VALIDATION_ERROR', 'The request is not valid', {
    fields: { name: ['name must have 1 to 100 characters'] },
  }),
  USER_NOT_FOUND: errorBody('USER_NOT_FOUND', 'The household has no such member'),
  USER_ALREADY_EXISTS: errorBody('USER_ALREADY_EXISTS', 'A user with this e-mail already exists'),
  INVALID_CREDENTIALS: errorBody('INVALID_CREDENTIALS', 'Wrong e-mail or password'),
  INVALID_TOKEN: errorBody('INVALID_TOKEN', 'Invalid authentication credentials'),
  INACTIVE_USER: errorBody('INACTIVE_USER', 'This account is not active'),
  INCORRECT_PASSWORD: errorBody('INCORRECT_PASSWORD', 'The current password is wrong'),
  FORBIDDEN: errorBody('FORBIDDEN', 'Only an admin of the household may do this'),
  RESOURCE_NOT_FOUND: errorBody('RESOURCE_NOT_FOUND', 'No such payment method', {
    resource: 'payment_method',
  }),
  RESOURCE_CONFLICT: errorBody(
    'RESOURCE_CONFLICT',
    'A payment method with this name already exists',
    { resource: 'payment_method', id: EXAMPLE_ID.paymentMethod, active: true },
  ),
  CURRENCY_CONVERSION_ERROR: errorBody(
    'CURRENCY_CONVERSION_ERROR',
    'No exchange rate from MXN to USD is stored',
    { from_currency: 'MXN', to_currency: 'USD', date: '2026-02-01' },
  ),
  CYCLE_GENERATION_ERROR: errorBody(
    'CYCLE_GENERATION_ERROR',
    'No expense can be generated from the template "Renta Mérida": No exchange rate from MXN to USD is stored',
    {
      template: { id: EXAMPLE_ID.template, description: 'Renta Mérida' },
      due_date: '2026-02-01',
      cause: {
        code: 'CURRENCY_CONVERSION_ERROR',
        message: 'No exchange rate from MXN to USD is stored',
        details: { from_currency: 'MXN', to_currency: 'USD', date: '2026-02-01' },
      },
    },
  ),
  CYCLE_NOT_FOUND: errorBody('CYCLE_NOT_FOUND', 'Cycle not found'),
  CYCLE_ALREADY_COMPLETED: errorBody('CYCLE_ALREADY_COMPLETED', 'Cannot modify completed cycle'),
  INVALID_CYCLE_DATES: errorBody('INVALID_CYCLE_DATES', 'end_date must be after start_date', {
    start_date: '2026-03-01',
    end_date: '2026-01-19',
    max_days: 45,
  }),
  CYCLE_NAME_EXISTS: errorBody('CYCLE_NAME_EXISTS', 'A cycle with this name already exists'),
  RATE_LIMIT_EXCEEDED: errorBody('RATE_LIMIT_EXCEEDED', 'Too many requests; retry in 42 s', {
    retry_after: 42,
  }),
  INTERNAL_SERVER_ERROR: errorBody('INTERNAL_SERVER_ERROR', 'Something went wrong on our side', {
    request_id: '7d3c9b1e-0f52-4c86-a1d4-2b6e8f0a3c5d',
  }),
  SERVICE_UNAVAILABLE: errorBody(
    'SERVICE_UNAVAILABLE',
    'The service cannot answer now; try again',
    {
      request_id: '7d3c9b1e-0f52-4c86-a1d4-2b6e8f0a3c5d',
    },
  ),
};
