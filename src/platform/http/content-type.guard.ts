import {
  Injectable,
  UnsupportedMediaTypeException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { ValidationFailedError } from '../errors/domain-error.js';
import { readsBody } from './body-parsers.js';
import { FORM_TYPE, bodyTypeOf } from './route-decorators.js';

/** Rejects a body of a content type that the route does not read; otherwise it would be parsed as empty. */
@Injectable()
export class ContentTypeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (!hasBody(request)) return true;
    const type = bodyTypeOf(context);
    if (request.is(type) !== false) return true;
    if (type === FORM_TYPE) {
      throw new ValidationFailedError({
        body: [
          {
            reason: 'malformed',
            message: `body must be a form (${FORM_TYPE}) with the fields username and password`,
          },
        ],
      });
    }
    throw new UnsupportedMediaTypeException();
  }
}

function hasBody(request: Request): boolean {
  return readsBody(request.method) && request.headers['content-length'] !== '0';
}
