import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { tap, type Observable } from 'rxjs';
import { ETAG } from './etag.decorators.js';
import { etagOf } from '../values/precondition.js';

/** Sets the `ETag` of responses with a single entity (`@HasEtag()`). */
@Injectable()
export class EtagInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    const asRead = this.reflector.get<((response: object) => object) | undefined>(
      ETAG,
      context.getHandler(),
    );
    if (!asRead) return next.handle();
    const response = context.switchToHttp().getResponse<Response>();
    return next
      .handle()
      .pipe(tap((representation) => response.setHeader('ETag', etagOf(asRead(representation)))));
  }
}
