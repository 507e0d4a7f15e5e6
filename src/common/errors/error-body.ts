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
    description: 'For people; may change',
    example: 'The request is not valid',
  })
  message!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'More about the failure; `fields` maps each refused field to its messages',
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

export function errorBody(code: ErrorCode, message: string, details: ErrorDetails = {}): ErrorBody {
  return { success: false, error: { code, message, details } };
}
