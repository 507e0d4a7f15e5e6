import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { STATUS_OF_CODE, type ErrorCode } from '../errors/error-code.js';
import { DETAILS_OF_CODE } from '../errors/error-details.js';
import { ERROR_EXAMPLES } from './error-examples.js';

type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

/** `CYCLE_NOT_FOUND`: "CycleNotFoundError". */
export function errorSchemaName(code: ErrorCode): string {
  const words = code.split('_').map((word) => word.charAt(0) + word.slice(1).toLowerCase());
  return words.at(-1) === 'Error' ? words.join('') : `${words.join('')}Error`;
}

/**
 * The schema of the body with each error code. They do not refer to a common one: generated clients get a union that
 * `error.code` discriminates.
 */
export const errorSchemas = (): Record<string, Schema> =>
  Object.fromEntries(
    (Object.keys(STATUS_OF_CODE) as ErrorCode[]).map((code) => [
      errorSchemaName(code),
      errorSchema(code),
    ]),
  );

function errorSchema(code: ErrorCode): Schema {
  return {
    type: 'object',
    description: `The body of a response with the error code ${code}`,
    properties: {
      success: { type: 'boolean', enum: [false], description: 'Always false', example: false },
      error: {
        type: 'object',
        description: 'What went wrong',
        example: ERROR_EXAMPLES[code]?.error,
        properties: {
          code: { type: 'string', enum: [code], description: 'The stable code', example: code },
          message: { type: 'string', description: 'Human-readable; may change' },
          details:
            code in DETAILS_OF_CODE
              ? { $ref: getSchemaPath(DETAILS_OF_CODE[code as keyof typeof DETAILS_OF_CODE]) }
              : { type: 'object', description: 'Empty', additionalProperties: false },
        },
        required: ['code', 'message', 'details'],
      },
    },
    required: ['success', 'error'],
  };
}
