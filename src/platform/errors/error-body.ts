import { ApiProperty } from '@nestjs/swagger';
import { STATUS_OF_CODE, type ErrorCode } from './error-code.js';
import type { ErrorDetails } from './domain-error.js';

class ErrorDescription {
  @ApiProperty({
    enum: Object.keys(STATUS_OF_CODE),
    enumName: 'ErrorCode',
    example: 'VALIDATION_ERROR',
  })
  code!: ErrorCode;

  @ApiProperty({
    type: 'string',
    description: 'Human-readable; may change',
    example: 'name must have 1 to 100 characters',
  })
  message!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'Details of the error. For a 422 `VALIDATION_ERROR`, `fields` maps each invalid field to its messages, or ' +
      '`rows` each invalid line and column of a file',
    example: { fields: { name: ['name must have 1 to 100 characters'] } },
  })
  details!: ErrorDetails;
}

/** The body of every response outside 2xx and 3xx. */
export class ErrorBody {
  @ApiProperty({ type: 'boolean', enum: [false], example: false })
  success!: false;

  @ApiProperty()
  error!: ErrorDescription;
}

export function toErrorBody(
  code: ErrorCode,
  message: string,
  details: ErrorDetails = {},
): ErrorBody {
  return { success: false, error: { code, message, details } };
}
