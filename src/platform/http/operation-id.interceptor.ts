import {
  applyDecorators,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { tap, type Observable } from 'rxjs';
import { ApiResponseHeader } from '../openapi/response-header.decorator.js';
import type { Requester } from '../values/requester.js';

export const OPERATION_ID_HEADER = 'Operation-Id';

/** Sets `Operation-Id` if the request has written activity records. */
@Injectable()
class OperationIdInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const { user } = http.getRequest<Request & { user: Requester }>();
    const setHeader = (): void => {
      if (!user.operation.hasWritten || user.operationId === null) return;
      http.getResponse<Response>().setHeader(OPERATION_ID_HEADER, user.operationId);
    };
    return next.handle().pipe(tap(setHeader));
  }
}

/** The route may write activity records; its response has their `operation_id` in a header. */
export const HasOperationId = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(OperationIdInterceptor),
    ApiResponseHeader(
      OPERATION_ID_HEADER,
      'The `operation_id` of the activity records that the request wrote; absent if there are none',
      '5e8b2d70-9c41-4f36-a7e2-1b0d3c5f7a0d',
    ),
  );
