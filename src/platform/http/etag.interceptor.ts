import {
  applyDecorators,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { tap, type Observable } from 'rxjs';
import { ApiResponseHeader } from '../openapi/response-header.decorator.js';
import type { CalendarDate } from '../values/calendar-date.js';
import { etagOf } from '../values/precondition.js';
import type { Requester } from '../values/requester.js';

/** What a GET would respond on the user's day, for the response of a write. */
type AsRead = (response: never, today: CalendarDate) => object;

/** Sets the `ETag` of responses with a single entity. */
class EtagInterceptor implements NestInterceptor {
  constructor(private readonly asRead: AsRead) {}

  intercept(context: ExecutionContext, next: CallHandler<never>): Observable<object> {
    const http = context.switchToHttp();
    const { today } = http.getRequest<Request & { user: Requester }>().user;
    const response = http.getResponse<Response>();
    return next
      .handle()
      .pipe(tap((entity) => response.setHeader('ETag', etagOf(this.asRead(entity, today)))));
  }
}

/**
 * The response is the representation of a single entity and has its `ETag`.
 *
 * @param asRead returns what a GET would respond now, where that differs from the response
 */
export const HasEtag = (asRead: AsRead = (response) => response): MethodDecorator =>
  applyDecorators(
    UseInterceptors(new EtagInterceptor(asRead)),
    ApiResponseHeader(
      'ETag',
      'A tag of the representation, for `If-Match`',
      '"8Jn3Yw0kq2m1V5xT7cR9aLbE4dFgHsUuPzQoXiKjMn0"',
    ),
  );
