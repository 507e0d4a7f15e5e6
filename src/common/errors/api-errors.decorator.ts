import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { ErrorBody } from './error-body.js';
import { STATUS_OF_CODE, type ErrorCode } from './error-code.js';

/** Documents the failures of an operation beside those that every operation of its shape has. */
export function ApiErrors(...codes: ErrorCode[]): MethodDecorator {
  const statuses = [...new Set(codes.map((code) => STATUS_OF_CODE[code]))];
  return applyDecorators(
    ...statuses.map((status) =>
      ApiResponse({
        status,
        description: codes.filter((code) => STATUS_OF_CODE[code] === status).join(', '),
        type: ErrorBody,
      }),
    ),
  );
}
