import {
  applyDecorators,
  Inject,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { tap, type Observable } from 'rxjs';
import { SETTINGS } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import { ApiResponseHeader } from '../openapi/response-header.decorator.js';
import { publicPrefix } from './public-url.js';
import { normalizedPath } from './request-path.js';

/** Sets `Location`: the path of the request, and the id of the record in the response. */
@Injectable()
class LocationInterceptor implements NestInterceptor<{ id: string }> {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler<{ id: string }>,
  ): Observable<{ id: string }> {
    const http = context.switchToHttp();
    const list = publicPrefix(this.settings) + normalizedPath(http.getRequest<Request>().path);
    const response = http.getResponse<Response>();
    return next.handle().pipe(tap(({ id }) => response.setHeader('Location', `${list}/${id}`)));
  }
}

/** The response is a record that the request has created, and that a GET of `{path}/{id}` shows. */
export const HasLocation = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(LocationInterceptor),
    ApiResponseHeader(
      'Location',
      'The path of what was created, with the path prefix of `PUBLIC_URL`; a GET shows it',
      '/api/v1/cycles/060079af-669c-44cb-a06f-936d1498b549',
    ),
  );
