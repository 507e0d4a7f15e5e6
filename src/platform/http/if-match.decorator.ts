import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiErrors } from '../errors/api-errors.decorator.js';
import { documentedParameter } from '../openapi/documented-parameter.js';
import { IF_MATCH_HEADER, Precondition } from '../values/precondition.js';

const IfMatchHeader = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Precondition =>
    Precondition.ofIfMatch(context.switchToHttp().getRequest<Request>().get(IF_MATCH_HEADER)),
);

const documentHeader = applyDecorators(
  ApiHeader({
    name: IF_MATCH_HEADER,
    required: false,
    description:
      'The `ETag` of the representation that the request is based on, or its `updated_at` in quotes, in any form of ' +
      'the instant, or several tags, or `*`. If the current ones are others, nothing happens and the response is 412',
    schema: { type: 'string' },
  }),
  ApiErrors('PRECONDITION_FAILED'),
);

/** The condition of the `If-Match` header. */
export const IfMatch = (): ParameterDecorator =>
  documentedParameter(IfMatchHeader(), documentHeader);
