import {
  Injectable,
  UnsupportedMediaTypeException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { ValidationFailedError } from '../errors/domain-error.js';
import { readsBody } from './body-parsers.js';
import { bodyTypeOf, FORM_TYPE, formFieldsOf } from './route-decorators.js';

/** Rejects a body of a content type that the route does not read; otherwise it would be parsed as empty. */
@Injectable()
export class ContentTypeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (!hasBody(request)) return true;
    if (request.is(bodyTypeOf(context)) !== false) return true;
    const fields = formFieldsOf(context);
    if (!fields) throw new UnsupportedMediaTypeException();
    const message = `body must be a form (${FORM_TYPE}) with the fields ${fields.join(' and ')}`;
    throw new ValidationFailedError({ body: [{ reason: 'malformed', message }] });
  }
}

function hasBody(request: Request): boolean {
  return readsBody(request.method) && request.headers['content-length'] !== '0';
}
