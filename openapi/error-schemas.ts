import type { Type } from '@nestjs/common';
import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { DETAILS_OF_CODE, STATUS_OF_CODE } from '../src/errors/error-catalog.js';
import type { ErrorCode } from '../src/platform/errors/error-types.js';
import { FIELD_REASONS } from '../src/platform/errors/field-reasons.js';
import { ERROR_EXAMPLES } from './error-examples.js';

type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

/** `CYCLE_NOT_FOUND`: "CycleNotFoundError". */
function errorSchemaName(code: ErrorCode): string {
  // Generated Python code imports pydantic's ValidationError.
  if (code === 'VALIDATION_ERROR') return 'InvalidRequestError';
  const words = code.split('_').map((word) => word.charAt(0) + word.slice(1).toLowerCase());
  return words.at(-1) === 'Error' ? words.join('') : `${words.join('')}Error`;
}

/** The schema of `error` with each error code, and the reasons in its details. */
export const errorSchemas = (): Record<string, Schema> => ({
  FieldReason: {
    type: 'string',
    enum: [...FIELD_REASONS],
    description: 'Why a field is refused',
  },
  ...Object.fromEntries(
    (Object.keys(STATUS_OF_CODE) as ErrorCode[]).map((code) => [
      errorSchemaName(code),
      errorSchema(code),
    ]),
  ),
});

/** The schema of a body with one of the codes, which is a union that `error.code` discriminates. */
export function errorBodySchema(codes: readonly ErrorCode[]): Schema {
  const references = codes.map(referenceTo);
  const [single] = references;
  return {
    type: 'object',
    description: 'The body of an error',
    properties: {
      success: { type: 'boolean', enum: [false], description: 'Always false', example: false },
      error:
        single && references.length === 1
          ? single
          : {
              description: 'What went wrong',
              oneOf: references,
              discriminator: {
                propertyName: 'code',
                mapping: Object.fromEntries(codes.map((code) => [code, referenceTo(code).$ref])),
              },
            },
    },
    required: ['success', 'error'],
  };
}

const referenceTo = (code: ErrorCode): { $ref: string } => ({
  $ref: getSchemaPath(errorSchemaName(code)),
});

function errorSchema(code: ErrorCode): Schema {
  const { message } = ERROR_EXAMPLES[code]?.error ?? {};
  const classes: Partial<Record<ErrorCode, Type>> = DETAILS_OF_CODE;
  const details = classes[code];
  return {
    type: 'object',
    description: `The error ${code}`,
    properties: {
      code: { type: 'string', enum: [code], description: 'Stable; for programs', example: code },
      message: { type: 'string', description: 'For people; may change', example: message },
      details: details
        ? {
            description: 'For programs',
            allOf: [{ $ref: getSchemaPath(details) }],
          }
        : {
            type: 'object',
            description: 'Empty',
            additionalProperties: false,
            example: {},
          },
    },
    required: ['code', 'message', 'details'],
  };
}
